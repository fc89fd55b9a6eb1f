"""Charts drawn by matplotlib come back from their PDF as data."""

from collections.abc import Sequence

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from read_drawing import read

from reproducegym.schema.chart import Series


def assert_values(series: Series, wanted: Sequence[tuple[float, float]], error: float) -> None:
    assert len(series.points) == len(wanted)
    assert [point.x for point in series.points] == pytest.approx([x for x, _ in wanted], abs=error)
    assert [point.y for point in series.points] == pytest.approx([y for _, y in wanted], abs=error)


def test_a_line_chart_gives_its_points_names_and_titles() -> None:
    x = np.arange(12.0)
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(x, x**2, label="squares")
    axes.plot(x, 3 - 2 * x, "o--", label="a falling line")
    axes.set_xlabel("Step")
    axes.set_ylabel("Mean return")
    axes.grid(visible=True)
    axes.legend()
    (chart,) = read(drawing).charts
    assert [axis.title for axis in chart.axes] == ["Step", "Mean return"]
    squares, falling = chart.series
    assert (squares.name, squares.named_by, squares.dash) == ("squares", "legend", None)
    assert (falling.name, falling.marker) == ("a falling line", "o")
    assert_values(squares, [(k, k * k) for k in range(12)], 0.02)
    assert_values(falling, [(k, 3 - 2 * k) for k in range(12)], 0.02)
    assert squares.y_error < 0.2
    assert chart.reference_lines == ()


def test_two_y_axes_keep_their_own_values() -> None:
    x = np.arange(10.0)
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(x, x / 10, color="tab:red", label="accuracy")
    axes.legend(loc="upper left")
    drawing.subplots_adjust(right=0.8)
    right = axes.twinx()
    right.plot(x, 1e4 - 900 * x, color="tab:green", label="length")
    right.legend(loc="lower right")
    (chart,) = read(drawing).charts
    accuracy, length = chart.series
    assert (accuracy.name, accuracy.y_axis, length.name, length.y_axis) == ("accuracy", "left", "length", "right")
    assert_values(accuracy, [(k, k / 10) for k in range(10)], 0.01)
    assert_values(length, [(k, 1e4 - 900 * k) for k in range(10)], 5)


def test_a_logarithmic_axis_and_a_line_that_runs_out_of_the_area() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.semilogy([1, 2, 3, 4], [1e-6, 1e-3, 1, 1e3], color="tab:blue")
    axes.set_ylim(1e-4, 1e2)
    (chart,) = read(drawing).charts
    (line,) = chart.series
    assert [axis.scale for axis in chart.axes] == ["linear", "log"]
    assert line.clipped
    inner = [point for point in line.points if 1e-3 * 0.9 < point.y < 1.1]
    assert [(round(point.x, 3), pytest.approx(point.y, rel=0.01)) for point in inner] == [(2.0, 1e-3), (3.0, 1.0)]


def test_dates_are_no_numbers() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot([0, 1, 2], [3, 1, 2])
    axes.set_xticks([0, 1, 2], ["2024-01", "2024-02", "2024-03"])
    assert read(drawing).charts == ()
