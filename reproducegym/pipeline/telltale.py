"""Finds printed numbers from which a hidden one follows: averages, sums, differences and ratios of a table's line."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.hidden import Hidden, Secrets, agrees, digits_of, names_in
from reproducegym.pipeline.numbers import Number, read_number
from reproducegym.schema.paper import Cell, Document

__all__ = ["Telltales", "giving_away", "leads_to", "telltales"]

_SUMMARY = re.compile(
    r"\b(?:avg|average|averaged|mean|overall|total|sum|gain|improv\w*|reduction|relative|rel|diff\w*|delta|speed-?up"
    r"|ratio|change|increase|decrease|gap)\b|[Δ∆]",
    re.IGNORECASE,
)
_WHOLES = (Decimal(100), Decimal(1))
_TIMES = frozenset({"times", "fold", "factor"})
_Spot = tuple[int, int]


@dataclass(frozen=True)
class Telltales:
    """Numbers that lead to a hidden one, and the words (names of rows and columns) by which prose speaks of them."""

    numbers: tuple[Hidden, ...]
    words: frozenset[str]


def giving_away(body: Iterable[Cell], hidden: set[_Spot]) -> set[_Spot]:
    """Cells of a table that give a hidden cell away within one row or column.

    A cell counts when its row or column is named as a summary (average, sum, difference, gain) and meets a hidden
    cell, when it is the sum, the mean, a difference or a ratio of the numbers of a line with a hidden cell, or when it
    is what a hidden cell lacks to 100 or 1: an error beside an accuracy, shares of one whole.
    """
    cells = list(body)
    numbers = {(cell.row, cell.column): read_number(cell.text) for cell in cells}
    found: set[_Spot] = set()
    for line in _lines(cells):
        spots = [(cell.row, cell.column) for cell in line]
        covered = [spot for spot in spots if spot in hidden]
        if not covered:
            continue
        found |= _shares(line, numbers, hidden) - hidden
        for cell in line:
            spot = (cell.row, cell.column)
            number = numbers[spot]
            if spot in hidden or number is None:
                continue
            others = [(other, numbers[(other.row, other.column)]) for other in line if other is not cell]
            if _is_summary(cell, line) or _follows(number, cell, others, hidden):
                found.add(spot)
    return found


def telltales(document: Document, masked: frozenset[tuple[str, int, int]], secrets: Secrets) -> Telltales:
    """Differences, ratios and relative changes between a hidden cell and a visible one of its row or column.

    In prose ("4.2 points better") they lead from the visible number back to the hidden one.
    """
    found: dict[tuple[Decimal, str], Hidden] = {}
    words: set[str] = set()
    values = {abs(one.value) for one in secrets.hidden}
    for table in document.tables:
        body = [cell for cell in table.cells if cell.kind == "body"]
        for line in _lines(body):
            read = [((table.id, cell.row, cell.column) in masked, read_number(cell.text)) for cell in line]
            covered = [one for dark, one in read if dark and one is not None and abs(one.value) in values]
            shown = [one for dark, one in read if not dark and one is not None]
            if covered:
                words |= names_in(part for cell in line for part in (*cell.row_path, *cell.column_path))
            for derived in (derived for one in covered for other in shown for derived in _derived(one, other)):
                found.setdefault((derived.value, derived.unit), derived)
    return Telltales(tuple(found.values()), frozenset(words))


def leads_to(number: Number, near: frozenset[str], derived: Telltales) -> bool:
    """Whether a number of a comparing sentence is one of these: a ratio only as "2.1×", a change only in percent."""
    if digits_of(number.value) < 2:
        return False
    is_ratio = number.unit == "×" or not near.isdisjoint(_TIMES)
    for one in derived.numbers:
        fits = is_ratio if one.unit == "×" else not is_ratio and (one.what == "difference" or number.unit == "%")
        if fits and agrees(number, one) is not None:
            return True
    return False


def _lines(cells: Iterable[Cell]) -> Iterator[list[Cell]]:
    rows: dict[int, list[Cell]] = defaultdict(list)
    columns: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        rows[cell.row].append(cell)
        columns[cell.column].append(cell)
    yield from rows.values()
    yield from columns.values()


def _is_summary(cell: Cell, line: list[Cell]) -> bool:
    """Whether the name that sets a cell apart within its line says average, sum, difference or the like."""
    along_row = all(other.row == cell.row for other in line)
    name = cell.column_path if along_row else cell.row_path
    return len(line) > 1 and _SUMMARY.search(" ".join(name)) is not None


def _follows(number: Number, cell: Cell, others: list[tuple[Cell, Number | None]], hidden: set[_Spot]) -> bool:
    read = [(other, value) for other, value in others if value is not None]
    for part in _parts(cell, read):
        values = [value.value for _, value in part]
        covered = any((other.row, other.column) in hidden for other, _ in part)
        if len(values) > 1 and covered and _at_an_end(cell, part):
            total = sum(values, Decimal(0))
            if _near(number, total) or _near(number, total / len(values)):
                return True
    if digits_of(number.value) < 2:
        return False
    dark = [value for other, value in read if (other.row, other.column) in hidden]
    light = [value for other, value in read if (other.row, other.column) not in hidden]
    return any(_near(number, abs(one.value - other.value)) for one in dark for other in light)


def _shares(line: list[Cell], numbers: dict[_Spot, Number | None], hidden: set[_Spot]) -> set[_Spot]:
    """Neighbours of a line that make up 100 or 1 together with a hidden cell, and single cells that do."""
    read = [
        (spot, number) for cell in line for spot in [(cell.row, cell.column)] for number in [numbers[spot]] if number
    ]
    found: set[_Spot] = set()
    for start in range(len(read)):
        for end in range(start + 2, len(read) + 1):
            found |= _one_whole(read[start:end], hidden)
    for dark in (pair for pair in read if pair[0] in hidden):
        for light in (pair for pair in read if pair[0] not in hidden):
            found |= _one_whole([dark, light], hidden)
    return found


def _one_whole(parts: list[tuple[_Spot, Number]], hidden: set[_Spot]) -> set[_Spot]:
    """The places of numbers that add up to 100 or 1 as far as their digits tell; lone digits may do so by chance."""
    spots = {spot for spot, _ in parts}
    numbers = [number for _, number in parts]
    if hidden.isdisjoint(spots) or any(number.value < 0 for number in numbers):
        return set()
    total = sum((number.value for number in numbers), Decimal(0))
    coarse = max(number.resolution for number in numbers)
    for whole in _WHOLES:
        if abs(total - whole) <= coarse * len(parts) / 2 and coarse * 10 < whole:
            return spots
    return set()


def _at_an_end(cell: Cell, part: list[tuple[Cell, Number]]) -> bool:
    """Sums and averages stand before or after what they sum up; in between, an equal number is chance."""
    spots = [(other.row, other.column) for other, _ in part]
    return not min(spots) < (cell.row, cell.column) < max(spots)


def _parts(cell: Cell, read: list[tuple[Cell, Number]]) -> Iterator[list[tuple[Cell, Number]]]:
    """The whole line, and the group of it that shares the outer header with the cell."""
    yield read
    for outer in {other.column_path[:1] for other, _ in read if len(other.column_path) > 1}:
        yield [(other, value) for other, value in read if other.column_path[:1] == outer]
    for group in {other.row_path[:1] for other, _ in read if len(other.row_path) > 1}:
        yield [(other, value) for other, value in read if other.row_path[:1] == group]


def _near(number: Number, value: Decimal) -> bool:
    return abs(abs(number.value) - abs(value)) <= number.resolution and value != 0


def _derived(hidden: Number, shown: Number) -> Iterator[Hidden]:
    coarse = max(hidden.resolution, shown.resolution)
    gap = abs(hidden.value - shown.value)
    if gap:
        yield Hidden(gap, hidden.unit, coarse, "difference", ())
    for one, other in ((hidden, shown), (shown, hidden)):
        if other.value:
            yield Hidden(one.value / other.value, "×", coarse / abs(other.value), "ratio", ())
            change = 100 * gap / abs(other.value)
            yield Hidden(change, "%", 100 * coarse / abs(other.value), "relative change", ())
