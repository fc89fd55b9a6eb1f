"""Makes a table of marker's grid and the page's own words."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import contains_center, rounded
from reproducegym.parsing.cell_text import is_value, marks_of, tidy
from reproducegym.parsing.marker.grid import grid_of
from reproducegym.parsing.marker.placing import PlacedCell, placed_cells
from reproducegym.parsing.pages.page_text import PageText, Piece, joined_text
from reproducegym.parsing.tables.paths import RawCell, RawTable, named_cells
from reproducegym.parsing.written.tables import label_columns
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Cell

__all__ = ["ReadGrid", "read_grid"]


@dataclass(frozen=True, slots=True)
class ReadGrid:
    """The cells of a table with their paths, the heads of its label columns, and the texts that were not found."""

    cells: tuple[Cell, ...]
    stub_headers: tuple[str, ...]
    missing: tuple[str, ...]


def read_grid(html: str, box: BBox, page: PageText) -> ReadGrid | None:
    """The table that stands in a box; None when none of its texts stands there."""
    words = [word for word in page.words.words if contains_center(box, word.bbox)]
    grid = grid_of(html)
    placed = placed_cells(grid, words)
    missing = tuple(cell.cell.text for cell in placed if cell.cell.text and not cell.words)
    pieces = [piece for line in page.lines for piece in line.pieces if contains_center(box, piece.box)]
    raw = [_raw(cell, pieces) for cell in _spread(placed) if cell.words]
    if not raw:
        return None
    height = 1 + max(cell.row for cell in grid)
    width = max(cell.column + cell.column_span for cell in grid)
    headers = _header_rows(raw, placed, height)
    groups = _group_rows(raw, headers, width, height)
    body = [cell for cell in raw if cell.row not in headers | groups]
    stubs = label_columns(body, width)
    cells, stub_headers = named_cells(RawTable(tuple(raw), headers, groups, stubs), page.number)
    return ReadGrid(cells, stub_headers, missing)


def _raw(placed: PlacedCell, pieces: Sequence[Piece]) -> RawCell:
    box = placed.box
    inside = sorted((p for p in pieces if contains_center(box, p.box)), key=lambda p: (round(p.base), p.box[0]))
    raised = any(piece.raised for piece in inside)  # the words layer writes 85.3² as 85.32
    text = joined_text(inside) if raised else " ".join(word.text for word in placed.words)
    cell = placed.cell
    return RawCell(
        row=cell.row,
        column=cell.column,
        row_span=cell.row_span,
        column_span=cell.column_span,
        text=tidy(text),
        bbox=rounded(box),
        marks=marks_of(inside, underlined=False) if inside else (),
    )


def _spread(placed: Sequence[PlacedCell]) -> list[PlacedCell]:
    """Cells of upper header rows spread over the empty ones beside them, each empty one to the nearer header.

    Marker writes a header over several columns as one cell with empty ones around.
    """
    heads = [cell for cell in placed if cell.cell.header and cell.words]
    last = max((cell.row + cell.row_span - 1 for cell in (head.cell for head in heads)), default=-1)
    rows = {cell.cell.row for cell in placed}
    centers = _column_centers(placed)
    spread = list(placed)
    for row in sorted(rows):
        below = any(cell.cell.row == row + 1 and cell.words and not is_value(cell.cell.text) for cell in placed)
        if row > last or not below:
            continue
        own = [i for i, cell in enumerate(placed) if cell.cell.row == row and cell.words and cell.cell.column_span == 1]
        empty = [
            cell.cell.column for cell in placed if cell.cell.row == row and not cell.cell.text and cell.cell.column
        ]
        columns = {i: {placed[i].cell.column} for i in own}
        for column in empty:
            if own and column in centers:
                nearest = min(own, key=lambda i: abs(_middle(placed[i].box) - centers[column]))
                columns[nearest].add(column)
        for i, held in columns.items():
            if len(held) > 1 and max(held) - min(held) + 1 == len(held):
                cell = placed[i].cell
                wide = replace(cell, column=min(held), column_span=len(held))
                spread[i] = PlacedCell(wide, placed[i].words)
    return spread


def _middle(box: BBox) -> float:
    return (box[0] + box[2]) / 2


def _column_centers(placed: Sequence[PlacedCell]) -> dict[int, float]:
    """The middle of each column by its lowest cell."""
    lowest: dict[int, PlacedCell] = {}
    for cell in placed:
        if cell.words and cell.cell.column_span == 1:
            lowest[cell.cell.column] = cell
    return {column: _middle(cell.box) for column, cell in lowest.items()}


def _header_rows(raw: Sequence[RawCell], placed: Sequence[PlacedCell], height: int) -> frozenset[int]:
    """The leading rows that marker calls headers, and those after them until the first with values."""
    marked = {cell.cell.row for cell in placed if cell.cell.header and cell.cell.column}
    valued = {cell.row for cell in raw if cell.column and is_value(cell.text)}
    first = min(valued, default=0)
    lone = {row for row in range(height) if sum(cell.row == row for cell in raw) < 2}
    leading = {row for row in range(first) if row not in lone or row in marked}
    return frozenset(leading | {row for row in marked if row <= max(first - 1, 0)}) or frozenset({0})


def _group_rows(raw: Sequence[RawCell], headers: frozenset[int], width: int, height: int) -> frozenset[int]:
    """Rows below the headers that hold one label and no values, but for the last row."""
    rows = set()
    for row in range(height - 1):
        own = [cell for cell in raw if cell.row <= row < cell.row + cell.row_span]
        if row not in headers and width > 1 and len(own) == 1 and own[0].row == row and not is_value(own[0].text):
            rows.add(row)
    return frozenset(rows)
