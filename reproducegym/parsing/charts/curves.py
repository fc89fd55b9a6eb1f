"""Curves: the lines of one style in a plot area, joined over sub-paths, cut where they leave the area."""

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reproducegym.parsing.charts.outlines import without_outlines
from reproducegym.parsing.charts.strokes import Point, Polyline, Stroke
from reproducegym.schema.base import BBox

__all__ = ["Curve", "cut_to", "find_curves"]

_TOUCHING = 0.05
_FLAT = 0.05
_DASH = 9.0
_MANY_DASHES = 12
_EDGE = 0.6


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve in points on the page; `pieces` are parted where the pen was lifted. `orders` are its paths."""

    pieces: tuple[Polyline, ...]
    colour: str
    width: float
    dash: str | None
    opacity: float
    orders: tuple[int, ...]

    @property
    def is_steps(self) -> bool:
        """Whether it runs level and upright by turns."""
        sides = [
            (abs(a[0] - b[0]) < _FLAT, abs(a[1] - b[1]) < _FLAT)
            for piece in self.pieces
            for a, b in itertools.pairwise(piece)
        ]
        return (
            len(sides) >= 3
            and all(upright or level for upright, level in sides)
            and any(upright and not level for upright, level in sides)
            and any(level and not upright for upright, level in sides)
        )


_Line = tuple[Polyline, Stroke]


def find_curves(strokes: Iterable[Stroke]) -> list[Curve]:
    """Curves in drawing order. Upright strokes and short flat ones that repeat are error bars, no curves."""
    groups: dict[tuple[object, ...], list[_Line]] = {}
    for stroke in strokes:
        if stroke.colour is None or stroke.fill is not None or stroke.closed:
            continue
        key = (stroke.colour, round(stroke.width, 2), stroke.dash, stroke.opacity)
        groups.setdefault(key, []).extend((line, stroke) for line in stroke.lines if len(line) > 1)
    curves = []
    for group in groups.values():
        chains = _dashes_joined(_chained([line for line in without_outlines(group) if not _is_upright(line[0])]))
        flat = [chain for chain in chains if len(chain[0]) == 1 and _is_short(chain[0][0])]
        for pieces, used in chains:
            if (len(flat) > 1 and len(pieces) == 1 and _is_short(pieces[0])) or _are_caps(pieces):
                continue
            first = used[0]
            orders = tuple(sorted({stroke.order for stroke in used}))
            curves.append(Curve(tuple(pieces), str(first.colour), first.width, first.dash, first.opacity, orders))
    return sorted(curves, key=lambda curve: curve.orders)


def _is_upright(line: Polyline) -> bool:
    return all(abs(x - line[0][0]) < _FLAT for x, _ in line)


def _is_short(line: Polyline) -> bool:
    """A cap of an error bar, or the like."""
    return len(line) <= 3 and all(abs(y - line[0][1]) < _FLAT for _, y in line) and abs(line[-1][0] - line[0][0]) < 20


def _are_caps(pieces: Sequence[Polyline]) -> bool:
    """Whether a path of several pieces consists of the caps of error bars, at several heights."""
    heights = {round(piece[0][1], 1) for piece in pieces}
    return len(heights) > 1 and all(_is_short(piece) for piece in pieces)


_Chain = tuple[list[Polyline], list[Stroke]]


def _chained(lines: Sequence[_Line]) -> list[_Chain]:
    """Lines joined to the one before that ends where they begin, and sub-paths of one path that don't overlap."""
    chains: list[_Chain] = []
    for line, stroke in lines:
        if chains:
            pieces, used = chains[-1]
            if math.dist(pieces[-1][-1], line[0]) <= _TOUCHING:
                pieces[-1] += line[1:]
                used.append(stroke)
                continue
            if used[-1] is stroke and line[0][0] >= pieces[-1][-1][0] - _TOUCHING:
                pieces.append(line)
                continue
        chains.append(([line], [stroke]))
    return chains


def _dashes_joined(chains: Sequence[_Chain]) -> list[_Chain]:
    """Many short strokes in a row are the dashes of one curve, drawn one by one."""
    short = [chain for chain in chains if all(_reach(piece) <= _DASH for piece in chain[0])]
    if len(short) < _MANY_DASHES or len(short) < 0.9 * len(chains):
        return list(chains)
    joined: list[_Chain] = []
    for pieces, used in chains:
        if joined and math.dist(joined[-1][0][-1][-1], pieces[0][0]) <= _DASH:
            last = joined[-1]
            last[0][-1] = (*last[0][-1], *(point for piece in pieces for point in piece))
            last[1].extend(used)
        else:
            joined.append((list(pieces), list(used)))
    return joined


def _reach(line: Polyline) -> float:
    return math.dist(line[0], line[-1])


def cut_to(box: BBox, pieces: Sequence[Polyline]) -> tuple[list[Point], bool]:
    """The points of a curve inside a box, with those where it crosses the box's sides; and whether it leaves it."""
    x0, y0, x1, y1 = box
    frame = (x0 - _EDGE, y0 - _EDGE, x1 + _EDGE, y1 + _EDGE)
    points: list[Point] = []
    left = False
    for piece in pieces:
        if all(frame[0] <= x <= frame[2] and frame[1] <= y <= frame[3] for x, y in piece):
            points += piece
            continue
        left = True
        for a, b in itertools.pairwise(piece):
            visible = _visible(box, a, b)
            for point in visible or ():
                if not points or math.dist(points[-1], point) > 1e-6:
                    points.append(point)
    return points, left


def _visible(box: BBox, a: Point, b: Point) -> tuple[Point, Point] | None:
    """The part of a straight line in a box (Liang and Barsky)."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    low, high = 0.0, 1.0
    for step, room in ((-dx, a[0] - box[0]), (dx, box[2] - a[0]), (-dy, a[1] - box[1]), (dy, box[3] - a[1])):
        if step == 0:
            if room < 0:
                return None
            continue
        at = room / step
        if step < 0:
            low = max(low, at)
        else:
            high = min(high, at)
    if low > high:
        return None
    start = a if low == 0 else (a[0] + low * dx, a[1] + low * dy)
    end = b if high == 1 else (a[0] + high * dx, a[1] + high * dy)
    return start, end
