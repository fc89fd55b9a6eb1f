"""Text of a repository, made safe to look at."""

import unicodedata

__all__ = ["visible"]

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control and format characters (also those that turn text around), lone halves of pairs, line breaks."""


def visible(text: str) -> str:
    """The text in one line, with every character that would act or hide written as its code."""
    return "".join(" " if c == "\t" else f"\\u{ord(c):04x}" if unicodedata.category(c) in _HIDDEN else c for c in text)
