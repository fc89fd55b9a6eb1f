"""Kinds of drawings that real papers hold besides plain curves: what is read of them, and what is refused."""

import io

import matplotlib as mpl

mpl.use("pdf")

import matplotlib.pyplot as plt
import numpy as np
import pymupdf
from matplotlib.figure import Figure as Drawing

from reproducegym.parsing.charts.reader import FoundCharts, charts_of
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


def test_a_diagram_of_ranks_is_no_chart() -> None:
    drawing, axes = plt.subplots(figsize=(4, 2))
    axes.set_axis_off()
    axes.set_xlim(0.4, 5.6)
    axes.set_ylim(-3, 1.2)
    axes.plot([1, 5], [0, 0], color="black")
    for rank in range(1, 6):
        axes.plot([rank, rank], [0, 0.2], color="black")
        axes.text(rank, 0.3, str(rank), ha="center", va="bottom")
    for rank, end, row, name in ((1.8, 0.9, -1, "alpha"), (2.6, 0.9, -2, "beta"), (4.1, 5.1, -1, "gamma")):
        axes.plot([rank, rank, end], [0, row, row], color="black")
        axes.text(end, row, name, ha="right" if end < 1 else "left", va="center")
    axes.plot([1.7, 2.7], [-0.5, -0.5], color="black", linewidth=2)
    assert read(drawing).charts == ()


def test_box_plots_are_refused_with_a_reason() -> None:
    draws = np.random.default_rng(0).normal(size=(60, 3))
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.boxplot(draws, patch_artist=True)
    found = read(drawing)
    assert found.charts == ()
    assert found.problems == ("page 1: figure 1: box plots are left out",)


def test_bubbles_of_many_sizes_are_refused_with_a_reason() -> None:
    spots = np.random.default_rng(1).uniform(size=(24, 2))
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.scatter(spots[:, 0], spots[:, 1], s=np.linspace(4, 90, 24), c=np.linspace(0, 1, 24), cmap="gray")
    found = read(drawing)
    assert found.charts == ()
    assert "sizes or colours show values" in found.problems[0]


def test_a_title_in_a_legend_over_points_names_nothing_and_numbers_are_names() -> None:
    spots = np.random.default_rng(2).uniform(size=(300, 2))
    drawing, axes = plt.subplots(figsize=(4, 3))
    for k in range(3):
        own = spots[100 * k : 100 * k + 100]
        axes.plot(own[:, 0], own[:, 1], "o", markersize=4, label=str(2**k))
    axes.legend(title="State", loc="center")
    (chart,) = read(drawing).charts
    assert [series.name for series in chart.series] == ["1", "2", "4"]
    assert [len(series.points) for series in chart.series] == [100, 100, 100]


def test_markers_in_one_colour_go_to_the_curves_that_they_stand_on() -> None:
    x = np.arange(5.0)
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(x, x, color="tab:blue", label="train")
    axes.plot(x, 6 - x, "--", color="tab:blue", label="test")
    axes.plot([*x, *x], [*x, *(6 - x)], "o", color="tab:blue")
    axes.legend()
    (chart,) = read(drawing).charts
    assert [(series.name, series.marker, len(series.points)) for series in chart.series] == [
        ("train", "o", 5),
        ("test", "o", 5),
    ]


def test_an_inset_without_labels_gives_no_values_of_the_chart_around_it() -> None:
    x = np.linspace(0, 10, 40)
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(x, np.sin(x), color="black", label="signal")
    axes.set_ylim(-1.2, 4)
    inset = axes.inset_axes((0.5, 0.5, 0.4, 0.4))
    inset.plot(x, np.cos(x), color="black")
    inset.set_xticks([])
    inset.set_yticks([])
    (chart,) = read(drawing).charts
    assert [len(series.points) for series in chart.series] == [40]


def test_the_legend_of_another_panel_counts_only_if_it_names_every_curve() -> None:
    x = np.arange(6.0)
    drawing, (first, second) = plt.subplots(1, 2, figsize=(7, 3))
    first.plot(x, x, color="black", label="total")
    first.plot(x, x / 2, "--", color="black", label="part")
    first.legend()
    second.plot(x, 3 * x, color="black")
    second.plot(x, 9 - x, color="grey")
    left, right = read(drawing).charts
    assert [series.name for series in left.series] == ["total", "part"]
    assert [series.name for series in right.series] == [None, None]


def test_an_arrow_and_a_faint_minor_grid_are_no_data() -> None:
    x = np.arange(6.0)
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.set_axisbelow(True)
    for at in (0, 1, 2, 3, 4, 5):
        axes.axhline(at, color="#ebebeb")
    for at in (0.5, 3.5):
        axes.axhline(at, color="#ebebeb", linewidth=0.5)
    axes.plot(x, x, label="rise")
    axes.plot([3, 4], [1, 2], color="tab:red", linewidth=2)
    axes.plot([3.9, 4, 3.85], [2, 2, 1.9], color="tab:red", linewidth=2)
    axes.legend()
    (chart,) = read(drawing).charts
    assert [series.name for series in chart.series] == ["rise"]
    assert chart.reference_lines == ()


def test_names_between_shared_panels_are_no_axis() -> None:
    x = np.arange(6.0)
    drawing, panels = plt.subplots(1, 2, figsize=(6, 2.4), sharey=True)
    for k, name in enumerate(("one per card", "two per card", "four per card")):
        for panel in panels:
            panel.plot(x, x + k, label=name)
    panels[0].legend(loc="lower right")
    charts = read(drawing).charts
    assert [[series.name for series in chart.series] for chart in charts] == [
        ["one per card", "two per card", "four per card"]
    ] * len(charts)
    assert all(not axis.names for chart in charts for axis in chart.axes)


def test_square_markers_close_to_each_other_are_no_box_plots() -> None:
    x = np.arange(60.0)
    drawing, axes = plt.subplots(figsize=(4, 3))
    axes.plot(x, np.minimum(x, 30), "s-", markersize=1.5, label="square")
    axes.plot(x, np.minimum(x, 30) + 0.5, "o-", markersize=1.5, label="round")
    axes.legend()
    (chart,) = read(drawing).charts
    assert [(series.name, len(series.points)) for series in chart.series] == [("square", 60), ("round", 60)]
