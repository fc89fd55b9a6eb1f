"""The spellings of a known secret: as it is, escaped, percent-encoded, base64, hex, broken over lines."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

__all__ = ["SHORTEST", "Spelling", "spellings", "unbroken"]

SHORTEST = 8
"""Bytes. A shorter value is no secret that can be told from ordinary text, and is not looked for."""

_ESCAPE_LEVELS = 3
_BREAK = rb"(?:(?:\\\\\\\\|\\\\|\\)[nr]|[\r\n])*"
_BREAKS = tuple(b"\\" * count + letter for count in (4, 2, 1) for letter in (b"n", b"r"))
_SHORTEST_BROKEN = 16


@dataclass(frozen=True)
class Spelling:
    """One spelling: `whole` is looked for as it is, `broken` finds it with line ends within (null: too short for that).

    `longest` is the most bytes that a match takes; of more line ends than that allows the rest stays.
    """

    whole: bytes
    broken: re.Pattern[bytes] | None
    longest: int

    def matches(self, data: bytes, unbroken: bytes) -> Iterator[tuple[int, int]]:
        """Start and end of each place, places that overlap too; `unbroken` is the data without line ends."""
        start = data.find(self.whole)
        if start < 0 and self.whole not in unbroken:
            return
        while start >= 0:
            yield start, start + len(self.whole)
            start = data.find(self.whole, start + 1)
        if self.broken is not None and data is not unbroken:
            for found in self.broken.finditer(data):
                if found.end(1) - found.start(1) > len(self.whole):
                    yield found.span(1)


def unbroken(data: bytes) -> bytes:
    """The data without line ends, escaped ones too; the very same object where it has none."""
    if b"\\" in data:
        for one in _BREAKS:
            data = data.replace(one, b"")
    return data.translate(None, b"\r\n") if b"\n" in data or b"\r" in data else data


def spellings(secret: str) -> tuple[Spelling, ...]:
    """All spellings of one secret that are looked for, each once; none for a secret shorter than SHORTEST."""
    plain = secret.encode()
    if len(plain) < SHORTEST:
        return ()
    found: dict[bytes, None] = {plain: None}
    for escaped in _escaped(secret):
        found[escaped.encode()] = None
    for quoted in (quote(secret, safe=""), quote(secret), quote_plus(secret)):
        found[quoted.encode()] = None
        found[re.sub(r"%..", lambda code: code[0].lower(), quoted).encode()] = None
    for turned in _base64(plain):
        found[turned] = None
    found[plain.hex().encode()] = None
    found[plain.hex().upper().encode()] = None
    return tuple(_spelling(one) for one in found)


def _escaped(secret: str) -> Iterator[str]:
    """As JSON writes it, up to JSON in JSON in JSON, all but ASCII escaped or not; `/`, `<` and `&` escaped too."""
    level = {secret}
    for _ in range(_ESCAPE_LEVELS):
        level = {json.dumps(text, ensure_ascii=ascii_only)[1:-1] for text in level for ascii_only in (False, True)}
        yield from sorted(level)
    once = json.dumps(secret, ensure_ascii=False)[1:-1]
    yield once.replace("/", "\\/")
    yield once.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _base64(plain: bytes) -> Iterator[bytes]:
    """What base64 makes of it wherever it stands in a longer text: three alignments, without the digits it shares."""
    for before in range(3):
        turned = base64.b64encode(b"\0" * before + plain)
        first = (0, 2, 3)[before]
        shared = (before + len(plain)) % 3
        last = len(turned) - (0, 3, 2)[shared]
        yield turned[first:last]
        yield turned[first:last].replace(b"+", b"-").replace(b"/", b"_")


def _spelling(whole: bytes) -> Spelling:
    if len(whole) < _SHORTEST_BROKEN:
        return Spelling(whole, None, len(whole))
    # Positions that overlap are found too: the match stands in a lookahead.
    broken = _BREAK.join(re.escape(bytes([one])) for one in whole)
    return Spelling(whole, re.compile(rb"(?=(" + broken + rb"))", re.DOTALL), 3 * len(whole) + 64)
