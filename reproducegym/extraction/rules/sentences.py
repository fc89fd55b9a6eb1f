"""Picks the sentences that may state a claim, and finds the place of a number inside one."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from reproducegym.pipeline.printed.numbers import Number
from reproducegym.pipeline.printed.sections import paragraph_role, section_roles
from reproducegym.ports import ReadPaper
from reproducegym.schema.base import BBox
from reproducegym.schema.claim import Anchor, Provenance
from reproducegym.schema.evidence import SectionRole
from reproducegym.schema.paper import Document, Sentence, Word

__all__ = ["Spoken", "anchor_of", "claim_sentences", "number_place", "set_up_sentences"]

_TABLE = re.compile(
    r"\b(?:Tables?|Tabs?\.)\s?([A-Z]?\.?\d+[a-z]?)(?:(?:,|\s?and|\s?&|\s?–|-)\s?(?:(?:Table"
    r"|Tab\.)\s?)?([A-Z]?\.?\d+)(?![\d.%]))?"
)
_CITED = re.compile(r"\[\d[\d,\s–-]*\]|\([^()]*(?:19|20)\d\d[a-z]?[^()]*\)|\bet al\.")
_OWN = re.compile(r"\b(?:we|our|ours|this (?:paper|work)|us)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Spoken:
    """A sentence with its surroundings.

    `tables` are the labels it refers to; `near` the ones its paragraph does.

    `previous` is the sentence before it in its paragraph, empty for the first.
    """

    sentence: Sentence
    role: SectionRole
    order: int
    tables: frozenset[str]
    near: frozenset[str]
    paragraph: str
    previous: str
    section: str | None = None

    @property
    def text(self) -> str:
        """The sentence's words."""
        return self.sentence.text

    @property
    def is_cited(self) -> bool:
        """Whether the sentence reports what others did."""
        return bool(_CITED.search(self.text)) and not _OWN.search(self.text)


def claim_sentences(document: Document) -> tuple[Spoken, ...]:
    """Sentences of abstract, introduction, results and conclusion, and of untitled kinds of sections, in order."""
    return tuple(spoken for spoken in _all(document) if spoken.role not in {"setup", "aside"} and len(spoken.text) > 20)


def set_up_sentences(document: Document) -> tuple[Spoken, ...]:
    """Sentences that may hold protocol numbers: everything but related work."""
    return tuple(spoken for spoken in _all(document) if spoken.role != "aside")


def anchor_of(spoken: Spoken, paper: ReadPaper) -> Anchor:
    """The sentence at its place; where it runs over a page break, the longer part of it."""
    place = spoken.sentence.places[0]
    quote = spoken.text
    if len({spot.page for spot in spoken.sentence.places}) > 1:
        last = spoken.sentence.places[-1]
        start, end = _part_on(quote, place.page, paper, -1), _part_on(quote, last.page, paper, 0)
        quote, place = (start, place) if len(start) >= len(end) else (end, last)
    return Anchor(kind="sentence", page=place.page, bbox=place.bbox, quote=quote)


def _part_on(quote: str, number: int, paper: ReadPaper, shorten: int) -> str:
    """What a page prints of a sentence that starts or ends on it; words are taken away at its other end."""
    letters = _letters("".join(word.text for page in paper.words if page.page == number for word in page.words))
    parts = quote.split(" ")
    while len(parts) > 3 and _letters("".join(parts)) not in letters:
        parts.pop(shorten)
    return " ".join(parts)


def number_place(spoken: Spoken, number: Number, paper: ReadPaper) -> Provenance | None:
    """Where the page prints a number of the sentence; None when the page's words leave any doubt."""
    before = _letters(spoken.text[: number.start])
    inside = _letters(spoken.text[number.start : number.end])
    after = _letters(spoken.text[number.end :])
    for place in spoken.sentence.places:
        words = [word for page in paper.words if page.page == place.page for word in page.words]
        for reach in (400, 60, 24, 12):
            found = list(_runs(words, before[-reach:], inside, after[:reach]))
            if len(found) == 1:
                return Provenance(kind="sentence", page=place.page, bbox=_around(found[0]), quote=number.text)
            if found:
                return None
    return None


def _runs(words: list[Word], before: str, inside: str, after: str) -> Iterator[list[Word]]:
    letters = [(letter, index) for index, word in enumerate(words) for letter in _letters(word.text)]
    text = "".join(letter for letter, _ in letters)
    wanted = before + inside + after
    at = text.find(wanted)
    while at >= 0 and inside:
        start, end = at + len(before), at + len(before) + len(inside)
        yield words[letters[start][1] : letters[end - 1][1] + 1]
        at = text.find(wanted, at + 1)


def _around(words: list[Word]) -> BBox:
    return (
        min(word.bbox[0] for word in words),
        min(word.bbox[1] for word in words),
        max(word.bbox[2] for word in words),
        max(word.bbox[3] for word in words),
    )


def _letters(text: str) -> str:
    """Only letters and digits, so that hyphens at line ends and spaces do not matter."""
    return "".join(letter for letter in unicodedata.normalize("NFKC", text) if letter.isalnum())


def _all(document: Document) -> Iterator[Spoken]:
    roles = section_roles(document.sections)
    order = 0
    for paragraph in document.paragraphs:
        if paragraph.role in {"reference", "front", "footnote"}:
            continue
        role = paragraph_role(paragraph, roles)
        near = _tables(paragraph.text)
        previous = ""
        for sentence in paragraph.sentences:
            order += 1
            if sentence.places:
                yield Spoken(
                    sentence, role, order, _tables(sentence.text), near, paragraph.text, previous, paragraph.section
                )
            previous = sentence.text


def _tables(text: str) -> frozenset[str]:
    return frozenset(
        label.replace(".", "") if label[0].isalpha() else label
        for match in _TABLE.finditer(text)
        for label in match.groups()
        if label
    )
