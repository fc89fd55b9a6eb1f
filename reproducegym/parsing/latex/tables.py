"""Reads a LaTeX tabular into a table with named cells."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import union
from reproducegym.parsing.cell_text import is_value
from reproducegym.parsing.latex.columns import Column
from reproducegym.parsing.latex.grid import Grid, GridCell
from reproducegym.parsing.latex.nodes import parsed_nodes
from reproducegym.parsing.latex.spelling import Glyph, Labels, Style, spelled
from reproducegym.parsing.latex.words import MarkedWord, Typesetter, marks_of_glyphs
from reproducegym.parsing.tables.paths import RawCell, RawTable, named_cells
from reproducegym.parsing.written.tables import label_columns
from reproducegym.parsing.written.words import SourceWord, text_of
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Table

__all__ = ["read_tabular"]


@dataclass(frozen=True, slots=True)
class _SetCell:
    """A cell as it is printed."""

    row: int
    column: int
    row_span: int
    column_span: int
    glyphs: tuple[Glyph, ...]
    joint: tuple[Glyph, ...]


def read_tabular(
    grid: Grid, columns: Sequence[Column], labels: Labels, setter: Typesetter, area: BBox
) -> tuple[Table, list[MarkedWord]] | None:
    """The table without id, label and caption, and its words in order; None where it holds no words."""
    cells = _merged_columns([_set(cell, labels) for cell in grid.cells], grid.columns, columns)
    raw: list[RawCell] = []
    words: list[MarkedWord] = []
    for cell in sorted(cells, key=lambda one: (one.row, one.column)):
        inside = setter.words(cell.glyphs)
        if not inside:
            continue
        words += inside
        box = union(word.box for word in inside)
        marks = marks_of_glyphs(cell.glyphs)
        text = _tidy(inside)
        raw.append(RawCell(cell.row, cell.column, cell.row_span, cell.column_span, text, box, marks))
    if not raw:
        return None
    raw, ruled = _compact(raw, grid.ruled)
    raw, notes = _notes(raw)
    if not raw:
        return None
    headers = _header_rows(raw, ruled)
    groups = _group_rows(raw, headers)
    body = [cell for cell in raw if cell.row not in headers | groups]
    stub = label_columns(body, max(cell.column + cell.column_span for cell in raw))
    named, stub_headers = named_cells(RawTable(tuple(raw), frozenset(headers), frozenset(groups), stub), 1)
    table = Table(
        id="table", label=None, page=1, bbox=area, continued=(), caption=None, stub_headers=stub_headers, cells=named,
        notes=notes,
    )  # fmt: skip
    return table, words


def _set(cell: GridCell, labels: Labels) -> _SetCell:
    own = cell.specification
    glyphs = tuple(spelled(cell.nodes, labels, Style(marks=own.marks)))
    joint: tuple[Glyph, ...] = ()
    if own.joint and glyphs:
        at = glyphs[-1]
        shown = spelled(parsed_nodes(own.joint), labels)
        joint = tuple(replace(glyph, start=at.start, end=at.end) for glyph in shown)
    return _SetCell(cell.row, cell.column, cell.row_span, cell.column_span, glyphs, joint)


def _tidy(words: Sequence[SourceWord]) -> str:
    return text_of(words)


def _merged_columns(cells: Sequence[_SetCell], width: int, columns: Sequence[Column]) -> list[_SetCell]:
    """Columns with a sign printed between them made one: a value, ±, and its spread."""
    joined = [column for column in range(min(width, len(columns)) - 1) if columns[column].joint]
    if not joined:
        return list(cells)
    number = {column: column - sum(one < column for one in joined) for column in range(width + 1)}
    by_place = {(cell.row, cell.column): cell for cell in cells}
    kept: list[_SetCell] = []
    for cell in cells:
        if cell.column - 1 in joined and (cell.row, cell.column - 1) in by_place and cell.column_span == 1:
            left = by_place[cell.row, cell.column - 1]
            if left.column_span == 1:
                continue
        glyphs, last = list(cell.glyphs), cell
        while last.column in joined and (last.row, last.column + 1) in by_place and last.column_span == 1:
            following = by_place[last.row, last.column + 1]
            glyphs += [*last.joint, *following.glyphs]
            last = following
        end = last.column + last.column_span
        first = number[cell.column]
        span = max(1, number[min(end, width) - 1] - first + 1)
        kept.append(replace(cell, column=first, column_span=span, glyphs=tuple(glyphs)))
    return kept


def _compact(cells: Sequence[RawCell], ruled: Set[int]) -> tuple[list[RawCell], frozenset[int]]:
    """The same without rows and columns in which nothing begins that stands in that one row or column alone."""
    rows = sorted({cell.row for cell in cells})
    columns = sorted({cell.column for cell in cells if cell.column_span == 1}) or [0]
    edges = max(cell.column + cell.column_span for cell in cells)
    row_of = {row: sum(one < row for one in rows) for row in range(rows[-1] + 500)}
    column_of = {column: sum(one < column for one in columns) for column in range(edges + 1)}
    made: list[RawCell] = []
    for cell in cells:
        first, last = column_of[cell.column], column_of[cell.column + cell.column_span]
        top, bottom = row_of[cell.row], row_of[cell.row + cell.row_span]
        made.append(
            replace(cell, row=top, column=first, row_span=max(1, bottom - top), column_span=max(1, last - first))
        )
    taken: dict[tuple[int, int], RawCell] = {}
    for cell in made:
        taken.setdefault((cell.row, cell.column), cell)
    return sorted(taken.values(), key=lambda cell: (cell.row, cell.column)), frozenset(
        row_of[next(one for one in rows if one >= row)] for row in ruled if row <= rows[-1]
    )


def _notes(cells: Sequence[RawCell]) -> tuple[list[RawCell], tuple[str, ...]]:
    """Cells without the last rows that are one text over the whole width, and these texts."""
    left = list(cells)
    width = max(cell.column + cell.column_span for cell in cells)
    notes: list[str] = []
    while len({cell.row for cell in left}) > 2:
        last = [cell for cell in left if cell.row == left[-1].row]
        if len(last) != 1 or last[0].column_span < width or width < 2 or is_value(last[0].text):
            break
        notes.insert(0, last[0].text)
        left = [cell for cell in left if cell.row != last[0].row]
    return left, tuple(notes)


def _header_rows(cells: Sequence[RawCell], ruled: Set[int]) -> frozenset[int]:
    """Rows of column headers: those above the first full rule, and later rows of labels between rules."""
    rows = sorted({cell.row for cell in cells})
    first_rule = next((row for row in sorted(ruled) if row > 0), 1)
    header = {row for row in rows if row < first_rule}
    if not header or any(_has_values(cells, row) for row in header):
        header = {row for row in rows[:1] if not _has_values(cells, row)}
    while header and (following := max(header) + 1) in rows and _goes_on(cells, header, following, ruled):
        header.add(following)
    if len(header) == len(rows):
        header = {0}
    later = {row for row in ruled if row not in header and header and _repeats(cells, row, rows, ruled)}
    return frozenset(header | later)


def _row(cells: Sequence[RawCell], row: int) -> list[RawCell]:
    return [cell for cell in cells if cell.row == row]


def _has_values(cells: Sequence[RawCell], row: int) -> bool:
    """Whether most of a row right of its label is values; a year or a size alone is a header."""
    here = [cell for cell in _row(cells, row) if cell.column > 0]
    values = [cell for cell in here if is_value(cell.text)]
    plain = [cell for cell in values if cell.text.replace(",", "").strip().isdigit()]
    return len(values) * 2 > len(here) and not (len(plain) == len(values) and _labels_follow(cells, row))


def _labels_follow(cells: Sequence[RawCell], row: int) -> bool:
    """Whether a row of whole numbers heads columns: values with a fraction follow in the next row."""
    below = [cell for cell in _row(cells, row + 1) if cell.column > 0 and is_value(cell.text)]
    return row == 0 and any("." in cell.text for cell in below)


def _goes_on(cells: Sequence[RawCell], header: Set[int], row: int, ruled: Set[int]) -> bool:
    """Whether a row right below header rows is one too: a header spans into it, or it parts one that spans columns."""
    above = [cell for cell in cells if cell.row in header]
    if any(cell.row + cell.row_span > row for cell in above):
        return True
    wide = [cell for cell in _row(cells, row - 1) if cell.column_span > 1]
    here = [cell for cell in _row(cells, row) if cell.column > 0]
    closed = row + 1 in ruled or row not in ruled
    inner = [cell for cell in here if any(w.column <= cell.column < w.column + w.column_span for w in wide)]
    return bool(wide) and closed and len(inner) > 1 and not any(is_value(cell.text) for cell in here)


def _repeats(cells: Sequence[RawCell], row: int, rows: Sequence[int], ruled: Set[int]) -> bool:
    """Whether a row between full rules names the columns anew: labels only, above values in the same columns."""
    here = [cell for cell in _row(cells, row) if cell.column > 0]
    below = [cell for cell in _row(cells, row + 1) if cell.column > 0]
    if row + 1 not in ruled or row + 1 not in rows or len(here) < 2 or any(is_value(cell.text) for cell in here):
        return False
    values = [cell for cell in below if is_value(cell.text)]
    return len(values) * 2 > len(below) and len(here) * 2 > len(below)


def _group_rows(cells: Sequence[RawCell], headers: Set[int]) -> frozenset[int]:
    """Rows of one label without values that head the rows below them."""
    rows = sorted({cell.row for cell in cells})
    width = max(cell.column + cell.column_span for cell in cells)
    groups: set[int] = set()
    for row in rows[:-1]:
        here = [cell for cell in cells if cell.row <= row < cell.row + cell.row_span]
        if row in headers or len(here) != 1 or width < 2:
            continue
        (only,) = here
        starts = only.column == 0 or only.column_span > 1
        if starts and only.row == row and only.row_span == 1 and not is_value(only.text):
            groups.add(row)
    return frozenset(groups)
