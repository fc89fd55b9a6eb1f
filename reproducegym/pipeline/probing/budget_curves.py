"""Finds what a paper's figures say of a claim at smaller budgets: hidden learning curves over the claim's own knob."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.grounding.places import ground
from reproducegym.pipeline.targets.columns import dataset_of
from reproducegym.pipeline.targets.layout import Layout
from reproducegym.pipeline.targets.terms import Terms
from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import Chart, Series
from reproducegym.schema.claim import Provenance, TargetPoint
from reproducegym.schema.spec import Knob

__all__ = ["BudgetCurve", "budget_curves", "with_spread"]

_LETTERS = re.compile(r"[^\W\d_]{3,}")
_FEWEST = 5
"""A line of fewer points says too little between its ends."""


@dataclass(frozen=True)
class BudgetCurve:
    """A condition's value at smaller budgets: grounded points at whole values of the knob, the full budget left out.

    `start` is the curve's first value and `start_x` where it stands; `end` the claim's own value, at `end_x`, the
    knob's default. All in the metric's unit. `banded` says that the points' spreads were read off the curve's band;
    else they are the widest that a printed spread of the claim's own column makes likely.
    """

    label: str
    start_x: Decimal
    start: Decimal
    end_x: float
    end: TargetPoint
    points: tuple[tuple[Decimal, TargetPoint], ...]
    banded: bool


def budget_curves(paper: ReadPaper, terms: Terms, layout: Layout, knob: Knob | None) -> tuple[BudgetCurve, ...]:
    """The curves of the compared conditions that have one.

    The x axis must be named like the knob, the series like the condition; and where the knob stands at its default it
    must show the claim's own value, so that a point further left is what the same measurement gives on less.
    """
    points = terms.compared()
    if knob is None or layout.steps or len({dataset_of(point) for point in points}) != 1:
        return ()
    label_of = {_key(one.source_label): one.label for one in layout.conditions}
    curves = []
    for point in points:
        label = label_of.get(_key(point.condition))
        if label is None or point.spread is None:
            continue
        named = (_read(paper, chart, one, point, label, knob) for chart, one in _named(paper, knob, point.condition))
        found = next((one for one in named if one is not None), None)
        curves += [] if found is None else [found]
    return tuple(curves)


def _named(paper: ReadPaper, knob: Knob, condition: str) -> Iterator[tuple[Chart, Series]]:
    for chart, series in _over(paper, knob):
        if series.name is not None and _key(series.name) == _key(condition):
            yield chart, series


def _over(paper: ReadPaper, knob: Knob) -> Iterator[tuple[Chart, Series]]:
    """Every line over an axis that is named like the knob, linear or logarithmic."""
    wanted = _words(knob.name.replace("_", " "))
    for chart in paper.charts:
        below = [axis for axis in chart.axes if axis.side in {"bottom", "top"} and axis.scale != "category"]
        if any(wanted & _words(axis.title or "") for axis in below):
            yield from ((chart, one) for one in chart.series if one.kind == "line" and len(one.points) >= _FEWEST)


def _read(
    paper: ReadPaper, chart: Chart, series: Series, end: TargetPoint, label: str, knob: Knob
) -> BudgetCurve | None:
    default = Decimal(repr(knob.default))
    own = end.model_copy(update={"provenance": (_place(paper, chart, series, default),), "spread": None})
    if not isinstance(ground(paper, own), TargetPoint):
        return None
    points = []
    for one in series.points:
        x = Decimal(round(one.x))
        value = Decimal(repr(one.y))
        at = own.model_copy(update={"value": value, "provenance": (_place(paper, chart, series, x),)})
        found = ground(paper, at)
        if isinstance(found, TargetPoint):
            points.append((x, found.model_copy(update={"spread": end.spread})))
    inner = tuple((x, point) for x, point in points if Decimal(repr(knob.zero)) < x < default)
    if len(inner) < _FEWEST - 1:
        return None
    band = _band(series, end, default)
    if band:
        inner = tuple((x, with_spread(point, band[x])) for x, point in inner if x in band)
    return BudgetCurve(label, points[0][0], points[0][1].value, knob.default, end, inner, banded=bool(band))


def with_spread(point: TargetPoint, value: Decimal) -> TargetPoint:
    """A point whose spread has another value; what it is and over how many runs stays."""
    if point.spread is None:
        return point
    return point.model_copy(update={"spread": point.spread.model_copy(update={"value": value})})


def _band(series: Series, end: TargetPoint, default: Decimal) -> dict[Decimal, Decimal]:
    """Half-widths of a curve's band by x, if at the default it shows the spread that the claim's own value prints.

    None is taken for less than that: a band is an estimate too, and the narrowest of many is narrow by chance.
    """
    halves = {Decimal(round(one.x)): Decimal(repr((one.high - one.low) / 2)) for one in series.band}
    if end.spread is None or default not in halves:
        return {}
    blur = end.resolution + Decimal(repr(series.y_error))
    if abs(halves[default] - end.spread.value) > blur:
        return {}
    return {x: max(half, end.spread.value) for x, half in halves.items()}


def _place(paper: ReadPaper, chart: Chart, series: Series, x: Decimal) -> Provenance:
    figure = next(one for one in paper.document.figures if one.id == chart.figure)
    panel = figure.panels[chart.panel].label if chart.panel < len(figure.panels) else None
    return Provenance(
        kind="figure_series",
        page=chart.page,
        bbox=chart.bbox,
        quote=series.name or "",
        figure=figure.id,
        panel=panel or str(chart.panel + 1),
        series=series.name,
        x=x,
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in _LETTERS.findall(text.casefold()))


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
