"""Reads the charts of a matplotlib figure from the PDF that it makes."""

import io

import matplotlib.pyplot as plt
import pymupdf
from matplotlib.figure import Figure as Drawing

from reproducegym.parsing.charts.reader import FoundCharts, charts_of
from reproducegym.schema.paper import Figure


def read(drawing: Drawing) -> FoundCharts:
    """What is read of a page that holds the figure alone."""
    buffer = io.BytesIO()
    drawing.savefig(buffer, format="pdf")
    plt.close(drawing)
    page = pymupdf.open(stream=buffer.getvalue())[0]
    x0, y0, x1, y1 = page.rect
    figure = Figure(
        id="figure-1", label="1", page=1, bbox=(x0, y0, x1, y1), caption=None, image=None, source="vector", panels=()
    )
    return charts_of(page, [figure])


def values(found: FoundCharts) -> list[tuple[float, float]]:
    """The points of the only series of the only chart, rounded to a thousandth of themselves."""
    (chart,) = found.charts
    (series,) = chart.series
    return [(float(f"{point.x:.3g}"), float(f"{point.y:.3g}")) for point in series.points]
