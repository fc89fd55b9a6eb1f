"""Axes whose values are open are refused, those that only look open are mended: better no number than a wrong one."""

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from read_drawing import read, values

X = np.arange(6.0)


def drawn(y, label=None):
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, y)
    if label is not None:
        axes.yaxis.set_major_formatter(label)
    return drawing, axes


def unsigned(value, _):
    return f"{abs(value):g}"


def test_numbers_that_fall_may_have_lost_their_minus_signs() -> None:
    drawing, _ = drawn(-X, unsigned)
    assert read(drawing).charts == ()


def test_a_reversed_axis_of_positive_numbers_looks_the_same_and_is_refused_too() -> None:
    drawing, axes = drawn(X)
    axes.invert_yaxis()
    assert read(drawing).charts == ()


def test_a_reversed_x_axis_is_sure_because_its_labels_stand_over_their_marks() -> None:
    drawing, axes = drawn(X)
    axes.invert_xaxis()
    assert values(read(drawing)) == [(k, k) for k in range(6)]


@pytest.mark.parametrize("low", [-2.5, -6])
def test_numbers_that_fall_and_rise_again_get_their_lost_signs_back(low: float) -> None:
    drawing, axes = drawn(1.5 - X, unsigned)
    axes.set_ylim(low, 2.2)
    assert values(read(drawing))[0] == (0, 1.5)
    drawing, axes = drawn(10.0 ** (X - 3))
    axes.set_yscale("log")
    axes.set_yticks(10.0 ** (X - 3), [f"10^{abs(k):g}" for k in X - 3])
    assert values(read(drawing))[:2] == [(0, 0.001), (1, 0.01)]


def test_a_label_off_the_scale_of_the_others_refuses_the_axis() -> None:
    drawing, axes = drawn(X * 10)
    axes.set_yticks([0, 10, 20, 30, 45], ["0", "10", "20", "30", "100"])
    assert read(drawing).charts == ()


@pytest.mark.parametrize("mathtext", [True, False])
@pytest.mark.parametrize("fonttype", [3, 42])
def test_a_factor_at_the_end_of_an_axis_counts_and_an_offset_refuses_it(mathtext: bool, fonttype: int) -> None:
    with mpl.rc_context({"axes.formatter.use_mathtext": mathtext, "pdf.fonttype": fonttype}):
        drawing, axes = plt.subplots(figsize=(4, 3))
        axes.plot(X * 1e6, X * 1e-7)
        axes.set_xlabel("Steps")
        assert values(read(drawing)) == [(k * 1e6, pytest.approx(k * 1e-7, abs=1e-11)) for k in range(6)]
        for y in (12345.6 + X / 100, 3 + X * 1e-8):
            drawing, _ = drawn(y)
            assert read(drawing).charts == ()


@pytest.mark.parametrize("axis", ["x", "y"])
def test_thousands_may_be_parted_by_a_space(axis: str) -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(*((X * 1e4, X) if axis == "x" else (X, X * 1e4)))
    chosen = axes.xaxis if axis == "x" else axes.yaxis
    chosen.set_major_formatter(lambda value, _: f"{value:,.0f}".replace(",", " "))
    wanted = [(k * 1e4, k) if axis == "x" else (k, k * 1e4) for k in range(6)]
    assert values(read(drawing)) == wanted


def test_a_panel_without_tick_marks_takes_no_y_axis_from_its_neighbour() -> None:
    drawing, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
    left.plot(X, X)
    right.plot(X, X * 100)
    right.set_yticks([])
    assert len(read(drawing).charts) == 1


def test_a_refused_axis_is_not_read_as_the_right_axis_of_the_panel_before_nor_replaced_by_its_own() -> None:
    drawing, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
    left.plot(X, X)
    right.plot(X, -X)
    right.yaxis.set_major_formatter(unsigned)
    (chart,) = read(drawing).charts
    assert [axis.side for axis in chart.axes] == ["bottom", "left"]


def test_two_curves_of_one_style_do_not_share_a_name() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, X, "b", label="ours")
    axes.plot(X, X + 1, "b")
    axes.plot(X, X + 2, "r", label="theirs")
    axes.legend()
    (chart,) = read(drawing).charts
    assert [series.name for series in chart.series] == [None, None, "theirs"]


def test_a_reference_line_of_the_right_axis_is_not_read_on_the_left_one() -> None:
    drawing, axes = plt.subplots(figsize=(4, 3))
    drawing.subplots_adjust(right=0.8)
    axes.plot(X, X)
    axes.axhline(3.5, color="green", linestyle="--")
    right = axes.twinx()
    right.plot(X, 100 * X, "r")
    right.axhline(210, color="black", linestyle="--")
    (chart,) = read(drawing).charts
    assert [line.value for line in chart.reference_lines] == [3.5]
