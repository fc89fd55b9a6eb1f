"""Looks a value up again in the charts that were read from a figure: its panel, its series, and the height at its x."""

import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from reproducegym.pipeline.grounding.binding import convert, unit_agrees
from reproducegym.pipeline.printed.decimals import rounded_up
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import Axis, Chart, Series
from reproducegym.schema.claim import Provenance, Reason, ReasonCode, TargetPoint
from reproducegym.schema.paper import Figure

__all__ = ["ground_in_figure"]

_SLACK = 1.0
_COMMON = frozenset({"mean", "average", "avg", "the", "and", "for", "per", "with", "over", "total", "value", "final"})
_WORD = re.compile(r"[^\W\d_]{3,}")


def ground_in_figure(paper: ReadPaper, point: TargetPoint, place: Provenance) -> Provenance | Reason:
    """The place, if the panel that it names has a chart with that series, and the series has the value at that x.

    Between the drawn points of a line the value is interpolated (on logarithmic axes between logarithms); markers and
    bars are asked at a point only. The value must agree within the reading error that the place states, which is raised
    to the chart's own; axis, title or caption must name the metric, and be in its unit.
    """
    figure = next((one for one in paper.document.figures if place.figure in {one.id, one.label}), None)
    if figure is None or figure.page != place.page:
        return _reason("no_grounded_target", f"page {place.page}: no figure {place.figure}")
    charts = [chart for chart in paper.charts if chart.figure == figure.id]
    if not charts:
        return _reason("figure_unreadable", f"figure {place.figure}: no chart could be read from it")
    if place.x is None:
        return _reason("no_grounded_target", f"figure {place.figure}: a value without the x at which it was read")
    here = [chart for chart in charts if _in_panel(figure, chart.panel, place.panel)]
    where = f"figure {place.figure}{f', panel {place.panel}' if place.panel else ''}"
    if not here:
        unread = place.panel is None or _panel_index(figure, place.panel) is not None
        code: ReasonCode = "figure_unreadable" if unread else "no_grounded_target"
        return _reason(code, f"{where}: {'its chart could not be read' if unread else 'there is no such panel'}")
    found = [(chart, series) for chart in here for series in chart.series if _is_series(chart, series, place)]
    if not found:
        others = [chart for chart in charts if any(_is_series(chart, series, place) for series in chart.series)]
        return _not_there(where, place, here, others)
    refusals: list[Reason] = []
    for chart, series in found:
        grounded = _on_series(figure, chart, series, point, place)
        if not isinstance(grounded, Reason):
            return grounded
        refusals.append(grounded)
    for chart in charts:
        elsewhere = [series for series in chart.series if chart not in here and _is_series(chart, series, place)]
        if any(not isinstance(_on_series(figure, chart, one, point, place), Reason) for one in elsewhere):
            return _reason("panel_mismatch", f"{where}: the value {point.value} is that of another panel")
    return refusals[0]


def _not_there(where: str, place: Provenance, here: Sequence[Chart], others: Sequence[Chart]) -> Reason:
    """Why a panel has no such series: it is another panel's, the chart is read in part, or it does not exist."""
    if others:
        return _reason("panel_mismatch", f'{where}: "{place.series}" is a series of another panel')
    problems = [problem for chart in here for problem in chart.problems]
    if problems:
        return _reason("figure_unreadable", f'{where}: no series "{place.series}" was read: {problems[0]}')
    known = ", ".join(f'"{series.name}"' for chart in here for series in chart.series if series.name) or "none"
    return _reason("no_grounded_target", f'{where}: no series "{place.series}"; named are {known}')


def _on_series(
    figure: Figure, chart: Chart, series: Series, point: TargetPoint, place: Provenance
) -> Provenance | Reason:
    """The place with its reading error, if the series has the point's value at its x."""
    where = f'figure {place.figure}, "{series.name or "its only series"}"'
    axis = next((one for one in chart.axes if one.side == series.y_axis), None)
    if not _holds(chart, place):
        return _reason("no_grounded_target", f"{where}: {place.bbox} does not lie on that chart")
    fault = _of_another_metric(figure, chart, axis, point)
    if fault is not None:
        return fault
    x = float(place.x or 0)
    y = _height(chart, series, axis, x) if math.isfinite(x) else None
    if y is None:
        return _reason("no_grounded_target", f"{where}: nothing is drawn at x = {place.x}")
    quoted = read_number(place.quote)
    stated = place.read_error or Decimal(0)
    read = convert(Decimal(repr(y)), _unit(axis, point), point.unit)
    own = convert(Decimal(repr(_error(chart, series, axis, x, y))), _unit(axis, point), point.unit)
    if read is None or own is None:
        return _reason("unit_mismatch", f'{where}: the axis is not in "{point.unit}"')
    error = max(stated, rounded_up(own))
    allowed = error + point.resolution / 2
    if abs(read - point.value) > allowed or (quoted is not None and abs(quoted.value - Decimal(repr(y))) > allowed):
        return _reason("no_grounded_target", f"{where}: {y:.6g} at x = {place.x}, not {point.value} ± {error:.3g}")
    return place.model_copy(update={"read_error": error})


def _unit(axis: Axis | None, point: TargetPoint) -> str:
    """The unit of an axis: percent where its title says so or its numbers cannot be fractions of a percent metric."""
    if point.unit == "%" and axis is not None and abs(axis.high - axis.low) <= 1 and "%" not in (axis.title or ""):
        return ""
    return point.unit


def _of_another_metric(figure: Figure, chart: Chart, axis: Axis | None, point: TargetPoint) -> Reason | None:
    """Why a chart does not show the point's metric: neither axis, title, panel nor caption names it, or in its unit."""
    panel = figure.panels[chart.panel] if chart.panel < len(figure.panels) else None
    near = [axis.title if axis is not None else None, chart.title, panel.title if panel is not None else None]
    spoken = [text for text in near if text]
    caption = figure.caption.text if figure.caption is not None else ""
    words, wanted = _words(" ".join(spoken) or caption), _words(point.metric)
    if wanted and words and wanted.isdisjoint(words):
        detail = f'figure {figure.label}: the panel shows "{" / ".join(spoken) or caption[:80]}", not "{point.metric}"'
        return _reason("panel_mismatch", detail)
    context = " ".join([*spoken, "" if spoken else caption])
    if not unit_agrees("%" if "%" in context else "", point.unit, f"{context} {point.metric}"):
        return _reason("unit_mismatch", f'figure {figure.label}: "{context.strip()[:80]}" is not in "{point.unit}"')
    return None


def _height(chart: Chart, series: Series, axis: Axis | None, x: float) -> float | None:
    """The series' y at an x: a point's own, or for lines what lies between its neighbours."""
    reach = max(series.x_error, 1e-9 * max(1.0, abs(x)))
    log_x, log_y = _is_log(_x_axis(chart)), _is_log(axis)
    if log_x:
        reach = max(abs(x) * (10**series.x_error - 1), 1e-9 * abs(x))
    exact = [one for one in series.points if abs(one.x - x) <= reach]
    if exact:
        return min(exact, key=lambda one: abs(one.x - x)).y
    if series.kind not in {"line", "steps"}:
        return None
    for before, after in pairwise(sorted(series.points, key=lambda one: one.x)):
        if not before.x <= x <= after.x:
            continue
        if series.kind == "steps":
            return before.y
        ends = (math.log(before.x), math.log(after.x), math.log(x)) if log_x else (before.x, after.x, x)
        share = (ends[2] - ends[0]) / (ends[1] - ends[0])
        if log_y:
            return math.exp(math.log(before.y) * (1 - share) + math.log(after.y) * share)
        return before.y * (1 - share) + after.y * share
    return None


def _error(chart: Chart, series: Series, axis: Axis | None, x: float, y: float) -> float:
    """How far the reading may be off: along y, and along x where the line is steep."""
    own = abs(y) * (10**series.y_error - 1) if _is_log(axis) else series.y_error
    if series.kind not in {"line", "steps"}:
        return own
    shift = abs(x) * (10**series.x_error - 1) if _is_log(_x_axis(chart)) else series.x_error
    beside = [_height(chart, series, axis, x + way * shift) for way in (1, -1)]
    return own + max((abs(other - y) for other in beside if other is not None), default=0.0)


def _x_axis(chart: Chart) -> Axis | None:
    return next((one for one in chart.axes if one.side in {"bottom", "top"}), None)


def _is_log(axis: Axis | None) -> bool:
    return axis is not None and axis.scale == "log"


def _is_series(chart: Chart, series: Series, place: Provenance) -> bool:
    """Whether a series has the place's name; one that has none must be the only one of its chart."""
    if place.series is None:
        return len(chart.series) == 1
    return series.name is not None and _flat(series.name) == _flat(place.series)


def _in_panel(figure: Figure, index: int, panel: str | None) -> bool:
    """Whether a panel is the named one; without a name the figure must have one panel only."""
    if panel is None:
        return len(figure.panels) <= 1
    return _panel_index(figure, panel) == index


def _panel_index(figure: Figure, panel: str) -> int | None:
    """A panel's place in its figure, by its printed label or, where it has none, its number from 1."""
    wanted = panel.strip("() ").casefold()
    for index, one in enumerate(figure.panels):
        label = str(index + 1) if one.label is None else one.label.strip("() ").casefold()
        if label == wanted:
            return index
    return None


def _holds(chart: Chart, place: Provenance) -> bool:
    x0, y0, x1, y1 = chart.bbox
    x, y = (place.bbox[0] + place.bbox[2]) / 2, (place.bbox[1] + place.bbox[3]) / 2
    return chart.page == place.page and x0 - _SLACK <= x <= x1 + _SLACK and y0 - _SLACK <= y <= y1 + _SLACK


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in _WORD.findall(text.casefold())) - _COMMON


def _flat(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def _reason(code: ReasonCode, detail: str) -> Reason:
    return Reason(code=code, argument=None, detail=detail)
