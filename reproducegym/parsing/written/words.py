"""Words of a paper that is given as source: each with its line and columns, and the paragraphs made of them."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import union
from reproducegym.parsing.text.paragraphs import Role
from reproducegym.parsing.text.sentences import sentence_spans
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Paragraph, Place, Sentence, Word

__all__ = ["SourceWord", "offsets_of", "paragraph_of", "place_of", "text_of"]


@dataclass(frozen=True, slots=True)
class SourceWord:
    """A word of one line (counted from 0) between two columns, spelled without markup."""

    text: str
    line: int
    start: int
    end: int

    @property
    def box(self) -> BBox:
        """Columns and lines as a box: line n (from 1) lies between n - 1 and n."""
        return (float(self.start), float(self.line), float(self.end), float(self.line + 1))

    def word(self) -> Word:
        """As the words layer keeps it."""
        return Word(text=self.text, bbox=self.box)


def text_of(words: Iterable[SourceWord]) -> str:
    """Words joined by single spaces."""
    return " ".join(word.text for word in words)


def place_of(words: Sequence[SourceWord]) -> Place:
    """The one place of words that there are."""
    return Place(page=1, bbox=union(word.box for word in words))


def offsets_of(words: Sequence[SourceWord]) -> list[tuple[int, int]]:
    """Start and end of each word in the joined text."""
    spans: list[tuple[int, int]] = []
    position = 0
    for word in words:
        spans.append((position, position + len(word.text)))
        position += len(word.text) + 1
    return spans


def _start(span: tuple[int, int]) -> int:
    return span[0]


def _end(span: tuple[int, int]) -> int:
    return span[1]


def paragraph_of(name: str, words: Sequence[SourceWord], section: str | None, role: Role) -> Paragraph:
    """The paragraph that words make, with its sentences and their places."""
    text = text_of(words)
    spans = offsets_of(words)
    sentences = tuple(
        Sentence(
            id=f"{name}.{k}",
            text=text[a:b],
            start=a,
            end=b,
            places=(place_of(words[bisect_right(spans, a, key=_end) : bisect_left(spans, b, key=_start)]),),
        )
        for k, (a, b) in enumerate(sentence_spans(text), 1)
    )
    return Paragraph(id=name, section=section, role=role, text=text, places=(place_of(words),), sentences=sentences)
