"""The spellings of a known secret: as it is, escaped, percent-encoded, base64, hex, broken over lines."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

__all__ = ["SHORTEST", "Spelling", "spellings"]

SHORTEST = 8
"""Bytes. A shorter value is no secret that can be told from ordinary text, and is not looked for."""

_ESCAPE_LEVELS = 3
_BREAK = rb"(?:\\+[nr]|[\r\n])*"
_PIECES = 4
_SHORTEST_PIECE = 4


@dataclass(frozen=True)
class Spelling:
    """One spelling: `whole` is looked for as it is; `broken` also finds it with line ends within.

    `pieces` are parts of it of which one is there whenever at most three line ends are within; empty: not looked for
    broken. `longest` is the most bytes that a match takes.
    """

    whole: bytes
    broken: re.Pattern[bytes]
    pieces: tuple[bytes, ...]
    longest: int

    def matches(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Start and end of each place in the data, places that overlap too."""
        start = data.find(self.whole)
        while start >= 0:
            yield start, start + len(self.whole)
            start = data.find(self.whole, start + 1)
        if any(piece in data for piece in self.pieces):
            for found in self.broken.finditer(data):
                if found.end(1) - found.start(1) > len(self.whole):
                    yield found.span(1)


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
    broken = _BREAK.join(re.escape(bytes([one])) for one in whole)
    size = len(whole) // _PIECES
    pieces = tuple(whole[n * size : (n + 1) * size] for n in range(_PIECES)) if size >= _SHORTEST_PIECE else ()
    # Positions that overlap are found too: the match stands in a lookahead.
    return Spelling(whole, re.compile(rb"(?=(" + broken + rb"))", re.DOTALL), pieces, 2 * len(whole) + 64)
