"""Finds the words of the page that a cell of marker's table stands for: marker says which, the page says what."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.marker.grid import GridCell
from reproducegym.pipeline.grounding.places import locate_words
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Word

__all__ = ["PlacedCell", "placed_cells"]


@dataclass(frozen=True, slots=True)
class PlacedCell:
    """A cell and the words that it holds; none where it is empty or was not found."""

    cell: GridCell
    words: tuple[Word, ...]

    @property
    def box(self) -> BBox:
        """The box around its words, of which there must be some."""
        return union(word.bbox for word in self.words)


def placed_cells(grid: Sequence[GridCell], words: Sequence[Word]) -> tuple[PlacedCell, ...]:
    """Each cell with its words, no word in two cells.

    A text that stands once in the table is placed first; those that stand several times then go where their row and
    column are; a text that the page spells otherwise takes the words that are left where its row and column meet.
    """
    found: dict[int, tuple[Word, ...]] = {}
    used: set[int] = set()
    runs = {i: _runs(words, cell.text) for i, cell in enumerate(grid) if cell.text}
    for i in sorted(runs, key=lambda i: (len(runs[i]) != 1, -len(grid[i].text), i)):
        free = [run for run in runs[i] if used.isdisjoint(run)]
        if len(runs[i]) == 1 and len(free) == 1:
            _take(i, free[0], words, found, used)
    for i in sorted(runs, key=lambda i: (-len(grid[i].text), i)):
        free = [run for run in runs[i] if used.isdisjoint(run)]
        if i not in found and free:
            bands = _Bands(grid, found)
            _take(
                i,
                min(free, key=lambda run: (bands.distance(grid[i], [words[w] for w in run]), run)),
                words,
                found,
                used,
            )
    bands = _Bands(grid, found)
    for i in runs:
        area = bands.area(grid[i])
        if i not in found and area is not None:
            left = [w for w, word in enumerate(words) if w not in used and contains_center(area, word.bbox)]
            _take(i, left, words, found, used)
    return tuple(PlacedCell(cell, found.get(i, ())) for i, cell in enumerate(grid))


def _take(
    i: int, run: Sequence[int], words: Sequence[Word], found: dict[int, tuple[Word, ...]], used: set[int]
) -> None:
    if run:
        found[i] = tuple(words[w] for w in run)
        used.update(run)


def _runs(words: Sequence[Word], text: str) -> list[list[int]]:
    """Indices of the words of each place that spells a text."""
    index = {id(word): w for w, word in enumerate(words)}
    return [[index[id(word)] for word in run] for run in locate_words(words, text)]


class _Bands:
    """Where rows and columns are, by the cells placed so far."""

    def __init__(self, grid: Sequence[GridCell], found: dict[int, tuple[Word, ...]]) -> None:
        self._rows: dict[int, list[BBox]] = {}
        self._columns: dict[int, list[BBox]] = {}
        for i, inside in found.items():
            box = union(word.bbox for word in inside)
            if grid[i].row_span == 1:
                self._rows.setdefault(grid[i].row, []).append(box)
            if grid[i].column_span == 1:
                self._columns.setdefault(grid[i].column, []).append(box)

    def distance(self, cell: GridCell, words: Sequence[Word]) -> float:
        """How far words are from the middle of the cell's row and column, in points; rows weigh more."""
        box = union(word.bbox for word in words)
        rows, columns = self._rows.get(cell.row), self._columns.get(cell.column)
        down = abs((box[1] + box[3]) / 2 - median((b[1] + b[3]) / 2 for b in rows)) if rows else 0.0
        right = abs((box[0] + box[2]) / 2 - median((b[0] + b[2]) / 2 for b in columns)) if columns else 0.0
        return 4 * down + right

    def area(self, cell: GridCell) -> BBox | None:
        """Where the cell's row and column meet; None when one of them is not known."""
        rows, columns = self._rows.get(cell.row), self._columns.get(cell.column)
        if not rows or not columns:
            return None
        across, down = union(columns), union(rows)
        return across[0] - 1, down[1] - 1, across[2] + 1, down[3] + 1
