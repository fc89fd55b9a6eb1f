"""Charts drawn by matplotlib come back from their PDF as data."""

import io
from collections.abc import Sequence

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pymupdf
import pytest
from matplotlib.figure import Figure as Drawing

from reproducegym.parsing.charts.reader import FoundCharts, charts_of
from reproducegym.schema.chart import Series
from reproducegym.schema.paper import Figure


def read(drawing: Drawing) -> FoundCharts:
    buffer = io.BytesIO()
    drawing.savefig(buffer, format="pdf")
    plt.close(drawing)
    page = pymupdf.open(stream=buffer.getvalue())[0]
    x0, y0, x1, y1 = page.rect
    figure = Figure(
        id="figure-1", label="1", page=1, bbox=(x0, y0, x1, y1), caption=None, image=None, source="vector", panels=()
    )
    return charts_of(page, [figure])


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
