"""From places on the page to values: a straight line through tick labels, of the value or of its logarithm."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["LabelledTick", "Scale", "fit_scale"]

_ON_MARK = 0.35
_OFF_MARK = 1.0
_MAX_TICKS = 40
_MOVED = 16.0


@dataclass(frozen=True, slots=True)
class LabelledTick:
    """A tick label, its number, and its place along the axis in points; `marked` says that a tick mark gave it."""

    text: str
    at: float
    value: float
    power: bool
    marked: bool


@dataclass(frozen=True, slots=True)
class Scale:
    """A value (linear) or its logarithm of base 10 (log) is `offset + slope · at`; `error` is in points."""

    kind: Literal["linear", "log"]
    slope: float
    offset: float
    error: float

    def value(self, at: float) -> float:
        """The value at a place along the axis."""
        along = self.offset + self.slope * at
        return along if self.kind == "linear" else float(10.0 ** min(max(along, -300.0), 300.0))

    def place(self, value: float) -> float:
        """Where a value stands along the axis; a logarithmic axis has no place for values of 0 or less."""
        return ((value if self.kind == "linear" else math.log10(value)) - self.offset) / self.slope

    @property
    def read_off(self) -> float:
        """The error in data units; in decades on a logarithmic axis."""
        return self.error * abs(self.slope)


def fit_scale(ticks: Sequence[LabelledTick], minor: Sequence[float]) -> tuple[Scale, tuple[LabelledTick, ...]] | None:
    """The scale that all ticks agree on, and those ticks, each at its mark.

    One that disagrees may be the other side of a broken axis or a sign that was lost, so that nothing is sure then.
    `minor` are the places of marks without a label: a label beside its mark is put there if the others say so, and they
    tell linear from logarithmic where there are two labels.
    """
    if not 2 <= len(ticks) <= _MAX_TICKS:
        return None
    for used in (ticks, _at_marks(ticks, minor)):
        linear, log = _fit(used, "linear"), _fit(used, "log")
        if len(used) > 2:
            scale = linear or log
        elif log is not None and (all(tick.power for tick in used) or linear is None or _decades(log, minor)):
            scale = log if _decades(log, minor) else None
        else:
            scale = linear if _even_between(used, minor) else None
        if scale is not None:
            return scale, tuple(used)
    return None


def _at_marks(ticks: Sequence[LabelledTick], minor: Sequence[float]) -> list[LabelledTick]:
    """Ticks, those whose labels were moved from their marks (into the page, or apart) at the marks of their values."""
    marked = [tick for tick in ticks if tick.marked]
    if len(marked) < 2 or len(marked) == len(ticks):
        return list(ticks)
    scale = _fit(marked, "linear") or _fit(marked, "log")
    if scale is None:
        return list(ticks)
    moved = []
    for tick in ticks:
        there = scale.place(tick.value) if scale.kind == "linear" or tick.value > 0 else tick.at
        near = [at for at in minor if abs(at - there) < _ON_MARK and abs(at - tick.at) < _MOVED]
        moved.append(replace(tick, at=near[0], marked=True) if near and not tick.marked else tick)
    return moved


def _fit(ticks: Sequence[LabelledTick], kind: Literal["linear", "log"]) -> Scale | None:
    """The straight line through all ticks; None where one of them is off it."""
    if kind == "log" and any(tick.value <= 0 for tick in ticks):
        return None
    places = [tick.at for tick in ticks]
    values = [tick.value if kind == "linear" else math.log10(tick.value) for tick in ticks]
    if max(places) - min(places) < 1.0:
        return None
    slope, offset = _line(places, values)
    if slope == 0:
        return None
    limit = _ON_MARK if all(tick.marked for tick in ticks) else _OFF_MARK
    misfit = max(abs((value - offset) / slope - at) for value, at in zip(values, places, strict=True))
    if misfit > limit:
        return None
    return Scale(kind, slope, offset, misfit + (0.02 if limit == _ON_MARK else 0.6))


def _even_between(ticks: Sequence[LabelledTick], minor: Sequence[float]) -> bool:
    """Whether two labels are on a linear axis for sure: one is zero, or marks without labels stand evenly with them."""
    if not all(tick.marked for tick in ticks):
        return False
    if any(tick.value == 0 for tick in ticks):
        return True
    places = sorted((*minor, *(tick.at for tick in ticks)))
    steps = [b - a for a, b in itertools.pairwise(places)]
    return len(steps) > 1 and max(steps) - min(steps) < _ON_MARK


def _line(xs: Sequence[float], ys: Sequence[float]) -> tuple[float, float]:
    """Slope and offset of the least-squares line."""
    mx, my = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    slope = math.fsum((x - mx) * (y - my) for x, y in zip(xs, ys, strict=True)) / math.fsum((x - mx) ** 2 for x in xs)
    return slope, my - slope * mx


def _decades(scale: Scale, minor: Sequence[float]) -> bool:
    """Whether most marks stand where a logarithmic axis has 2, 3, … 9 times a power of ten."""
    if len(minor) < 4:
        return False
    digits = (scale.value(at) for at in minor)
    leading = (value / 10.0 ** math.floor(math.log10(value)) for value in digits)
    return sum(abs(lead - round(lead)) < 0.03 * lead for lead in leading) > 0.9 * len(minor)
