"""Looks for hidden numbers in everything that the agent sees: text, tables, names, digests, words inside images."""

import hashlib
import re
import struct
import zlib
from collections.abc import Iterator

from reproducegym.pipeline.exposure.hidden import Secrets, beside, judge, secrets_of, spoken, words_of
from reproducegym.pipeline.printed.number_words import in_digits_and_words
from reproducegym.pipeline.printed.numbers import read_number, read_numbers, spellings
from reproducegym.ports import Files
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import LeakFinding

__all__ = ["scan"]

_PNG = b"\x89PNG\r\n\x1a\n"
_HEX = re.compile(r"(?<![0-9a-zA-Z])[0-9a-f]{8,128}(?![0-9a-zA-Z])")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_SECTION = re.compile(r"^#+ (?:[A-Z]|[A-Z]?\.?\d+(?:\.\d+)*)\.? ")
_CONTEXT = 60
_HASHES = ("md5", "sha1", "sha256", "sha512", "blake2b")


def scan(files: Files, spec: ClaimSpec) -> tuple[LeakFinding, ...]:
    """Every place in the agent's files that shows a hidden number, or a digest over one.

    Blocking: the number of the same quantity (sentence, or row and column), or with three or more significant digits
    and no set-up number. The rest are coincidences, listed. Files that are neither UTF-8 text nor PNG are blocking,
    since nothing can be said about them.
    """
    secrets = secrets_of(spec)
    digests = _digests(spec, secrets)
    found: list[LeakFinding] = []
    for name in sorted(files):
        found += _in_line(f"{name} (name)", name.replace("_", " "), secrets)
        found += _raw(f"{name} (name)", name, secrets.spelled, digests)
        for part, text in _texts(name, files[name]):
            if text is None:
                found.append(LeakFinding(file=name, spelling="", context="neither text nor PNG", blocking=True))
                continue
            found += _in_text(part, text, secrets)
            found += _raw(part, text, secrets.spelled, digests)
    return tuple(dict.fromkeys(found))


def _texts(name: str, data: bytes) -> Iterator[tuple[str, str | None]]:
    if data.startswith(_PNG):
        for kind, body in _png_chunks(data):
            yield f"{name} ({kind})", body.decode("latin-1")
        return
    try:
        text = data.decode()
    except UnicodeDecodeError:
        yield name, None
    else:
        yield name, text.replace("\\n", "\n") if name.endswith(".json") else text


def _png_chunks(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Text and metadata chunks, decompressed, and whatever stands after the end of the image."""
    at = len(_PNG)
    while at + 8 <= len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8].decode("latin-1")
        body = data[at + 8 : at + 8 + size]
        at += 12 + size
        if kind in {"tEXt", "eXIf", "iTXt", "zTXt", "tIME"}:
            yield kind, body + b"\n" + _inflated(body)
        if kind == "IEND":
            break
    if at < len(data):
        yield "after the image", data[at:]


def _inflated(body: bytes) -> bytes:
    """Text of a compressed chunk, wherever in it the compressed part begins; empty when there is none."""
    for start in (index for index in range(min(len(body), 256)) if body[index : index + 1] == b"\x78"):
        try:
            return zlib.decompress(body[start:])
        except zlib.error:
            continue
    return b""


def _in_text(file: str, text: str, secrets: Secrets) -> Iterator[LeakFinding]:
    lines = text.splitlines()
    header: list[str] = []
    for index, line in enumerate(lines):
        if not line.startswith("|"):
            header = []
            yield from _in_line(file, _SECTION.sub("", line), secrets)
            continue
        if index + 1 < len(lines) and _RULE.fullmatch(lines[index + 1].strip()):
            header = _cells(line)
            yield from _in_line(file, line, secrets)
        elif header and not _RULE.fullmatch(line.strip()):
            yield from _in_row(file, header, _cells(line), secrets)


def _in_row(file: str, header: list[str], cells: list[str], secrets: Secrets) -> Iterator[LeakFinding]:
    """A cell speaks of what its column's head and its row's first cell say."""
    yield from _in_line(file, cells[0], secrets)
    for head, cell in zip(header[1:], cells[1:], strict=False):
        context = f"{cells[0]} {head}"
        alone = read_number(cell)
        for number in read_numbers(cell) if alone is None else (alone,):
            verdict = judge(number, words_of(context), linked=secrets.linked(context), secrets=secrets)
            if verdict is not None:
                yield LeakFinding(
                    file=file, spelling=number.text, context=f"{context}: {cell}", blocking=verdict[0] == "hidden"
                )


def _in_line(file: str, line: str, secrets: Secrets) -> Iterator[LeakFinding]:
    for sentence, linked in spoken(line, secrets):
        for number in in_digits_and_words(sentence) if linked else read_numbers(sentence):
            verdict = judge(number, beside(sentence, number), linked=linked, secrets=secrets)
            if verdict is not None:
                context = sentence[max(0, number.start - _CONTEXT) : number.end + _CONTEXT].strip()
                yield LeakFinding(file=file, spelling=number.text, context=context, blocking=verdict[0] == "hidden")


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]


def _digests(spec: ClaimSpec, secrets: Secrets) -> frozenset[str]:
    """First eight hex digits of every digest that the hidden numbers can be found back from."""
    found = {spec.spec_hash[:8], spec.contract_hash[:8], spec.claim_uid.removeprefix("clm_")[:8]}
    for one in secrets.hidden:
        for spelling in spellings(one.value, one.unit) | {str(one.value)}:
            found |= {hashlib.new(kind, spelling.encode()).hexdigest()[:8] for kind in _HASHES}
    return frozenset(found)


def _raw(file: str, text: str, spelled: re.Pattern[str] | None, digests: frozenset[str]) -> Iterator[LeakFinding]:
    for match in spelled.finditer(text) if spelled is not None else ():
        context = text[max(0, match.start() - _CONTEXT) : match.end() + _CONTEXT]
        yield LeakFinding(file=file, spelling=match.group(), context=" ".join(context.split()), blocking=True)
    for match in _HEX.finditer(text):
        if match.group()[:8] in digests:
            yield LeakFinding(file=file, spelling=match.group(), context="digest over a hidden value", blocking=True)
