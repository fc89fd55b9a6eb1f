"""Draws Figure 1 as a vector PDF whose text stays text."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from typesetting.figures import COLOURS, figure_style, vector_pdf
from typesetting.printed import Printed

__all__ = ["draw_loads"]


def draw_loads(cells: Printed, policies: Sequence[str], loads: Sequence[float]) -> bytes:
    """Mean latency over load, on a logarithmic axis."""
    with figure_style():
        figure = Figure(figsize=(3.3, 2.1), layout="constrained")
        axes = figure.subplots()
        for policy, colour in zip(policies, COLOURS, strict=False):
            waits = [float(cells[policy][f"mean_wait at load {load}"].mean) for load in loads]
            axes.plot(loads, waits, label=policy, color=colour, marker="o", markersize=3)
        axes.set(xlabel="Load", ylabel="Mean latency", yscale="log", xlim=(0.48, 0.92))
        axes.legend(loc="lower right")
        return vector_pdf(figure)
