"""The lines of a table, and what a number of one tells of the others: sums, averages, differences, harmonic means."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from itertools import combinations

from reproducegym.pipeline.printed.numbers import Number
from reproducegym.schema.paper import Cell

__all__ = ["Read", "at_an_end", "is_summary", "lines", "near", "parts", "sources"]

Read = list[tuple[Cell, Number]]
_SUMMARY = re.compile(
    r"\b(?:avg|average|averaged|mean|overall|total|sum|gain|improv\w*|reduction|relative|rel|diff\w*|delta|speed-?up"
    r"|ratio|change|increase|decrease|gap)\b|[Δ∆¯]",
    re.IGNORECASE,
)
_HARMONIC = re.compile(r"\bf-?(?:1|score|measure)\b|\bharmonic\b|F₁", re.IGNORECASE)
_CLOSE = Decimal("0.05")
"""An average that weighs its parts unevenly still lies so close to the plain one."""


def lines(cells: Iterable[Cell]) -> Iterator[list[Cell]]:
    """Every row and every column."""
    rows: dict[int, list[Cell]] = defaultdict(list)
    columns: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        rows[cell.row].append(cell)
        columns[cell.column].append(cell)
    yield from rows.values()
    yield from columns.values()


def is_summary(cell: Cell, line: list[Cell]) -> bool:
    """Whether the name that sets a cell apart within its line says average, sum, difference or the like."""
    return len(line) > 1 and _SUMMARY.search(" ".join(_name(cell, line))) is not None


def parts(cell: Cell, read: Read) -> Iterator[Read]:
    """The whole line, its groups under one outer name, and those of its cells that have the cell's own inner name."""
    yield read
    for outer in {other.column_path[:1] for other, _ in read if len(other.column_path) > 1}:
        yield [(other, value) for other, value in read if other.column_path[:1] == outer]
    for group in {other.row_path[:1] for other, _ in read if len(other.row_path) > 1}:
        yield [(other, value) for other, value in read if other.row_path[:1] == group]
    if len(cell.row_path) > 1 and any(other.row != cell.row for other, _ in read):
        yield [(other, value) for other, value in read if other.row_path[-1:] == cell.row_path[-1:]]
    if len(cell.column_path) > 1 and any(other.column != cell.column for other, _ in read):
        yield [(other, value) for other, value in read if other.column_path[-1:] == cell.column_path[-1:]]


def at_an_end(cell: Cell, part: Read) -> bool:
    """Sums and averages stand before or after what they sum up; in between, an equal number is chance."""
    spots = [(other.row, other.column) for other, _ in part]
    return not min(spots) < (cell.row, cell.column) < max(spots)


def near(number: Number, value: Decimal) -> bool:
    """Whether a printed number is a value as far as its digits tell, sign aside."""
    return abs(abs(number.value) - abs(value)) <= number.resolution and value != 0


def sources(cell: Cell, number: Number, line: list[Cell], shown: Read) -> list[Cell]:
    """The visible cells of a line (`shown`) from which a hidden one of it is worked out; all of them are told.

    A sum or an average of the whole line or a group of it, by its digits; where its name says so, also of its
    neighbours, by weights, and as a difference; where its name says F1, as a harmonic mean.
    """
    named = is_summary(cell, line)
    found: list[Cell] = []
    groups = [*parts(cell, shown), *(_neighbours(cell, shown) if named else ())]
    for part in groups:
        if len(part) > 1 and at_an_end(cell, part) and _sums_up(number, [value.value for _, value in part], named):
            found += [other for other, _ in part]
    harmonic = _HARMONIC.search(" ".join(_name(cell, line))) is not None
    for one, other in combinations(shown, 2) if named or harmonic else ():
        x, y = one[1].value, other[1].value
        if (named and near(number, x - y)) or (harmonic and x + y and near(number, 2 * x * y / (x + y))):
            found += [one[0], other[0]]
    return found


def _sums_up(number: Number, values: list[Decimal], named: bool) -> bool:
    total = sum(values, Decimal(0))
    mean = total / len(values)
    if near(number, total) or near(number, mean):
        return True
    return named and min(values) <= number.value <= max(values) and abs(mean - number.value) <= _CLOSE * abs(mean)


def _neighbours(cell: Cell, shown: Read) -> Iterator[Read]:
    """The runs of at least two cells that end right before or begin right after a cell."""
    ordered = sorted(shown, key=lambda one: (one[0].row, one[0].column))
    before = [one for one in ordered if (one[0].row, one[0].column) < (cell.row, cell.column)]
    after = [one for one in ordered if (one[0].row, one[0].column) > (cell.row, cell.column)]
    for size in range(2, len(before) + 1):
        yield before[-size:]
    for size in range(2, len(after) + 1):
        yield after[:size]


def _name(cell: Cell, line: list[Cell]) -> tuple[str, ...]:
    return cell.column_path if all(other.row == cell.row for other in line) else cell.row_path
