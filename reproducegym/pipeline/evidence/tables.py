"""The part of a table that a claim compares: its own cells, and the rows and columns in which they stand."""

from dataclasses import dataclass

from reproducegym.schema.claim import Candidate, Provenance
from reproducegym.schema.evidence import BundleCell, BundleTable
from reproducegym.schema.paper import Cell, Document, Table

__all__ = ["ComparedTable", "compared_tables"]


@dataclass(frozen=True)
class ComparedTable:
    """A table of a claim; `own` are the cells that the claim rests on, `peers` those in their rows and columns."""

    table: Table
    own: tuple[Cell, ...]
    peers: tuple[Cell, ...]

    @property
    def size(self) -> int:
        """Characters of caption, notes, heads and own cells."""
        caption = self.table.caption.text if self.table.caption else ""
        texts = (caption, *self.table.notes, *self.table.stub_headers)
        return sum(map(len, texts)) + sum(map(self.cell_size, self.own))

    @staticmethod
    def cell_size(cell: Cell) -> int:
        """Characters of a cell with its names."""
        return sum(map(len, (cell.text, *cell.row_path, *cell.column_path)))

    def bundled(self, peers: list[Cell]) -> BundleTable:
        """The table with these of its peers, in the order of rows and columns."""
        own = {id(cell) for cell in self.own}
        shown = sorted((*self.own, *peers), key=lambda cell: (cell.row, cell.column))
        body = sum(cell.kind == "body" for cell in self.table.cells)
        return BundleTable(
            id=self.table.id,
            label=self.table.label,
            page=self.table.page,
            caption=self.table.caption.text if self.table.caption else None,
            notes=self.table.notes,
            stub_headers=self.table.stub_headers,
            cells=tuple(_cell(cell, own=id(cell) in own) for cell in shown),
            left_out=body - len(shown),
        )


def compared_tables(document: Document, candidate: Candidate) -> tuple[ComparedTable, ...]:
    """The tables that hold points of a claim, in the paper's order."""
    places = [place for role in candidate.points for place in role.point.provenance if place.kind == "table_cell"]
    found = []
    for table in document.tables:
        body = [cell for cell in table.cells if cell.kind == "body"]
        own = tuple(cell for cell in body if any(_is_at(table, cell, place) for place in places))
        if own:
            rows, columns = {cell.row for cell in own}, {cell.column for cell in own}
            peers = tuple(
                cell
                for cell in body
                if (cell.row in rows or cell.column in columns) and not any(cell is one for one in own)
            )
            found.append(ComparedTable(table, own, peers))
    return tuple(found)


def _is_at(table: Table, cell: Cell, place: Provenance) -> bool:
    """Whether a place names a cell; its quote may be a part of the cell, so that only the names decide."""
    return (
        place.table in {table.label, table.id}
        and cell.page == place.page
        and (cell.row_path, cell.column_path) == (place.row_path, place.column_path)
    )


def _cell(cell: Cell, *, own: bool) -> BundleCell:
    return BundleCell(
        page=cell.page,
        row=cell.row,
        column=cell.column,
        row_path=cell.row_path,
        column_path=cell.column_path,
        text=cell.text,
        unit=cell.unit,
        multiplier=cell.multiplier,
        bbox=cell.bbox,
        own=own,
    )
