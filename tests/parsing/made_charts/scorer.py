"""Compares charts that were read with the truth: series found, names, errors in shares of the axis range."""

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from reproducegym.schema.chart import Chart, Series

from .truth import MadeChart, TrueAxis, TrueChart, TrueSeries

Places = NDArray[np.float64]

TOLERANCE = 0.005


@dataclass(frozen=True)
class Score:
    """Counts over charts; `worst` holds each found series' largest error, `faults` says what is wrong."""

    series: int = 0
    series_found: int = 0
    names_right: int = 0
    series_false: int = 0
    details: int = 0
    details_right: int = 0
    worst: tuple[float, ...] = ()
    faults: tuple[str, ...] = ()

    def __add__(self, other: "Score") -> "Score":
        return Score(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


def score(made: MadeChart, found: Sequence[Chart]) -> Score:
    """What was read of one made chart. A series counts as found when no point of it is off by more than TOLERANCE."""
    total = Score()
    left = list(found)
    for true in made.charts:
        match = max(left, key=lambda chart: _overlap(true.area, chart.bbox), default=None)
        if match is None or _overlap(true.area, match.bbox) < 0.5:
            if not true.must_refuse and not true.may_refuse:
                missing = tuple(f"plot area missing with {one.names[0]}" for one in true.series)
                total += Score(series=len(true.series), faults=missing)
            continue
        left.remove(match)
        total += _score_chart(true, match)
    for chart in left:
        names = tuple(f"false plot area with {one.kind} {one.name}" for one in chart.series)
        total += Score(series_false=len(names), faults=names)
    return total


def _score_chart(true: TrueChart, found: Chart) -> Score:
    if true.must_refuse:
        faults = tuple(f"{one.kind} {one.name} should be refused" for one in found.series)
        return Score(series_false=len(faults), faults=faults)
    found = _counted_alike(true, found)
    pairs = sorted(
        (max(_errors(true, want, have)), i, j)
        for i, want in enumerate(true.series)
        for j, have in enumerate(found.series)
        if want.y_axis == have.y_axis
    )
    taken: dict[int, int] = {}
    nearest: dict[int, float] = {}
    for error, i, j in pairs:
        nearest.setdefault(i, error)
        if error <= TOLERANCE and i not in taken and j not in taken.values():
            taken[i] = j
    total = _score_lines(true, found)
    for i, want in enumerate(true.series):
        if i in taken:
            total += _score_series(true, want, found.series[taken[i]])
        elif not true.may_refuse:
            how = f"nearest is off by {nearest[i]:.2%}" if i in nearest else "nothing there"
            total += Score(series=1, faults=(f"{want.kind} {want.names[0]} missing: {how}",))
    for j, have in enumerate(found.series):
        if j not in taken.values():
            total += Score(series_false=1, faults=(f"false {have.kind} {have.name} of {len(have.points)} points",))
    return total


def _counted_alike(true: TrueChart, found: Chart) -> Chart:
    """The chart with categories counted as in the truth: a reader may count those along y from the top."""
    series = found.series
    for axis in found.axes:
        upright = axis.side in {"left", "right"}
        wanted = true.y.names if upright else true.x.names
        if wanted and axis.names == wanted[::-1] and axis.names != wanted:
            last = len(wanted) - 1
            series = tuple(_turned(one, last, upright=upright) for one in series)
    return found.model_copy(update={"series": series})


def _turned(series: Series, last: int, *, upright: bool) -> Series:
    way = "y" if upright else "x"
    points = tuple(one.model_copy(update={way: last - getattr(one, way)}) for one in series.points)
    band = tuple(one.model_copy(update={"x": last - one.x}) for one in series.band) if upright else series.band
    return series.model_copy(update={"points": points, "band": band})


def _score_series(true: TrueChart, want: TrueSeries, have: Series) -> Score:
    faults = []
    named = _flat(have.name) in {_flat(name) for name in want.names}
    if not named:
        faults.append(f"{want.kind} {want.names[0]} is named {have.name}")
    details = [("kind", want.kind == have.kind or (want.kind == "steps" and have.kind == "line"))]
    if want.kind == "line" or want.kind == "steps":
        details.append(("clipped", have.clipped == _runs_out(true, want)))
    if want.band:
        details.append(("band", _band_error(true, want, have) <= TOLERANCE))
    elif have.band:
        details.append(("false band", False))
    if want.kind == "bars":
        details += _bar_details(true, want, have)
    faults += [f"{want.kind} {want.names[0]}: wrong {what}" for what, right in details if not right]
    right = sum(right for _, right in details)
    worst = (max(_errors(true, want, have)),)
    return Score(1, 1, int(named), 0, len(details), right, worst, tuple(faults))


def _score_lines(true: TrueChart, found: Chart) -> Score:
    total = Score()
    free = list(found.reference_lines)
    for line in true.lines:
        axis = true.x if line.axis == "x" else true.y
        near = [
            one
            for one in free
            if one.axis == line.axis and abs(axis.place(one.value) - axis.place(line.value)) < TOLERANCE
        ]
        if near:
            free.remove(near[0])
        right = bool(near) and _flat(near[0].name) in {_flat(name) for name in line.names}
        if line.expected:
            faults = () if right else (f"reference line {line.names[0]} at {line.axis} = {line.value:g}: found {near}",)
            total += Score(details=1, details_right=int(right), faults=faults)
    for one in free:
        total += Score(details=1, faults=(f"false reference line {one.name} at {one.axis} = {one.value:g}",))
    return total


def _bar_details(true: TrueChart, want: TrueSeries, have: Series) -> list[tuple[str, bool]]:
    """Whether categories and printed values are right, bar by bar in order."""
    names = true.y.names if want.sideways else true.x.names
    details = []
    if names:
        places = [round(y if want.sideways else x) for x, y in want.points]
        details.append(("categories", [one.name for one in _along(have, want)] == [names[k] for k in sorted(places)]))
    if want.texts:
        details.append(("printed values", [one.text for one in _along(have, want)] == list(want.texts)))
    elif any(one.text for one in have.points):
        details.append(("false printed values", False))
    return details


def _along(have: Series, want: TrueSeries):
    return sorted(have.points, key=lambda one: one.y if want.sideways else one.x)


def _band_error(true: TrueChart, want: TrueSeries, have: Series) -> float:
    """The largest error of the band's ends at the true places that lie within the axes; 1 without a band."""
    if not have.band:
        return 1.0
    along, across = (true.y, true.x) if want.sideways else (true.x, _y_axis(true, want))
    band = sorted((along.place(one.x), across.place(one.low), across.place(one.high)) for one in have.band)
    places = np.array(band)
    worst = 0.0
    for x, low, high in want.band:
        at = along.place(x)
        if not -TOLERANCE <= at <= 1 + TOLERANCE:
            continue
        if not places[0, 0] - TOLERANCE <= at <= places[-1, 0] + TOLERANCE:
            return 1.0
        for column, value in ((1, low), (2, high)):
            end = across.place(value)
            if 0 <= end <= 1:
                worst = max(worst, abs(float(np.interp(at, places[:, 0], places[:, column])) - end))
    return worst


def _errors(true: TrueChart, want: TrueSeries, have: Series) -> list[float]:
    """Distances, in shares of the axes, from what should be there to what was found and back."""
    y_axis = _y_axis(true, want)
    whole = _placed(((x, y) for x, y in want.points), true.x, y_axis)
    inside = whole[np.all((whole >= -1e-6) & (whole <= 1 + 1e-6), axis=1)]
    given = _placed(((one.x, one.y) for one in have.points), true.x, y_axis)
    if not len(given) or not len(inside):
        return [1.0]
    curve = want.kind in {"line", "steps"}
    measure: Callable[[Places, Places], Places] = _to_points if want.by_point else _to_curve
    missed = measure(inside, given)
    strayed = _to_curve(given, whole) if curve else _to_points(given, whole)
    return [*missed.tolist(), *strayed.tolist()]


def _placed(points: Iterable[tuple[float, float]], x: TrueAxis, y: TrueAxis) -> Places:
    return np.array([(x.place(a), y.place(b)) for a, b in points], dtype=np.float64).reshape(-1, 2)


def _to_points(points: Places, others: Places) -> Places:
    gaps = points[:, None, :] - others[None, :, :]
    return np.sqrt((gaps**2).sum(axis=2)).min(axis=1)


def _to_curve(points: Places, corners: Places) -> Places:
    """Distance of each point from the polyline."""
    if len(corners) < 2:
        return _to_points(points, corners)
    starts, sides = corners[:-1], corners[1:] - corners[:-1]
    lengths = np.maximum((sides**2).sum(axis=1), 1e-18)
    gaps = points[:, None, :] - starts[None, :, :]
    along = np.clip((gaps * sides[None]).sum(axis=2) / lengths, 0, 1)
    return np.sqrt(((gaps - along[:, :, None] * sides[None]) ** 2).sum(axis=2)).min(axis=1)


def _runs_out(true: TrueChart, want: TrueSeries) -> bool:
    places = _placed(want.points, true.x, _y_axis(true, want))
    return bool(np.any((places < -1e-6) | (places > 1 + 1e-6)))


def _y_axis(true: TrueChart, want: TrueSeries) -> TrueAxis:
    return true.right if want.y_axis == "right" and true.right is not None else true.y


def _flat(name: str | None) -> str | None:
    return None if name is None else "".join(unicodedata.normalize("NFKC", name).split())


def _overlap(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> float:
    """The shared area as a share of the area of both."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    if wide <= 0 or high <= 0:
        return 0.0
    areas = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return wide * high / (areas - wide * high)
