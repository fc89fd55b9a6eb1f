"""Puts shaded bands and error bars to the series that they belong to, in data units."""

from collections.abc import Sequence

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.bands import Extent, ShadedBand, Whisker, band_around, whiskers_at
from reproducegym.parsing.charts.series import Drawn, significant
from reproducegym.schema.chart import BandPoint, Series

__all__ = ["with_spread"]


def with_spread(
    area: PlotArea, one: Drawn, series: Series, bands: Sequence[ShadedBand], whiskers: Sequence[Whisker]
) -> Series:
    """The series with the error bars or the band around it, if there are some; error bars come before bands."""
    found = _extents(one, bands, whiskers)
    return series.model_copy(update={"band": _in_data(area, one, found)}) if found else series


def _extents(one: Drawn, bands: Sequence[ShadedBand], whiskers: Sequence[Whisker]) -> Sequence[Extent]:
    own = whiskers_at(one.spots, one.style.colour, whiskers)
    if own:
        return [whisker.extent for whisker in own]
    band = band_around(one.spots, one.style.colour, bands)
    if band is not None:
        return band.extents
    black = whiskers_at(one.spots, "#000000", whiskers) if one.style.marker is not None else []
    return [whisker.extent for whisker in black]


def _in_data(area: PlotArea, one: Drawn, extents: Sequence[Extent]) -> tuple[BandPoint, ...]:
    y = area.right if one.side == "right" else area.left
    if y is None:
        return ()
    points = []
    for extent in extents:
        ends = sorted(significant(y.scale.value(end)) for end in (extent.low, extent.high))
        points.append(BandPoint(x=significant(area.x.scale.value(extent.at)), low=ends[0], high=ends[1]))
    return tuple(sorted(points, key=lambda point: point.x))
