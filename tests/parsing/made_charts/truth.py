"""What a made chart shows: axes, series, bands and reference lines, and where its plot area lies."""

from dataclasses import dataclass
from math import log10
from typing import Literal

Point = tuple[float, float]
Kind = Literal["line", "points", "bars", "steps"]


@dataclass(frozen=True)
class TrueAxis:
    """One axis. `low` and `high` are the values at its left or bottom and right or top end; `names` its categories."""

    low: float
    high: float
    log: bool = False
    names: tuple[str, ...] = ()

    def place(self, value: float) -> float:
        """Where the value lies along the axis: 0 at its low end, 1 at its high end."""
        if self.log:
            low, high = log10(self.low), log10(self.high)
            return (log10(value) - low) / (high - low) if value > 0 else -1.0
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class TrueSeries:
    """One series. `names` are the names that are right; None among them says that it may have none.

    `by_point`: each point is drawn as such (marker, bar, corner of a line) and must come back by itself; otherwise the
    curve as a whole must. `texts` are values printed at the points. `band` has (x, low, high).
    """

    names: tuple[str | None, ...]
    kind: Kind
    points: tuple[Point, ...]
    by_point: bool
    y_axis: Literal["left", "right"] = "left"
    band: tuple[tuple[float, float, float], ...] = ()
    texts: tuple[str, ...] = ()
    sideways: bool = False


@dataclass(frozen=True)
class TrueLine:
    """A reference line across the plot area. One that need not be told, such as a zero line, is not `expected`."""

    axis: Literal["x", "y"]
    value: float
    names: tuple[str | None, ...] = (None,)
    expected: bool = True


@dataclass(frozen=True)
class TrueChart:
    """One plot area. `area` is its box in points from the drawing's top left corner.

    `may_refuse`: nothing found is right, but what is found must be. `must_refuse`: it has no series that could be read.
    """

    area: tuple[float, float, float, float]
    x: TrueAxis
    y: TrueAxis
    right: TrueAxis | None
    series: tuple[TrueSeries, ...]
    lines: tuple[TrueLine, ...] = ()
    inset: bool = False
    may_refuse: bool = False
    must_refuse: bool = False


@dataclass(frozen=True)
class Drawing:
    """A page of PDF, its size in points, and the charts on it."""

    pdf: bytes
    size: tuple[float, float]
    charts: tuple[TrueChart, ...]
    traits: tuple[str, ...]


@dataclass(frozen=True)
class MadeChart:
    """A paper of one page that holds a drawing as Figure 1, and the drawing's charts with areas in page points."""

    index: int
    pdf: bytes
    charts: tuple[TrueChart, ...]
    traits: tuple[str, ...]
