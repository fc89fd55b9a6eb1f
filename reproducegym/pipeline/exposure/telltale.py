"""Finds printed numbers from which a hidden one follows: averages, sums, differences and ratios of a table's line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.exposure.hidden import Hidden, Secrets, agrees, digits_of, names_in
from reproducegym.pipeline.printed.numbers import Number, read_number
from reproducegym.pipeline.printed.table_lines import Read, at_an_end, is_summary, lines, near, parts, sources
from reproducegym.schema.paper import Cell, Document

__all__ = ["Telltales", "giving_away", "leads_to", "telltales"]

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
    for line in lines(cells):
        spots = [(cell.row, cell.column) for cell in line]
        covered = [spot for spot in spots if spot in hidden]
        if not covered:
            continue
        found |= _shares(line, numbers, hidden) - hidden
        found |= _behind(line, numbers, hidden)
        for cell in line:
            spot = (cell.row, cell.column)
            number = numbers[spot]
            if spot in hidden or number is None:
                continue
            others = [(other, numbers[(other.row, other.column)]) for other in line if other is not cell]
            if is_summary(cell, line) or _follows(number, cell, others, hidden):
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
        for line in lines(body):
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


def _follows(number: Number, cell: Cell, others: list[tuple[Cell, Number | None]], hidden: set[_Spot]) -> bool:
    read = [(other, value) for other, value in others if value is not None]
    for part in parts(cell, read):
        values = [value.value for _, value in part]
        covered = any((other.row, other.column) in hidden for other, _ in part)
        if len(values) > 1 and covered and at_an_end(cell, part):
            total = sum(values, Decimal(0))
            if near(number, total) or near(number, total / len(values)):
                return True
    if digits_of(number.value) < 2:
        return False
    dark = [value for other, value in read if (other.row, other.column) in hidden]
    light = [value for other, value in read if (other.row, other.column) not in hidden]
    return any(near(number, abs(one.value - other.value)) for one in dark for other in light)


def _behind(line: list[Cell], numbers: dict[_Spot, Number | None], hidden: set[_Spot]) -> set[_Spot]:
    """The visible cells of a line from which one of its hidden ones is worked out."""
    read = [(cell, number) for cell in line for number in [numbers[cell.row, cell.column]] if number is not None]
    shown: Read = [(cell, number) for cell, number in read if (cell.row, cell.column) not in hidden]
    dark = [(cell, number) for cell, number in read if (cell.row, cell.column) in hidden]
    return {(one.row, one.column) for cell, number in dark for one in sources(cell, number, line, shown)}


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
