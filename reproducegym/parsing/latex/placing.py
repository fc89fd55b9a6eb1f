"""Finds the cells of a LaTeX table among the words of the page on which it is printed."""

import itertools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import union
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Cell, Word

__all__ = ["Placed", "placed_cells"]

_SIGNS = str.maketrans({**dict.fromkeys("−–—‐‑﹣－", "-"), "∗": "*", "⋆": "*", "′": "'", "’": "'", "‘": "'", "ϵ": "ε",
                        "∼": "~", "·": ".", "⋅": ".", "“": '"', "”": '"', "✔": "✓", "✘": "✗", "ϕ": "φ"})  # fmt: skip
_NUMBER = re.compile(r"\d")
_LINE = 0.5


@dataclass(frozen=True, slots=True)
class Placed:
    """A cell with the page, box and text of the words that print it."""

    cell: Cell
    page: int
    box: BBox
    text: str


@dataclass(frozen=True, slots=True)
class _Spot:
    """A word of the area: its index, page, and the line that it stands on, counted from the top over all pages."""

    index: int
    page: int
    line: int
    word: Word
    letters: str


def placed_cells(
    cells: Sequence[Cell], words: Sequence[tuple[int, Word]], known: Sequence[Cell]
) -> tuple[Placed, ...] | str:
    """Every cell at its words, or in words why there is a doubt. `known` are the cells that the page was read into.

    Values of one row stand on one line from left to right, rows stand below one another (or begin again at the top
    beside those before, after a row of headers), a cell that spans rows stands between them; every number of the area
    belongs to exactly one cell, and columns do not cross.
    """
    spots = _spots(words)
    rows = sorted({cell.row for cell in cells})
    search = _Search(spots, frozenset(cell.row for cell in cells if cell.kind in ("header", "group")))
    for row in rows:
        values = [cell for cell in cells if cell.row == row and cell.row_span == 1 and cell.kind == "body"]
        numbers = [cell for cell in values if _has_number(cell.text)]
        whole = [cell for cell in cells if cell.row == row and cell.row_span == 1]
        if numbers and not any(search.row(row, some) for some in (whole, values, numbers)):
            return f'"{numbers[0].text}" and the numbers beside it are not found on one line'
    for cell in cells:
        if cell.row_span > 1 and cell.kind == "body" and _has_number(cell.text) and not search.spanning(cell, rows):
            return f'"{cell.text}" is not found'
    missed = [cell for cell in cells if id(cell) not in search.placed and not search.label(cell)]
    for cell in missed:
        if not (search.left_over(cell) or search.sign(cell) or search.as_read(cell, known)):
            return f'"{cell.text}" is not found'
    left = search.numbers_left()
    if left:
        return f'"{left}" stands in the table and not in its source'
    placed = [search.placed[id(cell)] for cell in cells]
    crossing = next(filter(None, (_crossing(part) for part in search.parts(placed))), None)
    return crossing or _swapped(placed) or tuple(placed)


def _spots(words: Sequence[tuple[int, Word]]) -> list[_Spot]:
    """Words in lines from top to bottom, each line from left to right."""
    lines: list[tuple[int, float, float, list[int]]] = []
    order = sorted(range(len(words)), key=lambda i: (words[i][0], (words[i][1].bbox[1] + words[i][1].bbox[3]) / 2))
    for index in order:
        page, word = words[index]
        top, bottom = word.bbox[1], word.bbox[3]
        last = lines[-1] if lines else None
        overlap = min(last[2], bottom) - max(last[1], top) if last and last[0] == page else 0.0
        if last and last[0] == page and overlap > _LINE * min(bottom - top, last[2] - last[1]):
            last[3].append(index)
            if bottom - top > last[2] - last[1]:
                lines[-1] = (page, top, bottom, last[3])
        else:
            lines.append((page, top, bottom, [index]))
    return [
        _Spot(index, page, number, words[index][1], _letters(words[index][1].text))
        for number, (page, _, _, members) in enumerate(lines)
        for index in sorted(members, key=lambda i: words[i][1].bbox[0])
    ]


def _letters(text: str) -> str:
    """A text without spaces and without differences of type."""
    flat = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    return "".join(char for char in flat if not char.isspace() and char not in "^_{}$\\")


def _has_number(text: str) -> bool:
    return _NUMBER.search(text) is not None


class _Search:
    """What was found so far."""

    def __init__(self, spots: Sequence[_Spot], heads: frozenset[int]) -> None:
        self.placed: dict[int, Placed] = {}
        self._heads = heads
        self._starts = [0]
        self._lines: dict[int, list[_Spot]] = {}
        for spot in spots:
            self._lines.setdefault(spot.line, []).append(spot)
        self._used: set[int] = set()
        self._row_lines: dict[int, int] = {}
        self._next = 0

    def row(self, row: int, cells: Sequence[Cell]) -> bool:
        """Place the values of a row on the first line below the last row's that prints them all in order."""
        if self._from(row, cells, self._next):
            return True
        if row - 1 not in self._heads or not self._row_lines or not self._from(row, cells, 0):
            return False
        start = row
        while start - 1 in self._heads:
            start -= 1
        self._starts.append(start)
        return True

    def _from(self, row: int, cells: Sequence[Cell], first: int) -> bool:
        for line in range(first, len(self._lines)):
            runs = self._in_order(self._lines[line], cells)
            if runs is not None:
                for cell, run in zip(cells, runs, strict=True):
                    self._place(cell, run)
                self._row_lines[row] = line
                self._next = line + 1
                return True
        return False

    def _in_order(self, spots: Sequence[_Spot], cells: Sequence[Cell]) -> list[list[_Spot]] | None:
        runs: list[list[_Spot]] = []
        start = 0
        for cell in sorted(cells, key=lambda one: one.column):
            run = self._run(spots, _letters(cell.text), start)
            if run is None:
                return None
            runs.append([spots[i] for i in run])
            start = run[-1] + 1
        return runs

    def _run(self, spots: Sequence[_Spot], wanted: str, start: int) -> range | None:
        """The first unused run of whole words from `start` that spells a text."""
        for first in range(start, len(spots)):
            text = ""
            for end in range(first, len(spots)):
                if spots[end].index in self._used:
                    break
                text += spots[end].letters
                if text == wanted:
                    return range(first, end + 1)
                if not wanted.startswith(text):
                    break
        return None

    def _place(self, cell: Cell, run: Sequence[_Spot]) -> None:
        self._used.update(spot.index for spot in run)
        joined = " ".join(spot.word.text for spot in run)
        text = cell.text if _letters(cell.text) == _letters(joined) else joined
        self.placed[id(cell)] = Placed(cell, run[0].page, union(spot.word.bbox for spot in run), text)

    def spanning(self, cell: Cell, rows: Sequence[int]) -> bool:
        """Place a number that spans rows on a line between them."""
        return self._on_lines(cell, self._between(cell, rows))

    def _between(self, cell: Cell, rows: Sequence[int]) -> range:
        own = [
            self._row_lines[row]
            for row in rows
            if cell.row <= row < cell.row + cell.row_span and row in self._row_lines
        ]
        start = max(one for one in self._starts if one <= cell.row)
        end = min((one for one in self._starts if one > cell.row), default=len(self._row_lines) + cell.row + 10_000)
        part = {row: line for row, line in self._row_lines.items() if start <= row < end}
        above = [line for row, line in part.items() if row < cell.row]
        below = [line for row, line in part.items() if row >= cell.row + cell.row_span]
        first = max(above, default=-1) + 1
        last = min(below, default=len(self._lines)) - 1
        return range(min([first, *own]), max([last, *own]) + 1)

    def _on_lines(self, cell: Cell, lines: range) -> bool:
        own = self._row_lines.get(cell.row)
        ordered = sorted(lines, key=lambda line: (own is None or line != own, line))
        for line in ordered:
            spots = self._lines[line]
            run = self._run(spots, _letters(cell.text), 0)
            if run is not None:
                self._place(cell, [spots[i] for i in run])
                return True
        return False

    def label(self, cell: Cell) -> bool:
        """Place a label where it is printed on one line of its row, or between the rows around it."""
        return self._on_lines(cell, self._between(cell, [cell.row]))

    def left_over(self, cell: Cell) -> bool:
        """Place a label at the words that are left for it: of its rows, above or left of its own numbers."""
        wanted = _letters(cell.text)
        free = [
            spot
            for line in self._between(cell, [cell.row])
            for spot in self._lines[line]
            if spot.index not in self._used and spot.letters and spot.letters in wanted
        ]
        run: list[_Spot] = []
        rest = wanted
        for spot in free:
            if rest.startswith(spot.letters):
                run.append(spot)
                rest = rest[len(spot.letters) :]
        if rest or not run or len({spot.page for spot in run}) > 1:
            return False
        self._place(cell, run)
        return True

    def sign(self, cell: Cell) -> bool:
        """Place a lone sign such as ✓, which fonts spell in many ways, at the one word between its neighbours."""
        line = self._row_lines.get(cell.row)
        if line is None or cell.kind != "body" or any(char.isalnum() for char in cell.text):
            return False
        row = [one for one in self.placed.values() if one.cell.row == cell.row]
        left = max((one.box[2] for one in row if one.cell.column < cell.column), default=float("-inf"))
        right = min((one.box[0] for one in row if one.cell.column > cell.column), default=float("inf"))
        free = [
            spot
            for spot in self._lines[line]
            if spot.index not in self._used and left <= spot.word.bbox[0] and spot.word.bbox[2] <= right
        ]
        if len(free) != 1 or len(free[0].letters) > len(cell.text):
            return False
        self._used.add(free[0].index)
        self.placed[id(cell)] = Placed(cell, free[0].page, free[0].word.bbox, cell.text)
        return True

    def as_read(self, cell: Cell, known: Sequence[Cell]) -> bool:
        """Place a label where the page's own reading has the one cell with its text, even outside of the area."""
        same = [one for one in known if _letters(one.text) == _letters(cell.text)]
        if len(same) != 1 or cell.kind == "body":
            return False
        self.placed[id(cell)] = Placed(cell, same[0].page, same[0].bbox, cell.text)
        return True

    def parts(self, placed: Sequence[Placed]) -> list[list[Placed]]:
        """Cells by the part, of those beside one another, that they stand in."""
        return [
            [one for one in placed if start <= one.cell.row < end]
            for start, end in itertools.pairwise([*sorted(self._starts), 10**9])
        ]

    def numbers_left(self) -> str | None:
        """The first number that belongs to no cell."""
        for spots in self._lines.values():
            for spot in spots:
                if spot.index not in self._used and _has_number(spot.letters):
                    return spot.word.text
        return None


def _swapped(placed: Sequence[Placed]) -> str | None:
    """Why a row cannot be as the source says: a cell of it stands left of the one before."""
    rows: dict[int, list[Placed]] = {}
    for one in placed:
        rows.setdefault(one.cell.row, []).append(one)
    for row in rows.values():
        ordered = sorted(row, key=lambda one: one.cell.column)
        for left, right in itertools.pairwise(ordered):
            if right.box[0] < left.box[0]:
                return f'"{left.text}" and "{right.text}" do not stand in the order of the source'
    return None


def _crossing(placed: Sequence[Placed]) -> str | None:
    """Why columns cannot be as the source says: a number of a column stands wholly behind one of the next."""
    columns: dict[int, list[Placed]] = {}
    for one in placed:
        if one.cell.column_span == 1 and one.cell.kind == "body":
            columns.setdefault(one.cell.column, []).append(one)
    ordered = sorted(columns)
    for left, right in itertools.pairwise(ordered):
        far = max(columns[left], key=lambda one: one.box[0])
        near = min(columns[right], key=lambda one: one.box[2])
        if far.box[0] >= near.box[2] and far.page == near.page:
            return f'"{far.text}" and "{near.text}" do not stand in columns as in the source'
    return None
