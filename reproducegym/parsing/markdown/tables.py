"""Reads pipe tables and HTML tables in Markdown source into named cells with lines and columns."""

import itertools
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from reproducegym.parsing.boxes import union
from reproducegym.parsing.cell_text import is_value
from reproducegym.parsing.markdown.words import marks_in
from reproducegym.parsing.tables.paths import RawCell, RawTable, named_cells
from reproducegym.parsing.written.tables import label_columns
from reproducegym.parsing.written.words import SourceWord, text_of
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Caption, Place, Table

__all__ = ["FoundMarkdownTable", "html_table_ranges", "pipe_columns", "read_html_table", "read_pipe_table"]

_MAX_SPAN = 200


@dataclass(frozen=True, slots=True)
class _SourceCell:
    """A cell as the source writes it; positions are (line, column)."""

    row: int
    column: int
    row_span: int
    column_span: int
    header: bool
    start: tuple[int, int]
    end: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FoundMarkdownTable:
    """A table without its id, and its first and one-past-last line."""

    table: Table
    first: int
    last: int


def pipe_columns(line: str) -> tuple[int, ...]:
    """Columns of the pipes that part cells: not escaped and not in code."""
    columns: list[int] = []
    code = False
    escaped = False
    for i, char in enumerate(line):
        if char == "`" and not escaped:
            code = not code
        elif char == "|" and not escaped and not code:
            columns.append(i)
        escaped = char == "\\" and not escaped
    return tuple(columns)


def read_pipe_table(
    lines: Sequence[str], first: int, last: int, words: Sequence[SourceWord]
) -> FoundMarkdownTable | None:
    """The pipe table of lines `first`..`last` (exclusive); its second line is the ruler."""
    cells: list[_SourceCell] = []
    row = 0
    width = len(_cell_ranges(lines[first]))
    for number in range(first, last):
        if number == first + 1:
            continue
        for column, (start, end) in enumerate(_cell_ranges(lines[number])[:width]):
            cells.append(_SourceCell(row, column, 1, 1, row == 0, (number, start), (number, end)))
        row += 1
    return _table(lines, cells, words, first, last, None)


def _cell_ranges(line: str) -> list[tuple[int, int]]:
    pipes = pipe_columns(line)
    edges = [-1, *pipes, len(line)]
    ranges = [(a + 1, b) for a, b in itertools.pairwise(edges)]
    if ranges and not line[ranges[0][0] : ranges[0][1]].strip() and pipes:
        ranges = ranges[1:]
    if ranges and not line[ranges[-1][0] : ranges[-1][1]].strip() and pipes:
        ranges = ranges[:-1]
    return ranges


def html_table_ranges(lines: Sequence[str]) -> list[tuple[int, int]]:
    """First and one-past-last line of each HTML table outside fenced code."""
    ranges: list[tuple[int, int]] = []
    start: int | None = None
    fence: str | None = None
    for number, line in enumerate(lines):
        mark = re.match(r"\s{0,3}(```+|~~~+)", line)
        if mark and start is None:
            fence = None if fence == mark[1][:3] else fence or mark[1][:3]
        if fence:
            continue
        if start is None and re.search(r"<table\b", line, re.IGNORECASE):
            start = number
        if start is not None and re.search(r"</table\s*>", line, re.IGNORECASE):
            ranges.append((start, number + 1))
            start = None
    return ranges


class _TableReader(HTMLParser):
    """Collects the cells of the first table with their places in the source."""

    def __init__(self, first: int) -> None:
        super().__init__(convert_charrefs=True)
        self.cells: list[_SourceCell] = []
        self.caption: tuple[tuple[int, int], tuple[int, int]] | None = None
        self._first = first
        self._row = -1
        self._taken: set[tuple[int, int]] = set()
        self._open: tuple[bool, int, int, tuple[int, int]] | None = None
        self._caption_start: tuple[int, int] | None = None
        self._head = False

    def _at(self, *, after_tag: bool = False) -> tuple[int, int]:
        line, column = self.getpos()
        skip = len(self.get_starttag_text() or "") if after_tag else 0
        return (self._first + line - 1, column + skip)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("tr", "td", "th"):
            self._close_cell()
        if tag == "thead":
            self._head = True
        elif tag == "tr":
            self._row += 1
        elif tag in ("td", "th"):
            self._row = max(self._row, 0)
            spans = dict(attrs)
            self._open = (
                tag == "th" or self._head,
                _span(spans.get("rowspan")),
                _span(spans.get("colspan")),
                self._at(after_tag=True),
            )
        elif tag == "caption":
            self._caption_start = self._at(after_tag=True)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._close_cell()
        elif tag == "thead":
            self._close_cell()
            self._head = False
        elif tag == "caption" and self._caption_start is not None:
            self.caption = (self._caption_start, self._at())
            self._caption_start = None

    def _close_cell(self) -> None:
        if self._open is None:
            return
        header, row_span, column_span, start = self._open
        self._open = None
        column = 0
        while (self._row, column) in self._taken:
            column += 1
        for row in range(self._row, self._row + row_span):
            self._taken.update((row, c) for c in range(column, column + column_span))
        self.cells.append(_SourceCell(self._row, column, row_span, column_span, header, start, self._at()))


def _span(value: str | None) -> int:
    return min(max(int(value), 1), _MAX_SPAN) if value and re.fullmatch(r"\d{1,4}", value.strip()) else 1


def read_html_table(
    lines: Sequence[str], first: int, last: int, words: Sequence[SourceWord]
) -> FoundMarkdownTable | None:
    """The HTML table of lines `first`..`last` (exclusive), or None when it holds no cell with text."""
    reader = _TableReader(first)
    reader.feed("\n".join(lines[first:last]) + "\n")
    reader.close()
    caption = _between(words, *reader.caption) if reader.caption else []
    return _table(lines, reader.cells, words, first, last, caption)


def _at(word: SourceWord) -> tuple[int, int]:
    return word.line, word.start


def _between(words: Sequence[SourceWord], start: tuple[int, int], end: tuple[int, int]) -> Sequence[SourceWord]:
    """The words, of some in the order of the source, that begin from `start` to before `end`."""
    return words[bisect_left(words, start, key=_at) : bisect_left(words, end, key=_at)]


def _source(lines: Sequence[str], cell: _SourceCell) -> str:
    if cell.start[0] == cell.end[0]:
        return lines[cell.start[0]][cell.start[1] : cell.end[1]]
    inner = lines[cell.start[0] + 1 : cell.end[0]]
    tail = lines[cell.end[0]][: cell.end[1]] if cell.end[0] < len(lines) else ""
    return "\n".join([lines[cell.start[0]][cell.start[1] :], *inner, tail])


def _table(
    lines: Sequence[str],
    cells: Sequence[_SourceCell],
    words: Sequence[SourceWord],
    first: int,
    last: int,
    caption: Sequence[SourceWord] | None,
) -> FoundMarkdownTable | None:
    own = _between(words, (first, 0), (last, 0))
    filled = [(cell, _between(own, cell.start, cell.end)) for cell in cells]
    raw = [
        RawCell(
            row=cell.row,
            column=cell.column,
            row_span=cell.row_span,
            column_span=cell.column_span,
            text=text_of(inside),
            bbox=union(word.box for word in inside),
            marks=marks_in(_source(lines, cell), text_of(inside)),
        )
        for cell, inside in filled
        if inside
    ]
    if not raw:
        return None
    headers, groups = _row_kinds(cells, raw)
    stub = _stub_columns(cells, raw, headers | groups)
    named, stub_headers = named_cells(RawTable(tuple(raw), headers, groups, stub), 1)
    box: BBox = (0.0, float(first), float(max(len(line) for line in lines[first:last])), float(last))
    place = union(word.box for word in caption) if caption else None
    table = Table(
        id="table",
        label=None,
        page=1,
        continued=(),
        bbox=box,
        caption=Caption(text=text_of(caption), place=Place(page=1, bbox=place)) if caption and place else None,
        stub_headers=stub_headers,
        cells=named,
        notes=(),
    )
    return FoundMarkdownTable(table, first, last)


def _row_kinds(cells: Sequence[_SourceCell], raw: Sequence[RawCell]) -> tuple[frozenset[int], frozenset[int]]:
    """Header rows (all cells are headers, or the first row where none is) and group rows (one label, no values)."""
    written: defaultdict[int, list[_SourceCell]] = defaultdict(list)
    for cell in cells:
        written[cell.row].append(cell)
    rows = sorted(written)
    width = max(cell.column + cell.column_span for cell in cells)
    texts: defaultdict[int, list[RawCell]] = defaultdict(list)
    for text in raw:
        for row in range(text.row, text.row + text.row_span):
            texts[row].append(text)
    groups = {
        row
        for row in rows
        if width > 1
        and len(texts[row]) == 1
        and texts[row][0].column == 0
        and texts[row][0].row == row
        and not is_value(texts[row][0].text)
    }
    headers = {row for row in rows if row not in groups and all(cell.header for cell in written[row]) and texts[row]}
    if not headers and rows and rows[0] not in groups:
        headers = {rows[0]}
    if headers:
        groups = {row for row in groups if row + 1 in written}
    return frozenset(headers), frozenset(groups)


def _stub_columns(cells: Sequence[_SourceCell], raw: Sequence[RawCell], other: frozenset[int]) -> int:
    """Leading label columns: those written as header cells, else those that hold text before the first numbers."""
    body = [cell for cell in cells if cell.row not in other]
    width = max(cell.column + cell.column_span for cell in cells)
    marked = 0
    while marked < width - 1:
        spot = [cell for cell in body if cell.column <= marked < cell.column + cell.column_span]
        if not spot or not all(cell.header for cell in spot):
            break
        marked += 1
    if marked:
        return marked
    return label_columns([cell for cell in raw if cell.row not in other], width)
