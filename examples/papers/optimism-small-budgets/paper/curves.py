"""Draws Figure 1 as a vector PDF whose text stays text."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from typesetting.figures import COLOURS, WIDE, figure_style, vector_pdf
from typesetting.results import Results

__all__ = ["draw_curves"]


def draw_curves(results: Results, methods: Sequence[str]) -> bytes:
    """Two panels: optimal pulls over steps, and return over episodes."""
    with figure_style():
        figure = Figure(figsize=(WIDE, 2.25), layout="constrained")
        bandit, chain = figure.subplots(1, 2)
        for axes, environment in ((bandit, "bandit"), (chain, "chain")):
            for method, colour in zip(methods, COLOURS, strict=True):
                xs, ys = zip(*results[environment][method].curve, strict=True)
                axes.plot(xs, ys, label=method, color=colour)
        bandit.set(
            title="(a) Ten-armed bandit", xlabel="Step", ylabel="Optimal pulls (%)", xlim=(0, 505), ylim=(0, 100)
        )
        chain.set(title="(b) Chain", xlabel="Episode", ylabel="Return", xlim=(0, 101), ylim=(0, 5.5))
        chain.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
        return vector_pdf(figure)
