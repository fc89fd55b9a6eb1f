"""The panels of figures that a claim speaks of, each by itself: no panel lends its series to another."""

from collections.abc import Iterable, Iterator

from reproducegym.pipeline.evidence.index import indexed_axes
from reproducegym.pipeline.evidence.search import word_stems
from reproducegym.schema.chart import Chart, Series
from reproducegym.schema.claim import Candidate
from reproducegym.schema.evidence import (
    BundleChart,
    BundlePanel,
    BundleSeries,
    EvidenceFigure,
    EvidenceIndex,
    EvidencePanel,
    EvidenceSentence,
)

__all__ = ["bundled_panel", "wanted_panels"]

_POINTS = 24
"""Points of a series that are shown: enough to see its course; `charts.json` holds all."""


def wanted_panels(
    index: EvidenceIndex, candidate: Candidate, anchors: Iterable[EvidenceSentence]
) -> tuple[tuple[EvidenceFigure, int | None], ...]:
    """Figures with the numbers of their panels from 0, in the paper's order; None for a figure without panels.

    A claim names a panel where its points were read, or in its sentences ("Fig. 5 (b)"). Where only the figure is
    named, the panels are meant whose titles, axes and series have the most words in common with the claim.
    """
    named = list(_named(candidate, anchors))
    found: dict[tuple[str, int | None], EvidenceFigure] = {}
    for figure in index.figures:
        for wanted, panel in named:
            if wanted in {figure.id, figure.label}:
                found.update({(figure.id, number): figure for number in _numbers(figure, panel, candidate)})
    ordered = sorted(found.items(), key=lambda item: -1 if item[0][1] is None else item[0][1])
    return tuple((figure, number) for one in index.figures for (_, number), figure in ordered if figure is one)


def bundled_panel(figure: EvidenceFigure, number: int | None, charts: Iterable[Chart]) -> BundlePanel:
    """One panel with its own charts alone."""
    panel = None if number is None else figure.panels[number]
    own = [] if number is None else [one for one in charts if (one.figure, one.panel) == (figure.id, number)]
    return BundlePanel(
        figure=figure.id,
        figure_label=figure.label,
        number=number,
        label=None if panel is None else panel.label,
        title=None if panel is None else panel.title,
        page=figure.page,
        bbox=figure.bbox if panel is None else panel.bbox,
        caption=figure.caption,
        charts=tuple(_chart(chart) for chart in own),
    )


def _named(candidate: Candidate, anchors: Iterable[EvidenceSentence]) -> Iterator[tuple[str, str | None]]:
    """Figure and panel as the claim's points and sentences name them."""
    for role in candidate.points:
        for place in role.point.provenance:
            if place.kind == "figure_series" and place.figure is not None:
                yield place.figure, place.panel
    for sentence in anchors:
        for link in sentence.links:
            if link.kind == "figure" and link.target is not None:
                yield link.target, link.panel


def _numbers(figure: EvidenceFigure, label: str | None, candidate: Candidate) -> tuple[int | None, ...]:
    if not figure.panels:
        return (None,)
    if label is not None:
        return tuple(panel.number for panel in figure.panels if label in {panel.label, str(panel.number + 1)})
    words = word_stems(
        " ".join((candidate.metric.name, *(condition.source_label for condition in candidate.conditions)))
    )
    shared = {panel.number: len(words & word_stems(_words(panel))) for panel in figure.panels}
    most = max(shared.values())
    return tuple(number for number, count in shared.items() if count == most)


def _words(panel: EvidencePanel) -> str:
    words = [panel.title or ""]
    for chart in panel.charts:
        words += [chart.title or "", *(axis.title or "" for axis in chart.axes)]
        words += [series.name or "" for series in chart.series]
    return " ".join(words)


def _chart(chart: Chart) -> BundleChart:
    return BundleChart(
        title=chart.title,
        axes=indexed_axes(chart),
        series=tuple(_series(one) for one in chart.series),
        reference_lines=chart.reference_lines,
        problems=chart.problems,
    )


def _series(series: Series) -> BundleSeries:
    """The series with its points thinned evenly, both ends kept."""
    points = series.points
    last = len(points) - 1
    kept = points if len(points) <= _POINTS else tuple(points[last * i // (_POINTS - 1)] for i in range(_POINTS))
    return BundleSeries(
        name=series.name,
        kind=series.kind,
        y_axis=series.y_axis,
        points=kept,
        x_error=series.x_error,
        y_error=series.y_error,
        left_out=len(points) - len(kept),
    )
