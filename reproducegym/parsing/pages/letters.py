"""Spells the characters of a page as plain text: letters of mathematics as letters, nothing that cannot be seen."""

import unicodedata
from collections.abc import Callable

__all__ = ["UNSEEN", "plain", "speller"]

_DROPPED = ("Cc", "Cs", "Cn")
UNSEEN = frozenset("\u200b\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Breaks without width and marks that turn the direction of writing; soft hyphens and joiners tell something."""
_PLANCK = "\u210e"
"""The italic h of mathematics, which Unicode keeps apart from its alphabet."""
_CUT = {code - 0x10000: code for code in range(0x1D400, 0x1D800)}


def speller(text: str) -> Callable[[str], str]:
    """What spells the characters of a page with this text.

    Some fonts tell the letters of mathematics by the last 16 bits of their codes, as Korean syllables: a page on which
    no other syllable stands is not Korean.
    """
    korean = any("\uac00" <= character < "\ud400" for character in text)
    return plain if korean else lambda part: plain(part.translate(_CUT))


def plain(text: str) -> str:
    """Text without control characters and spaces around it, mathematical letters as plain ones."""
    kept = (c for c in text if c == "\u00ad" or (unicodedata.category(c) not in _DROPPED and c not in UNSEEN))
    return "".join(
        unicodedata.normalize("NFKC", c) if "\U0001d400" <= c <= "\U0001d7ff" or c == _PLANCK else c for c in kept
    ).strip()
