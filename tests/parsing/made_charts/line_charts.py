"""Line charts: plain, marked, dashed, stepped, clipped, with gaps, with reference lines, many points."""

from math import nan
from random import Random

from matplotlib.figure import Figure

from .curves import TITLES, learning_curve, names, spread, walk
from .pen import Pen, finished
from .truth import Drawing

MARKS = ("o", "s", "^", "D", "v", "x", "+", "*")
DASHES = ("-", "--", ":", "-.")


def _one(chance: Random, width: float = 5.0, height: float = 3.2) -> tuple[Figure, Pen]:
    figure = Figure(figsize=(width, height), layout="constrained")
    pen = Pen(figure.subplots())
    pen.axes.set_xlabel("Training steps")
    pen.axes.set_ylabel(chance.choice(TITLES))
    return figure, pen


def lines(chance: Random) -> Drawing:
    """Two to four lines with a legend inside."""
    figure, pen = _one(chance)
    count = chance.choice((12, 40, 90))
    for name in names(chance, chance.randint(2, 4)):
        pen.line(spread(0, count - 1, count), learning_curve(chance, count, 0, 60), name)
    pen.axes.legend(loc="lower right")
    return finished(figure, [pen], ["line", "legend inside"])


def markers(chance: Random) -> Drawing:
    """Markers only, some open, over a grid."""
    figure, pen = _one(chance)
    for name, mark in zip(names(chance, 3), MARKS, strict=False):
        xs = sorted(chance.uniform(0, 10) for _ in range(15))
        pen.markers(xs, [chance.uniform(-4, 4) for _ in xs], name, marker=mark, markersize=5)
    pen.axes.grid(True)
    pen.axes.legend()
    return finished(figure, [pen], ["markers", "grid"])


def scatter(chance: Random) -> Drawing:
    """A scatter plot with half-transparent discs."""
    figure, pen = _one(chance, 4.2, 3.4)
    for name, colour in zip(names(chance, 2), ("C0", "C1"), strict=True):
        xs = [chance.gauss(0, 1) for _ in range(30)]
        pen.scatter(xs, [0.6 * x + chance.gauss(0, 0.4) for x in xs], name, s=14, alpha=0.7, color=colour)
    pen.axes.legend()
    return finished(figure, [pen], ["scatter"])


def marked_lines(chance: Random) -> Drawing:
    """Lines with a marker at each point and a legend of two columns above the plot."""
    figure, pen = _one(chance)
    xs = (1, 2, 4, 6, 8, 10)
    for name, mark in zip(names(chance, 4), MARKS, strict=False):
        pen.line(xs, [chance.uniform(20, 80) for _ in xs], name, marker=mark)
    pen.axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)
    return finished(figure, [pen], ["line", "markers", "legend in columns", "legend outside"])


def dashes(chance: Random) -> Drawing:
    """Four lines in one colour, told apart by their dashes."""
    figure, pen = _one(chance)
    xs = spread(0, 50, 51)
    for name, dash in zip(names(chance, 4), DASHES, strict=True):
        pen.line(xs, walk(chance, 51, -1, 1), name, linestyle=dash, color="black")
    pen.axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return finished(figure, [pen], ["line", "dashes", "legend outside"])


def steps(chance: Random) -> Drawing:
    """Stepped lines."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        xs = spread(0, 20, 21)
        pen.steps(xs, learning_curve(chance, 21, 0, 1), name)
    pen.axes.legend()
    return finished(figure, [pen], ["steps"])


def thousand(chance: Random) -> Drawing:
    """Two noisy lines of 1,000 points."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 25_000, 1000), learning_curve(chance, 1000, 0, 1, noise=0.03), name, linewidth=1)
    pen.axes.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}K")
    pen.axes.legend()
    return finished(figure, [pen], ["line", "1,000 points", "25K labels"])


def clipped(chance: Random) -> Drawing:
    """Curves that run out of the limits above, below and to the right."""
    figure, pen = _one(chance)
    for name in names(chance, 3):
        pen.line(spread(0, 30, 61), walk(chance, 61, -2, 2), name)
    pen.axes.set_xlim(0, 25)
    pen.axes.set_ylim(-0.9, 0.9)
    pen.axes.legend(loc="upper right")
    return finished(figure, [pen], ["line", "clipped"])


def gaps(chance: Random) -> Drawing:
    """Curves with points that are not there."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        ys = walk(chance, 40, 0, 100)
        hole = chance.randint(10, 25)
        pen.line(spread(0, 39, 40), [nan if hole <= i < hole + 5 else y for i, y in enumerate(ys)], name)
    pen.axes.legend()
    return finished(figure, [pen], ["line", "gaps"])


def references(chance: Random) -> Drawing:
    """Curves with dashed reference lines, one named in the legend, one not."""
    figure, pen = _one(chance)
    one, two, three = names(chance, 3)
    for name in (one, two):
        pen.line(spread(0, 10, 30), learning_curve(chance, 30, 0, 1), name)
    pen.reference("y", 0.9, three, color="black")
    pen.reference("x", 4.0)
    pen.axes.legend(loc="lower right")
    return finished(figure, [pen], ["line", "reference lines"])


def direct_labels(chance: Random) -> Drawing:
    """No legend: each curve has its name at its end, in its colour."""
    figure, pen = _one(chance)
    for level, name in enumerate(names(chance, 3), 1):
        ys = [level * 20 + 3 * chance.random() for _ in range(20)]
        colour = pen.line(spread(0, 19, 20), ys, name)
        pen.axes.annotate(
            name, (19, ys[-1]), xytext=(4, 0), textcoords="offset points", color=colour, va="center", fontsize=8
        )
        if len({colour[i : i + 2] for i in (1, 3, 5)}) == 1:
            # A name in grey may be a remark.
            pen.rename(-1, name, None)
    pen.axes.set_xlim(0, 26)
    return finished(figure, [pen], ["line", "direct labels"])


def direct_labels_above(chance: Random) -> Drawing:
    """No legend: names stand over their curves, all in black."""
    figure, pen = _one(chance)
    for level, name in enumerate(names(chance, 2), 1):
        ys = [level * 30 + 2 * chance.random() for _ in range(20)]
        pen.line(spread(0, 19, 20), ys, name)
        pen.axes.annotate(name, (9, ys[9]), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=8)
    pen.axes.set_ylim(20, 75)
    for index, series in enumerate(list(pen.series)):
        pen.rename(index, *series.names, None)
    return finished(figure, [pen], ["line", "direct labels in black"])


def single(chance: Random) -> Drawing:
    """One curve without any name."""
    figure, pen = _one(chance, 3.4, 2.4)
    pen.line(spread(0, 99, 100), learning_curve(chance, 100, -200, 300), None)
    return finished(figure, [pen], ["line", "no legend"])


def reversed_axes(chance: Random) -> Drawing:
    """Both axes run backwards; the minus signs of one show that none was lost."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 10, 25), walk(chance, 25, -12, 30), name, marker="o", markersize=3)
    pen.axes.set_ylim(-16, 34)
    pen.axes.invert_xaxis()
    pen.axes.invert_yaxis()
    pen.axes.legend()
    return finished(figure, [pen], ["line", "reversed axes"])


def crossing(chance: Random) -> Drawing:
    """Curves that cross many times, with a legend over them."""
    figure, pen = _one(chance)
    for name in names(chance, 5):
        pen.line(spread(0, 1, 60), walk(chance, 60, 0, 1), name, linewidth=1.2)
    pen.axes.legend(loc="upper center", ncols=3, fontsize=7, framealpha=0.7)
    return finished(figure, [pen], ["line", "crossing", "legend in columns"])
