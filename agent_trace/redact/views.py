"""Data as it reads once its escapes are undone, or once only its hex digits are left; each view is made when wanted.

Views say quickly that a secret is nowhere; where it is, patterns find its place in the data itself.
"""

import re
from functools import cached_property

__all__ = ["BREAK", "DUMP_JOIN", "Views", "undone"]

BREAK = rb"(?:\\{1,8}[nr]|\\{0,8}[\r\n])"
"""One end of a line, as it is, escaped, or behind the backslash that continues a line."""
DUMP_JOIN = rb"(?:[ \t]{2,4}[^\r\n]{0,40}?)?" + BREAK + rb"{1,2}[0-9a-f]{4,16}:?[ \t]{1,4}"
"""From one line of a hex dump to the next: the column of text, the line's end, the address."""

_DUMP_SIGN = re.compile(rb"[\nnr][0-9a-fA-F]{4,16}:?[ \t]{1,4}[0-9a-fA-F]{2}")
_DUMP_JOIN = re.compile(DUMP_JOIN, re.IGNORECASE)
_BROKEN = re.compile(rb"[\\\r\n]")
_ROUNDS = 4
_LARGEST = 0x10FFFF
_NAMED = {b"amp": b"&", b"lt": b"<", b"gt": b">", b"quot": b'"', b"apos": b"'"}
_ESCAPE = re.compile(
    rb"%(?P<percent>[0-9a-f]{2})"
    rb"|\\(?-i:U)(?P<u8>[0-9a-f]{8})"
    rb"|\\u(?P<high>d[89ab][0-9a-f]{2})\\u(?P<low>d[c-f][0-9a-f]{2})"
    rb"|\\u(?P<u4>[0-9a-f]{4})"
    rb"|\\u\{(?P<braced>[0-9a-f]{1,6})\}"
    rb"|\\x(?P<x>[0-9a-f]{2})"
    rb"|\\(?P<octal>[0-3][0-7]{2})"
    rb"|&#(?:x(?P<hex>[0-9a-f]{1,8})|(?P<decimal>[0-9]{1,8}));?"
    rb"|&(?P<named>amp|lt|gt|quot|apos);",
    re.IGNORECASE,
)


class Views:
    """The data and its views."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    @cached_property
    def lower(self) -> bytes:
        """In lower case."""
        return self.data.lower()

    @cached_property
    def unbroken(self) -> bytes:
        """Without line ends and backslashes; the very same object where it has none."""
        return _without_breaks(self.data).translate(None, b"\\\r\n") if _BROKEN.search(self.data) else self.data

    @cached_property
    def undone(self) -> bytes:
        """As `undone` gives it."""
        return undone(self.data)

    @cached_property
    def digits(self) -> bytes:
        """In lower case without what stands between the bytes of hex."""
        data = _DUMP_JOIN.sub(b"", self.data).lower() if self.dumped else self.unbroken.lower()
        return data.replace(b"0x", b"").translate(None, b" \t\r\n:;,._-'\"\\")

    @cached_property
    def dumped(self) -> bool:
        """Whether there may be a hex dump with an address on each line."""
        return _DUMP_SIGN.search(self.data) is not None


def undone(data: bytes) -> bytes:
    """The data without escapes, also escapes of escapes, in lower case, without white space, `+` and backslashes.

    What is equal however it is written is equal here; what differs may be equal too.
    """
    for _ in range(_ROUNDS):
        if b"%" not in data and b"\\" not in data and b"&" not in data:
            break
        before = _single(data)
        data = _ESCAPE.sub(_meant, before)
        if data == before:
            break
    return _without_breaks(data).lower().translate(None, b"\\\r\n\t +")


def _single(data: bytes) -> bytes:
    """One backslash for up to eight, which text within text within text has."""
    for _ in range(3):
        data = data.replace(b"\\\\", b"\\")
    return data


def _without_breaks(data: bytes) -> bytes:
    return _single(data).replace(b"\\n", b"").replace(b"\\r", b"") if b"\\" in data else data


def _meant(found: re.Match[bytes]) -> bytes:
    kind = found.lastgroup or ""
    told = found[kind]
    if kind == "named":
        return _NAMED[told.lower()]
    if kind in ("percent", "x"):
        return bytes([int(told, 16)])
    if kind == "low":
        code = 0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(told, 16) - 0xDC00
    else:
        code = int(told, {"octal": 8, "decimal": 10}.get(kind, 16))
    return chr(code).encode("utf-8", "surrogatepass") if code <= _LARGEST else found[0]
