"""Collects the words of a paper that tell whether a hyphen at a line's end belongs to the word."""

import re
from collections.abc import Sequence

from reproducegym.parsing.pages.page_text import PageText

__all__ = ["vocabulary_of"]


def vocabulary_of(pages: Sequence[PageText]) -> frozenset[str]:
    """Words of the paper that do not stand at a line's end, in lower case, hyphenated ones whole."""
    words: set[str] = set()
    for page in pages:
        for line in page.lines:
            for piece in line.pieces[:-1]:
                words.update(w.lower() for w in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", piece.text))
    return frozenset(words)
