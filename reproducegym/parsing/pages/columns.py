"""Where the text columns of a page are, and the order in which its lines are read."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from reproducegym.parsing.boxes import union
from reproducegym.parsing.pages.page_text import Line, PageText, Piece, line_of
from reproducegym.schema.base import BBox

__all__ = ["Columns", "Row", "columns_of", "rows_in_order", "text_edges", "usual_edges"]

_MIN_LINES = 6
_MIN_WIDE = 10
_EQUATION_NUMBER = re.compile(r"\([A-Z]?\.?\d{1,3}(?:\.\d{1,3})*[a-z]?\)")


@dataclass(frozen=True, slots=True)
class Columns:
    """The text area's left and right edge, and the middle of the gutter when there are two columns."""

    left: float
    right: float
    gutter: float | None

    def zone(self, box: BBox) -> tuple[float, float]:
        """Left and right edge of the column that holds a box, or of the whole text area when it crosses."""
        if self.gutter is None or (box[0] < self.gutter - 4 and box[2] > self.gutter + 4):
            return self.left, self.right
        middle = (box[0] + box[2]) / 2
        return (self.left, self.gutter) if middle < self.gutter else (self.gutter, self.right)


@dataclass(frozen=True, slots=True)
class Row:
    """One baseline of one column; `column` is 0 for the whole width, 1 or 2 for a column, 3 for the margin."""

    page: int
    line: Line
    column: int
    left: float
    right: float

    @property
    def text(self) -> str:
        """The row's text."""
        return self.line.text


def text_edges(page: PageText, lines: Sequence[Line], body: float) -> tuple[float, float] | None:
    """Left and right edge of a page's long lines, or None when it has too few of them."""
    wide = [line for line in _texts(lines, body) if line.box[2] - line.box[0] > 0.25 * page.width]
    if len(wide) < _MIN_WIDE:
        return None
    return _edge([line.box[0] for line in wide], low=True), _edge([line.box[2] for line in wide], low=False)


def usual_edges(found: Sequence[tuple[float, float] | None]) -> tuple[float, float] | None:
    """The edges that pages have in the middle, for pages that are mostly tables or figures."""
    known = [edges for edges in found if edges is not None]
    return (median(edges[0] for edges in known), median(edges[1] for edges in known)) if known else None


def columns_of(page: PageText, lines: Sequence[Line], body: float, usual: tuple[float, float] | None) -> Columns:
    """Edges and gutter of a page from its lines in about body size; `usual` stands in where it has few long ones."""
    texts = _texts(lines, body)
    if not texts:
        return Columns(*(usual or (0.0, page.width)), None)
    found = [edges for edges in (text_edges(page, lines, body), usual) if edges is not None]
    if not found:
        left_ends, right_ends = [line.box[0] for line in texts], [line.box[2] for line in texts]
        found = [(_edge(left_ends, low=True), _edge(right_ends, low=False))]
    left, right = min(edges[0] for edges in found), max(edges[1] for edges in found)
    middle = (left + right) / 2
    wide = [line for line in texts if line.box[2] - line.box[0] > 0.3 * (right - left)]
    on_left = [line for line in wide if line.box[2] < middle + 3]
    on_right = [line for line in wide if line.box[0] > middle - 3]
    crossing = len(wide) - len(on_left) - len(on_right)
    sides = min(len(on_left), len(on_right))
    one_sided = max(len(on_left), len(on_right)) >= 3 * _MIN_LINES and not crossing
    if (sides >= _MIN_LINES and crossing < 1.5 * (len(on_left) + len(on_right))) or (one_sided and sides):
        left_end = _edge([line.box[2] for line in on_left], low=False)
        right_start = _edge([line.box[0] for line in on_right], low=True)
        return Columns(left, right, (left_end + right_start) / 2)
    return Columns(left, right, None)


def _texts(lines: Sequence[Line], body: float) -> list[Line]:
    return [line for line in lines if line.upright and line.size >= 0.8 * body]


def _edge(values: Sequence[float], *, low: bool) -> float:
    """The outermost edge that more than a stray line has."""
    ordered = sorted(values) if low else sorted(values, reverse=True)
    return ordered[min(len(ordered) - 1, len(ordered) // 20)]


def rows_in_order(page: int, lines: Sequence[Line], columns: Columns) -> list[Row]:
    """Rows of text in reading order: notes in the margin, then bands cut by full-width lines, left column first."""
    margin = [line for line in lines if _is_beside(line, columns)]
    inner = [line for line in lines if not _is_beside(line, columns)]
    rows = _rows(page, margin, 3, 0.0, columns.left) if len(margin) > 1 else []
    return rows + _columns_in_order(page, inner if rows else lines, columns)


def _is_beside(line: Line, columns: Columns) -> bool:
    """Whether a line stands outside of the text's edges; an equation's number there belongs to its equation."""
    outside = line.box[2] <= columns.left + 1 or line.box[0] >= columns.right - 1
    return outside and not _EQUATION_NUMBER.fullmatch(line.text)


def _columns_in_order(page: int, lines: Sequence[Line], columns: Columns) -> list[Row]:
    rows: list[Row] = []
    band: dict[int, list[Line]] = {1: [], 2: []}

    def flush() -> None:
        for number, (left, right) in enumerate(bounds, 1):
            rows.extend(_rows(page, band[number], number, left, right))
            band[number] = []

    if columns.gutter is None:
        return _rows(page, lines, 0, _text_start(columns, lines), columns.right)
    bounds = _bounds(columns, lines)
    full: list[Line] = []
    for line in sorted(lines, key=lambda item: (item.base, item.box[0])):
        if line.box[0] < columns.gutter - 4 and line.box[2] > columns.gutter + 4:
            if any(band.values()):
                rows.extend(_rows(page, full, 0, columns.left, columns.right))
                full = []
                flush()
            full.append(line)
        else:
            if full:
                rows.extend(_rows(page, full, 0, columns.left, columns.right))
                full = []
            band[1 if (line.box[0] + line.box[2]) / 2 < columns.gutter else 2].append(line)
    rows.extend(_rows(page, full, 0, columns.left, columns.right))
    flush()
    return rows


def _text_start(columns: Columns, lines: Sequence[Line]) -> float:
    """Where most long lines begin, which is right of the text's edge where numbers of headings hang out."""
    starts = [round(line.box[0]) for line in lines if line.box[2] - line.box[0] > 0.5 * (columns.right - columns.left)]
    most = max(Counter(starts).items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    return max(columns.left, float(most[0])) if most[1] > 0.5 * len(starts) else columns.left


def _bounds(columns: Columns, lines: Sequence[Line]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Left and right edge of both columns: those of their long lines, else the gutter's sides."""
    gutter = columns.gutter if columns.gutter is not None else columns.right
    return (
        _column_edges(columns.left, gutter - 4, [line for line in lines if line.box[2] < gutter + 4]),
        _column_edges(gutter + 4, columns.right, [line for line in lines if line.box[0] > gutter - 4]),
    )


def _column_edges(left: float, right: float, lines: Sequence[Line]) -> tuple[float, float]:
    long = [line for line in lines if line.box[2] - line.box[0] > 0.7 * (right - left)]
    if len(long) < _MIN_LINES:
        return left, right
    return _edge([line.box[0] for line in long], low=True), _edge([line.box[2] for line in long], low=False)


def _rows(page: int, lines: Sequence[Line], column: int, left: float, right: float) -> list[Row]:
    groups: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (item.base, item.box[0])):
        if groups and _same_row(groups[-1], line):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [Row(page, _joined(group), column, left, right) for group in groups]


def _same_row(group: list[Line], line: Line) -> bool:
    whole = union(item.box for item in group)
    overlap = min(whole[3], line.box[3]) - max(whole[1], line.box[1])
    small = min(whole[3] - whole[1], line.box[3] - line.box[1])
    return overlap > 0.55 * small and line.base - group[0].base < 0.6 * max(line.size, group[0].size)


def _joined(group: list[Line]) -> Line:
    if len(group) == 1:
        return group[0]
    pieces: list[Piece] = []
    for line in sorted(group, key=lambda item: item.box[0]):
        first = line.pieces[0]
        near = bool(pieces) and first.box[0] - pieces[-1].box[2] < 0.13 * first.size
        pieces.append(replace(first, glued=near))
        pieces.extend(line.pieces[1:])
    return line_of(pieces)
