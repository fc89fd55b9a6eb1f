"""The sides of a plot area: tick marks and grid lines along them, what stands beside them, and the axes found there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.charts.calibration import Scale
from reproducegym.parsing.charts.labels import Label
from reproducegym.parsing.charts.segments import Segment
from reproducegym.parsing.charts.tick_labels import LabelledTick
from reproducegym.schema.base import BBox

__all__ = ["TICK", "FoundAxis", "Mark", "Side", "across", "beside", "distance", "find_marks", "mark_of"]

Side = Literal["left", "right", "bottom", "top"]

TICK = 12.0
_TOUCH = 1.2
_LEVEL_WITH = 4.0


@dataclass(frozen=True, slots=True)
class FoundAxis:
    """An axis with its scale. `marks` are places of tick marks and grid lines, `words` the labels along it.

    `names` are set on a category axis, whose scale counts them from 0. `begins` is when its first tick mark was drawn.
    """

    side: Side
    scale: Scale
    ticks: tuple[LabelledTick, ...]
    names: tuple[str, ...]
    marks: tuple[float, ...]
    words: tuple[Label, ...]
    begins: int | None

    @property
    def upright(self) -> bool:
        """Whether it runs up the page."""
        return self.side in ("left", "right")


@dataclass(frozen=True, slots=True)
class Mark:
    """A tick mark or grid line at its place along a side; `length` is 0 for a line across the area."""

    at: float
    length: float
    order: int


def across(side: Side) -> int:
    """Index of the coordinate along the axis in a point."""
    return 1 if side in ("left", "right") else 0


def distance(side: Side, box: BBox, label: BBox) -> float:
    """From the side outwards to the label; negative where the label begins inside."""
    return {
        "left": box[0] - label[2],
        "right": label[0] - box[2],
        "bottom": label[1] - box[3],
        "top": box[1] - label[3],
    }[side]


def beside(side: Side, box: BBox, label: Label, reach_out: float = TICK) -> bool:
    """Whether a label stands along the side, at most so far from it."""
    along = across(side)
    middle = label.middle[along]
    if label.direction == "slanted":
        middle = label.box[2] if along == 0 else middle
    reach = _LEVEL_WITH + (label.size if label.direction == "slanted" else 0)
    if not box[along] - reach <= middle <= box[along + 2] + reach:
        return False
    # A font's box is taller than its digits: that of a label close to the side reaches into the area.
    inside = -0.45 * label.size if side in ("bottom", "top") else -1.5
    return inside <= distance(side, box, label.box) <= 1.3 * label.size + reach_out


def find_marks(side: Side, box: BBox, segments: Sequence[Segment]) -> list[Mark]:
    """Short lines that touch the side, and lines right across the area."""
    along = across(side)
    edge = {"left": box[0], "right": box[2], "bottom": box[3], "top": box[1]}[side]
    low, high = (box[0], box[2]) if along == 1 else (box[1], box[3])
    found = []
    for segment in segments:
        if segment.level != (along == 1) or not box[along] - 0.6 <= segment.at <= box[along + 2] + 0.6:
            continue
        touches = segment.start <= edge + _TOUCH and segment.end >= edge - _TOUCH
        spans = abs(segment.start - low) < 2 and abs(segment.end - high) < 2
        if (touches and segment.length <= TICK) or spans:
            found.append(Mark(segment.at, 0.0 if spans else segment.length, segment.stroke.order))
    return found


def mark_of(at: float, size: float, marks: Sequence[Mark]) -> float | None:
    """The place of the longest mark near a label's middle, of several the nearest."""
    close = [mark for mark in marks if abs(mark.at - at) < 0.4 * size]
    if not close:
        return None
    longest = max(mark.length for mark in close)
    return min((mark for mark in close if mark.length >= 0.85 * longest), key=lambda mark: abs(mark.at - at)).at
