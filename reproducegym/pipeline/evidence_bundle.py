"""Cuts out of a paper only what one claim needs: its sentences, cells, panels and protocol, within a bound."""

from collections.abc import Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, field

from reproducegym.pipeline.evidence_panels import bundled_panel, wanted_panels
from reproducegym.pipeline.evidence_search import PieceKind, Shelf, pieces_of
from reproducegym.pipeline.evidence_tables import CompareTable, compared_tables
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

__all__ = ["bundle"]

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


def bundle(
    index: EvidenceIndex, paper: ReadPaper, candidate: Candidate, *, characters: int, shelf: Shelf | None = None
) -> ClaimEvidence:
    """The evidence of a claim, at most `characters` long; the same claim of the same paper gives the same evidence.

    What matters most comes in first: the sentences that state the claim, the cells that it rests on, the panels,
    the sentences beside the first ones, those that speak of the same table or figure, the protocol, and at last the
    rest of the rows and columns that are compared. `shelf` holds the pieces of the index, for who bundles many claims.
    """
    room = _Room(characters)
    sentences = _Sentences(index, room)
    anchors = _stating(index, candidate.anchors)
    sentences.add(anchors, "anchor")
    tables = [table for table in compared_tables(paper.document, candidate) if room.takes(table.size)]
    panels: list[BundlePanel] = []
    for figure, number in wanted_panels(index, candidate, anchors):
        panel = bundled_panel(figure, number, paper.charts)
        if room.takes(len(panel.model_dump_json())):
            panels.append(panel)
    sentences.add(_beside(index, anchors), "beside")
    with ExitStack() as stack:
        asked = stack.enter_context(closing(Shelf(pieces_of(index)))) if shelf is None else shelf
        sentences.add(_referring(index, candidate, tables, panels, asked), "refers")
        sentences.add(_protocol(index, candidate, asked), "protocol")
    return ClaimEvidence(
        schema_version=1,
        paper_id=index.paper_id,
        claim_uid=claim_uid(index.paper_id, candidate.anchors),
        statement=candidate.statement,
        anchors=candidate.anchors,
        sentences=sentences.in_order(),
        tables=tuple(_with_peers(table, room) for table in tables),
        panels=tuple(panels),
        characters=room.taken,
        left_out=room.refused,
    )


def _stating(index: EvidenceIndex, anchors: tuple[Anchor, ...]) -> list[EvidenceSentence]:
    """The sentences that the anchors quote, whole or in part."""
    quotes = [(anchor.page, _letters(anchor.quote)) for anchor in anchors]
    return [
        sentence
        for sentence in index.sentences
        for letters in [_letters(sentence.text)]
        if any(
            quote in letters and any(place.page == page for place in sentence.places) for page, quote in quotes if quote
        )
    ]


def _beside(index: EvidenceIndex, anchors: list[EvidenceSentence]) -> list[EvidenceSentence]:
    """The sentences before and after, of the same paragraph."""
    stating = {one.id for one in anchors}
    found = []
    for before, after in zip(index.sentences, index.sentences[1:], strict=False):
        if before.paragraph == after.paragraph and stating & {before.id, after.id}:
            found += [one for one in (before, after) if one.id not in stating]
    return found


def _referring(
    index: EvidenceIndex, candidate: Candidate, tables: list[CompareTable], panels: list[BundlePanel], shelf: Shelf
) -> list[EvidenceSentence]:
    """Sentences that speak of the claim's tables and panels, those nearest to its words first."""
    whole = {table.table.id for table in tables}
    parts = {(panel.figure, panel.label) for panel in panels}
    found = [
        sentence
        for sentence in index.sentences
        if any(
            link.target in whole
            or any(link.target == figure and link.panel in {None, label} for figure, label in parts)
            for link in sentence.links
        )
    ]
    near = shelf.search(_own_words(candidate), kinds=_SENTENCES, limit=_LOOKED_AT)
    rank = {identity: number for number, identity in enumerate(near)}
    return sorted(found, key=lambda one: rank.get(one.id, _LOOKED_AT))[:_REFERRING]


def _protocol(index: EvidenceIndex, candidate: Candidate, shelf: Shelf) -> list[EvidenceSentence]:
    """Sentences that say how the experiment is run; those of set-up sections first."""
    by_id = {one.id: one for one in index.sentences}
    asked = f"{_PROTOCOL_WORDS} {' '.join(_names(candidate))}"
    near = [by_id[one] for one in shelf.search(asked, kinds=_SENTENCES, limit=_LOOKED_AT)]
    fitting = [one for one in near if one.role not in _NO_PROTOCOL]
    return sorted(fitting, key=lambda one: one.role != "setup")[:_PROTOCOL]


def _own_words(candidate: Candidate) -> str:
    return " ".join((candidate.statement, *_names(candidate)))


def _names(candidate: Candidate) -> list[str]:
    protocol = candidate.protocol
    names = [candidate.metric.name, protocol.method or "", protocol.dataset or ""]
    return [*names, *(condition.source_label for condition in candidate.conditions)]


def _with_peers(table: CompareTable, room: _Room) -> BundleTable:
    """The table with as many cells of the compared rows and columns as there is room for."""
    kept = [cell for cell in table.peers if room.takes(table.cell_size(cell))]
    return table.bundled(kept)


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
