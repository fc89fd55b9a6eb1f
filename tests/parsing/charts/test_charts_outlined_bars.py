"""Bars drawn as outlines, or filled with hatches, come back as bars or are refused: never as steps."""

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pymupdf
import pytest
from parsing.made_charts.canvas import Canvas
from parsing.made_charts.truth import TrueAxis
from read_drawing import read

from reproducegym.parsing.charts.reader import FoundCharts, charts_of
from reproducegym.schema.paper import Figure

X = np.arange(4.0)
HIGH, LOW = (3.0, 7.0, 5.0, 6.0), (4.0, 2.0, 6.0, 3.0)


def groups(*styles):
    """Two groups of bars, in two styles, over names, with a legend."""
    drawing, axes = plt.subplots(figsize=(4, 3))
    for k, (values, style) in enumerate(zip((HIGH, LOW), styles, strict=True)):
        axes.bar(X + 0.4 * k, values, 0.4, label="AB"[k], **style)
    axes.set_xticks(X + 0.2, ["one", "two", "three", "four"])
    axes.legend()
    return drawing


def office(shape: str, *, apart: bool) -> FoundCharts:
    """Bars as Excel outlines them: boxes or caps, all in one path or each in its own."""
    canvas = Canvas((320, 200), (36, 14, 306, 150), TrueAxis(-0.5, 3.5), TrueAxis(0, 10), font="helv")
    for value in range(0, 11, 2):
        y = canvas.at(0, value).y
        canvas.stroke([(36, y), (306, y)], (0.85, 0.85, 0.85), 0.75)
        canvas.text(30, y + 2.8, f"{value}", align="right")
    paths = canvas.page.new_shape()
    for i, value in enumerate(HIGH):
        top = canvas.at(i, value)
        canvas.text(top.x, 162, ("Easy", "Medium", "Hard", "All")[i], align="center")
        left, right = top.x - 10, top.x + 10
        corners = [(left, 150), (left, top.y), (right, top.y), (right, 150), (left, 150)]
        paths.draw_polyline([pymupdf.Point(at) for at in corners[: 5 if shape == "box" else 4]])
        if apart:
            paths.finish(color=(0, 0, 0), width=0.7, closePath=False)
    if not apart:
        paths.finish(color=(0, 0, 0), width=0.7, closePath=False)
    paths.commit()
    page = pymupdf.open(stream=canvas.document.tobytes())[0]
    box = (0.0, 0.0, 320.0, 200.0)
    figure = Figure(id="figure-1", label="1", page=1, bbox=box, caption=None, image=None, source="vector", panels=())
    return charts_of(page, [figure])


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("shape", ["box", "cap"])
def test_outlines_of_office_programs_are_bars(shape: str, apart: bool) -> None:
    (chart,) = office(shape, apart=apart).charts
    (bars,) = chart.series
    assert bars.kind == "bars"
    assert [(point.name, point.y) for point in bars.points] == [
        (name, pytest.approx(value, abs=0.02))
        for name, value in zip(("Easy", "Medium", "Hard", "All"), HIGH, strict=True)
    ]


def test_outlined_bars_are_named_by_the_boxes_of_the_legend() -> None:
    (chart,) = read(groups({"fill": False, "edgecolor": "b"}, {"fill": False, "edgecolor": "r"})).charts
    assert [(series.kind, series.name) for series in chart.series] == [("bars", "A"), ("bars", "B")]
    assert [point.y for point in chart.series[1].points] == pytest.approx(LOW, abs=0.02)


@pytest.mark.parametrize("filling", [{"fill": False}, {"color": "w"}], ids=["none", "white"])
def test_bars_that_only_hatches_tell_apart_are_refused_with_a_reason(filling) -> None:
    found = read(groups(*({"edgecolor": "k", "hatch": hatch, **filling} for hatch in ("//", "xx"))))
    assert found.charts == ()
    assert found.problems == ("page 1: figure 1: bars that differ in their hatches alone are left out",)


def test_white_bars_with_an_edge_are_no_legend() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.bar(X, HIGH, color="w", edgecolor="k")
    axes.set_xticks(X, ["one", "two", "three", "four"])
    (chart,) = read(drawing).charts
    assert [point.y for point in chart.series[0].points] == pytest.approx(HIGH, abs=0.02)


def test_the_outline_of_a_histogram_stays_a_line_of_steps() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.hist([1, 2, 2, 3, 3, 3, 4], bins=4, histtype="step")
    (chart,) = read(drawing).charts
    assert [series.kind for series in chart.series] == ["steps"]
