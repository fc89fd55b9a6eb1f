"""The ways in which one character may be escaped, as a pattern."""

import re

__all__ = ["escaped_form"]

_NAMED = {"&": b"amp", "<": b"lt", ">": b"gt", '"': b"quot", "'": b"apos"}
_LETTERED = {"\n": b"n", "\r": b"r", "\t": b"t", "\b": b"b", "\f": b"f"}
_AND = rb"&(?:amp;){0,3}"
_BACKSLASHES = rb"\\{1,8}"


def escaped_form(character: str) -> bytes:
    r"""Itself, `%41` (`%2541` …), `\u0041`, `\u{41}`, `\U00000041`, `\x41`, `\101`, `&#65;`, `&#x41;`, and its names.

    Backslashes may be doubled and ampersands escaped again, as text within text has them.
    """
    code, own = ord(character), character.encode()
    ways = [
        b"".join(rb"%%(?:25){0,3}%02x" % one for one in own),
        _BACKSLASHES + rb"(?:u\{0{0,4}%x\}|U%08x)" % (code, code),
        b"".join(_BACKSLASHES + rb"(?:x%02x|%03o)" % (one, one) for one in own),
        _AND + rb"#(?:0{0,4}%d(?![0-9])|x0{0,4}%x(?![0-9a-f]));?" % (code, code),
    ]
    units = character.encode("utf-16-be")
    ways.append(b"".join(_BACKSLASHES + b"u" + units[at : at + 2].hex().encode() for at in range(0, len(units), 2)))
    if character in _NAMED:
        ways.append(_AND + _NAMED[character] + b";")
    return b"(?>" + b"|".join([*ways, _itself(character)]) + b")"


def _itself(character: str) -> bytes:
    plain = re.escape(character.encode())
    if character == "\\":
        return _BACKSLASHES
    if character in _LETTERED:
        return b"(?:" + plain + b"|" + _BACKSLASHES + _LETTERED[character] + b")"
    if character == " ":
        return b"[ +]"
    return plain if character.isalnum() else rb"\\{0,8}" + plain
