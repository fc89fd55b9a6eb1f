"""A claim bound to cells of a table, before it is worded; and arithmetic that says which cells print a difference."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.printed import Said
from reproducegym.pipeline.grounding.binding import convert
from reproducegym.pipeline.printed.numbers import Number
from reproducegym.schema.claim import Pattern, Reason

__all__ = ["Bound", "matching_pattern", "prints"]


@dataclass(frozen=True)
class Bound:
    """Cells that a sentence speaks of. `printed` is the difference as the sentence prints it.

    `quoted` are the numbers of the sentence that repeat a cell. `doubts` are reasons not to accept. `at` is where
    the sentence's comparative stands, for claims that rest on none of its numbers.
    """

    pattern: Pattern
    treatment: Entry
    baseline: Entry | None
    printed: Said | None
    quoted: tuple[tuple[Entry, Number], ...]
    doubts: tuple[Reason, ...] = ()
    at: int | None = None

    @property
    def numbers(self) -> tuple[Number, ...]:
        """The numbers of the sentence that the claim rests on, the printed effect first."""
        printed = () if self.printed is None else (self.printed.number,)
        return (*printed, *(number for _, number in self.quoted))

    @property
    def places(self) -> tuple[int, ...]:
        """Where the sentence states the claim: at its numbers, else at its comparative."""
        starts = tuple(number.start for number in self.numbers)
        return starts or (() if self.at is None else (self.at,))

    @property
    def cells(self) -> tuple[str, ...]:
        """What makes two bound claims the same claim."""
        places = [f"{self.treatment.table.id}:{self.treatment.cell.row}:{self.treatment.cell.column}"]
        if self.baseline is not None and self.pattern != "absolute":
            places.append(f"{self.baseline.table.id}:{self.baseline.cell.row}:{self.baseline.cell.column}")
        return (self.pattern, *places)


def prints(number: Number, entry: Entry) -> bool:
    """Whether a number of the text is the value of a cell, to the coarser of the two precisions."""
    unit = number.unit
    if unit == "" and entry.unit == "%":
        unit = "%" if abs(number.value) > 1 or entry.value <= 1 else ""
    if unit == "" and entry.unit not in {"", "×"}:
        unit = entry.unit
    value, resolution = convert(number.value, unit, entry.unit), convert(number.resolution, unit, entry.unit)
    if value is None or resolution is None:
        return False
    return abs(value - entry.value) <= max(resolution, entry.number.resolution) / 2


def matching_pattern(said: Said, treatment: Entry, baseline: Entry) -> Pattern | None:
    """Which derived value of two cells a printed effect is; None when it is none of them."""
    a, b = treatment.value, baseline.value
    reading: Sequence[tuple[Pattern, Decimal | None, Decimal]]
    points = (a - b, (treatment.number.resolution + baseline.number.resolution) / 2)
    one = Decimal(1)
    rates = treatment.unit == "%" or (treatment.kind in {"rate", "score"} and max(abs(a), abs(b)) <= 1)
    hundred = one if treatment.unit == "%" else Decimal(100)
    relative = None if b <= 0 else (a - b) / b * 100
    slack = Decimal(0) if b <= 0 else (treatment.number.resolution + abs(a / b) * baseline.number.resolution) / (2 * b)
    if said.effect == "plain":
        reading = [("difference", points[0], points[1])]
    elif said.effect == "points":
        reading = [("difference", points[0] * (hundred if rates else one), points[1] * (hundred if rates else one))]
    elif said.effect == "relative":
        reading = [("relative_change", relative, slack * 100)]
    elif said.effect == "ratio":
        reading = [("ratio", None if b <= 0 else a / b, slack)]
    else:
        reading = [("relative_change", relative, slack * 100)]
        if rates:
            reading = [*reading, ("difference", points[0] * hundred, points[1] * hundred)]
    for pattern, value, rounding in reading:
        if value is not None and _agrees(said, abs(value), rounding):
            return pattern
    return None


def _agrees(said: Said, size: Decimal, rounding: Decimal) -> bool:
    """Within rounding of the printed size: half a unit of every printed digit, and a unit of the effect's own."""
    printed = abs(said.number.value)
    return abs(size - printed) <= rounding + said.number.resolution * Decimal("0.51") + _bound_slack(said)


def _bound_slack(said: Said) -> Decimal:
    return said.number.resolution / 2 if said.relation != "equals" else Decimal(0)
