"""Charts of real papers come back as they were measured by hand: within half a percent of the axis, names right."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from read_once import ReadOnce

from reproducegym.schema.chart import Chart, Series

pytestmark = pytest.mark.papers

SHARE = 0.005
# What was measured by hand at an x was measured this near to it; a jagged curve is steep there.
BESIDE = 0.0005


def heights(series: Series, low: float, high: float) -> list[float]:
    """The heights of the curve between two x, at both of them and at its points."""
    found = [point.y for point in series.points if low <= point.x <= high]
    for x in (low, high):
        for a, b in zip(series.points, series.points[1:], strict=False):
            if a.x != b.x and min(a.x, b.x) <= x <= max(a.x, b.x):
                found.append(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x))
    return found


def titles(chart: Chart) -> dict[str, str | None]:
    return {axis.side: axis.title for axis in chart.axes}


def test_measured_figures_come_back_with_their_panels_names_and_values(
    papers: Path, read_once: Callable[[Path], ReadOnce]
) -> None:
    for file in sorted((papers / "figures-dev").glob("*.json")):
        wanted = json.loads(file.read_text())
        parsed = read_once(papers / "pdf" / f"{wanted['paper']}.pdf").parsed
        assert parsed is not None
        (figure,) = (one for one in parsed.document.figures if one.label == wanted["figure"])
        charts = [chart for chart in parsed.charts if chart.figure == figure.id]
        assert figure.page == wanted["page"]
        assert [figure.panels[chart.panel].label for chart in charts] == [one["panel"] for one in wanted["panels"]]
        for chart, panel in zip(charts, wanted["panels"], strict=True):
            assert titles(chart) == {"bottom": panel["x"], "left": panel["y"]}
            named = {series.name: series for series in chart.series}
            assert set(named) == {one["name"] for one in panel["series"]}
            (bottom,) = (axis for axis in chart.axes if axis.side == "bottom")
            reach = BESIDE * (bottom.high - bottom.low)
            slack = SHARE * (panel["y_range"][1] - panel["y_range"][0])
            for one in panel["series"]:
                curve = named[one["name"]]
                for x, y in one["points"]:
                    near = heights(curve, x - reach, x + reach)
                    assert min(near) - slack <= y <= max(near) + slack
                if "x_max" in one:
                    last = max(point.x for point in curve.points)
                    assert last == pytest.approx(one["x_max"], abs=SHARE * (bottom.high - bottom.low))
