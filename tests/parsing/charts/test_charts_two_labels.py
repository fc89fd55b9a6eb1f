"""An axis with two labels is read where something says for sure that it is linear or logarithmic, else refused."""

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from read_drawing import read, values

from reproducegym.parsing.charts.tick_labels import LabelledTick
from reproducegym.parsing.charts.two_labels import is_linear

X = np.arange(6.0)


def drawn(y, ticks, between=(), limits=None, scale="linear", spelled=None):
    """A chart of y over 0 to 5 whose y axis has labels at the ticks alone, and marks between them."""
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(X, y)
    axes.set_yscale(scale)
    axes.set_yticks(ticks, spelled or [f"{tick:g}".replace("-", "−") for tick in ticks])
    axes.set_yticks(between, [""] * len(between), minor=True)
    axes.set_ylim(limits or (min(y), max(y)))
    return read(drawing)


@pytest.mark.parametrize(
    ("ticks", "between", "limits"),
    [
        ((0.6, 0.8), (), (0.55, 0.95)),
        ((94, 93), (), (92.5, 94.5)),
        ((750, 1000), (), (600, 1200)),
        ((-40, 40), (), (-60, 60)),
        ((0, 30), (), (-5, 50)),
        ((11, 14), (12, 13), (10, 15)),
        ((2, 8), (4, 6), (1, 9)),
    ],
    ids=str,
)
def test_labels_that_only_a_linear_axis_has_are_read(ticks, between, limits) -> None:
    y = np.linspace(*limits, 6)
    read_back = values(drawn(y, ticks, between, limits))
    assert [value for _, value in read_back] == pytest.approx(list(y), rel=0.005, abs=0.005)


@pytest.mark.parametrize(
    ("ticks", "between", "limits"),
    [
        ((11, 14), (), (10, 15)),
        ((20, 30), (), (15, 35)),
        ((2, 4), (), (1.5, 5)),
        ((5000, 10000), (), (3000, 14000)),
        ((10, 100), (), (1, 120)),
        ((1, 100), (50.5,), (1, 120)),
        ((0.6, 0.8), (), (0.3, 1.1)),
        ((0.6, 0.8), (0.65,), (0.55, 0.95)),
    ],
    ids=str,
)
def test_labels_that_a_logarithmic_axis_may_have_as_well_are_refused(ticks, between, limits) -> None:
    assert drawn(np.linspace(*limits, 6), ticks, between, limits).charts == ()


def test_two_powers_of_ten_stand_on_a_logarithmic_axis() -> None:
    y = 10.0 ** (X - 4)
    found = drawn(y, (0.001, 0.1), scale="log", spelled=("$10^{-3}$", "$10^{-1}$"), limits=(1e-4, 10))
    assert [value for _, value in values(found)] == pytest.approx(list(y), rel=0.01)
    assert drawn(y, (2e-3, 0.1), scale="log", spelled=("$2×10^{-3}$", "$10^{-1}$"), limits=(1e-4, 10)).charts == ()


def test_zero_beside_a_power_may_be_bent_between_them() -> None:
    ticks = [LabelledTick("0", 10.0, 0.0, False, True), LabelledTick("10^2", 50.0, 100.0, True, True)]
    assert not is_linear(ticks, (), (0, 60))
    assert is_linear(ticks, (30.0,), (0, 60))
