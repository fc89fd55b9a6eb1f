"""Bars in data units: their categories, their ends, and the values that are printed at them."""

import math
from collections.abc import Mapping, Sequence

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.axes import FoundAxis
from reproducegym.parsing.charts.bars import Bar, Bars
from reproducegym.parsing.charts.labels import Label
from reproducegym.parsing.charts.series import significant
from reproducegym.parsing.charts.tick_labels import tick_number
from reproducegym.schema.chart import ChartPoint

__all__ = ["bar_points", "category_axis", "places_of", "printed_values", "value_axis"]

_NEAR = 2.6
_AGREES = 0.03
_FACTORS = (1.0, 100.0, 0.01)


def value_axis(area: PlotArea, bars: Bars) -> FoundAxis:
    """The axis that the bars' ends are read on."""
    axis = area.x if bars.lying else (area.right if bars.side == "right" else area.left)
    if axis is None:
        raise ValueError(f"bars on the {bars.side} axis of an area without one")
    return axis


def category_axis(area: PlotArea, bars: Bars) -> FoundAxis:
    """The axis that the bars stand along."""
    axis = (area.left or area.right) if bars.lying else area.x
    if axis is None:
        raise ValueError("bars in an area without an axis to stand along")
    return axis


def value_of(axis: FoundAxis, bar: Bar) -> float:
    """What the bar's length says: its own where it is stacked on another."""
    end = axis.scale.value(bar.end)
    return end if not bar.stacked else end - axis.scale.value(bar.foot)


def places_of(area: PlotArea, sets: Sequence[Bars]) -> dict[Bar, float]:
    """Where each bar stands along its axis: the number of its category, the tick of its group, or its middle."""
    places: dict[Bar, float] = {}
    for one in sets:
        axis = category_axis(area, one)
        for bar in one.bars:
            along = axis.scale.value(bar.middle)
            places[bar] = float(min(max(round(along), 0), len(axis.names) - 1)) if axis.names else significant(along)
    if len(sets) < 2 or not sets or category_axis(area, sets[0]).names:
        return places
    ticks = category_axis(area, sets[0]).ticks
    nearest = {bar: min(ticks, key=lambda tick: abs(tick.at - bar.middle)) for one in sets for bar in one.bars}
    apart = min((abs(a.at - b.at) for a in ticks for b in ticks if a is not b), default=math.inf)
    at_ticks = all(abs(tick.at - bar.middle) < apart / 2 for bar, tick in nearest.items())
    once = all(len({nearest[bar].at for bar in one.bars}) == len(one.bars) for one in sets)
    return {bar: tick.value for bar, tick in nearest.items()} if at_ticks and once else places


def bar_points(
    area: PlotArea, bars: Bars, places: Mapping[Bar, float], texts: Mapping[Bar, str]
) -> tuple[ChartPoint, ...]:
    """One point for each bar, in order along its axis; upright ones have the value in y, lying ones in x."""
    value, along = value_axis(area, bars), category_axis(area, bars)
    points = []
    for bar in sorted(bars.bars, key=lambda bar: places[bar]):
        end, place = significant(value_of(value, bar)), places[bar]
        x, y = (end, place) if bars.lying else (place, end)
        name = along.names[int(place)] if along.names else None
        points.append(ChartPoint(x=x, y=y, name=name, text=texts.get(bar)))
    return tuple(points)


def printed_values(area: PlotArea, sets: Sequence[Bars], labels: Sequence[Label]) -> dict[Bar, str]:
    """Numbers that stand at the ends of bars, or in them, and agree with their lengths; each at one bar."""
    best: dict[Bar, str] = {}
    for factor in _FACTORS:
        pairs = sorted(
            (gap, i, j)
            for i, (one, bar) in enumerate((one, bar) for one in sets for bar in one.bars)
            for j, label in enumerate(labels)
            if (gap := _gap(area, one, bar, label, factor)) is not None
        )
        every = [bar for one in sets for bar in one.bars]
        found: dict[Bar, str] = {}
        used: set[int] = set()
        for _, i, j in pairs:
            if every[i] not in found and j not in used:
                found[every[i]] = labels[j].text
                used.add(j)
        if len(found) > len(best):
            best = found
    return best


def _gap(area: PlotArea, bars: Bars, bar: Bar, label: Label, factor: float) -> float | None:
    """How far the label is from the bar's end; None where it is no number of the bar's length, or elsewhere."""
    number = tick_number(label.text)
    if number is None:
        return None
    x0, y0, x1, y1 = label.box
    low, high = (x0, x1) if bars.lying else (y0, y1)
    beside = abs((label.middle[1] if bars.lying else (x0 + x1) / 2) - bar.middle)
    across = label.size if bars.lying else x1 - x0
    if beside > 0.25 * bar.thickness + 0.15 * across + 0.5:
        return None
    near, far = min(bar.foot, bar.end), max(bar.foot, bar.end)
    gap = max(low - far, near - high, 0.0)
    if gap > _NEAR * label.size:
        return None
    axis = value_axis(area, bars)
    ends = (area.box[0], area.box[2]) if bars.lying else (area.box[1], area.box[3])
    span = abs(axis.scale.value(ends[1]) - axis.scale.value(ends[0]))
    read = value_of(axis, bar)
    limit = _AGREES * (span if axis.scale.kind == "linear" else abs(read))
    if abs(number.value - factor * read) > limit * factor:
        return None
    return beside + min(abs(low - bar.end), abs(high - bar.end))
