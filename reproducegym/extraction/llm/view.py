"""The paper as this room sees it: its evidence index, its tables as measurements, and its sentences by id."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from reproducegym.extraction.llm.addressed import is_addressed
from reproducegym.extraction.rules.entries import Entry, Grid
from reproducegym.extraction.rules.own_names import own_names_of
from reproducegym.extraction.rules.protocol import Demands, SetUp, demands_of, read_set_up
from reproducegym.extraction.rules.sentences import Spoken, set_up_sentences
from reproducegym.extraction.rules.spread import SpreadWords
from reproducegym.extraction.rules.tables import read_grids
from reproducegym.pipeline.evidence.index import build_index
from reproducegym.ports import ReadPaper
from reproducegym.schema.evidence import EvidenceIndex, EvidenceSentence
from reproducegym.schema.paper import Cell, Table

__all__ = ["View", "view_of"]


@dataclass(frozen=True)
class View:
    """A paper with everything that is read from it once, before a model is asked."""

    paper: ReadPaper
    index: EvidenceIndex
    own_names: tuple[str, ...]
    grids: tuple[Grid, ...]
    set_up: SetUp
    demands: Demands

    @cached_property
    def sentences(self) -> dict[str, EvidenceSentence]:
        """Every sentence of the index by its id."""
        return {one.id: one for one in self.index.sentences}

    @cached_property
    def spoken(self) -> dict[str, Spoken]:
        """Sentences that may state something or hold a number: none of related work, none that gives orders."""
        return {one.sentence.id: one for one in set_up_sentences(self.paper.document) if not is_addressed(one.text)}

    @cached_property
    def withheld(self) -> tuple[str, ...]:
        """Ids of sentences that give orders to a program: no model sees their words."""
        return tuple(one.id for one in self.index.sentences if is_addressed(one.text))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The names of conditions in all tables."""
        return tuple(dict.fromkeys(label for grid in self.grids for label in grid.condition_labels))

    def entry(self, table: Table, cell: Cell) -> Entry | None:
        """What a cell measures; None where no rule reads it as a measurement."""
        return self._entries.get((table.id, cell.row, cell.column))

    @property
    def entries(self) -> Sequence[Entry]:
        """Every measurement of every table, in order."""
        return tuple(entry for grid in self.grids for entry in grid.entries)

    @cached_property
    def _entries(self) -> dict[tuple[str, int, int], Entry]:
        return {(one.table.id, one.cell.row, one.cell.column): one for one in self.entries}


def view_of(paper: ReadPaper) -> View:
    """Read index and tables of a paper."""
    document = paper.document
    own = own_names_of(document)
    grids = read_grids(document, own, SpreadWords(document))
    datasets = list(dict.fromkeys(one.dataset for grid in grids for one in grid.entries if one.dataset))
    return View(
        paper=paper,
        index=build_index(paper),
        own_names=own,
        grids=grids,
        set_up=read_set_up(document, datasets),
        demands=demands_of(document),
    )
