"""Gathers shown characters into words with their lines and columns in the flattened source."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.latex.source_text import LineTable, SourceText
from reproducegym.parsing.latex.spelling import Glyph
from reproducegym.parsing.written.words import SourceWord
from reproducegym.schema.paper import Mark

__all__ = ["MarkedWord", "Typesetter", "marks_of_glyphs"]

_DAGGER = re.compile(r"[†‡∗⋆★§¶]|\w\*(?!\w)")


@dataclass(frozen=True, slots=True)
class MarkedWord(SourceWord):
    """A word, and the labels that its numbers were made from."""

    keys: tuple[str, ...]


class Typesetter:
    """Knows where the characters of the expanded source stand in the flattened one."""

    def __init__(self, source: SourceText, lines: LineTable) -> None:
        self._origins = source.origins
        self._lines = lines

    def words(self, glyphs: Sequence[Glyph]) -> list[MarkedWord]:
        """The words in order; a word that is written over several lines stands on the first of them."""
        words: list[MarkedWord] = []
        open_word: list[tuple[str, Glyph]] = []
        for glyph in glyphs:
            for char in glyph.text:
                if char.isspace() or not char.isprintable():
                    if open_word:
                        words.append(self._word(open_word))
                    open_word = []
                else:
                    open_word.append((char, glyph))
        if open_word:
            words.append(self._word(open_word))
        return words

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column in the flattened source of an offset in the expanded one."""
        return self._lines.at(self._origins[min(offset, len(self._origins) - 1)])

    def _word(self, characters: Sequence[tuple[str, Glyph]]) -> MarkedWord:
        spots = [(self.at(glyph.start), self.at(glyph.end - 1)) for _, glyph in characters]
        line = min(spot[0] for spot in spots)[0]
        here = [(a, b) for (la, a), (lb, b) in spots if la == line and lb == line]
        start = min((a for a, _ in here), default=spots[0][0][1])
        end = max((max(a, b) + 1 for a, b in here), default=start + 1)
        keys = tuple(dict.fromkeys(glyph.key for _, glyph in characters if glyph.key is not None))
        return MarkedWord("".join(char for char, _ in characters), line, start, max(end, start + 1), keys)


def marks_of_glyphs(glyphs: Sequence[Glyph]) -> tuple[Mark, ...]:
    """The marks of a cell: bold and the like where most of it is so, scripts and signs where any is."""
    solid = [glyph for glyph in glyphs if glyph.text.strip() and not glyph.marks & {"superscript", "subscript"}]
    solid = [glyph for glyph in solid if any(c.isalnum() for c in glyph.text)] or solid
    marks: list[Mark] = []
    most: tuple[Mark, ...] = ("bold", "italic", "underline")
    for mark in most:
        if solid and sum(mark in glyph.marks for glyph in solid) * 2 > len(solid):
            marks.append(mark)
    scripts: tuple[Mark, ...] = ("superscript", "subscript")
    marks += [mark for mark in scripts if any(mark in glyph.marks for glyph in glyphs)]
    if _DAGGER.search("".join(glyph.text for glyph in glyphs)):
        marks.append("dagger")
    if any("colour" in glyph.marks for glyph in glyphs):
        marks.append("colour")
    return tuple(marks)
