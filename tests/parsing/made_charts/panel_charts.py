"""Several plot areas in one drawing: panels with shared axes, twin axes, insets, legends for all."""

from random import Random

from matplotlib.figure import Figure

from .curves import TITLES, learning_curve, names, spread, walk
from .pen import Pen, finished
from .truth import Drawing


def two_panels(chance: Random) -> Drawing:
    """Two panels side by side with titles and one legend below both."""
    figure = Figure(figsize=(6.4, 2.6), layout="constrained")
    pens = [Pen(axes) for axes in figure.subplots(1, 2)]
    shown = names(chance, 3)
    for pen, title in zip(pens, ("(a) HalfCheetah", "(b) Walker2d"), strict=True):
        for name in shown:
            pen.line(spread(0, 3, 40), learning_curve(chance, 40, 0, chance.choice((600, 5000))), name)
        pen.axes.set_title(title)
        pen.axes.set_xlabel("Million steps")
    pens[0].axes.set_ylabel("Return")
    figure.legend(*pens[0].axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return finished(figure, pens, ["panels", "legend for all"])


def shared_panels(chance: Random) -> Drawing:
    """Four panels that share their axes: labels stand at the outer ones only."""
    figure = Figure(figsize=(5.6, 4.2), layout="constrained")
    pens = [Pen(axes) for row in figure.subplots(2, 2, sharex=True, sharey=True) for axes in row]
    shown = names(chance, 2)
    for pen, title in zip(pens, ("Ant", "Hopper", "Swimmer", "Reacher"), strict=True):
        for name in shown:
            pen.line(spread(0, 100, 30), learning_curve(chance, 30, 0, 1), name)
        pen.axes.set_title(title, fontsize=9)
    pens[0].axes.legend(fontsize=7)
    return finished(figure, pens, ["panels", "shared axes"])


def three_panels(chance: Random) -> Drawing:
    """Three panels in a row that share the y axis, each with its own legend."""
    figure = Figure(figsize=(7.0, 2.4), layout="constrained")
    pens = [Pen(axes) for axes in figure.subplots(1, 3, sharey=True)]
    for pen, title in zip(pens, TITLES, strict=False):
        for name in names(chance, 2):
            pen.line(spread(0, 8, 9), walk(chance, 9, 0, 1), name, marker="o", markersize=3)
        pen.axes.set_title(title, fontsize=9)
        pen.axes.legend(fontsize=6)
    return finished(figure, pens, ["panels", "shared axes"])


def twins(chance: Random) -> Drawing:
    """A second y axis on the right, and a legend for both."""
    figure = Figure(figsize=(5.0, 3.0), layout="constrained")
    left = figure.subplots()
    pen = Pen(left, right=left.twinx())
    one, two = names(chance, 2)
    xs = spread(0, 50, 26)
    pen.line(xs, learning_curve(chance, 26, 0, 1), one, color="tab:blue")
    pen.line(xs, walk(chance, 26, 100, 900), two, on_right=True, color="tab:red")
    left.set_ylabel("Accuracy", color="tab:blue")
    assert pen.right is not None
    pen.right.set_ylabel("Length", color="tab:red")
    if chance.random() < 0.5:
        left.tick_params(axis="y", labelcolor="tab:blue")
        pen.right.tick_params(axis="y", labelcolor="tab:red")
    pen.right.grid(False)
    handles = [axes.get_legend_handles_labels() for axes in (left, pen.right)]
    left.legend(handles[0][0] + handles[1][0], handles[0][1] + handles[1][1], loc="lower right")
    return finished(figure, [pen], ["twin axes"])


def inset(chance: Random) -> Drawing:
    """A small plot within the large one that shows its end."""
    figure = Figure(figsize=(5.0, 3.4), layout="constrained")
    pen = Pen(figure.subplots())
    within = Pen(pen.axes.inset_axes((0.45, 0.12, 0.45, 0.4)), inset=True)
    xs = spread(0, 100, 101)
    for name in names(chance, 2):
        ys = learning_curve(chance, 101, 0, 1, noise=0.01)
        colour = pen.line(xs, ys, name)
        within.line(xs, ys, None, color=colour)
        within.rename(-1, None, name)
    within.axes.set_xlim(80, 100)
    within.axes.set_ylim(0.55, 1.1)
    within.axes.tick_params(labelsize=6)
    pen.axes.set_ylim(-0.1, 1.3)
    pen.axes.legend(loc="upper left", ncols=2)
    return finished(figure, [pen, within], ["inset", "clipped"])


def uneven_panels(chance: Random) -> Drawing:
    """A line chart beside bars."""
    figure = Figure(figsize=(6.4, 2.8), layout="constrained")
    pens = [Pen(axes) for axes in figure.subplots(1, 2, width_ratios=(2, 1))]
    shown = names(chance, 3)
    for name in shown:
        pens[0].line(spread(0, 10, 20), learning_curve(chance, 20, 0, 1), name)
    pens[0].axes.legend(loc="lower right")
    pens[0].axes.set_title("Training")
    tasks = ("AIME", "MATH", "GPQA")
    pens[1].categories("x", tasks)
    pens[1].bars(range(3), [chance.uniform(10, 60) for _ in tasks], None, color="tab:gray")
    pens[1].axes.set_title("Test")
    pens[1].rename(0, None, "Test")
    return finished(figure, pens, ["panels", "bars"])


def letter_legend(chance: Random) -> Drawing:
    """The words of the legend are outlines of letters, not text: names cannot be read."""
    from matplotlib.patches import PathPatch
    from matplotlib.textpath import TextPath
    from matplotlib.transforms import Affine2D

    figure = Figure(figsize=(5.0, 3.0), layout="constrained")
    pen = Pen(figure.subplots())
    for k, name in enumerate(names(chance, 2)):
        colour = pen.line(spread(0, 20, 40), learning_curve(chance, 40, 0, 10), name)
        pen.rename(k, None)
        pen.axes.plot([0.6, 0.68], [0.2 - 0.1 * k] * 2, color=colour, transform=pen.axes.transAxes)
        word = TextPath((0, 0), name, size=9)
        place = Affine2D().scale(1 / 290, 1 / 165).translate(0.7, 0.18 - 0.1 * k) + pen.axes.transAxes
        pen.axes.add_patch(PathPatch(word, transform=place, color="black", linewidth=0))
    return finished(figure, [pen], ["line", "legend drawn as paths"])
