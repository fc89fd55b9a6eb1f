"""Markers: small paths of one shape that repeat; each stands for a point at its origin."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.charts.strokes import Point, Polyline, Stroke

__all__ = ["Markers", "find_markers", "is_small", "marker_shape", "single_shapes"]

_LARGEST = 16.0
_SMALLEST = 0.5
_REGULAR = math.sqrt(3) / 2


@dataclass(frozen=True, slots=True)
class Markers:
    """Markers of one shape, size and colour in drawing order; `spots` are the points that they mark."""

    shape: str
    colour: str
    edge: str | None
    opacity: float
    spots: tuple[Point, ...]
    orders: tuple[int, ...]


def is_small(stroke: Stroke) -> bool:
    """Whether it is of the size of a marker, in both directions."""
    w, h = stroke.box[2] - stroke.box[0], stroke.box[3] - stroke.box[1]
    return _SMALLEST <= w <= _LARGEST and _SMALLEST <= h <= _LARGEST


def single_shapes(strokes: Iterable[Stroke]) -> list[Stroke]:
    """Paths, those parted that consist of several small closed shapes."""
    parted: list[Stroke] = []
    for stroke in strokes:
        closed = len(stroke.lines) > 1 and all(math.dist(line[0], line[-1]) < 0.01 for line in stroke.lines)
        pieces = [_part(stroke, line) for line in stroke.lines] if closed else []
        shapes = {_signature(piece) for piece in pieces}
        if pieces and len(shapes) == 1 and all(is_small(piece) for piece in pieces) and not is_small(stroke):
            parted += pieces
        else:
            parted.append(stroke)
    return parted


def _part(stroke: Stroke, line: Polyline) -> Stroke:
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return replace(stroke, lines=(line,), box=(min(xs), min(ys), max(xs), max(ys)), closed=True)


def _signature(stroke: Stroke) -> tuple[object, ...]:
    """What strokes of one shape and size have in common."""
    x0, y0, x1, y1 = stroke.box
    counts = tuple(len(line) for line in stroke.lines)
    return (counts, round((x1 - x0) / 0.15), round((y1 - y0) / 0.15), stroke.curved)


def find_markers(strokes: Sequence[Stroke], known: frozenset[tuple[str, str]]) -> list[Markers]:
    """Shapes that repeat, or whose shape and colour are `known` from a legend."""
    groups: dict[tuple[object, ...], list[Stroke]] = {}
    for stroke in strokes:
        if is_small(stroke) and (stroke.closed or stroke.fill is not None or marker_shape(stroke) in ("+", "x", "*")):
            shape = marker_shape(stroke)
            if shape != "s" or _is_square(stroke):
                groups.setdefault((_signature(stroke), stroke.main_colour, stroke.colour, shape), []).append(stroke)
    found = []
    for group in groups.values():
        first = group[0]
        shape = marker_shape(first)
        if len(group) < 2 and (shape, first.main_colour) not in known:
            continue
        spots = tuple(_origin(stroke, shape) for stroke in group)
        orders = tuple(stroke.order for stroke in group)
        found.append(Markers(shape, first.main_colour, first.colour, first.opacity, spots, orders))
    return _once(found)


def _once(groups: Sequence[Markers]) -> list[Markers]:
    """Groups, those at the same places (a filling and its edge, drawn one after the other) only once."""
    kept: list[Markers] = []
    for group in groups:
        twin = next((i for i, other in enumerate(kept) if _coincide(group, other)), None)
        if twin is None:
            kept.append(group)
        else:
            kept[twin] = replace(kept[twin], orders=tuple(sorted((*kept[twin].orders, *group.orders))))
    return kept


def _coincide(first: Markers, second: Markers) -> bool:
    return len(first.spots) == len(second.spots) and all(
        math.dist(a, b) < 0.2 for a, b in zip(first.spots, second.spots, strict=True)
    )


def _is_square(stroke: Stroke) -> bool:
    """As wide as high: other boxes are bars."""
    w, h = stroke.box[2] - stroke.box[0], stroke.box[3] - stroke.box[1]
    return abs(w - h) < 0.08 * w


def _corners(stroke: Stroke) -> list[Point]:
    corners: list[Point] = []
    for line in stroke.lines:
        for point in line:
            if all(math.dist(point, other) > 0.05 for other in corners):
                corners.append(point)
    return corners


def marker_shape(stroke: Stroke) -> str:
    """A name for the shape: `o`, `s`, `D`, `^`, `v`, `<`, `>`, `+`, `x`, `*`, or the number of its corners."""
    if stroke.curved:
        return "o"
    corners = _corners(stroke)
    x0, y0, x1, y1 = stroke.box
    if len(stroke.lines) == 2 and len(corners) == 4:
        level = any(abs(line[0][1] - line[-1][1]) < 0.05 for line in stroke.lines)
        return "+" if level else "x"
    if len(corners) == 4:
        return "s" if all(min(x - x0, x1 - x) < 0.1 and min(y - y0, y1 - y) < 0.1 for x, y in corners) else "D"
    if len(corners) == 3:
        return _pointing(corners, stroke)
    return "*" if len(corners) == 10 or len(stroke.lines) > 2 else f"polygon-{len(corners)}"


def _pointing(corners: Sequence[Point], stroke: Stroke) -> str:
    """Which way a triangle points: to the corner that stands alone on its side."""
    x0, y0, x1, y1 = stroke.box
    for name, axis, edge in (("^", 1, y1), ("v", 1, y0), ("<", 0, x1), (">", 0, x0)):
        if sum(abs(corner[axis] - edge) < 0.1 for corner in corners) == 2:
            return name
    return "polygon-3"


def _origin(stroke: Stroke, shape: str) -> Point:
    """The point it marks: the mean of its corners, but for triangles that are not regular the middle of its box.

    Matplotlib's and MATLAB's triangles fill a box around their point; regular ones of other programs turn around it.
    """
    x0, y0, x1, y1 = stroke.box
    along, across = (y1 - y0, x1 - x0) if shape in "^v" else (x1 - x0, y1 - y0)
    regular = abs(along - _REGULAR * across) < 0.03 * across
    if stroke.curved or shape in "sD+x" or (shape in "^v<>" and not regular):
        return (x0 + x1) / 2, (y0 + y1) / 2
    corners = _corners(stroke)
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)
