"""Series in data units from curves and markers: values, names, errors, and the y axis that they belong to."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.axes import FoundAxis
from reproducegym.parsing.charts.curves import Curve, cut_to, find_curves
from reproducegym.parsing.charts.legends import LegendEntry, Style, best_entry
from reproducegym.parsing.charts.markers import Markers, find_markers, single_shapes
from reproducegym.parsing.charts.strokes import Point, Stroke
from reproducegym.schema.chart import ChartPoint, Series

__all__ = ["Drawn", "drawn_series", "named", "significant", "to_series", "without_samples", "y_axis_of"]

_ON_CURVE = 0.35
_CELL = 0.7
_MOST = 0.7
_MOST_STEPS = 1000
_SAMPLE = 60.0
_TINY = 6.0


@dataclass(frozen=True, slots=True)
class Drawn:
    """A series as drawn, in points on the page. `side` is None where two y axes leave it open."""

    kind: Literal["line", "points", "bars", "steps"]
    style: Style
    spots: tuple[Point, ...]
    clipped: bool
    orders: tuple[int, ...]
    side: Literal["left", "right"] | None


def drawn_series(area: PlotArea, data: Sequence[Stroke], entries: Sequence[LegendEntry]) -> list[Drawn]:
    """Curves with the markers on them, and markers that stand alone, in drawing order."""
    shapes = single_shapes(data)
    known = frozenset(
        (entry.style.marker, entry.style.colour)
        for entry in entries
        if entry.style.marker is not None and not entry.patch
    )
    markers = find_markers(shapes, known)
    marking = {order for group in markers for order in group.orders}
    curves = find_curves(stroke for stroke in shapes if stroke.order not in marking)
    series = []
    used: set[int] = set()
    own_markers: list[list[int]] = []
    for curve in curves:
        own_markers.append(_markers_on(curve, [i for i in range(len(markers)) if i not in used], markers))
        used.update(own_markers[-1])
    for i in _shared_markers(curves, own_markers, [i for i in range(len(markers)) if i not in used], markers):
        used.add(i)
    for curve, own in zip(curves, own_markers, strict=True):
        spots, clipped = cut_to(area.box, curve.pieces)
        style = Style(curve.colour, curve.width, curve.dash, curve.opacity, markers[own[0]].shape if own else None)
        kind: Literal["line", "steps"] = "steps" if curve.is_steps else "line"
        if len(spots) >= 2:
            series.append(Drawn(kind, style, tuple(spots), clipped, curve.orders, y_axis_of(area, curve.orders[0])))
    for i, group in enumerate(markers):
        inside = tuple(spot for spot in group.spots if _inside(spot, area))
        if i not in used and inside:
            style = Style(group.colour, None, None, group.opacity, group.shape)
            clipped = len(inside) < len(group.spots)
            series.append(Drawn("points", style, inside, clipped, group.orders, y_axis_of(area, group.orders[0])))
    return sorted(series, key=lambda one: one.orders)


def without_samples(series: Sequence[Drawn]) -> list[Drawn]:
    """Series but for short straight lines in the style of a longer one: samples of a legend whose names are no text.

    Tiny straight lines are left out as well: they are parts of arrows.
    """
    kept = []
    for one in series:
        straight = one.kind == "line" and len(one.spots) <= 3 and len({round(y, 1) for _, y in one.spots}) == 1
        short = math.dist(one.spots[0], one.spots[-1]) < _SAMPLE
        tiny = one.kind == "line" and len(one.spots) <= 3 and math.dist(one.spots[0], one.spots[-1]) < _TINY
        alike = any(
            (other.style.colour, other.style.dash, other.style.width)
            == (one.style.colour, one.style.dash, one.style.width)
            and len(other.spots) > len(one.spots)
            for other in series
        )
        if not tiny and not (straight and short and alike):
            kept.append(one)
    return kept


def _inside(spot: Point, area: PlotArea) -> bool:
    x0, y0, x1, y1 = area.box
    return x0 - _ON_CURVE <= spot[0] <= x1 + _ON_CURVE and y0 - _ON_CURVE <= spot[1] <= y1 + _ON_CURVE


def _markers_on(curve: Curve, free: Sequence[int], markers: Sequence[Markers]) -> list[int]:
    """Groups of markers most of which stand on corners of the curve; of one colour with it before others."""
    cells = _cells(curve)
    found = []
    for i in free:
        group = markers[i]
        met = sum(_meets(spot, cells) for spot in group.spots)
        alike = curve.colour in (group.colour, group.edge)
        if met >= _MOST * len(group.spots) and (alike or met == len(group.spots) > 2):
            found.append((not alike, i))
    return [i for _, i in sorted(found)]


def _shared_markers(
    curves: Sequence[Curve], own: Sequence[list[int]], free: Sequence[int], markers: Sequence[Markers]
) -> list[int]:
    """Groups whose markers all stand on curves of their colour, several of which have them; put to those in `own`."""
    found = []
    for i in free:
        group = markers[i]
        alike = [k for k, curve in enumerate(curves) if curve.colour in (group.colour, group.edge) and not own[k]]
        cells = {k: _cells(curves[k]) for k in alike} if len(alike) > 1 else {}
        homes = [[k for k in cells if _meets(spot, cells[k])] for spot in group.spots]
        if cells and all(homes):
            found.append(i)
            for k in {k for home in homes for k in home}:
                own[k].append(i)
    return found


def _cells(curve: Curve) -> dict[tuple[int, int], list[Point]]:
    """Corners of the curve, and points in short steps between them, by where they lie."""
    cells: dict[tuple[int, int], list[Point]] = {}
    for piece in curve.pieces:
        for a, b in itertools.pairwise(piece):
            steps = min(int(math.dist(a, b) / _ON_CURVE), _MOST_STEPS) + 1
            for step in range(steps + 1):
                t = step / steps
                point = (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
                cells.setdefault((round(point[0] / _CELL), round(point[1] / _CELL)), []).append(point)
    return cells


def _meets(spot: Point, cells: dict[tuple[int, int], list[Point]]) -> bool:
    column, row = round(spot[0] / _CELL), round(spot[1] / _CELL)
    return any(
        math.dist(spot, point) < _ON_CURVE
        for i in (column - 1, column, column + 1)
        for j in (row - 1, row, row + 1)
        for point in cells.get((i, j), ())
    )


def y_axis_of(area: PlotArea, order: int) -> Literal["left", "right"] | None:
    """The y axis that a path drawn at `order` belongs to; None where two axes leave it open.

    Two axes over one area are drawn one after the other, each with its frame.
    """
    if area.right is None:
        return "left"
    if area.left is None:
        return "right"
    begins, framed = area.right.begins, area.framed
    if begins is None or framed is None or area.left.begins is None or begins < area.left.begins:
        return None
    if order > max(begins, framed):
        return "right"
    return "left" if order < min(begins, framed) else None


def named(series: Sequence[Drawn], entries: Sequence[LegendEntry]) -> list[tuple[str | None, LegendEntry | None]]:
    """For each series the name of the sample most like it, if no other series is more like that sample."""
    found = [best_entry(one.style, entries) for one in series]
    best: dict[str, int] = {}
    for match in found:
        if match is not None:
            best[match[0].name] = max(match[1], best.get(match[0].name, 0))
    return [
        (match[0].name, match[0]) if match is not None and match[1] == best[match[0].name] else (None, None)
        for match in found
    ]


def to_series(area: PlotArea, drawn: Drawn, name: str | None, named_by: Literal["legend", "label", "none"]) -> Series:
    """The series in data units of its axes."""
    y = area.right if drawn.side == "right" else area.left
    if y is None:
        raise ValueError(f"a series on the {drawn.side} axis of an area without one")
    return Series(
        name=name,
        named_by=named_by,
        kind=drawn.kind,
        colour=drawn.style.colour,
        dash=drawn.style.dash,
        marker=drawn.style.marker,
        y_axis="right" if drawn.side == "right" else "left",
        points=tuple(
            ChartPoint(x=_read(area.x, area, x), y=_read(y, area, at), name=None, text=None) for x, at in drawn.spots
        ),
        band=(),
        x_error=significant(area.x.scale.read_off),
        y_error=significant(y.scale.read_off),
        clipped=drawn.clipped,
    )


def _read(axis: FoundAxis, area: PlotArea, at: float) -> float:
    """The value at a place, rounded to a millionth of the axis (on a logarithmic one to six digits)."""
    value = axis.scale.value(at)
    if axis.scale.kind == "log":
        return significant(value)
    low, high = (area.box[1], area.box[3]) if axis.upright else (area.box[0], area.box[2])
    span = abs(axis.scale.value(high) - axis.scale.value(low))
    return round(value, 6 - math.floor(math.log10(span))) + 0.0


def significant(value: float) -> float:
    """Six significant digits."""
    return float(f"{value:.6g}")
