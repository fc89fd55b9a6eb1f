"""Which metric a table shows when neither its headers nor its caption say: what the paper's sentences say of it."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from reproducegym.extraction.rules.metric_words import MetricWord, metric_word
from reproducegym.schema.paper import Document, Table

__all__ = ["MetricsSaid"]


@dataclass(frozen=True)
class MetricsSaid:
    """The metrics that a paper's sentences name."""

    document: Document

    def of(self, table: Table) -> MetricWord | None:
        """The rate that the sentences about the table name, else the one rate that the whole paper speaks of."""
        if table.label is not None:
            reference = re.compile(rf"\b(?:Table|Tab\.)\s?{re.escape(table.label)}(?![\d.])")
            near = Counter(word for text, word in self._words if reference.search(text))
            if near:
                return _leader(near, least=1)
        return _leader(Counter(word for _, word in self._words), least=3)

    def of_siblings(self, table: Table) -> MetricWord | None:
        """The metric in the caption of other tables with the same rows or columns, where they agree on one."""
        labels = _labels(table)
        words = {
            word
            for other in self.document.tables
            if other.id != table.id and other.caption is not None
            for word in [metric_word(other.caption.text)]
            if word is not None and 2 * len(labels & _labels(other)) >= len(labels)
        }
        return words.pop() if len(words) == 1 else None

    @cached_property
    def _words(self) -> tuple[tuple[str, MetricWord], ...]:
        return tuple(
            (sentence.text, word)
            for paragraph in self.document.paragraphs
            if paragraph.role not in {"reference", "front"}
            for sentence in paragraph.sentences
            for word in [metric_word(sentence.text)]
            if word is not None and word.percent and word.name != "rate"
        )


def _labels(table: Table) -> frozenset[str]:
    return frozenset(cell.text for cell in table.cells if cell.kind in {"stub", "header"} and cell.text.strip())


def _leader(counts: Counter[MetricWord], *, least: int) -> MetricWord | None:
    """The most frequent metric when it is well ahead of every other."""
    merged: Counter[str] = Counter()
    for word, count in counts.items():
        merged[word.name.casefold()] += count
    ranked = sorted(merged.items(), key=lambda entry: (-entry[1], entry[0]))
    if not ranked or ranked[0][1] < least or (len(ranked) > 1 and ranked[0][1] < 2 * ranked[1][1]):
        return None
    return min((word for word in counts if word.name.casefold() == ranked[0][0]), key=lambda word: word.name)
