"""Bars of a plot area: filled boxes, else outlined ones, that stand on one line, by colour."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.axes import FoundAxis
from reproducegym.parsing.charts.legends import Style
from reproducegym.parsing.charts.outlines import outlined
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.schema.base import BBox

__all__ = ["Bar", "Bars", "FoundBars", "find_bars"]

_STRAIGHT = 0.05
_TOUCH = 0.6
_ON_EDGE = 1.2
_MOST_COLOURS = 12
_SAME_THICKNESS = 0.1
_OVERLAP = 0.3


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar as drawn, in points: its middle and thickness along the category axis, its foot and end across it.

    `cut` says that its end is not seen: it lies at or beyond the edge of the plot area.
    """

    middle: float
    thickness: float
    foot: float
    end: float
    stacked: bool
    cut: bool
    order: int


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of one colour, in order along the category axis. `lying` ones have their categories along y."""

    style: Style
    lying: bool
    bars: tuple[Bar, ...]
    side: Literal["left", "right"]


@dataclass(frozen=True, slots=True)
class FoundBars:
    """The bars of a plot area and the paths that they are; `problem` says why boxes that may be bars are left out."""

    sets: tuple[Bars, ...]
    orders: frozenset[int]
    problem: str | None


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to see the boxes: along which axis they stand side by side, and where their common foot is."""

    lying: bool
    foot: float

    def span(self, box: BBox) -> tuple[float, float]:
        """The extent along the category axis."""
        return (box[1], box[3]) if self.lying else (box[0], box[2])

    def reach(self, box: BBox) -> tuple[float, float]:
        """The extent along the value axis."""
        return (box[0], box[2]) if self.lying else (box[1], box[3])


def find_bars(area: PlotArea, data: Sequence[Stroke], named: frozenset[str]) -> FoundBars:
    """Boxes that all stand on one foot: zero or an end of the value axis. `named` are colours of legend patches.

    Boxes on top of each other are stacked bars where a legend names all their colours; otherwise they are left out.
    """
    boxes = _boxes(area, data) or outlined(area.box, data)
    for way in _ways(area, [box for box, _ in boxes]):
        standing = [(box, stroke) for box, stroke in boxes if _stands(way, box)]
        rest = [(box, stroke) for box, stroke in boxes if not _stands(way, box)]
        least = 1 if {stroke.main_colour for _, stroke in standing} & named else 2
        if len(standing) < least or not _alike(way, [box for box, _ in standing]):
            continue
        stacked = _stacked(area, way, standing, rest)
        if stacked is None:
            continue
        orders = frozenset(stroke.order for _, stroke in boxes)
        colours = {stroke.main_colour for _, stroke in boxes}
        if len(colours) > _MOST_COLOURS or (rest and not colours <= named):
            return FoundBars((), orders, "boxes on top of each other without names are left out")
        value_axis = area.x if way.lying else (area.left or area.right)
        if rest and (value_axis is None or value_axis.scale.kind == "log"):
            return FoundBars((), orders, "stacked bars on a logarithmic axis are left out")
        bars = [(_bar(area, way, box, way.foot, stroke), stroke) for box, stroke in standing] + stacked
        return FoundBars(_sets(area, way, bars, named), orders | _of_no_height(way, data), None)
    return FoundBars((), frozenset(), None)


def _of_no_height(way: _Way, data: Sequence[Stroke]) -> frozenset[int]:
    """The paths that lie on the bars' foot as a whole: bars of nothing."""
    flat = (s for s in data if all(abs(end - way.foot) < 2 * _STRAIGHT for end in way.reach(s.box)))
    return frozenset(stroke.order for stroke in flat)


def _boxes(area: PlotArea, data: Sequence[Stroke]) -> list[tuple[BBox, Stroke]]:
    """Filled boxes that show in the area, cut to it, each once: a filling and its edge may be drawn apart."""
    found: dict[tuple[int, ...], tuple[BBox, Stroke]] = {}
    for stroke in data:
        if stroke.curved or stroke.fill is None:
            continue
        for line in stroke.lines:
            box = _rectangle(line)
            if box is None:
                continue
            x0, y0, x1, y1 = area.box
            cut = (max(box[0], x0), max(box[1], y0), min(box[2], x1), min(box[3], y1))
            whole = cut[0] <= x0 + _TOUCH and cut[2] >= x1 - _TOUCH, cut[1] <= y0 + _TOUCH and cut[3] >= y1 - _TOUCH
            if any(whole) or cut[2] <= cut[0] or cut[3] < cut[1]:
                continue
            key = tuple(round(side * 5) for side in box)
            if key not in found or stroke.main_colour not in ("#ffffff", "#000000"):
                found[key] = (cut, stroke)
    return list(found.values())


def _rectangle(line: Sequence[tuple[float, float]]) -> BBox | None:
    if len(line) not in (4, 5):
        return None
    xs, ys = [x for x, _ in line], [y for _, y in line]
    x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
    at_corners = all(min(x - x0, x1 - x) < _STRAIGHT and min(y - y0, y1 - y) < _STRAIGHT for x, y in line) and all(
        abs(a[0] - b[0]) < _STRAIGHT or abs(a[1] - b[1]) < _STRAIGHT for a, b in itertools.pairwise(line)
    )
    return (x0, y0, x1, y1) if at_corners else None


def _ways(area: PlotArea, boxes: Sequence[BBox]) -> list[_Way]:
    """Upright before lying bars, but for names along y; first the foot on which most boxes stand."""
    if not boxes:
        return []
    y_axis = area.left or area.right
    ways: list[_Way] = []
    for lying in (False, True):
        value_axis, names = (area.x, y_axis) if lying else (y_axis, area.x)
        if value_axis is None or names is None or value_axis.names:
            continue
        ways += [_Way(lying, foot) for foot in _feet(area, value_axis, lying=lying)]

    def rank(way: _Way) -> tuple[bool, int]:
        names = y_axis if way.lying else area.x
        return (names is None or not names.names, -sum(_stands(way, box) for box in boxes))

    return sorted(ways, key=rank)


def _feet(area: PlotArea, value_axis: FoundAxis, *, lying: bool) -> list[float]:
    """Where bars may stand: at zero, if the axis has it, else at the ends of the axis."""
    low, high = (area.box[0], area.box[2]) if lying else (area.box[3], area.box[1])
    if value_axis.scale.kind == "linear":
        zero = value_axis.scale.place(0.0)
        if min(low, high) - _TOUCH <= zero <= max(low, high) + _TOUCH:
            return [min(max(zero, min(low, high)), max(low, high))]
    return [low, high]


def _stands(way: _Way, box: BBox) -> bool:
    return any(abs(end - way.foot) <= _TOUCH for end in way.reach(box))


def _alike(way: _Way, boxes: Sequence[BBox]) -> bool:
    """Most are of one thickness, or they touch their neighbours; and none lies over another for the most part."""
    spans = sorted(way.span(box) for box in boxes)
    sizes = sorted(high - low for low, high in spans)
    usual = sizes[len(sizes) // 2]
    equal = sum(abs(size - usual) <= _SAME_THICKNESS * usual + 0.2 for size in sizes) >= 0.8 * len(sizes)
    return usual > 0 and (equal or all(abs(b[0] - a[1]) < _TOUCH for a, b in itertools.pairwise(spans)))


def _bar(area: PlotArea, way: _Way, box: BBox, foot: float, stroke: Stroke) -> Bar:
    low, high = way.reach(box)
    span = way.span(box)
    end = high if abs(low - foot) <= abs(high - foot) else low
    drawn, edges = way.reach(stroke.box), way.reach(area.box)
    cut = (end == high and drawn[1] > edges[1] + _ON_EDGE) or (end == low and drawn[0] < edges[0] - _ON_EDGE)
    return Bar((span[0] + span[1]) / 2, span[1] - span[0], foot, end, foot != way.foot, cut, stroke.order)


def _stacked(
    area: PlotArea, way: _Way, standing: Sequence[tuple[BBox, Stroke]], rest: Sequence[tuple[BBox, Stroke]]
) -> list[tuple[Bar, Stroke]] | None:
    """The boxes that stand on others as bars; None where one stands on nothing."""
    placed = [(box, way.foot) for box, _ in standing]
    bars: list[tuple[Bar, Stroke]] = []
    left = list(rest)
    while left:
        for index, (box, stroke) in enumerate(left):
            foot = _foot_on(way, box, [other for other, _ in placed])
            if foot is not None:
                bars.append((_bar(area, way, box, foot, stroke), stroke))
                placed.append((box, foot))
                del left[index]
                break
        else:
            return None
    return bars


def _foot_on(way: _Way, box: BBox, others: Sequence[BBox]) -> float | None:
    """Where the box touches the far end of another of the same extent along the category axis."""
    span, reach = way.span(box), way.reach(box)
    for other in others:
        below = way.span(other)
        if abs(span[0] - below[0]) > _TOUCH or abs(span[1] - below[1]) > _TOUCH:
            continue
        far = max(way.reach(other), key=lambda end: abs(end - way.foot))
        near = min(reach, key=lambda end: abs(end - way.foot))
        if abs(near - far) <= _TOUCH:
            return near
    return None


def _sets(area: PlotArea, way: _Way, bars: Sequence[tuple[Bar, Stroke]], named: frozenset[str]) -> tuple[Bars, ...]:
    """Bars by colour; those of colours without a name are one set where no two of them share a place."""
    groups: dict[tuple[str, float], list[tuple[Bar, Stroke]]] = {}
    for bar, stroke in sorted(bars, key=lambda one: one[0].order):
        groups.setdefault((stroke.main_colour, stroke.opacity), []).append((bar, stroke))
    unnamed = [key for key in groups if key[0] not in named]
    together = [bar for key in unnamed for bar, _ in groups[key]]
    if len(unnamed) > 1 and _one_row(area, way, together):
        usual = Counter({key: len(groups[key]) for key in unnamed}).most_common(1)[0][0]
        merged = [one for key in unnamed for one in groups[key]]
        groups = {key: value for key, value in groups.items() if key not in unnamed} | {usual: merged}
    side: Literal["left", "right"] = "left" if area.left is not None or way.lying else "right"
    found = []
    for (colour, opacity), members in groups.items():
        ordered = sorted((bar for bar, _ in members), key=lambda bar: bar.middle)
        found.append(Bars(Style(colour, None, None, opacity, None), way.lying, tuple(ordered), side))
    return tuple(found)


def _one_row(area: PlotArea, way: _Way, bars: Sequence[Bar]) -> bool:
    """Whether the bars stand one at each place, as those of one series do."""
    names = (area.left or area.right) if way.lying else area.x
    spans = sorted((bar.middle - bar.thickness / 2, bar.middle + bar.thickness / 2) for bar in bars)
    if any(b[0] < a[1] - _OVERLAP * (a[1] - a[0]) for a, b in itertools.pairwise(spans)):
        return False
    if names is None or not names.names:
        return True
    return len({round(names.scale.value(bar.middle)) for bar in bars}) == len(bars)
