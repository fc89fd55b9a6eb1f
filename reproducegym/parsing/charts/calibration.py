"""From places on the page to values: a straight line through tick labels, of the value or of its logarithm."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reproducegym.parsing.charts.tick_labels import LabelledTick
from reproducegym.parsing.charts.two_labels import is_linear, is_logarithmic

__all__ = ["Scale", "fit_scale"]

_ON_MARK = 0.35
_OFF_MARK = 1.0
_MAX_TICKS = 40
_MOVED = 16.0


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


def fit_scale(
    ticks: Sequence[LabelledTick], minor: Sequence[float], ends: tuple[float, float]
) -> tuple[Scale, tuple[LabelledTick, ...]] | None:
    """The scale that all ticks agree on, and those ticks, each at its mark; `ends` are where the axis begins and ends.

    One that disagrees may be the other side of a broken axis or a sign that was lost, so that nothing is sure then.
    `minor` are the places of marks without a label: a label beside its mark is put there if the others say so, and they
    tell linear from logarithmic where there are two labels.
    """
    if not 2 <= len(ticks) <= _MAX_TICKS:
        return None
    for used in (ticks, _at_marks(ticks, minor)):
        linear, log = _fit(used, "linear"), _fit(used, "log")
        scale = linear or log if len(used) > 2 else _of_two(used, minor, ends, linear, log)
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


def _of_two(
    ticks: Sequence[LabelledTick],
    minor: Sequence[float],
    ends: tuple[float, float],
    linear: Scale | None,
    log: Scale | None,
) -> Scale | None:
    """Of the two scales that two ticks have the one that is sure; None where neither is."""
    if log is not None and (_decades(log, minor) or is_logarithmic(ticks, minor)):
        return log
    return linear if linear is not None and is_linear(ticks, minor, ends) else None


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
