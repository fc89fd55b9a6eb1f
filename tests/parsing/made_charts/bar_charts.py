"""Bars: one series or several, upright or lying, with values, negative, with error bars, stacked; error bars; bands."""

from random import Random

from matplotlib.figure import Figure

from .curves import TITLES, learning_curve, names, spread
from .pen import Pen, finished
from .truth import Drawing

TASKS = ("MATH", "GSM8K", "AIME", "HumanEval", "MMLU", "ARC-C", "BoolQ")


def _one(chance: Random, width: float = 4.8, height: float = 3.0) -> tuple[Figure, Pen]:
    figure = Figure(figsize=(width, height), layout="constrained")
    pen = Pen(figure.subplots())
    return figure, pen


def bars(chance: Random) -> Drawing:
    """One bar for each category."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    tasks = TASKS[: chance.randint(3, 7)]
    pen.categories("x", tasks, fontsize=7)
    pen.bars(range(len(tasks)), [chance.uniform(10, 90) for _ in tasks], None)
    return finished(figure, [pen], ["bars"])


def bars_with_values(chance: Random) -> Drawing:
    """The value is printed over each bar."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    tasks = TASKS[:5]
    values = [round(chance.uniform(10, 90), 1) for _ in tasks]
    pen.categories("x", tasks)
    pen.bars(range(5), values, None, texts=[f"{value:.1f}" for value in values], edgecolor="black")
    return finished(figure, [pen], ["bars", "printed values"])


def grouped_bars(chance: Random) -> Drawing:
    """Groups of bars, one colour for each method, with or without values."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    tasks, count = TASKS[:4], chance.choice((2, 3))
    pen.categories("x", tasks)
    printed = chance.random() < 0.5
    for k, name in enumerate(names(chance, count)):
        values = [round(chance.uniform(20, 80), 1) for _ in tasks]
        at = [i + (k - (count - 1) / 2) * 0.8 / count for i in range(4)]
        texts = [f"{value:.1f}" for value in values] if printed else []
        pen.bars(range(4), values, name, at=at, thick=0.8 / count, texts=texts)
    pen.axes.set_ylim(0, 100)
    pen.axes.legend(ncols=count, loc="upper center")
    return finished(figure, [pen], ["bars", "grouped bars", *(["printed values"] if printed else [])])


def lying_bars(chance: Random) -> Drawing:
    """Bars that lie, with the first category on top."""
    figure, pen = _one(chance)
    pen.axes.set_xlabel(chance.choice(TITLES))
    tasks = TASKS[:5]
    values = [round(chance.uniform(10, 90), 2) for _ in tasks]
    pen.categories("y", tasks)
    pen.bars(range(5), values, None, texts=[f"{value:.2f}" for value in values], sideways=True, thick=0.6)
    pen.axes.invert_yaxis()
    return finished(figure, [pen], ["bars", "lying bars", "printed values"])


def lying_groups(chance: Random) -> Drawing:
    """Groups of bars that lie."""
    figure, pen = _one(chance)
    pen.axes.set_xlabel(chance.choice(TITLES))
    tasks = TASKS[:4]
    pen.categories("y", tasks)
    for k, name in enumerate(names(chance, 2)):
        at = [i + (k - 0.5) * 0.35 for i in range(4)]
        pen.bars(range(4), [chance.uniform(1, 9) for _ in tasks], name, at=at, thick=0.35, sideways=True)
    pen.axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return finished(figure, [pen], ["bars", "lying bars", "grouped bars", "legend outside"])


def negative_bars(chance: Random) -> Drawing:
    """Bars on both sides of zero, with the zero line drawn."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel("Change in accuracy")
    tasks = TASKS[:6]
    pen.categories("x", tasks, rotation=30)
    values = [chance.choice((-1, 1)) * chance.uniform(1, 9) for _ in tasks]
    pen.bars(range(6), values, None)
    pen.reference("y", 0, expected=False, color="black", linewidth=0.8, linestyle="-")
    return finished(figure, [pen], ["bars", "negative bars", "turned labels"])


def bars_with_spread(chance: Random) -> Drawing:
    """Grouped bars with error bars."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    tasks = TASKS[:3]
    pen.categories("x", tasks)
    for k, name in enumerate(names(chance, 2)):
        at = [i + (k - 0.5) * 0.4 for i in range(3)]
        spreads = [chance.uniform(2, 6) for _ in tasks]
        pen.bars(range(3), [chance.uniform(20, 80) for _ in tasks], name, at=at, thick=0.4, spread=spreads)
    pen.axes.set_ylim(0, 110)
    pen.axes.legend(loc="upper right")
    return finished(figure, [pen], ["bars", "grouped bars", "error bars"])


def stacked_bars(chance: Random) -> Drawing:
    """Stacked bars: the share of each series, or nothing."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel("Share")
    tasks = TASKS[:4]
    pen.categories("x", tasks)
    below = [0.0] * 4
    for name in names(chance, 3):
        values = [chance.uniform(0.1, 0.4) for _ in tasks]
        pen.bars(range(4), values, name, base=list(below))
        below = [b + v for b, v in zip(below, values, strict=True)]
    pen.axes.set_ylim(0, 1.5)
    pen.axes.legend()
    pen.may_refuse = True
    return finished(figure, [pen], ["bars", "stacked bars"])


def hatched_bars(chance: Random) -> Drawing:
    """Grouped bars with hatches and black edges."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    tasks = TASKS[:3]
    pen.categories("x", tasks)
    for k, (name, hatch) in enumerate(zip(names(chance, 2), ("//", "xx"), strict=True)):
        at = [i + (k - 0.5) * 0.4 for i in range(3)]
        values = [chance.uniform(20, 80) for _ in tasks]
        pen.bars(range(3), values, name, at=at, thick=0.4, hatch=hatch, edgecolor="black")
    pen.axes.legend()
    return finished(figure, [pen], ["bars", "grouped bars", "hatches"])


def log_bars(chance: Random) -> Drawing:
    """Bars on a logarithmic axis."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel("Parameters")
    tasks = TASKS[:5]
    pen.categories("x", tasks)
    pen.bars(range(5), [10 ** chance.uniform(6, 9) for _ in tasks], None)
    pen.axes.set_yscale("log")
    return finished(figure, [pen], ["bars", "log y"])


def number_bars(chance: Random) -> Drawing:
    """Bars over numbers, touching each other, as of a histogram."""
    figure, pen = _one(chance)
    pen.axes.set_xlabel("Length")
    pen.axes.set_ylabel("Count")
    places = [10 * i + 5 for i in range(10)]
    pen.bars(places, [chance.uniform(5, 60) for _ in places], None, thick=10, edgecolor="white")
    return finished(figure, [pen], ["bars", "histogram"])


def error_bars(chance: Random) -> Drawing:
    """Lines with error bars and caps."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    for k, name in enumerate(names(chance, 2)):
        xs = [x + 0.1 * k for x in (1, 2, 3, 4, 5, 6)]
        spreads = [chance.uniform(1, 5) for _ in xs]
        pen.error_bars(xs, learning_curve(chance, 6, 20, 70), spreads, name, capsize=3, marker="o", markersize=4)
    pen.axes.legend()
    return finished(figure, [pen], ["line", "markers", "error bars"])


def error_points(chance: Random) -> Drawing:
    """Points with error bars, no line, no caps."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    for k, name in enumerate(names(chance, 2)):
        xs = [x + 0.15 * k for x in range(5)]
        spreads = [chance.uniform(0.5, 2) for _ in xs]
        ys = [chance.uniform(5, 15) for _ in xs]
        pen.error_bars(xs, ys, spreads, name, marker="s", markersize=5, linestyle="none")
    pen.axes.legend()
    return finished(figure, [pen], ["markers", "error bars"])


def bands(chance: Random) -> Drawing:
    """Curves with a shaded band each."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    xs = spread(0, 1000, 40)
    for name in names(chance, chance.randint(1, 3)):
        ys = learning_curve(chance, 40, 0, 500)
        width = [chance.uniform(10, 40) for _ in xs]
        colour = pen.line(xs, ys, name)
        low = [y - w for y, w in zip(ys, width, strict=True)]
        high = [y + 1.4 * w for y, w in zip(ys, width, strict=True)]
        pen.band(xs, low, high, color=colour)
    pen.axes.legend(loc="lower right")
    return finished(figure, [pen], ["line", "bands"])


def clipped_bands(chance: Random) -> Drawing:
    """Curves with bands that run out of the limits."""
    figure, pen = _one(chance)
    pen.axes.set_ylabel(chance.choice(TITLES))
    xs = spread(0, 10, 50)
    for name in names(chance, 2):
        ys = learning_curve(chance, 50, 0, 1)
        colour = pen.line(xs, ys, name)
        pen.band(xs, [y - 0.1 for y in ys], [y + 0.1 for y in ys], color=colour, alpha=0.3)
    pen.axes.set_ylim(0.3, 0.9)
    pen.axes.legend(loc="lower right")
    return finished(figure, [pen], ["line", "bands", "clipped"])
