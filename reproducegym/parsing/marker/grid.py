"""Reads the HTML of one of marker's tables into a grid of texts."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

__all__ = ["GridCell", "grid_of"]

_MAX_SPAN = 100
_MAX_CELLS = 20_000


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of the grid and the text that marker read in it; `header` says that marker calls it one."""

    row: int
    column: int
    row_span: int
    column_span: int
    header: bool
    text: str


class _GridReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.cells: list[GridCell] = []
        self._row = -1
        self._taken: set[tuple[int, int]] = set()
        self._open: tuple[bool, int, int] | None = None
        self._text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._close()
            self._row += 1
        elif tag in ("td", "th"):
            self._close()
            spans = dict(attrs)
            self._open = (tag == "th", _span(spans.get("rowspan")), _span(spans.get("colspan")))
        elif tag == "br":
            self._text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._close()

    def handle_data(self, data: str) -> None:
        if self._open is not None:
            self._text.append(data)

    def _close(self) -> None:
        if self._open is None or len(self._taken) > _MAX_CELLS:
            return
        header, row_span, column_span = self._open
        self._open = None
        row, column = max(self._row, 0), 0
        while (row, column) in self._taken:
            column += 1
        for spanned in range(row, row + row_span):
            self._taken.update((spanned, c) for c in range(column, column + column_span))
        text = " ".join("".join(self._text).split())
        self._text = []
        self.cells.append(GridCell(row, column, row_span, column_span, header, text))


def _span(value: str | None) -> int:
    return min(max(int(value), 1), _MAX_SPAN) if value and re.fullmatch(r"\s*\d{1,4}\s*", value) else 1


def grid_of(html: str) -> tuple[GridCell, ...]:
    """All cells, empty ones too, row by row."""
    reader = _GridReader()
    reader.feed(html)
    reader.close()
    return tuple(reader.cells)
