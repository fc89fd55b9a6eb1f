"""Draws Figure 1 as a vector PDF whose text stays text."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from typesetting.figures import COLOURS, WIDE, figure_style, vector_pdf
from typesetting.results import Results

__all__ = ["draw_curves"]


def draw_curves(results: Results, methods: Sequence[str]) -> bytes:
    """Two panels: test loss on the regression task and accuracy on the classification task, over steps, with bands."""
    with figure_style():
        figure = Figure(figsize=(WIDE, 2.25), layout="constrained")
        regression, classification = figure.subplots(1, 2)
        for axes, task in ((regression, "regression"), (classification, "classification")):
            for method, colour in zip(methods, COLOURS[1:], strict=True):
                outcome = results[task][method]
                xs, ys = zip(*outcome.curve, strict=True)
                axes.plot(xs, ys, label=method, color=colour)
                low = [y - spread for y, spread in zip(ys, outcome.band, strict=True)]
                high = [y + spread for y, spread in zip(ys, outcome.band, strict=True)]
                axes.fill_between(xs, low, high, color=colour, alpha=0.15, linewidth=0)
        regression.set(title="(a) Linear regression", xlabel="Step", ylabel="Test loss", xlim=(0, 122), ylim=(0, 1.8))
        classification.set(
            title="(b) Noisy classification", xlabel="Step", ylabel="Accuracy (%)", xlim=(0, 122), ylim=(55, 90)
        )
        classification.legend(loc="center left", bbox_to_anchor=(1.01, 0.5))
        return vector_pdf(figure)
