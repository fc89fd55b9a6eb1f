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

__all__ = ["BudgetCurve", "budget_curve"]

_LETTERS = re.compile(r"[^\W\d_]{3,}")
_FEWEST = 5
"""A line of fewer points says too little between its ends."""


@dataclass(frozen=True)
class BudgetCurve:
    """A condition's value at smaller budgets: grounded points at whole values of the knob, the full budget left out.

    `start` is the curve's first value and `start_x` where it stands; `end` the claim's own value, at `end_x`, the
    knob's default. All in the metric's unit.
    """

    label: str
    start_x: Decimal
    start: Decimal
    end_x: float
    end: TargetPoint
    points: tuple[tuple[Decimal, TargetPoint], ...]


def budget_curve(paper: ReadPaper, terms: Terms, layout: Layout, knob: Knob | None) -> BudgetCurve | None:
    """The curve of the first compared condition that has one.

    Its x axis must be named like the knob, its series like the condition; and where the knob stands at its default it
    must show the claim's own value, so that a point further left is what the same measurement gives on less.
    """
    points = terms.compared()
    if knob is None or layout.steps or len({dataset_of(point) for point in points}) != 1:
        return None
    label_of = {_key(one.source_label): one.label for one in layout.conditions}
    for point in points:
        label = label_of.get(_key(point.condition))
        if label is None or point.spread is None:
            continue
        for chart, series in _over(paper, knob):
            if series.name is not None and _key(series.name) == _key(point.condition):
                found = _read(paper, chart, series, point, label, knob)
                if found is not None:
                    return found
    return None


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
    return BudgetCurve(label, points[0][0], points[0][1].value, knob.default, end, inner)


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
