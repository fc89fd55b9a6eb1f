"""Matplotlib's charts whose PDF was made by other programs come back from the page as well, or are left out."""

from collections.abc import Callable
from ctypes.util import find_library
from io import BytesIO

import matplotlib
import pymupdf
import pytest
from made_charts.corpus import converted_chart
from made_charts.report import read_score
from matplotlib.figure import Figure

from reproducegym.parsing.charts.reader import charts_of
from reproducegym.schema.paper import Figure as PaperFigure

SAMPLE = {
    "cairo": (0, 4, 12, 16, 28),
    "Typst": (1, 5, 9, 25),
    "MuPDF": (2, 6, 10, 18, 30),
    "ReportLab": (7, 23),
}
LONG = {"Typst": (13,), "ReportLab": (3, 11, 35)}


@pytest.mark.parametrize(("program", "index"), [(program, index) for program, some in SAMPLE.items() for index in some])
def test_a_chart_by_another_program_comes_back_exactly(program: str, index: int) -> None:
    if program == "cairo" and find_library("cairo") is None:
        pytest.skip("libcairo2 is not installed")
    comes_back_exactly(program, index)


@pytest.mark.soak
def test_converted_charts_that_take_long_come_back_exactly(record_property: Callable[[str, object], None]) -> None:
    record_property("charts", sum(map(len, LONG.values())))
    for program, some in LONG.items():
        for index in some:
            comes_back_exactly(program, index)


def comes_back_exactly(program: str, index: int) -> None:
    made = converted_chart(index)
    assert made.traits[2] == program
    total = read_score(made)
    assert total.faults == ()
    assert total.series_found == total.names_right == total.series > 0


def test_letters_drawn_as_outlines_give_no_chart() -> None:
    figure = Figure(figsize=(4, 3))
    figure.subplots().plot([0, 1, 2], [3, 1, 2], label="curve")
    drawing = BytesIO()
    with matplotlib.rc_context({"svg.fonttype": "path"}):
        figure.savefig(drawing, format="svg")
    pdf = pymupdf.open(stream=drawing.getvalue(), filetype="svg").convert_to_pdf()
    page = pymupdf.open(stream=pdf)[0]
    box = tuple(page.rect)
    shown = PaperFigure(
        id="figure-1", label="1", page=1, bbox=box, caption=None, image=None, source="vector", panels=()
    )
    assert charts_of(page, [shown]).charts == ()
