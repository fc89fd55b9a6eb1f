"""Plot areas with calibrated axes; panels without labels of their own take those of a neighbour in line with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import height, width
from reproducegym.parsing.charts.axes import FoundAxis, Side, find_axis, first_mark, labelled_anyhow, marks_along
from reproducegym.parsing.charts.labels import Label
from reproducegym.parsing.charts.plot_areas import candidate_areas
from reproducegym.parsing.charts.segments import Segment
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.schema.base import BBox

__all__ = ["PlotArea", "find_areas"]

_INSIDE = 1.0
_ALIGNED = 1.5
_NEIGHBOUR = 120.0
_OVERLAP = 0.5
_ON_TICK = 0.4


@dataclass(frozen=True, slots=True)
class PlotArea:
    """A box in points with the axes that calibrate it; `inset` says that it lies in another plot area.

    `framed` is when the first line along its left side was drawn, None without one.
    """

    box: BBox
    x: FoundAxis
    left: FoundAxis | None
    right: FoundAxis | None
    inset: bool
    framed: int | None

    @property
    def axes(self) -> tuple[FoundAxis, ...]:
        """Its axes, x first."""
        return tuple(axis for axis in (self.x, self.left, self.right) if axis is not None)


@dataclass(frozen=True, slots=True)
class _Frame:
    box: BBox
    axes: dict[Side, FoundAxis]

    @property
    def measured(self) -> int:
        """How many of its axes stand on tick marks."""
        return sum(2 if any(tick.marked for tick in axis.ticks) else 1 for axis in self.axes.values())


def find_areas(strokes: Sequence[Stroke], segments: Sequence[Segment], labels: Sequence[Label]) -> list[PlotArea]:
    """All plot areas that have, or share, an x axis and a y axis; from top to bottom and left to right."""
    frames = []
    near: tuple[Side, Side] = ("left", "bottom")
    for box in candidate_areas(strokes, segments):
        found = {side: find_axis(side, box, labels, segments) for side in near}
        frames.append(_Frame(box, {side: axis for side, axis in found.items() if axis is not None}))
    frames = [_without_names_elsewhere(frame, frames) for frame in frames]
    taken = {
        word
        for frame in frames
        for axis in frame.axes.values()
        if len(frame.axes) == 2 or any(tick.marked for tick in axis.ticks)
        for word in axis.words
    }
    free = [label for label in labels if label not in taken]
    frames = [_with_far_axes(frame, frames, free, segments) for frame in frames]
    chosen = _chosen(_sharing(frames, segments, labels))
    areas = []
    for frame in chosen:
        x = frame.axes.get("bottom") or frame.axes.get("top")
        left, right = frame.axes.get("left"), frame.axes.get("right")
        if x is None or (left is None and right is None):
            continue
        beyond = [word for word in free if not any(_nearer(word, frame, other) for other in frames)]
        if right is None and labelled_anyhow("right", frame.box, beyond):
            # A second axis that is not understood: which curves it has is not clear.
            continue
        inset = any(other is not frame and _holds(other.box, frame.box) for other in chosen)
        areas.append(PlotArea(frame.box, x, left, right, inset, _framed(frame.box, segments)))
    return sorted(areas, key=lambda area: (round(area.box[1] / 20), area.box[0]))


def _without_names_elsewhere(frame: _Frame, frames: Sequence[_Frame]) -> _Frame:
    """Without an axis of names that stand in another plot area: they are the legend there."""
    others = [other.box for other in frames if other.axes and not _holds(other.box, frame.box)]
    kept = {
        side: axis
        for side, axis in frame.axes.items()
        if not axis.names or not any(all(_lies_in(word.box, box) for word in axis.words) for box in others)
    }
    return _Frame(frame.box, kept)


def _lies_in(inner: BBox, outer: BBox) -> bool:
    return all(outer[i] <= inner[i] and inner[i + 2] <= outer[i + 2] for i in (0, 1))


def _with_far_axes(
    frame: _Frame,
    frames: Sequence[_Frame],
    free: Sequence[Label],
    segments: Sequence[Segment],
) -> _Frame:
    """With its right axis, and its top axis where it has none below, if numbers stand there."""
    axes = dict(frame.axes)
    sides: list[Side] = ["right"] if "bottom" in axes else ["right", "top"]
    for side in sides:
        axis = find_axis(side, frame.box, free, segments)
        if axis is None or axis.names or not any(tick.marked for tick in axis.ticks):
            continue
        if side == "top" or not any(_nearer(word, frame, other) for word in axis.words for other in frames):
            axes[side] = axis
    return _Frame(frame.box, axes)


def _nearer(word: Label, frame: _Frame, other: _Frame) -> bool:
    """Whether a word right of a frame is nearer to another one, as a label of its left side."""
    gap = other.box[0] - word.box[2]
    level = other.box[1] - 4 <= word.middle[1] <= other.box[3] + 4
    return other is not frame and level and -2 <= gap < word.box[0] - frame.box[2]


def _sharing(frames: Sequence[_Frame], segments: Sequence[Segment], labels: Sequence[Label]) -> list[_Frame]:
    """Frames without labels on a side take the axis of the nearest frame in the same row (y) or column (x)."""
    shared = []
    for frame in frames:
        axes = dict(frame.axes)
        if "left" not in axes and not labelled_anyhow("left", frame.box, labels):
            _borrow(axes, "left", frame, frames, segments)
        if "bottom" not in axes and "top" not in axes and not labelled_anyhow("bottom", frame.box, labels):
            _borrow(axes, "bottom", frame, frames, segments)
        shared.append(_Frame(frame.box, axes))
    return shared


def _borrow(
    axes: dict[Side, FoundAxis], side: Side, frame: _Frame, frames: Sequence[_Frame], segments: Sequence[Segment]
) -> None:
    along = 1 if side == "left" else 0
    owners = [
        other
        for other in frames
        if side in other.axes
        and (len(other.axes) >= 2 or sum(tick.marked for tick in other.axes[side].ticks) >= 2)
        and abs(other.box[along] - frame.box[along]) < _ALIGNED
        and abs(other.box[along + 2] - frame.box[along + 2]) < _ALIGNED
        and not _holds(other.box, frame.box)
    ]
    across = 1 - along
    owners = [other for other in owners if _gap(other.box, frame.box, across) >= 0]
    if side == "left":
        owners = [other for other in owners if other.box[0] < frame.box[0]]
    else:
        owners = [other for other in owners if other.box[1] > frame.box[1]]
    if not owners:
        return
    lent = min(owners, key=lambda other: abs(other.box[across] - frame.box[across])).axes[side]
    own = marks_along(side, frame.box, segments)
    # A row of panels without marks of their own may have other values; panels over one x axis hardly can.
    bare = side == "bottom" and frame.measured >= 2 and all(_at_end(at, frame.box) for at in own)
    if bare or all(any(abs(at - tick.at) < _ON_TICK for at in own) for tick in lent.ticks):
        axes[side] = replace(lent, words=(), begins=first_mark(side, frame.box, segments))


def _at_end(at: float, box: BBox) -> bool:
    return min(abs(at - box[0]), abs(at - box[2])) < _ALIGNED


def _gap(first: BBox, second: BBox, along: int) -> float:
    return max(second[along] - first[along + 2], first[along] - second[along + 2])


def _chosen(frames: Sequence[_Frame]) -> list[_Frame]:
    """Of frames that overlap without one being an inset of the other, that with the best measured axes."""
    able = [frame for frame in frames if len(frame.axes) >= 2]
    kept: list[_Frame] = []
    ranked = sorted(enumerate(able), key=lambda entry: (-entry[1].measured, entry[0]))
    for _, frame in ranked:
        if all(_apart(frame, other) for other in kept):
            kept.append(frame)
    return kept


def _apart(first: _Frame, second: _Frame) -> bool:
    """Whether both can be plot areas: they share little, or one lies in the other and has labels of its own."""
    a, b = first.box, second.box
    shared = max(min(a[2], b[2]) - max(a[0], b[0]), 0.0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0.0)
    small = min(width(a) * height(a), width(b) * height(b))
    if shared < 0.02 * small:
        return True
    if not (_holds(a, b) or _holds(b, a)) or small > _OVERLAP * max(width(a) * height(a), width(b) * height(b)):
        return False
    words = [{word for axis in frame.axes.values() for word in axis.words} for frame in (first, second)]
    return bool(words[0]) and bool(words[1]) and not words[0] & words[1]


def _holds(outer: BBox, inner: BBox) -> bool:
    larger = width(outer) * height(outer) > width(inner) * height(inner)
    inside = all(outer[i] - _INSIDE <= inner[i] and inner[i + 2] <= outer[i + 2] + _INSIDE for i in (0, 1))
    return larger and inside


def _framed(box: BBox, segments: Sequence[Segment]) -> int | None:
    """When the first line along the whole left side was drawn."""
    orders = (
        segment.stroke.order
        for segment in segments
        if not segment.level
        and abs(segment.at - box[0]) < _ALIGNED
        and abs(segment.start - box[1]) < 2
        and abs(segment.end - box[3]) < 2
    )
    return min(orders, default=None)
