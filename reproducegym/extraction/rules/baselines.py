"""Which rows of tables the paper calls its own, which its baseline, which the full method."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reproducegym.extraction.rules.labels import clean_label, find_mentions
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.schema.paper import Document

__all__ = ["Parts", "is_addition", "is_removal"]

_BASELINE = re.compile(
    r"\bbaseline\b|\bvanilla\b|\bnaive\b|^base$|^original$|^standard$|^none$|^scratch$|^plain\b"
    r"|^baseline",
    re.IGNORECASE,
)
_MARKED = re.compile(r"\(baseline\)", re.IGNORECASE)
_FULL = re.compile(r"^(?:full|complete|all|ours)\b|\bfull (?:model|method|system)\b|\(full\)", re.IGNORECASE)
_REMOVED = re.compile(r"^(?:w/o|without|no|-|–|−|removing|minus)\s*\S", re.IGNORECASE)
_ADDED = re.compile(r"^(?:\+|w/(?!o)|with\s|plus\s)\s*\S", re.IGNORECASE)


def is_removal(label: str) -> bool:
    """Whether a row takes a part of the method away: "w/o memory", "No NAS"."""
    return bool(_REMOVED.match(clean_label(label)))


def is_addition(label: str) -> bool:
    """Whether a row adds a part to the one above: "+ clipping"."""
    return bool(_ADDED.match(clean_label(label)))


@dataclass(frozen=True)
class Parts:
    """The parts that rows play, by the paper's own words for them."""

    document: Document
    own_names: Sequence[str]
    labels: Sequence[str] = field(default=())

    def is_own(self, label: str) -> bool:
        """Whether the authors call it theirs."""
        return is_own(label, self.own_names)

    def is_full(self, label: str) -> bool:
        """Whether a row is the whole method, from which others take parts away."""
        return bool(_FULL.search(label))

    def is_baseline(self, label: str) -> bool:
        """Whether the row, or the text about it, says baseline."""
        bare = clean_label(label)
        return bool(_BASELINE.search(bare) or _MARKED.search(label)) or label in self._called_baseline

    @cached_property
    def references(self) -> int:
        """The first page of the list of references; 0 where there is none."""
        pages = [
            paragraph.sentences[0].places[0].page
            for paragraph in self.document.paragraphs
            if paragraph.role == "reference" and paragraph.sentences and paragraph.sentences[0].places
        ]
        return min(pages, default=0)

    @cached_property
    def _called_baseline(self) -> frozenset[str]:
        """Labels within a few words of "baseline" in the running text, where one label alone stands there."""
        called: dict[str, int] = {}
        for paragraph in self.document.paragraphs:
            if paragraph.role in {"reference", "front"} or "baseline" not in paragraph.text.casefold():
                continue
            for sentence in paragraph.sentences:
                for label in self._near_baseline(sentence.text):
                    called[label] = called.get(label, 0) + 1
        return frozenset(called)

    def _near_baseline(self, text: str) -> frozenset[str]:
        spots = [match.span() for match in re.finditer(r"\bbaseline\b(?!s)", text, re.IGNORECASE)]
        if not spots:
            return frozenset()
        near = {
            mention.label
            for mention in find_mentions(text, self.labels)
            for start, end in spots
            if mention.strength == 2 and (0 <= mention.start - end <= 45 or 0 <= start - mention.end <= 12)
        }
        return frozenset(near) if len(near) == 1 else frozenset()
