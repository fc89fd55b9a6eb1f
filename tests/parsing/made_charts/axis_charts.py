"""Axes: logarithmic ones, labels such as 25K, 0.5k, 50% and 10^3, scale factors, lost signs, dates, categories."""

from datetime import date, timedelta
from random import Random

from matplotlib import rcParams
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.textpath import TextPath
from matplotlib.ticker import FuncFormatter, PercentFormatter
from matplotlib.transforms import ScaledTranslation, blended_transform_factory

from .curves import TITLES, learning_curve, names, spread, walk
from .pen import Pen, finished
from .truth import Drawing


def _one(chance: Random, width: float = 4.6, height: float = 3.0) -> tuple[Figure, Pen]:
    figure = Figure(figsize=(width, height), layout="constrained")
    pen = Pen(figure.subplots())
    pen.axes.set_xlabel("x")
    pen.axes.set_ylabel(chance.choice(TITLES))
    return figure, pen


def log_y(chance: Random) -> Drawing:
    """A logarithmic y axis over several decades."""
    figure, pen = _one(chance)
    for name in names(chance, 3):
        pen.line(spread(0, 100, 50), [10**y for y in walk(chance, 50, -4, 1)], name)
    pen.axes.set_yscale("log")
    pen.axes.legend()
    return finished(figure, [pen], ["log y", "powers of ten"])


def log_x(chance: Random) -> Drawing:
    """A logarithmic x axis with marked lines."""
    figure, pen = _one(chance)
    xs = [10**e for e in spread(2, 6, 9)]
    for name in names(chance, 3):
        pen.line(xs, learning_curve(chance, 9, 10, 90), name, marker="s", markersize=4)
    pen.axes.set_xscale("log")
    pen.axes.legend()
    return finished(figure, [pen], ["log x", "markers"])


def log_both(chance: Random) -> Drawing:
    """Scaling laws: straight lines on two logarithmic axes with a grid."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        slope, level = chance.uniform(-0.4, -0.1), chance.uniform(1, 2)
        xs = [10**e for e in spread(3, 9, 13)]
        pen.line(xs, [10 ** (level + slope * e) for e in spread(3, 9, 13)], name, marker="o", markersize=3)
    pen.axes.set_xscale("log")
    pen.axes.set_yscale("log")
    pen.axes.grid(True, which="both", linewidth=0.3)
    pen.axes.legend()
    return finished(figure, [pen], ["log x", "log y", "grid"])


def log_two(chance: Random) -> Drawing:
    """A logarithmic x axis of base two with plain labels: 1, 2, 4, 8."""
    figure, pen = _one(chance)
    xs = [2**e for e in range(8)]
    for name in names(chance, 2):
        pen.line(xs, learning_curve(chance, 8, 30, 60), name, marker="o")
    pen.axes.set_xscale("log", base=2)
    pen.axes.set_xticks(xs, [str(x) for x in xs])
    pen.axes.legend()
    return finished(figure, [pen], ["log x", "base two"])


def symlog(chance: Random) -> Drawing:
    """A symmetric logarithmic axis, which may be refused."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(-5, 5, 50), [x**3 * chance.uniform(1, 3) for x in spread(-5, 5, 50)], name)
    pen.axes.set_yscale("symlog")
    pen.axes.legend()
    pen.may_refuse = True
    return finished(figure, [pen], ["symlog"])


def thousands(chance: Random) -> Drawing:
    """Labels such as 0.5k and 2k, and millions on the other axis."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 4e6, 60), learning_curve(chance, 60, 0, 2000), name)
    pen.axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1000:.1f}k" if value else "0"))
    pen.axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1e6:g}M"))
    pen.axes.legend()
    return finished(figure, [pen], ["0.5k labels", "M labels"])


def percent(chance: Random) -> Drawing:
    """Labels such as 50%; a value of 50 is meant."""
    figure, pen = _one(chance)
    for name in names(chance, 3):
        pen.line(spread(0, 30, 31), learning_curve(chance, 31, 0, 100), name)
    pen.axes.set_ylim(0, 100)
    pen.axes.yaxis.set_major_formatter(PercentFormatter(decimals=0))
    pen.axes.legend()
    return finished(figure, [pen], ["50% labels"])


def factor(chance: Random) -> Drawing:
    """A factor such as 1e6 printed at the axis' end."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 3.2e6, 40), learning_curve(chance, 40, -30_000, 90_000), name)
    pen.axes.ticklabel_format(style="sci", scilimits=(-3, 3), axis="both")
    pen.axes.legend()
    return finished(figure, [pen], ["factor at the axis"])


def signs(chance: Random) -> Drawing:
    """Negative labels with the hyphen of ASCII."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(-2, 2, 41), walk(chance, 41, -0.8, 0.8), name)
    pen.axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.1f}"))
    pen.axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.2f}"))
    pen.axes.legend()
    return finished(figure, [pen], ["negative labels"])


def lost_signs(chance: Random) -> Drawing:
    """The minus signs of the labels are strokes, not text."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 10, 41), walk(chance, 41, -90, -10), name)
    axes = pen.axes
    axes.set_ylim(-100, 20)
    ticks = range(-100, 21, 20)
    axes.set_yticks(list(ticks), [str(abs(tick)) for tick in ticks])
    outwards = axes.get_yaxis().get_major_ticks()[0].get_pad() + rcParams["ytick.major.size"]
    for tick, label in zip(ticks, axes.get_yticklabels(), strict=True):
        if tick < 0:
            size = label.get_size()
            wide = TextPath((0, 0), label.get_text(), size=size).get_extents().width
            left = blended_transform_factory(axes.transAxes, axes.transData)
            shift = ScaledTranslation(-(outwards + wide + 0.8 * size) / 72, 0, figure.dpi_scale_trans)
            stroke = Line2D([0, 0.02], [tick, tick], transform=left + shift, clip_on=False, linewidth=0.8)
            stroke.set_color(label.get_color())
            axes.add_line(stroke)
    axes.legend()
    return finished(figure, [pen], ["lost minus signs"])


def dates(chance: Random) -> Drawing:
    """An axis of dates, which is refused."""
    figure, pen = _one(chance)
    days = [date(2023, 1, 1) + timedelta(days=30 * i) for i in range(12)]
    pen.axes.plot(days, learning_curve(chance, 12, 0, 10), label="Downloads")
    pen.axes.legend()
    pen.must_refuse = True
    return finished(figure, [pen], ["dates"])


def category_lines(chance: Random) -> Drawing:
    """Marked lines over categories."""
    figure, pen = _one(chance)
    kinds = ("CoLA", "SST-2", "MRPC", "QNLI", "RTE")
    for name in names(chance, 3):
        pen.line(range(5), [chance.uniform(50, 95) for _ in kinds], name, marker="o")
    pen.categories("x", kinds)
    pen.axes.set_xlabel("Task")
    pen.axes.legend()
    return finished(figure, [pen], ["category axis", "markers"])


def years(chance: Random) -> Drawing:
    """Years are numbers."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(range(2012, 2025), walk(chance, 13, 0, 40), name, marker="o", markersize=3)
    pen.axes.set_xticks(range(2012, 2025, 4))
    pen.axes.legend()
    return finished(figure, [pen], ["years"])


def turned_labels(chance: Random) -> Drawing:
    """The labels of the x axis stand upright."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 20_000, 30), walk(chance, 30, 0, 1), name)
    pen.axes.tick_params(axis="x", rotation=90)
    pen.axes.legend()
    return finished(figure, [pen], ["turned labels"])


def commas(chance: Random) -> Drawing:
    """Labels such as 10,000."""
    figure, pen = _one(chance)
    for name in names(chance, 2):
        pen.line(spread(0, 40_000, 30), walk(chance, 30, 0, 5000), name)
    for axis in (pen.axes.xaxis, pen.axes.yaxis):
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    pen.axes.legend()
    return finished(figure, [pen], ["10,000 labels"])
