"""Reads the tables of a page: area, grid, headers, body, named cells, notes."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import contains_center, rounded, union
from reproducegym.parsing.cell_text import marks_of
from reproducegym.parsing.pages.captions import FoundCaption
from reproducegym.parsing.pages.page_text import Line
from reproducegym.parsing.tables.bands import Band, bands_of, stub_columns
from reproducegym.parsing.tables.body import BodyRow, body_rows, span_labels
from reproducegym.parsing.tables.chunks import Chunk, joined_chunk
from reproducegym.parsing.tables.grid import Grid, grid_of
from reproducegym.parsing.tables.headers import header_cells
from reproducegym.parsing.tables.parts import (
    PartTitle,
    area_beside,
    clipped,
    cuts_above,
    cuts_beside,
    part_titles,
    stacked_cells,
)
from reproducegym.parsing.tables.paths import RawCell, RawTable, named_cells
from reproducegym.parsing.tables.regions import PageLayout, Region
from reproducegym.parsing.tables.units import measured
from reproducegym.parsing.tables.wraps import is_torn
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Caption, Cell, Place, Table

__all__ = ["FoundTable", "line_indices", "read_table"]

_NOTE = re.compile(r"[*∗†‡§⋆★⁎]|[a-d¹²³]\s|Notes?\b|\([a-z]\)")
_LONG_NOTE = 9


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table and the area that its text and notes take from the page.

    `is_torn` tells that its values and spreads stand apart: it takes its area, but nobody may read it. `continues`
    tells the same of a later part, whose cells the table of an earlier page holds. `raw` is None for several parts.
    """

    table: Table
    area: BBox
    note_lines: frozenset[int]
    is_torn: bool
    raw: RawTable | None
    continues: bool = False


def read_table(page: PageLayout, number: int, caption: FoundCaption, region: Region) -> FoundTable | None:
    """The table in an area, or None when there is no grid in it."""
    lines = [line for line in page.lines if not contains_center(caption.box, line.box)]
    grid = grid_of(lines, page.drawings, region.box)
    parts = _parts(lines, page, number, region.box, grid) if grid else _text_part(lines, page, number, region.box)
    cells = measured(stacked_cells([(part.title, part.cells) for part in parts]), caption.text)
    if not cells:
        return None
    note_lines = _note_lines(page, region.box)
    titles = [part.title.box for part in parts if part.title is not None]
    ordered = sorted(note_lines, key=lambda i: (page.lines[i].base, page.lines[i].box[0]))
    below = [page.lines[i].text for i in ordered if page.lines[i].box not in titles]
    box = union([region.box, *(cell.bbox for cell in cells)])
    table = Table(
        id=f"table-{number}-{caption.label}",
        label=caption.label,
        page=number,
        continued=(),
        bbox=rounded(box),
        caption=Caption(text=caption.text, place=Place(page=number, bbox=rounded(caption.box))),
        stub_headers=parts[0].stub_headers,
        cells=cells,
        notes=(*(note for part in parts for note in part.notes), *([" ".join(below)] if below else [])),
    )
    raw = parts[0].raw if len(parts) == 1 and parts[0].title is None else None
    return FoundTable(table, box, frozenset(note_lines), is_torn(cells), raw)


@dataclass(frozen=True, slots=True)
class _Part:
    title: PartTitle | None
    cells: tuple[Cell, ...]
    stub_headers: tuple[str, ...]
    notes: tuple[str, ...]
    raw: RawTable


def _parts(lines: Sequence[Line], page: PageLayout, number: int, box: BBox, grid: Grid) -> list[_Part]:
    """The table of an area, or the tables beside one another in it."""
    areas = cuts_above(lines, page.drawings, box)
    if not areas:
        cuts = cuts_beside(lines, page.drawings, box, grid)
        bounds = itertools.pairwise((box[0], *cuts, box[2]))
        areas = tuple(area_beside(page.drawings, box, left, right) for left, right in bounds) if cuts else ()
    parts: list[_Part] = []
    for area, title in zip(areas, part_titles(lines, areas) if areas else (), strict=True):
        drawings = clipped(page.drawings, area)
        inner = [line for line in lines if title is None or line.box != title.box]
        own = grid_of(inner, drawings, area)
        if own is not None:
            parts.append(_part(own, number, title))
    return parts or [_part(grid, number, None)]


def _text_part(lines: Sequence[Line], page: PageLayout, number: int, box: BBox) -> list[_Part]:
    """A table of one column: the text between two rules is one cell; nothing when fewer than two rules are there."""
    heights = sorted({r.at for r in page.drawings.horizontal if box[1] <= r.at <= box[3] and r.start > box[0] - 1})
    cells: list[RawCell] = []
    for top, bottom in itertools.pairwise(heights):
        inside = [line for line in lines if top < line.base < bottom and contains_center(box, line.box)]
        if inside:
            text = " ".join(line.text for line in sorted(inside, key=lambda line: (line.base, line.box[0])))
            cells.append(RawCell(len(cells), 0, 1, 1, text, rounded(union(line.box for line in inside)), ()))
    if not cells:
        return []
    raw = RawTable(tuple(cells), frozenset(), frozenset(), 0)
    named, heads = named_cells(raw, number)
    return [_Part(None, named, heads, (), raw)]


def _part(grid: Grid, number: int, title: PartTitle | None) -> _Part:
    raw, notes = _raw_table(grid)
    raw = replace(raw, cells=tuple(replace(cell, page=number) for cell in raw.cells))
    cells, stub_headers = named_cells(raw, number)
    return _Part(title, cells, stub_headers, tuple(notes), raw)


def _note_lines(page: PageLayout, box: BBox) -> set[int]:
    """Lines right below a table that begin with a mark or "Note", and their continuation in the same small font."""
    found: set[int] = set()
    edge, size = box[3], 0.0
    for i in sorted(range(len(page.lines)), key=lambda i: page.lines[i].base):
        line = page.lines[i]
        if not line.upright or line.box[1] < box[3] - 3 or line.box[2] < box[0] or line.box[0] > box[2]:
            continue
        starts = _NOTE.match(line.text) is not None and line.size <= page.body + 0.2
        continues = bool(found) and abs(line.size - size) < 0.3 and line.size < page.body - 0.4
        if line.box[1] - edge > 9 or not (starts or continues):
            break
        found.add(i)
        edge, size = line.box[3], line.size
    return found


def _raw_table(grid: Grid) -> tuple[RawTable, list[str]]:
    bands = bands_of(grid)
    stub = stub_columns(grid, bands)
    rows, spanning = body_rows(grid, bands, stub)
    notes = _trailing_notes(rows)
    labels = span_labels(grid, rows, spanning, stub)
    cells: list[RawCell] = []
    headers: set[int] = set()
    groups: set[int] = set()
    place: dict[int, int] = {}
    top = 0
    by_band: dict[int, list[int]] = {}
    for i, row in enumerate(rows):
        by_band.setdefault(row.band, []).append(i)
    for number, band in enumerate(bands):
        if band.kind == "header":
            bottom = grid.row_base(bands[number + 1].rows[0]) if number + 1 < len(bands) else grid.box[3]
            found = header_cells(grid, band.rows, _band_bottom(grid, band, bottom))
            for cell in found:
                cells.append(_cell(grid, [cell.chunk], top + cell.level, 1, cell.first, cell.last))
                headers.add(top + cell.level)
            top += max((cell.level for cell in found), default=-1) + 1
        for i in by_band.get(number, ()):
            place[i] = top
            if rows[i].group:
                groups.add(top)
            cells += _row_cells(grid, rows[i], top)
            top += 1
    for label in labels:
        start, end = place[label.start], place[label.end]
        cells.append(_cell(grid, label.chunks, start, end - start + 1, label.column, label.column))
    return RawTable(tuple(cells), frozenset(headers), frozenset(groups), stub), notes


def _band_bottom(grid: Grid, band: Band, following: float) -> float:
    last = grid.row_base(band.rows[-1])
    return min((at for at in grid.full_rules() if at > last), default=following)


def _row_cells(grid: Grid, row: BodyRow, place: int) -> list[RawCell]:
    merged: dict[tuple[int, int], list[Chunk]] = {}
    for (first, last), chunks in sorted(row.cells.items()):
        key = next((k for k in merged if k[0] <= last and first <= k[1]), None)
        if key is None:
            merged[first, last] = list(chunks)
        else:
            merged[min(key[0], first), max(key[1], last)] = merged.pop(key) + chunks
    if row.group:
        chunks = [chunk for group in merged.values() for chunk in group]
        return [_cell(grid, chunks, place, 1, 0, len(grid.zones) - 1)]
    return [_cell(grid, chunks, place, 1, first, last) for (first, last), chunks in sorted(merged.items())]


def _cell(grid: Grid, chunks: Sequence[Chunk], row: int, row_span: int, first: int, last: int) -> RawCell:
    stacked = max(c.base for c in chunks) - min(c.base for c in chunks) > 0.3 * chunks[0].size
    whole = chunks[0] if len(chunks) == 1 else joined_chunk(chunks, stacked=stacked)
    width = whole.box[2] - whole.box[0]
    # An underline may leave out where a comma or a descender stands.
    strokes = [
        rule
        for rule in grid.strokes
        if 0 < rule.at - whole.base < 0.35 * whole.size
        and whole.box[0] - 3 < rule.start
        and rule.end < whole.box[2] + 3
    ]
    underlined = bool(strokes) and abs(sum(rule.length for rule in strokes) - width) < 4
    return RawCell(
        row=row,
        column=first,
        row_span=row_span,
        column_span=last - first + 1,
        text=whole.text,
        bbox=rounded(whole.box),
        marks=marks_of(whole.pieces, underlined=underlined),
    )


def _trailing_notes(rows: list[BodyRow]) -> list[str]:
    """Take long lone texts off the end of the body: they are notes."""
    notes: list[str] = []
    while rows and rows[-1].group:
        chunks = [chunk for group in rows[-1].cells.values() for chunk in group]
        text = " ".join(chunk.text for chunk in chunks)
        if len(text.split()) < _LONG_NOTE and not _NOTE.match(text):
            break
        notes.insert(0, text)
        rows.pop()
    return notes


def line_indices(lines: Sequence[Line], area: BBox) -> frozenset[int]:
    """Indices of lines that stand in an area."""
    return frozenset(i for i, line in enumerate(lines) if contains_center(area, line.box))
