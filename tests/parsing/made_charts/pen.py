"""Draws on matplotlib axes and writes down the truth of what it draws."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isnan

import matplotlib as mpl
import matplotlib.style
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from .programs import pdf_of
from .truth import Drawing, Kind, Point, TrueAxis, TrueChart, TrueLine, TrueSeries

Values = Sequence[float]

LOOKS: dict[str, tuple[str, dict[str, object]]] = {
    "plain": ("default", {}),
    "whitegrid": ("seaborn-v0_8-whitegrid", {}),
    "ggplot": ("ggplot", {}),
    "classic": ("classic", {"font.family": "DejaVu Sans", "mathtext.fontset": "dejavusans"}),
    "darkgrid": ("seaborn-v0_8-darkgrid", {}),
    "fivethirtyeight": ("fivethirtyeight", {"font.size": 10}),
    "dark": ("dark_background", {}),
    "ticks": ("seaborn-v0_8-ticks", {"axes.spines.top": False, "axes.spines.right": False}),
    "bmh": ("bmh", {}),
    "greys": ("grayscale", {}),
    "serif": (
        "default",
        {
            "font.family": "STIXGeneral",
            "mathtext.fontset": "stix",
            "xtick.direction": "in",
            "ytick.direction": "in",
            "xtick.top": True,
            "ytick.right": True,
            "axes.linewidth": 0.4,
        },
    ),
    "computer modern": (
        "default",
        {
            "font.family": ["cmr10", "DejaVu Serif"],
            "mathtext.fontset": "cm",
            "axes.formatter.use_mathtext": True,
            "axes.grid": True,
        },
    ),
    "hidden frame": (
        "default",
        {f"axes.spines.{side}": False for side in ("left", "right", "top", "bottom")}
        | {"xtick.bottom": False, "ytick.left": False, "axes.grid": True},
    ),
}


@contextmanager
def look(name: str, fonttype: int, **more: object) -> Iterator[None]:
    """The style, with text as fonts of the given type; nothing else of this machine's settings counts."""
    style, settings = LOOKS[name]
    with mpl.rc_context():
        matplotlib.style.use(["default", style])
        mpl.rcParams.update(settings | {"pdf.fonttype": fonttype, "svg.hashsalt": "made"} | more)
        yield


class Pen:
    """One plot area. What it draws is clipped to the axes, as matplotlib does."""

    def __init__(self, axes: Axes, *, inset: bool = False, right: Axes | None = None) -> None:
        self.axes = axes
        self.right = right
        self.inset = inset
        self.may_refuse = False
        self.must_refuse = False
        self.series: list[TrueSeries] = []
        self.lines: list[TrueLine] = []
        self.names: dict[str, tuple[str, ...]] = {"x": (), "y": ()}

    def line(self, xs: Values, ys: Values, name: str | None, *, on_right: bool = False, **style: object) -> str:
        """A line, with or without markers; its colour. Without a name it has no entry in the legend."""
        axes = self._axes(on_right)
        (drawn,) = axes.plot(xs, ys, label=name, **style)
        self._note(xs, ys, name, "line", on_right, by_point=len(xs) < 128)
        return to_hex(drawn.get_color())

    def steps(self, xs: Values, ys: Values, name: str | None, **style: object) -> None:
        """A line of steps that jump at each x."""
        self.axes.step(xs, ys, where="post", label=name, **style)
        corners = [(xs[0], ys[0])]
        for x, y in zip(xs[1:], ys[1:], strict=True):
            corners += [(x, corners[-1][1]), (x, y)]
        self._note([x for x, _ in corners], [y for _, y in corners], name, "steps", on_right=False, by_point=False)

    def markers(self, xs: Values, ys: Values, name: str | None, **style: object) -> None:
        """Markers without a line."""
        self.axes.plot(xs, ys, label=name, linestyle="none", **({"marker": "o"} | style))
        self._note(xs, ys, name, "points", on_right=False, by_point=True)

    def scatter(self, xs: Values, ys: Values, name: str | None, **style: object) -> None:
        """Markers of a scatter plot."""
        self.axes.scatter(xs, ys, label=name, **style)
        self._note(xs, ys, name, "points", on_right=False, by_point=True)

    def error_bars(self, xs: Values, ys: Values, spread: Values, name: str | None, **style: object) -> None:
        """A line with an error bar at each point."""
        self.axes.errorbar(xs, ys, yerr=spread, label=name, **style)
        kind: Kind = "points" if style.get("linestyle") == "none" else "line"
        band = tuple((x, y - s, y + s) for x, y, s in zip(xs, ys, spread, strict=True))
        self._note(xs, ys, name, kind, on_right=False, by_point=True, band=band)

    def band(self, xs: Values, low: Values, high: Values, **style: object) -> None:
        """A shaded band around the series drawn last."""
        self.axes.fill_between(xs, low, high, **({"alpha": 0.2, "linewidth": 0} | style))
        self.series[-1] = replace(self.series[-1], band=tuple(zip(xs, low, high, strict=True)))

    def bars(
        self,
        places: Values,
        values: Values,
        name: str | None,
        *,
        at: Values | None = None,
        spread: Values | None = None,
        texts: Sequence[str] = (),
        sideways: bool = False,
        thick: float = 0.8,
        base: Values | None = None,
        **style: object,
    ) -> None:
        """Bars drawn at `at` (else at `places`), the categories' numbers; `texts` stand at their ends."""
        drawn = self.axes.barh if sideways else self.axes.bar
        if spread is not None:
            style = {"capsize": 2.5} | style | {"xerr" if sideways else "yerr": spread}
        if base is not None:
            style = style | {"left" if sideways else "bottom": base}
        done = drawn(at if at is not None else places, values, thick, label=name, **style)
        if texts:
            self.axes.bar_label(done, labels=list(texts), padding=2, fontsize=7)
        band = tuple((p, v - s, v + s) for p, v, s in zip(places, values, spread, strict=True)) if spread else ()
        points = tuple((v, p) if sideways else (p, v) for p, v in zip(places, values, strict=True))
        names = (name,) if name is not None else (None, *self._titles())
        self.series.append(TrueSeries(names, "bars", points, True, "left", band, tuple(texts), sideways))

    def reference(
        self, axis: str, value: float, name: str | None = None, *, expected: bool = True, **style: object
    ) -> None:
        """A line across the whole plot area."""
        draw = self.axes.axvline if axis == "x" else self.axes.axhline
        draw(value, label=name, **({"linestyle": "--", "linewidth": 1, "color": "0.4"} | style))
        self.lines.append(TrueLine("x" if axis == "x" else "y", value, (name,), expected))

    def categories(self, axis: str, names: Sequence[str], **style: object) -> None:
        """Names at 0, 1, 2 of an axis."""
        put = self.axes.set_xticks if axis == "x" else self.axes.set_yticks
        put(list(range(len(names))), list(names), **style)
        self.names[axis] = tuple(names)

    def rename(self, index: int, *names: str | None) -> None:
        """Say by which names the series at the index may come back."""
        self.series[index] = replace(self.series[index], names=names)

    def truth(self, figure: Figure) -> TrueChart:
        """What was drawn, once the figure is laid out."""
        width, height = (float(side) * 72 for side in figure.get_size_inches())
        box = self.axes.get_position()
        x0, y0, x1, y1 = (float(side) for side in (box.x0, box.y0, box.x1, box.y1))
        area = (x0 * width, (1 - y1) * height, x1 * width, (1 - y0) * height)
        x = self._axis("x", self.axes.get_xlim(), self.axes.get_xscale())
        y = self._axis("y", self.axes.get_ylim(), self.axes.get_yscale())
        right = self.right and self._axis("right", self.right.get_ylim(), self.right.get_yscale())
        return TrueChart(
            area,
            x,
            y,
            right or None,
            tuple(self.series),
            tuple(self.lines),
            self.inset,
            self.may_refuse or self._has_few_labels(),
            self.must_refuse,
        )

    def _has_few_labels(self) -> bool:
        """Whether an axis of numbers has two labels, which say nothing of the scale between them."""
        shown = {
            "x": [at for at in self.axes.get_xticks() if min(self.axes.get_xlim()) <= at <= max(self.axes.get_xlim())],
            "y": [at for at in self.axes.get_yticks() if min(self.axes.get_ylim()) <= at <= max(self.axes.get_ylim())],
        }
        return any(len(ticks) < 3 and not self.names[axis] and 0 not in ticks for axis, ticks in shown.items())

    def _axis(self, which: str, limits: tuple[float, float], scale: str) -> TrueAxis:
        return TrueAxis(float(limits[0]), float(limits[1]), scale == "log", self.names.get(which, ()))

    def _axes(self, on_right: bool) -> Axes:
        assert self.right is not None or not on_right
        return self.right if on_right and self.right is not None else self.axes

    def _titles(self) -> tuple[str, ...]:
        texts = (self.axes.get_title(), self.axes.get_ylabel(), self.axes.get_xlabel())
        return tuple(text for text in texts if text)

    def _note(
        self,
        xs: Values,
        ys: Values,
        name: str | None,
        kind: Kind,
        on_right: bool,
        *,
        by_point: bool,
        band: tuple[tuple[float, float, float], ...] = (),
    ) -> None:
        points: tuple[Point, ...] = tuple(
            (float(x), float(y)) for x, y in zip(xs, ys, strict=True) if not isnan(x) and not isnan(y)
        )
        names = (name,) if name is not None else (None, *self._titles())
        self.series.append(TrueSeries(names, kind, points, by_point, "right" if on_right else "left", band))


def finished(figure: Figure, pens: Sequence[Pen], traits: Sequence[str]) -> Drawing:
    """The figure as PDF with its truth."""
    figure.canvas.draw()
    pdf = pdf_of(figure)
    width, height = (float(side) * 72 for side in figure.get_size_inches())
    charts = tuple(pen.truth(figure) for pen in pens)
    return Drawing(pdf, (width, height), charts, tuple(traits))
