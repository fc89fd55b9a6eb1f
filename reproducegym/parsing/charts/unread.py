"""Kinds of drawings in a plot area that hold no series as drawn: box plots, bubbles of many sizes, arrows."""

import math
from collections import Counter
from collections.abc import Sequence

from reproducegym.parsing.boxes import height, width
from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.markers import is_small, marker_shape
from reproducegym.parsing.charts.segments import Segment, segments_of
from reproducegym.parsing.charts.series import Drawn
from reproducegym.parsing.charts.strokes import Point, Polyline, Stroke
from reproducegym.schema.base import BBox

__all__ = ["are_heads", "has_box_plots", "is_lattice", "is_plot", "is_rule", "levels", "many_bubbles", "without_arrows"]

_SAME = 0.6
_OVERSHOOT = 5.0
_LEAST_BUBBLES = 3
_MOST_BOXES = 400
_SMALL_BOX = 2.5
_TINY = 10.0
_MIN_AREA = 60.0
_TIP = 3.0
_LEVEL = 0.5
_SHORT = 0.5
_LEAST_ROWS = 4
_MOST_STRAIGHT = 8


def is_plot(area: PlotArea, areas: Sequence[PlotArea], segments: Sequence[Segment]) -> bool:
    """Whether an area can be read as a plot: one with names along both axes is a table or a picture of values.

    A top axis whose line goes on beyond the area belongs to something else, such as a diagram of ranks, and names
    that stand in another plot area are that one's legend.
    """
    if all(axis.names for axis in area.axes):
        return False
    for axis in area.axes:
        if axis.names and any(
            _is_in(word.box, other.box) for word in axis.words for other in areas if other is not area
        ):
            return False
    return area.x.side != "top" or not any(
        segment.level
        and abs(segment.at - area.box[1]) < _SAME
        and segment.start < area.box[2]
        and segment.end > area.box[0]
        and (segment.start < area.box[0] - _OVERSHOOT or segment.end > area.box[2] + _OVERSHOOT)
        for segment in segments
    )


def _is_in(inner: BBox, outer: BBox) -> bool:
    return all(outer[i] <= inner[i] and inner[i + 2] <= outer[i + 2] for i in (0, 1))


def has_box_plots(data: Sequence[Stroke]) -> bool:
    """Whether there are boxes with a line across them, and one to the middle of an end from outside."""
    plain = (s for s in data if s.colour is not None and (all(len(line) == 2 for line in s.lines) or not _is_marker(s)))
    lines = [segment for segment in segments_of(plain) if segment.length > _SAME]
    boxes = [s.box for s in data if not s.curved and not _is_marker(s) and any(_is_box(line) for line in s.lines)]
    found = sum(_is_box_plot(box, lines) for box in boxes[:_MOST_BOXES])
    return found >= 2 or (found == 1 and len(boxes) == 1)


def _is_marker(stroke: Stroke) -> bool:
    """Whether it is as small as a square marker."""
    return max(width(stroke.box), height(stroke.box)) < _SMALL_BOX


def _is_box(line: Polyline) -> bool:
    """A closed box, or one with notches."""
    return len(line) >= 5 and math.dist(line[0], line[-1]) < _SAME and len({round(x, 1) for x, _ in line}) <= 3


def _is_box_plot(box: BBox, lines: Sequence[Segment]) -> bool:
    return any(_median(box, lines, level=level) and _whisker(box, lines, level=level) for level in (True, False))


def _ends(box: BBox, *, level: bool) -> tuple[float, float, float, float]:
    """The extent along lines of one direction, then across them."""
    return (box[0], box[2], box[1], box[3]) if level else (box[1], box[3], box[0], box[2])


def _median(box: BBox, lines: Sequence[Segment], *, level: bool) -> bool:
    start, end, low, high = _ends(box, level=level)
    return any(
        line.level == level
        and abs(line.start - start) < _SAME
        and abs(line.end - end) < _SAME
        and low - _SAME <= line.at <= high + _SAME
        for line in lines
        if line.stroke.box != box
    )


def _whisker(box: BBox, lines: Sequence[Segment], *, level: bool) -> bool:
    start, end, low, high = _ends(box, level=level)
    return any(
        line.level != level
        and abs(line.at - (start + end) / 2) < _SAME
        and (abs(line.end - low) < _SAME or abs(line.start - high) < _SAME)
        for line in lines
    )


def many_bubbles(data: Sequence[Stroke], series: Sequence[Drawn]) -> bool:
    """Whether more small shapes are of their own size and colour than belong to a series of markers.

    They are bubbles, or islands of a map of heights.
    """
    small = (stroke for stroke in data if (stroke.closed or stroke.fill is not None) and is_small(stroke))
    looks = Counter(_look(stroke) for stroke in small if stroke.curved or marker_shape(stroke) != "s")
    alone = sum(count == 1 for count in looks.values())
    grouped = sum(len(one.spots) for one in series if one.kind == "points")
    return alone >= _LEAST_BUBBLES and alone > grouped


def _look(stroke: Stroke) -> tuple[float, str]:
    return round(width(stroke.box), 1), stroke.main_colour


def without_arrows(
    area: PlotArea, series: Sequence[Drawn], names: Sequence[str | None], left: Sequence[Drawn]
) -> list[bool]:
    """For each series whether it is one: tiny curves without a name are heads of arrows, lines to them their shafts.

    `left` are curves that were left out already; tiny ones are heads too.
    """
    if min(width(area.box), height(area.box)) < _MIN_AREA:
        return [True] * len(series)
    heads = [name is None and _is_tiny(one) for one, name in zip(series, names, strict=True)]
    tips = [spot for one, head in zip(series, heads, strict=True) if head for spot in one.spots]
    tips += [spot for one in left if _is_tiny(one) for spot in one.spots]
    return [
        not head and not (name is None and _is_shaft(one, tips))
        for one, head, name in zip(series, heads, names, strict=True)
    ]


def is_rule(area: PlotArea, one: Drawn) -> bool:
    """Whether a curve is a short level or upright line between two points: without a name it is a rule or a note."""
    (ax, ay), (bx, by) = one.spots[0], one.spots[-1]
    plain = one.kind == "line" and len(one.spots) == 2 and one.style.marker is None
    short = abs(ax - bx) < _SHORT * width(area.box)
    return plain and short and min(abs(ax - bx), abs(ay - by)) < _LEVEL


def is_lattice(one: Drawn) -> bool:
    """Whether markers stand at every place of a grid, as in the cells of a heat map."""
    columns = {round(x) for x, _ in one.spots}
    rows = {round(y) for _, y in one.spots}
    full = len(columns) * len(rows) == len(one.spots)
    return one.kind == "points" and full and min(len(columns), len(rows)) >= _LEAST_ROWS


def levels(series: Sequence[Drawn], names: Sequence[str | None]) -> list[bool]:
    """For each series whether it is one of many straight lines of one look without a name: levels or hatches."""
    straight = [
        name is None and one.kind == "line" and len(one.spots) == 2 for one, name in zip(series, names, strict=True)
    ]
    looks = Counter((one.style.colour, one.style.dash) for one, is_one in zip(series, straight, strict=True) if is_one)
    return [
        is_one and looks[one.style.colour, one.style.dash] > _MOST_STRAIGHT
        for one, is_one in zip(series, straight, strict=True)
    ]


def are_heads(one: Drawn, data: Sequence[Stroke]) -> bool:
    """Whether triangles are heads of arrows: at each ends a straight line that does not go through it."""
    if one.kind != "points" or one.style.marker not in ("^", "v", "<", ">"):
        return False
    lines = [s.lines[0] for s in data if s.fill is None and len(s.lines) == 1 and len(s.lines[0]) == 2]
    shafts = [(a, b) for line in lines for a, b in (line, line[::-1])]
    return all(any(_ends_at(spot, a, b) for a, b in shafts) for spot in one.spots)


def _ends_at(spot: Point, end: Point, far: Point) -> bool:
    beside = (end[0] - spot[0]) * (far[0] - spot[0]) + (end[1] - spot[1]) * (far[1] - spot[1])
    return beside > 0 and math.dist(spot, end) < 2 * _TIP and math.dist(spot, far) > math.dist(spot, end) + 1


def _is_tiny(one: Drawn) -> bool:
    xs, ys = [x for x, _ in one.spots], [y for _, y in one.spots]
    plain = one.kind in ("line", "steps") and one.style.marker is None
    return plain and max(xs) - min(xs) < _TINY and max(ys) - min(ys) < _TINY


def _is_shaft(one: Drawn, tips: Sequence[Point]) -> bool:
    ends = (one.spots[0], one.spots[-1])
    return (
        one.kind == "line" and len(one.spots) == 2 and any(math.dist(end, tip) < _TIP for end in ends for tip in tips)
    )
