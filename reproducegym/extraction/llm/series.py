"""Reads the value of a digitised series where a model points at it; a model's own reading comes after it."""

from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.llm.places import reason, same_name
from reproducegym.extraction.llm.replies import SeriesPlace
from reproducegym.extraction.llm.view import View
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.schema.chart import Chart, ChartPoint, Series
from reproducegym.schema.claim import MetricIdea, Provenance, Reason, TargetPoint
from reproducegym.schema.paper import Figure

__all__ = ["ReadOff", "charts_of", "figure_named", "panel_named", "read_point", "series_point"]

_DIGITS = 4
"""Significant digits that a reading is given; its error says how much of them counts."""


@dataclass(frozen=True)
class ReadOff:
    """A value that a model read off the image of a panel, with its place and the error that it is given."""

    value: Decimal
    error: Decimal
    place: Provenance

    @property
    def doubt(self) -> Reason:
        """Why no task rests on it."""
        where = f"figure {self.place.figure}, panel {self.place.panel}"
        detail = (
            f'{where}: a model reads "{self.place.series}" as {self.value} ± {self.error:.3g}; nothing printed says so'
        )
        return reason("figure_unreadable", detail)


def figure_named(view: View, name: str) -> Figure | None:
    """The figure with a printed number or id."""
    figures = view.paper.document.figures
    return next((one for one in figures if name == one.id or same_name(name, one.label or "")), None)


def panel_named(figure: Figure, name: str | None) -> int | None:
    """A panel's index by its printed label, its number from 1, or its title; the only one needs no name."""
    if name is None:
        return 0 if len(figure.panels) == 1 else None
    wanted = name.strip("() ")
    for index, panel in enumerate(figure.panels):
        number = str(index + 1) if panel.label is None else panel.label.strip("() ")
        if same_name(wanted, number) or same_name(wanted, panel.title or ""):
            return index
    return None


def charts_of(view: View, figure: Figure, panel: int) -> tuple[Chart, ...]:
    """The charts that were digitised in a panel."""
    return tuple(one for one in view.paper.charts if (one.figure, one.panel) == (figure.id, panel))


def series_point(
    view: View, place: SeriesPlace, metric: MetricIdea, condition: str, dataset: str | None
) -> TargetPoint | Reason:
    """The value of a series at an x of the reply, as the drawing has it."""
    figure = figure_named(view, place.figure)
    if figure is None:
        return reason("no_grounded_target", f'there is no figure "{place.figure}"')
    panel = panel_named(figure, place.panel)
    if panel is None:
        return reason("panel_mismatch", f'figure {place.figure} has no panel "{place.panel}"')
    found = [
        (chart, series)
        for chart in charts_of(view, figure, panel)
        for series in chart.series
        if series.name is not None and same_name(series.name, place.series)
    ]
    if len(found) != 1:
        detail = f'figure {place.figure}, panel {place.panel}: no one series is called "{place.series}"'
        return reason("figure_unreadable", detail)
    chart, series = found[0]
    at = _at(series, place.x)
    if isinstance(at, Reason):
        return at
    value = _rounded(at.y)
    error = Decimal(repr(series.y_error))
    label = figure.panels[panel].label or str(panel + 1)
    provenance = Provenance(
        kind="figure_series",
        page=chart.page,
        bbox=chart.bbox,
        quote=series.name or "",
        figure=figure.label or figure.id,
        panel=label,
        series=series.name,
        x=Decimal(repr(at.x)),
        read_error=error,
    )
    return TargetPoint(
        value=value,
        unit=metric.unit,
        resolution=Decimal(1).scaleb(value.adjusted() - _DIGITS + 1) if value else error,
        spread=None,
        metric=metric.name,
        condition=condition,
        dataset=dataset,
        provenance=(provenance,),
    )


def read_point(read: ReadOff, metric: MetricIdea, condition: str, dataset: str | None) -> TargetPoint:
    """What a model read, as evidence for people: its place says how far it may be off."""
    return TargetPoint(
        value=read.value,
        unit=metric.unit,
        resolution=read.error,
        spread=None,
        metric=metric.name,
        condition=condition,
        dataset=dataset,
        provenance=(read.place,),
    )


def _at(series: Series, x: str) -> ChartPoint | Reason:
    """The drawn point at an x, or at the end of the series."""
    if not series.points:
        return reason("figure_unreadable", f'series "{series.name}" has no points')
    if x.strip().casefold() == "last":
        return max(series.points, key=lambda one: one.x)
    by_name = [one for one in series.points if one.name is not None and same_name(one.name, x)]
    if by_name:
        return by_name[0]
    wanted = read_number(x)
    if wanted is None:
        return reason("no_grounded_target", f'"{x}" is no place on the x axis')
    nearest = min(series.points, key=lambda one: abs(one.x - float(wanted.value)))
    if abs(nearest.x - float(wanted.value)) > max(series.x_error, 1e-9):
        return reason("no_grounded_target", f'series "{series.name}" has no point at x = {x}')
    return nearest


def _rounded(value: float) -> Decimal:
    return +Decimal(f"{value:.{_DIGITS}g}")
