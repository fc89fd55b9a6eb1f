"""The spellings of a known secret: as it is, escaped, in base64, base32 or hex, broken over lines."""

import base64
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Protocol

from agent_trace.redact.escapes import escaped_form
from agent_trace.redact.views import BREAK, DUMP_JOIN, Views, undone

__all__ = ["SHORTEST", "Spelling", "spellings"]

SHORTEST = 8
"""Bytes. A shorter value is no secret that can be told from ordinary text, and is not looked for."""

_ESCAPE_LEVELS = 3
_SHORTEST_BROKEN = 16
# Nothing is tried twice within a match (`(?>…)`, `++`): who knows a secret may not write text that takes for ever.
_BETWEEN = rb"""(?>(?:\\{1,8}[nrt]|[\s:;,._'"\\-]){0,32}(?:0x)?)"""
_COLUMN = rb"(?:[ \t]{2,4}[^\r\n]{0,40}?(?=" + BREAK + rb"|\Z))?"


class Spelling(Protocol):
    """One way of writing a secret."""

    @property
    def longest(self) -> int:
        """The most bytes that a match takes in a stream; of a longer one the rest stays."""
        ...

    def matches(self, views: Views) -> Iterator[tuple[int, int]]:
        """Start and end of each place, places that overlap too."""
        ...


@dataclass(frozen=True)
class Exact:
    """`whole` is looked for as it is, `broken` finds it with line ends within (null where that is not done)."""

    whole: bytes
    broken: re.Pattern[bytes] | None
    longest: int

    def matches(self, views: Views) -> Iterator[tuple[int, int]]:
        """Start and end of each place, places that overlap too."""
        data, unbroken = views.data, views.unbroken
        start = data.find(self.whole)
        if start < 0 and (self.broken is None or unbroken is data or self.whole not in unbroken):
            return
        while start >= 0:
            yield start, start + len(self.whole)
            start = data.find(self.whole, start + 1)
        if self.broken is not None and data is not unbroken:
            for found in self.broken.finditer(data):
                if found.end(1) - found.start(1) > len(self.whole):
                    yield found.span(1)


@dataclass(frozen=True)
class Formed:
    """Where `needle` is in a view, `form` finds the places; its group 1 is what goes."""

    needle: bytes
    view: Callable[[Views], bytes]
    form: re.Pattern[bytes]
    longest: int

    def matches(self, views: Views) -> Iterator[tuple[int, int]]:
        """Start and end of each place, places that overlap too."""
        if self.needle in self.view(views):
            for found in self.form.finditer(views.data):
                yield found.span(1)


def spellings(secret: str) -> tuple[Spelling, ...]:
    """All spellings of one secret that are looked for, each once; none for a secret shorter than SHORTEST."""
    plain = secret.encode()
    if len(plain) < SHORTEST:
        return ()
    found: dict[bytes, None] = {plain: None}
    for escaped in _escaped(secret):
        found[escaped.encode()] = None
    for turned in (*_base64(plain), *_base32(plain)):
        found[turned] = None
    return (*(_exact(one) for one in found), _any_escape(secret), *_hex(plain))


def _escaped(secret: str) -> Iterator[str]:
    """As JSON writes it, up to JSON in JSON in JSON, all but ASCII escaped or not."""
    level = {secret}
    for _ in range(_ESCAPE_LEVELS):
        level = {json.dumps(text, ensure_ascii=ascii_only)[1:-1] for text in level for ascii_only in (False, True)}
        yield from sorted(level)


def _base64(plain: bytes) -> Iterator[bytes]:
    """What base64 makes of it wherever it stands in a longer text: three alignments, without the digits it shares."""
    for before in range(3):
        turned = _inner(base64.b64encode(b"\0" * before + plain), before, len(plain), 6)
        yield turned
        yield turned.replace(b"+", b"-").replace(b"/", b"_")


def _base32(plain: bytes) -> Iterator[bytes]:
    """What base32 makes of it wherever it stands in a longer text: five alignments, in upper and in lower case."""
    for before in range(5):
        turned = _inner(base64.b32encode(b"\0" * before + plain), before, len(plain), 5)
        yield turned
        yield turned.lower()


def _inner(turned: bytes, before: int, length: int, bits: int) -> bytes:
    """The digits, of so many bits each, that hold nothing but those bytes."""
    return turned[ceil(8 * before / bits) : 8 * (before + length) // bits]


def _exact(whole: bytes) -> Exact:
    if len(whole) < _SHORTEST_BROKEN or any(one in b"\\\r\n" for one in whole):
        return Exact(whole, None, len(whole))
    # Positions that overlap are found too: the match stands in a lookahead.
    broken = (BREAK + b"*+").join(re.escape(bytes([one])) for one in whole)
    return Exact(whole, re.compile(rb"(?=(" + broken + rb"))", re.DOTALL), 3 * len(whole) + 64)


def _any_escape(secret: str) -> Formed:
    """Any character escaped or not, in any way, in capitals or not."""
    broken = len(secret.encode()) >= _SHORTEST_BROKEN
    between = BREAK + b"{0,8}+" if broken else b""
    form = between.join(escaped_form(one) + (b"?+" if broken and one in "\r\n" else b"") for one in secret)
    return Formed(
        undone(secret.encode()),
        lambda views: views.undone,
        re.compile(rb"(?=(" + form + rb"))", re.IGNORECASE | re.DOTALL),
        14 * len(secret.encode()) + 64,
    )


def _hex(plain: bytes) -> Iterator[Formed]:
    """Its bytes in hex, with whatever stands between them; and in a dump with addresses and a column of text."""
    pairs = [b"%x" % (one >> 4) + BREAK + b"{0,2}+" + b"%x" % (one & 15) for one in plain]
    whole = plain.hex().encode()
    dumped = b"(?>" + DUMP_JOIN + b"|" + _BETWEEN + b")"
    for between, after, view in ((_BETWEEN, b"", _digits), (dumped, _COLUMN, _dumped_digits)):
        form = rb"(?=(" + between.join(pairs) + after + rb"))"
        yield Formed(whole, view, re.compile(form, re.IGNORECASE), 8 * len(plain) + 128)


def _digits(views: Views) -> bytes:
    return views.digits


def _dumped_digits(views: Views) -> bytes:
    return views.digits if views.dumped else b""
