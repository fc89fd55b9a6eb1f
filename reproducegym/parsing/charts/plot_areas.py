"""Boxes that may be plot areas: between spines, frames, clips, backgrounds and grid lines."""

from collections import Counter
from collections.abc import Iterable, Sequence

from reproducegym.parsing.boxes import height, width
from reproducegym.parsing.charts.segments import Segment
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.schema.base import BBox

__all__ = ["candidate_areas", "near"]

_MIN_WIDTH = 30.0
_MIN_HEIGHT = 24.0
_CORNER = 1.5
_SAME = 2.0
_MAX_CANDIDATES = 200


def candidate_areas(strokes: Sequence[Stroke], segments: Sequence[Segment]) -> list[BBox]:
    """Boxes in order of how sure they bound a plot area; of boxes that nearly coincide the surest one."""
    long = [s for s in segments if s.length >= (_MIN_WIDTH if s.level else _MIN_HEIGHT)]
    clips = Counter(stroke.clip for stroke in strokes if stroke.clip is not None)
    boxes = [
        *_framed(long),
        *(clip for clip, _ in clips.most_common()),
        *(stroke.box for stroke in strokes if stroke.fill is not None and len(stroke.lines) == 1 and _is_rect(stroke)),
        *_gridded(long),
    ]
    found: list[BBox] = []
    for box in boxes:
        large = width(box) >= _MIN_WIDTH and height(box) >= _MIN_HEIGHT
        if large and len(found) < _MAX_CANDIDATES and not any(near(box, other, _SAME) for other in found):
            found.append(box)
    return found


def near(first: BBox, second: BBox, reach: float) -> bool:
    """Whether all sides of two boxes are within reach."""
    return all(abs(a - b) <= reach for a, b in zip(first, second, strict=True))


def _is_rect(stroke: Stroke) -> bool:
    line = stroke.lines[0]
    return not stroke.curved and len(line) == 5 and len({x for x, _ in line}) == 2 and len({y for _, y in line}) == 2


def _framed(segments: Iterable[Segment]) -> list[BBox]:
    """A level and an upright line that meet in the lower left or lower right corner span a box."""
    level = [segment for segment in segments if segment.level]
    upright = [segment for segment in segments if not segment.level]
    sides: dict[BBox, int] = {}
    for floor in level:
        for side in upright:
            if abs(side.end - floor.at) > _CORNER:
                continue
            if abs(side.at - floor.start) <= _CORNER or abs(side.at - floor.end) <= _CORNER:
                box = (floor.start, side.start, floor.end, floor.at)
                sides[box] = sides.get(box, 0) + 1
    return sorted(sides, key=lambda box: (-sides[box], box))


def _gridded(segments: Iterable[Segment]) -> list[BBox]:
    """Parallel lines of the same extent in both directions, as of a chart without a frame."""
    level: dict[tuple[float, float], set[float]] = {}
    upright: dict[tuple[float, float], set[float]] = {}
    for segment in segments:
        ways = level if segment.level else upright
        ways.setdefault((round(segment.start, 1), round(segment.end, 1)), set()).add(round(segment.at, 1))
    floors = [extent for extent, places in level.items() if len(places) >= 3]
    sides = [extent for extent, places in upright.items() if len(places) >= 2]
    boxes = [(x0, y0, x1, y1) for x0, x1 in floors for y0, y1 in sides if _covers(level[(x0, x1)], y0, y1)]
    boxes += [(x0, min(level[(x0, x1)]), x1, max(level[(x0, x1)])) for x0, x1 in floors]
    return sorted(boxes)


def _covers(places: Iterable[float], low: float, high: float) -> bool:
    return all(low - 1 <= place <= high + 1 for place in places)
