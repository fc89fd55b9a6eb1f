"""Bars drawn as outlines without a filling: boxes, or caps that stand open on their axis; in one path or apart."""

import itertools
import math
from collections.abc import Sequence

from reproducegym.parsing.charts.strokes import Polyline, Stroke
from reproducegym.schema.base import BBox

__all__ = ["is_box", "outlined", "without_outlines"]

_STRAIGHT = 0.05
_CLOSED = 0.05
_SMALL = 3.0


def outlined(area: BBox, strokes: Sequence[Stroke]) -> list[tuple[BBox, Stroke]]:
    """The boxes and caps that lie in an area, with the paths that draw them."""
    found = []
    for stroke in strokes:
        if stroke.colour is None or stroke.fill is not None or stroke.curved:
            continue
        for line in stroke.lines:
            box = _box_of(line)
            if box is not None and all(area[i] - 1.2 <= box[i] and box[i + 2] <= area[i + 2] + 1.2 for i in (0, 1)):
                found.append((box, stroke))
    return found


def without_outlines(lines: Sequence[tuple[Polyline, Stroke]]) -> list[tuple[Polyline, Stroke]]:
    """Lines of one style but for boxes, and for caps where there are several: they are no curves."""
    caps = [line for line, _ in lines if _is_cap(line)]
    return [(line, stroke) for line, stroke in lines if not (is_box(line) or (len(caps) > 1 and _is_cap(line)))]


def is_box(line: Polyline) -> bool:
    """Whether it goes around a box and ends where it began."""
    return len(line) == 5 and math.dist(line[0], line[-1]) < _CLOSED and _is_right_angled(line)


def _is_cap(line: Polyline) -> bool:
    """Whether it goes up, across and down again to the same height, or so lying."""
    if len(line) != 4 or not _is_right_angled(line):
        return False
    upright = abs(line[0][0] - line[1][0]) < _STRAIGHT
    along = 1 if upright else 0
    return abs(line[0][along] - line[-1][along]) < _CLOSED


def _is_right_angled(line: Polyline) -> bool:
    """Whether its sides are level and upright by turns, none of them of no length."""
    sides = [(abs(a[0] - b[0]) < _STRAIGHT, abs(a[1] - b[1]) < _STRAIGHT) for a, b in itertools.pairwise(line)]
    turns = all(first != second for first, second in itertools.pairwise(sides))
    return turns and all(upright != level for upright, level in sides)


def _box_of(line: Polyline) -> BBox | None:
    if not (is_box(line) or _is_cap(line)):
        return None
    xs, ys = [x for x, _ in line], [y for _, y in line]
    box = (min(xs), min(ys), max(xs), max(ys))
    return box if max(box[2] - box[0], box[3] - box[1]) > _SMALL else None
