"""Reads a task directory as somebody who wants the answer would. Shares no code with masking or the leak scan.

Every number in every spelling; every sum, difference, mean and ratio of numbers that stand in one row, column or
sentence; names of files; text and tails of images.
"""

import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path

_NUMBER = re.compile(
    r"(?<![\w.,])[-+−–±]?(?P<body>\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+\.\d+|\.\d+|\d+,\d{1,2}(?!\d)|\d+)"
    r"(?P<power>\s?(?:[eE]|[×x·]\s?10\^?)[-+−]?\d+)?\s?(?P<unit>%|k\b|K\b|M\b|percent|points?)?"
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_BELOW_TEN = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_WORDS = [*_BELOW_TEN, "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"]
_WORDS += ["eighteen", "nineteen"]
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_SCALE = {"k": 1000, "K": 1000, "M": 1000000}
_MANY = 14
"""A line with more numbers meets any value by chance when it adds them in pairs."""


@dataclass(frozen=True)
class Seen:
    """A number as it stands: its value, how fine it is printed, how many digits, where."""

    value: Fraction
    step: Fraction
    digits: int
    percent: bool
    text: str


@dataclass(frozen=True)
class Secret:
    """A number that must not be found."""

    value: Fraction
    step: Fraction
    digits: int
    names: frozenset[str]


@dataclass(frozen=True)
class Hit:
    """A way to a hidden number; `linked` says that the line speaks of what is measured."""

    way: str
    file: str
    text: str
    secret: Secret
    linked: bool


def numbers_in(text: str) -> Iterator[Seen]:
    """Every number of a text, digits or words."""
    for match in _NUMBER.finditer(text):
        body = match["body"]
        plain = re.sub(r"(?<=\d)[,  ](?=\d{3}(?!\d))", "", body).replace(",", ".")
        value, decimals = Fraction(plain), len(plain.partition(".")[2])
        power = int(re.sub(r".*?([-−+]?\d+)$", r"\1", match["power"]).replace("−", "-")) if match["power"] else 0
        if abs(power) > 30:
            continue
        factor = Fraction(10) ** power * _SCALE.get(match["unit"] or "", 1)
        digits = len(plain.replace(".", "").strip("0"))
        percent = match["unit"] in {"%", "percent", "point", "points"}
        yield Seen(value * factor, Fraction(1, 10**decimals) * factor, digits, percent, match.group())
    for match in re.finditer(r"[a-z]+(?:-[a-z]+)?", text.lower()):
        tens, _, ones = match.group().partition("-")
        if match.group() in _WORDS[10:]:
            yield Seen(Fraction(_WORDS.index(match.group())), Fraction(1), 2, False, match.group())
        elif tens in _TENS and (not ones or ones in _WORDS[1:10]):
            value = _TENS[tens] + (_WORDS.index(ones) if ones else 0)
            yield Seen(Fraction(value), Fraction(1), len(str(value).strip("0")), False, match.group())


def secrets_in(spec: dict[str, object]) -> list[Secret]:
    """Values, inputs, prints, references of a spec as its YAML holds them, with the names of what is measured."""
    names = {word for part in json.dumps([spec["metrics"], spec["conditions"]]).split('"') for word in _names(part)}
    found = []
    for key, value in _leaves(spec):
        if key in {"value", "no_effect", "printed", "reference"} and value is not None:
            text = str(value).lstrip("-")
            number = Fraction(text)
            if number not in (0, 1):
                places = len(text.partition(".")[2])
                digits = len(text.replace(".", "").strip("0"))
                found.append(Secret(number, Fraction(1, 10**places), digits, frozenset(names)))
    return list(dict.fromkeys(found))


def _leaves(spec: dict[str, object]) -> Iterator[tuple[str, object]]:
    stack: list[object] = [spec["targets"], spec["guards"]]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            for key, value in here.items():
                if key in {"tolerance", "provenance", "reference_provenance", "spread"}:
                    continue
                if isinstance(value, dict | list):
                    stack.append(value)
                else:
                    yield key, value
        elif isinstance(here, list):
            stack += here


def _names(text: str) -> set[str]:
    common = {
        "mean",
        "label",
        "unit",
        "name",
        "formula",
        "value",
        "range",
        "role",
        "primary",
        "direction",
        "difference",
    }
    return {word for word in re.findall(r"[a-z]{3,}", text.lower()) if word not in common}


def hits(task: Path, secrets: list[Secret]) -> list[Hit]:
    """Every way from what an agent sees to a hidden number."""
    found: list[Hit] = []
    for path in sorted(one for one in task.rglob("*") if one.is_file()):
        name = path.relative_to(task).as_posix()
        if name.startswith("reward/"):
            continue
        found += _direct(f"{name} (name)", name.replace("_", " ").replace("/", " "), secrets)
        for part, text in _texts(path):
            where = f"{name}{part}"
            for line in text.replace("\\n", "\n").splitlines():
                pieces = [line.strip().strip("|")] if line.startswith("|") else _SENTENCE.split(line)
                for piece in pieces:
                    found += [*_direct(where, piece, secrets), *_combined(where, piece, secrets)]
            for column in _columns(text):
                found += _combined(f"{where} (column)", column, secrets)
    return found


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    data = path.read_bytes()
    if not data.startswith(b"\x89PNG"):
        yield "", data.decode("utf-8", "replace")
        return
    outside = re.sub(rb"IDAT.*?(?=IEND)", b"", data, flags=re.DOTALL)
    yield " (image)", " ".join(re.findall(r"[ -~]{3,}", outside.decode("latin-1")))
    for match in re.finditer(rb"\x78[\x01\x5e\x9c\xda]", outside):
        try:
            yield " (image, packed)", zlib.decompressobj().decompress(outside[match.start() :]).decode("latin-1")
        except zlib.error:
            continue


def _columns(text: str) -> Iterator[str]:
    """Each column of each table as one text, its head first; and those of its rows with one inner name."""
    block: list[list[str]] = []
    for line in [*text.splitlines(), ""]:
        if line.startswith("|"):
            block.append([cell.strip() for cell in line.strip("|").split("|")])
            continue
        if len(block) > 2:
            inner = {row[0].rpartition("/")[2].strip() for row in block[2:]}
            groups = [block[2:], *([row for row in block[2:] if row[0].endswith(one)] for one in sorted(inner))]
            for column in range(1, len(block[0])):
                for rows in groups:
                    if len(rows) > 1:
                        cells = [row[column] for row in rows if column < len(row)]
                        yield f"{block[0][column]} | " + " | ".join(cells)
        block = []


def _agrees(seen: Seen, secret: Secret) -> bool:
    scales = [Fraction(1), Fraction(100), Fraction(1, 100), Fraction(1000), Fraction(1, 1000)]
    for scale in scales if seen.digits > 1 else scales[:1]:
        apart = abs(abs(seen.value * scale) - secret.value)
        if apart == 0 or (seen.digits > 2 and 2 * apart <= max(secret.step, seen.step * scale) and secret.digits > 2):
            return True
    return False


def _linked(text: str, secret: Secret) -> bool:
    return not secret.names.isdisjoint(_names(text))


def _direct(file: str, text: str, secrets: list[Secret]) -> Iterator[Hit]:
    for seen in numbers_in(text):
        for secret in secrets:
            if _agrees(seen, secret):
                yield Hit("printed", file, f"{seen.text}: {text[:200]}", secret, _linked(text, secret))


def _combined(file: str, text: str, secrets: list[Secret]) -> Iterator[Hit]:
    cells = text.split("|")
    read = [one for cell in cells for one in list(numbers_in(cell))[: 1 if len(cells) > 1 else None] if one.digits > 1]
    if len(cells) > 1 and re.search("[A-Za-z]", cells[0]):
        read = [one for cell in cells[1:] for one in list(numbers_in(cell))[:1] if one.digits > 1]
    if not 1 < len(read) <= _MANY:
        return
    values = [one.value for one in read]
    ways = [("mean", sum(values) / len(values)), ("sum", sum(values))] if len(values) > 2 else []
    for one, other in combinations(values, 2):
        ways += [("sum of two", one + other), ("difference", one - other)]
        ways += [("mean of two", (one + other) / 2)]
        ways += [("harmonic mean", 2 * one * other / (one + other))] if one + other else []
    ways += [("rest to the whole", (1 if one < 1 else 100) - one) for one in values if one < 100]
    for way, value in ways:
        for secret in secrets:
            near = 2 * abs(abs(value) - secret.value) <= secret.step
            if near and secret.digits > 1:
                yield Hit(way, file, text[:260], secret, _linked(text, secret))
