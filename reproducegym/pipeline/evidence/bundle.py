"""Cuts out of a paper only what one claim needs: its sentences, cells, panels and protocol, within a bound."""

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field

from reproducegym.pipeline.evidence.panels import bundled_panel, wanted_panels
from reproducegym.pipeline.evidence.search import PieceKind, Shelf, pieces_of
from reproducegym.pipeline.evidence.tables import ComparedTable, compared_tables
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Anchor, Candidate
from reproducegym.schema.evidence import (
    BundlePanel,
    BundleSentence,
    BundleTable,
    ClaimEvidence,
    EvidenceIndex,
    EvidenceSentence,
    Why,
)

__all__ = ["Bundler", "bundle"]

_SENTENCES: tuple[PieceKind, ...] = ("sentence",)
_REFERRING = 6
_PROTOCOL = 8
_LOOKED_AT = 60
_PROTOCOL_WORDS = (
    "train trained training steps epochs episodes seeds runs batch size learning rate optimizer evaluate evaluation "
    "metric baseline split samples questions hardware GPU hyperparameters default setting"
)
_NO_PROTOCOL = frozenset({"abstract", "conclusion", "aside"})


@dataclass
class _Room:
    """How many characters are left; what does not fit is counted."""

    left: int
    taken: int = 0
    refused: int = 0

    def takes(self, size: int) -> bool:
        if size > self.left:
            self.refused += 1
            return False
        self.left -= size
        self.taken += size
        return True


@dataclass
class _Sentences:
    """The sentences of a bundle, each once, for the first reason that brought it."""

    index: EvidenceIndex
    room: _Room
    why: dict[str, Why] = field(default_factory=dict)

    def add(self, sentences: Iterable[EvidenceSentence], why: Why) -> None:
        for one in sentences:
            if one.id not in self.why and self.room.takes(len(one.text)):
                self.why[one.id] = why

    def in_order(self) -> tuple[BundleSentence, ...]:
        return tuple(
            BundleSentence(id=one.id, why=self.why[one.id], section=one.section, page=one.page, text=one.text)
            for one in self.index.sentences
            if one.id in self.why
        )


class Bundler:
    """Cuts bundles out of one paper; keeps what all of them look into. Close it after use."""

    def __init__(self, index: EvidenceIndex, paper: ReadPaper) -> None:
        """Prepare the paper's pieces for searching."""
        self._index, self._paper = index, paper
        self._shelf = Shelf(pieces_of(index))
        self._letters = [(one, _letters(one.text)) for one in index.sentences]
        self._by_id = {one.id: one for one in index.sentences}

    def bundle(self, candidate: Candidate, characters: int) -> ClaimEvidence:
        """As the function `bundle`."""
        room = _Room(characters)
        sentences = _Sentences(self._index, room)
        anchors = self.stating(candidate.anchors)
        sentences.add(anchors, "anchor")
        tables = [table for table in compared_tables(self._paper.document, candidate) if room.takes(table.size)]
        panels: list[BundlePanel] = []
        for figure, number in wanted_panels(self._index, candidate, anchors):
            panel = bundled_panel(figure, number, self._paper.charts)
            if room.takes(len(panel.model_dump_json())):
                panels.append(panel)
        sentences.add(self._beside(anchors), "beside")
        sentences.add(self._referring(candidate, tables, panels), "refers")
        sentences.add(self._protocol(candidate), "protocol")
        return ClaimEvidence(
            schema_version=1,
            paper_id=self._index.paper_id,
            claim_uid=claim_uid(self._index.paper_id, candidate),
            statement=candidate.statement,
            anchors=candidate.anchors,
            sentences=sentences.in_order(),
            tables=tuple(_with_peers(table, room) for table in tables),
            panels=tuple(panels),
            characters=room.taken,
            left_out=room.refused,
        )

    def stating(self, anchors: Iterable[Anchor]) -> list[EvidenceSentence]:
        """The sentences that anchors quote, whole or in part, in the paper's order."""
        quotes = [(anchor.page, _letters(anchor.quote)) for anchor in anchors]
        return [
            sentence
            for sentence, letters in self._letters
            if any(
                quote and quote in letters and any(place.page == page for place in sentence.places)
                for page, quote in quotes
            )
        ]

    def close(self) -> None:
        """Free the memory of the search."""
        self._shelf.close()

    def _beside(self, anchors: Iterable[EvidenceSentence]) -> list[EvidenceSentence]:
        """The sentences before and after, of the same paragraph."""
        stating = {one.id for one in anchors}
        found = []
        for before, after in zip(self._index.sentences, self._index.sentences[1:], strict=False):
            if before.paragraph == after.paragraph and stating & {before.id, after.id}:
                found += [one for one in (before, after) if one.id not in stating]
        return found

    def _referring(
        self, candidate: Candidate, tables: Iterable[ComparedTable], panels: Iterable[BundlePanel]
    ) -> list[EvidenceSentence]:
        """Sentences that speak of the claim's tables and panels, those nearest to its words first."""
        whole = {table.table.id for table in tables}
        parts = {(panel.figure, panel.label) for panel in panels}
        found = [
            sentence
            for sentence in self._index.sentences
            if any(
                link.target in whole
                or any(link.target == figure and link.panel in {None, label} for figure, label in parts)
                for link in sentence.links
            )
        ]
        words = " ".join((candidate.statement, *_names(candidate)))
        near = self._shelf.search(words, kinds=_SENTENCES, limit=_LOOKED_AT)
        return sorted(found, key=lambda one: near.index(one.id) if one.id in near else _LOOKED_AT)[:_REFERRING]

    def _protocol(self, candidate: Candidate) -> list[EvidenceSentence]:
        """Sentences that say how the experiment is run; those of set-up sections first."""
        asked = f"{_PROTOCOL_WORDS} {' '.join(_names(candidate))}"
        near = [self._by_id[one] for one in self._shelf.search(asked, kinds=_SENTENCES, limit=_LOOKED_AT)]
        fitting = [one for one in near if one.role not in _NO_PROTOCOL]
        return sorted(fitting, key=lambda one: one.role != "setup")[:_PROTOCOL]


def bundle(index: EvidenceIndex, paper: ReadPaper, candidate: Candidate, *, characters: int) -> ClaimEvidence:
    """The evidence of a claim, at most `characters` long; the same claim of the same paper gives the same evidence.

    What matters most comes in first: the sentences that state the claim, the cells that it rests on, the panels,
    the sentences beside the first ones, those that speak of the same table or figure, the protocol, and at last the
    rest of the rows and columns that are compared. For many claims of one paper keep a `Bundler`.
    """
    with closing(Bundler(index, paper)) as bundler:
        return bundler.bundle(candidate, characters)


def _names(candidate: Candidate) -> list[str]:
    protocol = candidate.protocol
    names = [candidate.metric.name, protocol.method or "", protocol.dataset or ""]
    return [*names, *(condition.source_label for condition in candidate.conditions)]


def _with_peers(table: ComparedTable, room: _Room) -> BundleTable:
    """The table with as many cells of the compared rows and columns as there is room for."""
    kept = [cell for cell in table.peers if room.takes(table.cell_size(cell))]
    return table.bundled(kept)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
