"""What is drawn in a plot area: data apart from frame, tick marks, grid lines, reference lines and legend."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import contains_center, height, width
from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.legends import LegendEntry
from reproducegym.parsing.charts.markers import is_small, marker_shape
from reproducegym.parsing.charts.plot_areas import near
from reproducegym.parsing.charts.segments import Segment, segments_of
from reproducegym.parsing.charts.strokes import Polyline, Stroke
from reproducegym.schema.base import BBox

__all__ = ["Content", "content_of", "is_scaffold"]

_EDGE = 1.2
_ON_TICK = 0.4
_LEGEND_FRAME = 0.85
_INSET = (30.0, 24.0)
_NEARLY = 0.8
_FAINT = 0xC8
_SAME_BAR = 0.2


@dataclass(frozen=True, slots=True)
class Content:
    """Paths that may be data, in drawing order, and the straight lines across the area that are no grid."""

    data: tuple[Stroke, ...]
    across: tuple[Segment, ...]


def content_of(
    area: PlotArea, others: Sequence[PlotArea], strokes: Sequence[Stroke], legend: Sequence[LegendEntry]
) -> Content:
    """The content of a plot area; what lies in an inset belongs to the inset."""
    inner = [
        other.box for other in others if other is not area and other.inset and contains_center(area.box, other.box)
    ]
    inside = [
        stroke for stroke in strokes if _belongs(stroke, area) and not any(_is_of(stroke, box, area) for box in inner)
    ]
    samples = frozenset(order for entry in legend for order in entry.orders)
    kept = [stroke for stroke in _without_legend(area, inside) if stroke.order not in samples]
    lines = [s for s in segments_of(kept) if _spans(s, area)]
    grid = _grid(area, lines)
    spanning = {segment.stroke.order for segment in lines}
    short = _short_grid(area, kept)
    data = [s for s in kept if s.order not in spanning | short and not is_scaffold(s, area)]
    across = [s for s in lines if s not in grid and not _on_edge(s, area)]
    if any(_is_clipped_to_area(stroke, area) for stroke in data):
        data = [stroke for stroke in data if _clipped_to(stroke, area) or _is_known_mark(stroke, legend)]
    return Content(tuple(data), tuple(across))


def _is_clipped_to_area(stroke: Stroke, area: PlotArea) -> bool:
    """Whether it is clipped to the plot area rather than to its own extent, as some programs clip everything."""
    return stroke.clip is not None and near(stroke.clip, area.box, 3.0) and not near(stroke.clip, stroke.box, 1.0)


def _is_known_mark(stroke: Stroke, legend: Sequence[LegendEntry]) -> bool:
    """Whether it is a marker of the legend's; some programs draw markers without the clip that lines have."""
    if stroke.clip is not None or not is_small(stroke):
        return False
    shape = marker_shape(stroke)
    return any(
        not entry.patch and entry.style.marker == shape and entry.style.colour == stroke.main_colour for entry in legend
    )


def _clipped_to(stroke: Stroke, area: PlotArea) -> bool:
    """Whether its clip lies in the area: that of the area itself, or of one marker in it.

    A box between these two is an inset without labels, whose values cannot be known.
    """
    clip = stroke.clip
    if clip is None or _is_inset(clip, area):
        return False
    return all(area.box[i] - 3 <= clip[i] and clip[i + 2] <= area.box[i + 2] + 3 for i in (0, 1))


def _is_inset(clip: BBox, area: PlotArea) -> bool:
    large = width(clip) > _INSET[0] and height(clip) > _INSET[1]
    inner = all(area.box[i] - 1 <= clip[i] and clip[i + 2] <= area.box[i + 2] + 1 for i in (0, 1))
    small = width(clip) < 0.8 * width(area.box) and height(clip) < 0.8 * height(area.box)
    return large and inner and small


def _belongs(stroke: Stroke, area: PlotArea) -> bool:
    """Whether it shows in the area and is not drawn for something larger or elsewhere."""
    box, clip = stroke.box, stroke.clip
    if clip is not None and near(clip, area.box, 3.0):
        return True
    x0, y0, x1, y1 = area.box
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    inside = x0 - 1 <= middle[0] <= x1 + 1 and y0 - 1 <= middle[1] <= y1 + 1
    return inside and box[0] >= x0 - 9 and box[2] <= x1 + 9 and box[1] >= y0 - 9 and box[3] <= y1 + 9


def _is_of(stroke: Stroke, box: BBox, area: PlotArea) -> bool:
    """Whether it lies in an inset rather than passing behind it."""
    clip = stroke.clip
    if clip is not None and near(clip, area.box, 3.0):
        return False
    inside = all(box[i] - 2 <= stroke.box[i] and stroke.box[i + 2] <= box[i + 2] + 2 for i in (0, 1))
    return inside or (clip is not None and all(box[i] - 3 <= clip[i] and clip[i + 2] <= box[i + 2] + 3 for i in (0, 1)))


def _without_legend(area: PlotArea, strokes: Sequence[Stroke]) -> list[Stroke]:
    """All but light boxes smaller than the area and what is drawn in them afterwards: legends, even without text."""
    light = [stroke for stroke in strokes if _is_legend_frame(stroke, area)]
    frames = [stroke for stroke in light if not _is_one_of_bars(stroke, light)]
    return [
        stroke
        for stroke in strokes
        if stroke not in frames and not any(stroke.order > frame.order and _within(stroke, frame) for frame in frames)
    ]


def _is_legend_frame(stroke: Stroke, area: PlotArea) -> bool:
    light = stroke.fill is not None and min(int(stroke.fill[i : i + 2], 16) for i in (1, 3, 5)) >= 0xE0
    if not light or len(stroke.lines) != 1:
        return False
    w, h = width(stroke.box), height(stroke.box)
    small = w < _LEGEND_FRAME * width(area.box) or h < _LEGEND_FRAME * height(area.box)
    return small and w > 18 and h > 8 and _is_boxy(stroke)


def _is_one_of_bars(stroke: Stroke, others: Sequence[Stroke]) -> bool:
    """Whether others are as thick and stand on the same line beside it."""
    return any(
        (
            abs(width(other.box) - width(stroke.box)) < _SAME_BAR
            and abs(other.box[3] - stroke.box[3]) < _SAME_BAR
            and abs(other.box[0] - stroke.box[0]) > width(stroke.box) - _SAME_BAR
        )
        or (
            abs(height(other.box) - height(stroke.box)) < _SAME_BAR
            and abs(other.box[0] - stroke.box[0]) < _SAME_BAR
            and abs(other.box[1] - stroke.box[1]) > height(stroke.box) - _SAME_BAR
        )
        for other in others
    )


def _is_boxy(stroke: Stroke) -> bool:
    """A rectangle, perhaps with round corners: its outline keeps close to its box."""
    x0, y0, x1, y1 = stroke.box
    return all(
        min(x - x0, x1 - x, y - y0, y1 - y) < 3.0 and (stroke.curved or min(x - x0, x1 - x) < 0.5)
        for x, y in stroke.lines[0]
    )


def _within(stroke: Stroke, frame: Stroke) -> bool:
    clipped = stroke.clip is not None and (
        stroke.clip[2] - stroke.clip[0] > width(frame.box) + 4
        and stroke.clip[3] - stroke.clip[1] > height(frame.box) + 4
    )
    inside = all(frame.box[i] - 1 <= stroke.box[i] and stroke.box[i + 2] <= frame.box[i + 2] + 1 for i in (0, 1))
    return inside and not (clipped and stroke.box[2] - stroke.box[0] > 0.9 * width(frame.box))


def _spans(segment: Segment, area: PlotArea) -> bool:
    low, high = (area.box[0], area.box[2]) if segment.level else (area.box[1], area.box[3])
    return segment.start <= low + _EDGE and segment.end >= high - _EDGE


def _on_edge(segment: Segment, area: PlotArea) -> bool:
    first, last = (area.box[1], area.box[3]) if segment.level else (area.box[0], area.box[2])
    return min(abs(segment.at - first), abs(segment.at - last)) < _EDGE


def _grid(area: PlotArea, lines: Sequence[Segment]) -> set[Segment]:
    """Lines of one style that together stand at most ticks of an axis, or at even distances."""
    groups: dict[tuple[object, ...], list[Segment]] = {}
    for line in lines:
        stroke = line.stroke
        groups.setdefault((line.level, stroke.colour, stroke.fill, round(stroke.width, 2), stroke.dash), []).append(
            line
        )
    grid: set[Segment] = set()
    for (level, *_), group in groups.items():
        places = {round(line.at, 1) for line in group}
        ticks = [tick.at for axis in area.axes if axis.upright == bool(level) for tick in axis.ticks]
        inner = [at for at in ticks if not _at_end(at, area, level=bool(level))]
        met = sum(any(abs(place - at) <= _ON_TICK for place in places) for at in inner)
        if (len(places) >= 2 and met >= 0.7 * len(inner)) or (len(places) >= 3 and _even(sorted(places))):
            grid.update(group)
    shades = {line.stroke.main_colour for line in grid if _is_faint(line.stroke.main_colour)}
    return grid | {line for line in lines if line.stroke.main_colour in shades}


def _is_faint(colour: str) -> bool:
    return min(int(colour[i : i + 2], 16) for i in (1, 3, 5)) >= _FAINT


def _short_grid(area: PlotArea, strokes: Sequence[Stroke]) -> frozenset[int]:
    """Paths of level lines of one style and extent at even distances that reach nearly across the area."""
    rows: dict[tuple[object, ...], dict[float, int]] = {}
    for stroke in strokes:
        line = stroke.lines[0]
        if len(stroke.lines) != 1 or len(line) != 2 or abs(line[0][1] - line[1][1]) > 0.05:
            continue
        start, end = sorted((round(line[0][0]), round(line[1][0])))
        if end - start > _NEARLY * width(area.box):
            style = (start, end, stroke.colour, round(stroke.width, 2), stroke.dash)
            rows.setdefault(style, {})[round(line[0][1], 1)] = stroke.order
    even = [row for row in rows.values() if len(row) >= 3 and _even(sorted(row))]
    return frozenset(order for row in even for order in row.values())


def _at_end(at: float, area: PlotArea, *, level: bool) -> bool:
    low, high = (area.box[1], area.box[3]) if level else (area.box[0], area.box[2])
    return min(abs(at - low), abs(at - high)) < _EDGE


def _even(places: Sequence[float]) -> bool:
    steps = [b - a for a, b in itertools.pairwise(places)]
    return max(steps) - min(steps) < 0.5


def is_scaffold(stroke: Stroke, area: PlotArea) -> bool:
    """Whether it is a frame, a tick mark or a line across the whole area."""
    if _is_frame(stroke, area) or _is_tick(stroke, area):
        return True
    return len(stroke.lines) == 1 and any(_spans(segment, area) for segment in segments_of([stroke]))


def _is_frame(stroke: Stroke, area: PlotArea) -> bool:
    return near(stroke.box, area.box, 2.5) and all(len(line) <= 5 for line in stroke.lines) and not stroke.curved


def _is_tick(stroke: Stroke, area: PlotArea) -> bool:
    """A short straight line that touches a side at a right angle, or several in one path."""
    return bool(stroke.lines) and all(_is_mark(line, stroke, area) for line in stroke.lines)


def _is_mark(line: Polyline, stroke: Stroke, area: PlotArea) -> bool:
    xs, ys = [x for x, _ in line], [y for _, y in line]
    x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
    level, upright = y1 - y0 < 0.05, x1 - x0 < 0.05
    plain = len(line) == 2 or (len(line) <= 5 and stroke.fill is not None)
    if level == upright or max(x1 - x0, y1 - y0) > 12 or not plain:
        return False
    low, high = (x0, x1) if level else (y0, y1)
    first, last = (area.box[0], area.box[2]) if level else (area.box[1], area.box[3])
    at = y0 if level else x0
    marks = [mark for axis in area.axes if axis.upright == level for mark in axis.marks]
    touches = (low <= first + _EDGE and high >= first - _EDGE) or (low <= last + _EDGE and high >= last - _EDGE)
    return touches and (stroke.clip is None or not marks or any(abs(at - mark) < _ON_TICK for mark in marks))
