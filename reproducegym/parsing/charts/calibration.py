"""From places on the page to values: a straight line through tick labels, of the value or of its logarithm."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

__all__ = ["LabelledTick", "Scale", "fit_scale"]

_ON_MARK = 0.35
_OFF_MARK = 1.0
_AGREEING = 0.75
_MAX_TICKS = 40


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
    """The scale that most ticks agree on, and those ticks. None with fewer than two, or too many that disagree.

    `minor` are the places of marks without a label; they tell linear from logarithmic where there are two labels.
    """
    marked = [tick for tick in ticks if tick.marked]
    used = marked if len(marked) >= 2 else list(ticks)
    if not 2 <= len(used) <= _MAX_TICKS:
        return None
    fits = [fit for kind in ("linear", "log") if (fit := _best(used, kind)) is not None]
    if not fits:
        return None
    most = max(len(inside) for _, inside in fits)
    fits = [fit for fit in fits if len(fit[1]) == most]
    if len(fits) == 1:
        return fits[0]
    linear, log = fits
    by_powers = all(tick.power for tick in used)
    return log if by_powers or _decades(log[0], minor) else linear


def _best(
    ticks: Sequence[LabelledTick], kind: Literal["linear", "log"]
) -> tuple[Scale, tuple[LabelledTick, ...]] | None:
    if kind == "log" and any(tick.value <= 0 for tick in ticks):
        return None
    places = [tick.at for tick in ticks]
    values = [tick.value if kind == "linear" else math.log10(tick.value) for tick in ticks]
    limit = _ON_MARK if all(tick.marked for tick in ticks) else _OFF_MARK
    best: list[int] = []
    for i, j in itertools.combinations(range(len(ticks)), 2):
        if abs(places[j] - places[i]) < 1.0 or values[i] == values[j]:
            continue
        slope = (values[j] - values[i]) / (places[j] - places[i])
        inside = [
            k for k in range(len(ticks)) if abs(places[k] - places[i] - (values[k] - values[i]) / slope) <= 2 * limit
        ]
        if len(inside) > len(best):
            best = inside
    if len(best) < 2 or len(best) < _AGREEING * len(ticks):
        return None
    slope, offset = _line([places[k] for k in best], [values[k] for k in best])
    if slope == 0:
        return None
    misfit = max(abs((values[k] - offset) / slope - places[k]) for k in best)
    if misfit > limit:
        return None
    error = misfit + (0.02 if limit == _ON_MARK else 0.6)
    return Scale(kind, slope, offset, error), tuple(ticks[k] for k in best)


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
