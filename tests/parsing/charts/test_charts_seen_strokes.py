"""Strokes that real papers hold beside data (caps, rules, arrows, bars of nothing) are no series; names come whole."""

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.patches import Polygon
from read_drawing import read

X = np.arange(6.0)


def test_caps_of_error_bars_in_one_path_are_no_curve() -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, X, "o-", color="b", label="mean")
    axes.legend()
    corners = [corner for x in X for corner in ((x - 0.1, x + 0.3 + 0.1 * x), (x + 0.1, x + 0.3 + 0.1 * x))]
    axes.add_patch(PathPatch(Path(corners, [Path.MOVETO, Path.LINETO] * 6), fill=False, edgecolor="b", linewidth=0.7))
    (chart,) = read(drawing).charts
    assert [(series.name, len(series.points)) for series in chart.series] == [("mean", 6)]


def test_short_rules_and_arrows_from_the_floor_are_no_data() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, X, color="b", label="rise")
    axes.plot([0.5, 1.5], [4, 4.01], color="k")
    for x in (1.0, 2.0, 3.0):
        axes.plot([x, x], [0.5, 1.0], color="k")
        axes.add_patch(Polygon([(x - 0.08, 0.5), (x + 0.08, 0.5), (x, 0.3)], color="k"))
    axes.legend()
    (chart,) = read(drawing).charts
    assert [series.name for series in chart.series] == ["rise"]


def test_bars_of_no_height_are_no_line() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.bar(X, [3, 5, 2, 4, 1, 2], color="k")
    axes.add_collection(LineCollection([[(x - 0.4, 0), (x + 0.4, 0)] for x in (3.0, 3.8)], colors="k"))
    (chart,) = read(drawing).charts
    assert [(series.kind, len(series.points)) for series in chart.series] == [("bars", 6)]


@pytest.mark.parametrize("high", [1.0, 0.93, 1.12])
def test_triangles_that_are_not_regular_mark_the_middle_of_their_box(high: float) -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, X**2, color="b", label="ours")
    marker = [(-1, high), (1, high), (0, -high), (-1, high)]
    axes.plot(X, X**2, linestyle="none", marker=marker, markersize=6, color="b")
    axes.legend()
    (chart,) = read(drawing).charts
    assert [(series.name, series.marker, len(series.points)) for series in chart.series] == [("ours", "v", 6)]


def test_tick_marks_of_a_right_axis_without_a_line_are_no_minus_signs() -> None:
    drawing, left = plt.subplots(figsize=(4.5, 3))
    drawing.subplots_adjust(right=0.8)
    left.plot(X, X, "b", label="accuracy")
    right = left.twinx()
    right.plot(X, 800 - 100 * X, "r", label="length")
    right.set_yticks([300, 400, 500, 600, 700, 800])
    right.tick_params(axis="y", pad=0.5)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    (chart,) = read(drawing).charts
    assert [axis.side for axis in chart.axes] == ["bottom", "left", "right"]
    assert [point.y for point in chart.series[1].points] == pytest.approx(list(800 - 100 * X), rel=0.005)


def test_names_of_categories_are_whole_over_lines_and_far_from_their_axis() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    drawing.subplots_adjust(bottom=0.3)
    axes.bar(X[:3], [1, 2, 3])
    axes.set_xticks(X[:3], ["MATH\n500", "GSM8K", "Human\nEval"])
    axes.set_xlabel("Task")
    (chart,) = read(drawing).charts
    assert (chart.axes[0].names, chart.axes[0].title) == (("MATH 500", "GSM8K", "Human Eval"), "Task")
    drawing, axes = plt.subplots(figsize=(5, 3))
    drawing.subplots_adjust(left=0.4)
    axes.barh(X[:3], [1, 2, 3])
    axes.set_yticks(X[:3], ["Nearest Neighbour search", "Logistic Regression", "Forest"])
    (chart,) = read(drawing).charts
    assert chart.axes[1].names == ("Forest", "Logistic Regression", "Nearest Neighbour search")


def test_levels_and_marks_of_every_cell_are_left_out_with_a_reason() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, X**2, color="b", label="rise")
    for k in range(12):
        axes.plot([0, 0.3 * k + 0.5], [2 * k + 2, 0], color="k", linewidth=0.5)
    axes.plot(*(side.ravel() for side in np.meshgrid(X[1:], 5 * X)), ".", color="k")
    axes.legend()
    (chart,) = read(drawing).charts
    assert [series.name for series in chart.series] == ["rise"]
    assert chart.problems == (
        "markers at every place of a grid are left out",
        "many straight lines without names are left out",
    )
