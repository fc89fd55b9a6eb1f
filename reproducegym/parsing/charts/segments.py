"""Straight level and upright lines among the paths: frames, tick marks and grid lines are made of them."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reproducegym.parsing.charts.strokes import Polyline, Stroke

__all__ = ["Segment", "segments_of"]

_STRAIGHT = 0.05
_THIN = 1.6
_MAX_LINES = 400


@dataclass(frozen=True, slots=True)
class Segment:
    """A straight line at one y (`level`) or one x, from `start` to `end` on the other axis, with its path."""

    level: bool
    at: float
    start: float
    end: float
    stroke: Stroke

    @property
    def length(self) -> float:
        """How long it is."""
        return self.end - self.start


def segments_of(strokes: Iterable[Stroke]) -> list[Segment]:
    """Every straight line that stands alone, is a side of a box, or is a thin filled box."""
    found: list[Segment] = []
    for stroke in strokes:
        if stroke.curved or len(stroke.lines) > _MAX_LINES:
            continue
        for line in stroke.lines:
            found += _segments(line, stroke)
    return found


def _segments(line: Polyline, stroke: Stroke) -> Iterator[Segment]:
    if len(line) > 5 or len(line) < 2:
        return
    xs, ys = [x for x, _ in line], [y for _, y in line]
    x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
    thin = stroke.colour is None and len(line) > 2
    if y1 - y0 < (_THIN if thin else _STRAIGHT) and x1 - x0 > y1 - y0:
        yield Segment(True, (y0 + y1) / 2, x0, x1, stroke)
    elif x1 - x0 < (_THIN if thin else _STRAIGHT) and y1 - y0 > x1 - x0:
        yield Segment(False, (x0 + x1) / 2, y0, y1, stroke)
    elif stroke.colour is not None and len(line) >= 3 and _is_box(line):
        for (ax, ay), (bx, by) in itertools.pairwise(line):
            if abs(ay - by) < _STRAIGHT:
                yield Segment(True, ay, min(ax, bx), max(ax, bx), stroke)
            else:
                yield Segment(False, ax, min(ay, by), max(ay, by), stroke)


def _is_box(line: Polyline) -> bool:
    """All sides level or upright, in turn."""
    sides = [(abs(a[0] - b[0]) < _STRAIGHT, abs(a[1] - b[1]) < _STRAIGHT) for a, b in itertools.pairwise(line)]
    straight = all(upright != level for upright, level in sides)
    return straight and all(first != second for first, second in itertools.pairwise(sides))
