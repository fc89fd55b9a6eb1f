"""Bars of a plot area as series: named by legend patches, with categories, printed values and error bars."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.bands import Whisker, find_whiskers, whiskers_at
from reproducegym.parsing.charts.bar_values import bar_points, category_axis, places_of, printed_values, value_axis
from reproducegym.parsing.charts.bars import Bar, Bars, find_bars
from reproducegym.parsing.charts.labels import Label
from reproducegym.parsing.charts.legends import LegendEntry, best_entry
from reproducegym.parsing.charts.series import significant
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.schema.chart import BandPoint, Series

__all__ = ["BarSeries", "read_bars"]


@dataclass(frozen=True, slots=True)
class BarSeries:
    """The series of bars, the paths they consist of, and a line about bars that could not be read."""

    series: tuple[Series, ...]
    orders: frozenset[int]
    problem: str | None


def read_bars(
    area: PlotArea, data: Sequence[Stroke], entries: Sequence[LegendEntry], labels: Sequence[Label]
) -> BarSeries:
    """All bars among the data; `labels` are words that belong to nothing else and may be printed values."""
    patches = [entry for entry in entries if entry.patch]
    found = find_bars(area, data, frozenset(entry.style.colour for entry in patches))
    if not found.sets:
        return BarSeries((), found.orders, found.problem)
    names = [_name(one, patches, entries) for one in found.sets]
    if any(name is None and _has_patches(one, patches) for one, name in zip(found.sets, names, strict=True)):
        return BarSeries((), found.orders, "bars that differ in their hatches alone are left out")
    known = [name for name in names if name is not None]
    if len(known) != len(set(known)):
        return BarSeries((), found.orders, "bars of several styles that the legend does not tell apart are left out")
    places = places_of(area, found.sets)
    if any(len({places[bar] for bar in one.bars}) < len(one.bars) for one in found.sets):
        return BarSeries((), found.orders, "bars of one colour that share a place are left out")
    texts = printed_values(area, found.sets, labels)
    whiskers = find_whiskers(stroke for stroke in data if stroke.order not in found.orders)
    series: list[Series] = []
    used: set[int] = set()
    for one, name in zip(found.sets, names, strict=True):
        spread = _whiskers(one, whiskers)
        used.update(_whisker_orders(one, whiskers))
        series.append(_series(area, one, name, places, texts, spread))
    return BarSeries(tuple(series), found.orders | used, None)


def _name(bars: Bars, patches: Sequence[LegendEntry], entries: Sequence[LegendEntry]) -> str | None:
    match = best_entry(bars.style, patches) or best_entry(bars.style, entries)
    return match[0].name if match is not None else None


def _has_patches(bars: Bars, patches: Sequence[LegendEntry]) -> bool:
    """Whether several names of the legend have a patch of the bars' colour."""
    return len({entry.name for entry in patches if entry.style.colour == bars.style.colour}) > 1


def _whiskers(bars: Bars, whiskers: Sequence[Whisker]) -> dict[Bar, Whisker]:
    """The error bar through each bar's end, if most bars have one."""
    found: dict[Bar, Whisker] = {}
    for bar in bars.bars:
        spot = (bar.end, bar.middle) if bars.lying else (bar.middle, bar.end)
        here = whiskers_at([spot], None, whiskers, level=bars.lying)
        if here:
            found[bar] = here[0]
    return found if 2 * len(found) > len(bars.bars) else {}


def _whisker_orders(bars: Bars, whiskers: Sequence[Whisker]) -> set[int]:
    """The paths of error bars and of their caps over the bars."""
    return {
        one.order
        for bar in bars.bars
        for one in whiskers
        if _is_at(bar, one, lying=bars.lying) and one.extent.high - one.extent.low < 400
    }


def _is_at(bar: Bar, whisker: Whisker, *, lying: bool) -> bool:
    along, at = (whisker.extent.low + whisker.extent.high) / 2, whisker.extent.at
    middle = at if whisker.level == lying else along
    length = whisker.extent.high - whisker.extent.low
    return abs(middle - bar.middle) < 0.5 and (whisker.level == lying or length <= bar.thickness)


def _series(
    area: PlotArea,
    bars: Bars,
    name: str | None,
    places: Mapping[Bar, float],
    texts: Mapping[Bar, str],
    whiskers: Mapping[Bar, Whisker],
) -> Series:
    value, along = value_axis(area, bars), category_axis(area, bars)
    value_error, place_error = significant(value.scale.read_off), significant(along.scale.read_off)
    band = []
    for bar in sorted(whiskers, key=lambda bar: places[bar]):
        extent = whiskers[bar].extent
        ends = sorted(significant(value.scale.value(end)) for end in (extent.low, extent.high))
        band.append(BandPoint(x=places[bar], low=ends[0], high=ends[1]))
    return Series(
        name=name,
        named_by="legend" if name is not None else "none",
        kind="bars",
        colour=bars.style.colour,
        dash=None,
        marker=None,
        y_axis=bars.side,
        points=bar_points(area, bars, places, texts),
        band=tuple(band),
        x_error=value_error if bars.lying else place_error,
        y_error=place_error if bars.lying else value_error,
        clipped=any(bar.cut for bar in bars.bars),
    )
