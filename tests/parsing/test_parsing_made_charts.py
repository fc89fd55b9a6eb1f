"""Charts drawn with known truth come back from the page: every point within 0.5% of the axis range, names right."""

from collections.abc import Callable

import pytest
from made_charts.corpus import made_chart
from made_charts.report import read_score

SAMPLE = {
    "lines, legend inside": 0,
    "logarithmic y axis": 1,
    "bands": 5,
    "grouped bars": 7,
    "twin axes": 9,
    "markers over a grid": 10,
    "lying bars with values": 12,
    "error bars": 16,
    "50% labels": 17,
    "reference lines": 18,
    "inset": 19,
    "grouped bars with error bars": 23,
    "steps": 25,
    "reversed axes": 30,
    "panels with shared axes": 14,
    "names at the ends of curves": 22,
    "minus signs that are strokes": 24,
    "legend drawn as paths": 26,
    "lying groups of bars": 36,
    "turned labels": 50,
    "10,000 labels": 51,
    "no frame, axes with arrows": 54,
    "touching bars over numbers": 43,
    "hatched bars": 46,
    "pgfplots": 52,
    "R": 56,
    "ggplot2": 57,
    "gnuplot": 58,
    "office bars": 60,
}
LONG = {"two logarithmic axes": 11, "1,000 points, 25K labels": 13, "clipped curves": 15}


def comes_back_exactly(index: int) -> None:
    total = read_score(made_chart(index))
    assert total.faults == ()
    assert total.series_found == total.names_right == total.series > 0


@pytest.mark.parametrize("index", SAMPLE.values(), ids=SAMPLE.keys())
def test_a_made_chart_comes_back_exactly(index: int) -> None:
    comes_back_exactly(index)


@pytest.mark.soak
def test_made_charts_that_take_long_come_back_exactly(record_property: Callable[[str, object], None]) -> None:
    record_property("charts", len(LONG))
    for index in LONG.values():
        comes_back_exactly(index)


def test_stacked_bars_bent_scales_and_dates_are_right_or_left_out() -> None:
    for index in (29, 33, 37):
        assert read_score(made_chart(index)).series_false == 0


def test_a_chart_is_the_same_each_time_it_is_made() -> None:
    once, again = made_chart(7), made_chart(7)
    assert once.charts == again.charts
    assert once.pdf == again.pdf
