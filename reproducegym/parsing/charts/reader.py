"""Reads the vector charts of a page: every plot area of its figures, digitised from the page's own drawing commands."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.boxes import contains_center, intersects, rounded
from reproducegym.parsing.charts.areas import PlotArea, find_areas
from reproducegym.parsing.charts.axes import FoundAxis
from reproducegym.parsing.charts.bands import find_bands, find_whiskers
from reproducegym.parsing.charts.bar_series import read_bars
from reproducegym.parsing.charts.content import Content, content_of, is_scaffold
from reproducegym.parsing.charts.direct_labels import direct_labels
from reproducegym.parsing.charts.glyph_marks import glyph_marks
from reproducegym.parsing.charts.labels import Label, read_labels
from reproducegym.parsing.charts.legends import LegendEntry, find_legend
from reproducegym.parsing.charts.patterns import with_pattern_fills
from reproducegym.parsing.charts.segments import Segment, segments_of
from reproducegym.parsing.charts.series import (
    Drawn,
    drawn_series,
    named,
    significant,
    to_series,
    without_samples,
    y_axis_of,
)
from reproducegym.parsing.charts.spreads import with_spread
from reproducegym.parsing.charts.strokes import Stroke, read_strokes
from reproducegym.parsing.charts.titles import area_title, axis_title
from reproducegym.parsing.charts.unread import (
    are_heads,
    has_box_plots,
    is_lattice,
    is_plot,
    is_rule,
    levels,
    many_bubbles,
    without_arrows,
)
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.drawings import clusters
from reproducegym.schema.base import BBox
from reproducegym.schema.chart import Axis, Chart, ReferenceLine, Series, Tick
from reproducegym.schema.paper import Figure, Panel

__all__ = ["FoundCharts", "charts_of"]

_BESIDE = 3.0
_MOST_GROUPS = 12
_MOST_FILLINGS = 3000
_MOST_WORDS = 1500
_LEGEND_REACH = 14.0


@dataclass(frozen=True, slots=True)
class FoundCharts:
    """The charts that could be read, and a line about each that could not."""

    charts: tuple[Chart, ...]
    problems: tuple[str, ...]


def charts_of(page: pymupdf.Page, figures: Sequence[Figure]) -> FoundCharts:
    """The charts in the figures of one page, in their order; raster figures have none."""
    drawn = [figure for figure in figures if figure.source != "raster"]
    if not drawn:
        return FoundCharts((), ())
    strokes = read_strokes(page)
    paths = [*with_pattern_fills(strokes.paths), *glyph_marks(page)]
    charts: list[Chart] = []
    problems: list[str] = []
    for figure in drawn:
        if strokes.cut:
            problems.append(f"page {figure.page}: figure {figure.label} has too many paths to be read as a chart")
            continue
        inside = [stroke for stroke in paths if intersects(_grown(stroke.box), figure.bbox)]
        labels = read_labels(page, _grown(figure.bbox), inside)
        if len(labels) > _MOST_WORDS:
            problems.append(f"page {figure.page}: figure {figure.label} has too many words to be read as a chart")
            continue
        found, unread = _figure_charts(figure, inside, labels)
        charts += found
        problems += unread
    return FoundCharts(tuple(charts), tuple(problems))


def _grown(box: BBox) -> BBox:
    return (box[0] - _BESIDE, box[1] - _BESIDE, box[2] + _BESIDE, box[3] + _BESIDE)


def _figure_charts(figure: Figure, strokes: Sequence[Stroke], labels: Sequence[Label]) -> tuple[list[Chart], list[str]]:
    """The charts of a figure, and a line about each plot area of which nothing could be read."""
    segments = segments_of(strokes)
    found = find_areas(strokes, segments, labels)
    areas = [area for area in found if is_plot(area, found, segments)]
    along = {word for area in areas for axis in area.axes for word in axis.words}
    free = [label for label in labels if not any(label is word for word in along) and not _in_axis(label, areas)]
    able = [stroke for stroke in strokes if not any(is_scaffold(stroke, area) for area in areas)]
    legend = find_legend(able, free, [area.box for area in areas])
    charts = [_chart(figure, area, areas, strokes, free, legend) for area in areas]
    empty = [chart for chart in charts if not chart.series]
    unread = {f"page {figure.page}: figure {figure.label}: {line}": None for chart in empty for line in chart.problems}
    return [chart for chart in charts if chart.series], list(unread)


def _in_axis(label: Label, areas: Sequence[PlotArea]) -> bool:
    """Whether the word is part of an axis label, which may consist of several."""
    return any(contains_center(word.box, label.box) for area in areas for axis in area.axes for word in axis.words)


def _chart(
    figure: Figure,
    area: PlotArea,
    areas: Sequence[PlotArea],
    strokes: Sequence[Stroke],
    free: Sequence[Label],
    legend: Sequence[LegendEntry],
) -> Chart:
    entries = _entries_for(area, areas, legend)
    content = content_of(area, areas, strokes, legend)
    foreign = bool(entries) and all(
        any(other is not area and contains_center(other.box, entry.box) for other in areas) for entry in entries
    )
    series, problems = _series_of(area, content, entries, free, foreign=foreign)
    references = tuple(_reference(one, area, entries) for one in content.across if _is_of_first_axis(one, area))
    words = [word for word in free if not any(contains_center(entry.box, word.box) for entry in legend)]
    return Chart(
        figure=figure.id,
        panel=_panel_of(area, figure.panels),
        page=figure.page,
        bbox=rounded(area.box),
        title=area_title(area, areas, words),
        inset=area.inset,
        axes=tuple(_axis(axis, area, axis_title(axis, area, areas, words)) for axis in area.axes),
        series=tuple(_named_apart(series)),
        reference_lines=references,
        problems=tuple(problems),
    )


def _series_of(
    area: PlotArea, content: Content, entries: Sequence[LegendEntry], free: Sequence[Label], *, foreign: bool
) -> tuple[list[Series], list[str]]:
    """Bars, curves and markers of the area, and a line about each that is left out.

    `foreign` says that the legend stands in another plot area: it is one for all only if it names every series here.
    """
    if sum(stroke.fill is not None and stroke.colour is None for stroke in content.data) > _MOST_FILLINGS:
        return [], ["a picture made of thousands of filled shapes is left out"]
    if has_box_plots(content.data):
        return [], ["box plots are left out"]
    bars = read_bars(area, content.data, entries, free)
    data = [stroke for stroke in content.data if stroke.order not in bars.orders]
    every = drawn_series(area, data, entries)
    drawn = without_samples(every)
    left = [one for one in every if one not in drawn]
    names = [name for name, _ in named(drawn, entries)]
    if foreign and None in names:
        names = [None] * len(names)
    drawn, names, problems = _readable(area, drawn, names, left, data)
    if bars.problem is not None:
        problems.append(bars.problem)
    bands, whiskers = find_bands(area.box, data), find_whiskers(data)
    series = list(bars.series)
    labels = direct_labels(drawn, names, free)
    for one, name in zip(drawn, names, strict=True):
        if one.side is None:
            problems.append(f"{name or 'a series'} in {one.style.colour} is left out: which y axis it has is not clear")
            continue
        label = labels.get(one)
        if name is None and label is None and (is_rule(area, one) or are_heads(one, content.data)):
            continue
        by: Literal["legend", "label", "none"] = "legend" if name is not None else "none" if label is None else "label"
        read = to_series(area, one, name or label, by)
        series.append(with_spread(area, one, read, bands, whiskers))
    return series, problems


def _named_apart(series: Sequence[Series]) -> list[Series]:
    """The series, those without their name that others have as well: which of them it means is not clear."""
    given = Counter(one.name for one in series)
    return [
        one.model_copy(update={"name": None, "named_by": "none"})
        if one.name is not None and given[one.name] > 1
        else one
        for one in series
    ]


def _readable(
    area: PlotArea,
    drawn: Sequence[Drawn],
    names: Sequence[str | None],
    left: Sequence[Drawn],
    data: Sequence[Stroke],
) -> tuple[list[Drawn], list[str | None], list[str]]:
    """The series with their names that are data, and a line about markers that are left out.

    `left` were left out before: the heads of arrows may be among them.
    """
    kept = without_arrows(area, drawn, names, left)
    problems = []
    unnamed = [one.kind == "points" and name is None for one, name in zip(drawn, names, strict=True)]
    if sum(unnamed) > _MOST_GROUPS:
        problems.append("markers without a name are left out: their colours show values")
    elif many_bubbles(data, drawn):
        problems.append("markers without a name are left out: their sizes or colours show values")
    if problems:
        kept = [keep and not bare for keep, bare in zip(kept, unnamed, strict=True)]
    lattices = [bare and is_lattice(one) for one, bare in zip(drawn, unnamed, strict=True)]
    if any(lattices):
        problems.append("markers at every place of a grid are left out")
    of_levels = levels(drawn, names)
    if any(of_levels):
        problems.append("many straight lines without names are left out")
    kept = [keep and not (lattice or level) for keep, lattice, level in zip(kept, lattices, of_levels, strict=True)]
    chosen = [(one, name) for one, name, keep in zip(drawn, names, kept, strict=True) if keep]
    return [one for one, _ in chosen], [name for _, name in chosen], problems


def _entries_for(area: PlotArea, areas: Sequence[PlotArea], legend: Sequence[LegendEntry]) -> list[LegendEntry]:
    """The legend in the area, else those outside of all areas, else all of the figure.

    Of several legends outside, one that keeps to the width of a plot area belongs to that area's column.
    """
    own = [entry for entry in legend if contains_center(area.box, entry.box)]
    outside = [entry for entry in legend if not any(contains_center(other.box, entry.box) for other in areas)]
    if own or not outside:
        return own or list(legend)
    blocks = clusters([entry.box for entry in outside], _LEGEND_REACH)
    rows = max(block[3] - block[1] for block in blocks) > 1.8 * min(entry.box[3] - entry.box[1] for entry in outside)
    if len(blocks) < 2 or not rows:
        return outside
    foreign = [block for block in blocks if not _over(block, area) and any(_over(block, other) for other in areas)]
    return [entry for entry in outside if not any(contains_center(block, entry.box) for block in foreign)]


def _over(block: BBox, area: PlotArea) -> bool:
    """Whether a legend keeps to the width of an area."""
    return area.box[0] - _LEGEND_REACH <= block[0] and block[2] <= area.box[2] + _LEGEND_REACH


def _is_of_first_axis(segment: Segment, area: PlotArea) -> bool:
    """Whether a line is upright or certainly drawn for the left of two y axes, if there are two."""
    return not segment.level or area.left is None or y_axis_of(area, segment.stroke.order) == "left"


def _reference(segment: Segment, area: PlotArea, entries: Sequence[LegendEntry]) -> ReferenceLine:
    axis = (area.left or area.right or area.x) if segment.level else area.x
    stroke = segment.stroke
    alike = {
        entry.name
        for entry in entries
        if entry.style.colour == stroke.main_colour and entry.style.dash == stroke.dash and entry.style.marker is None
    }
    return ReferenceLine(
        name=alike.pop() if len(alike) == 1 else None,
        axis="y" if segment.level else "x",
        value=significant(axis.scale.value(segment.at)),
        colour=stroke.main_colour,
    )


def _axis(axis: FoundAxis, area: PlotArea, title: str | None) -> Axis:
    low, high = (area.box[3], area.box[1]) if axis.upright else (area.box[0], area.box[2])
    scale: Literal["linear", "log", "category"] = "category" if axis.names else axis.scale.kind
    return Axis(
        side=axis.side,
        title=title,
        scale=scale,
        low=significant(axis.scale.value(low)),
        high=significant(axis.scale.value(high)),
        ticks=tuple(Tick(label=t.text, value=significant(t.value), at=round(t.at, 3)) for t in axis.ticks),
        names=axis.names,
    )


def _panel_of(area: PlotArea, panels: Sequence[Panel]) -> int:
    """The panel that shares most with the area; 0 without panels."""

    def shared(index: int) -> float:
        box = panels[index].bbox
        w = min(box[2], area.box[2]) - max(box[0], area.box[0])
        h = min(box[3], area.box[3]) - max(box[1], area.box[1])
        return max(w, 0.0) * max(h, 0.0)

    return max(range(len(panels)), key=lambda i: (shared(i), -i), default=0)
