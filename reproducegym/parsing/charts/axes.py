"""The axes of a plot area: which labels stand along its sides, at which tick marks, and what scale they give."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.charts.calibration import Scale
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.segments import Segment
from reproducegym.parsing.charts.signs import fit_with_signs
from reproducegym.parsing.charts.tick_labels import LabelledTick, factor_of, is_offset, tick_number
from reproducegym.schema.base import BBox

__all__ = ["FoundAxis", "Side", "find_axis", "first_mark", "labelled_anyhow", "marks_along"]

Side = Literal["left", "right", "bottom", "top"]

_TICK = 12.0
_WIDE = 40.0
_TOUCH = 1.2
_LABEL_GAP = 0.35
_NAME_GAP = 0.7
_LEVEL_WITH = 4.0
_MANY = 30
_CENTRED = 0.12
_CORNER = 0.4
_GROUP_GAP = 0.45
_MINUS = "-−–"
_DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d[-/:.]\d\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b", re.IGNORECASE
)


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
class _Mark:
    """`length` is that of a tick mark, 0 for a line across the area."""

    at: float
    length: float
    order: int


def find_axis(side: Side, box: BBox, labels: Sequence[Label], segments: Sequence[Segment]) -> FoundAxis | None:
    """The axis along a side of a box; None where no labels stand there that fit a scale."""
    marks = _marks(side, box, segments)
    along = [label for label in labels if _beside(side, box, label)]
    wide = [label for label in labels if _beside(side, box, label, _WIDE)]
    row = _nearest_row(side, box, wide)
    places = tuple(sorted({round(mark.at, 3) for mark in marks}))
    begins = min((mark.order for mark in marks if mark.length > 0), default=None)
    factor = _factor(side, box, [label for label in labels if not _is_tick_label(label, row)])
    if row and factor is not None:
        others = [label for label in labels if label not in row]
        signs = any(label.text[0] in _MINUS and tick_number(label.text) is not None for label in others)
        rows = (row, _nearest_row(side, box, _thousands_joined(wide)))
        for words, seen in itertools.product(rows, (marks, _of_one_length(marks))):
            numbers = [replace(tick, value=tick.value * factor) for tick in _number_ticks(side, box, words, seen)]
            if seen is not marks and len(numbers) < 3:
                # Marks of other lengths tell what scale two labels are on.
                continue
            minor = _unlabelled(side, box, seen, numbers)
            ends = (box[_across(side)], box[_across(side) + 2])
            fit = fit_with_signs(_rises(side), numbers, minor, ends, signs_seen=signs or _centred(side, words, seen))
            if fit is not None:
                return FoundAxis(side, fit[0], fit[1], (), places, tuple(words), begins)
    return _category_axis(side, box, along, marks, places, begins)


def first_mark(side: Side, box: BBox, segments: Sequence[Segment]) -> int | None:
    """When the first tick mark along a side was drawn."""
    return min((mark.order for mark in _marks(side, box, segments) if mark.length > 0), default=None)


def marks_along(side: Side, box: BBox, segments: Sequence[Segment]) -> list[float]:
    """Places of the tick marks and grid lines along a side."""
    return [mark.at for mark in _marks(side, box, segments)]


def _across(side: Side) -> int:
    """Index of the coordinate along the axis in a point."""
    return 1 if side in ("left", "right") else 0


def _distance(side: Side, box: BBox, label: BBox) -> float:
    """From the side outwards to the label; negative where the label begins inside."""
    return {
        "left": box[0] - label[2],
        "right": label[0] - box[2],
        "bottom": label[1] - box[3],
        "top": box[1] - label[3],
    }[side]


def _beside(side: Side, box: BBox, label: Label, reach_out: float = _TICK) -> bool:
    along = _across(side)
    middle = label.middle[along]
    if label.direction == "slanted":
        middle = label.box[2] if along == 0 else middle
    reach = _LEVEL_WITH + (label.size if label.direction == "slanted" else 0)
    if not box[along] - reach <= middle <= box[along + 2] + reach:
        return False
    # A font's box is taller than its digits: that of a label close to the side reaches into the area.
    inside = -0.45 * label.size if side in ("bottom", "top") else -1.5
    return inside <= _distance(side, box, label.box) <= 1.3 * label.size + reach_out


def _nearest_row(side: Side, box: BBox, along: Sequence[Label]) -> list[Label]:
    """The labels of the row or column of numbers nearest to the side."""
    merged = joined(along, _LABEL_GAP) + [label for label in along if label.direction != "right"]
    numbers = [n for n in merged if tick_number(n.text) is not None and _beside(side, box, n)]
    if not numbers:
        return []
    first = min(numbers, key=lambda label: _distance(side, box, label.box))
    if side in ("bottom", "top"):
        if first.direction != "right":
            near_edge = 1 if side == "bottom" else 3
            return [n for n in numbers if abs(n.box[near_edge] - first.box[near_edge]) < first.size]
        return [n for n in numbers if abs(n.middle[1] - first.middle[1]) < 0.5 * first.size]
    edge = 2 if side == "left" else 0
    limit = _distance(side, box, first.box) + 0.6 * first.size
    near = [n for n in numbers if _distance(side, box, n.box) <= limit]
    if len(near) >= 2:
        return near
    return [n for n in numbers if abs(n.box[edge] - first.box[edge]) < 4 * first.size]


def _marks(side: Side, box: BBox, segments: Sequence[Segment]) -> list[_Mark]:
    """Short lines that touch the side, and lines right across the area."""
    along = _across(side)
    edge = {"left": box[0], "right": box[2], "bottom": box[3], "top": box[1]}[side]
    low, high = (box[0], box[2]) if along == 1 else (box[1], box[3])
    found = []
    for segment in segments:
        if segment.level != (along == 1) or not box[along] - 0.6 <= segment.at <= box[along + 2] + 0.6:
            continue
        touches = segment.start <= edge + _TOUCH and segment.end >= edge - _TOUCH
        spans = abs(segment.start - low) < 2 and abs(segment.end - high) < 2
        if (touches and segment.length <= _TICK) or spans:
            found.append(_Mark(segment.at, 0.0 if spans else segment.length, segment.stroke.order))
    return found


def _of_one_length(marks: Sequence[_Mark]) -> list[_Mark]:
    """The tick marks of the length that most have: others may be ends of error bars that touch the side."""
    lengths = Counter(round(mark.length, 1) for mark in marks if mark.length > 0)
    usual = max(lengths, key=lambda length: (lengths[length], length), default=0.0)
    return [mark for mark in marks if abs(mark.length - usual) < 0.11]


def _number_ticks(side: Side, box: BBox, row: Sequence[Label], marks: Sequence[_Mark]) -> list[LabelledTick]:
    """The numbers along a side; those without a mark beyond its ends are of the axis around the corner."""
    along = _across(side)
    ticks = []
    for label in row:
        number = tick_number(label.text)
        if number is None:
            continue
        at = label.middle[along]
        mark = _mark_of(at, label.size, marks) if label.direction != "slanted" else None
        beyond = max(box[along] - at, at - box[along + 2])
        if mark is None and beyond > _CORNER * label.size:
            continue
        ticks.append(
            LabelledTick(label.text, at if mark is None else mark, number.value, number.power, mark is not None)
        )
    return sorted(ticks, key=lambda tick: tick.at)


def _mark_of(at: float, size: float, marks: Sequence[_Mark]) -> float | None:
    """The place of the longest mark near a label's middle, of several the nearest."""
    close = [mark for mark in marks if abs(mark.at - at) < 0.4 * size]
    if not close:
        return None
    longest = max(mark.length for mark in close)
    return min((mark for mark in close if mark.length >= 0.85 * longest), key=lambda mark: abs(mark.at - at)).at


def _rises(side: Side) -> int:
    """The sign of a scale whose values grow upwards or to the right."""
    return -1 if side in ("left", "right") else 1


def _unlabelled(side: Side, box: BBox, marks: Sequence[_Mark], ticks: Sequence[LabelledTick]) -> list[float]:
    """Places of marks without a label, but for the sides of the frame."""
    along = _across(side)
    ends = (box[along], box[along + 2])
    inner = {round(mark.at, 2) for mark in marks if mark.length > 0 or all(abs(mark.at - end) > _TOUCH for end in ends)}
    return [at for at in sorted(inner) if all(abs(at - tick.at) > 0.2 for tick in ticks)]


def _centred(side: Side, row: Sequence[Label], marks: Sequence[_Mark]) -> bool:
    """Whether the words of a row stand right over their tick marks: with a sign that was lost they would be beside."""
    if side in ("left", "right") or len(row) < 3:
        return False
    spots = [(label, _mark_of(label.middle[0], label.size, marks)) for label in row]
    return all(at is not None and abs(label.middle[0] - at) < _CENTRED * label.size for label, at in spots)


def _thousands_joined(row: Sequence[Label]) -> list[Label]:
    """The words of a row with groups of three digits joined to the number before them: `10 000`."""
    joined_words: list[Label] = []
    for word in sorted(row, key=lambda label: (round(label.base), label.box[0])):
        before = joined_words[-1] if joined_words else None
        if (
            before is not None
            and len(word.text) == 3
            and word.text.isdecimal()
            and before.text.lstrip(_MINUS).replace(" ", "").isdecimal()
            and abs(word.base - before.base) < 0.2 * word.size
            and 0 < word.box[0] - before.box[2] < _GROUP_GAP * word.size
        ):
            joined_words[-1] = replace(before, text=f"{before.text} {word.text}", box=union((before.box, word.box)))
        else:
            joined_words.append(word)
    return joined_words


def labelled_anyhow(side: Side, box: BBox, labels: Sequence[Label]) -> bool:
    """Whether numbers or dates stand along a side, understood or not."""
    along = [label for label in labels if _beside(side, box, label)]
    return sum(tick_number(word.text) is not None or bool(_DATE.search(word.text)) for word in along) >= 2


def _is_tick_label(label: Label, row: Sequence[Label]) -> bool:
    """Whether a word is of a row of tick labels, or a power on the line of such a row, where a neighbour's go on."""
    if any(contains_center(word.box, label.box) for word in row):
        return True
    number = tick_number(label.text)
    return number is not None and number.power and any(abs(word.base - label.base) < 0.4 * word.size for word in row)


def _factor(side: Side, box: BBox, labels: Sequence[Label]) -> float | None:
    """The factor at the end of the axis; 1 without one, None where something stands there that we don't understand."""
    x0, y0, x1, y1 = box
    upright = side in ("left", "right")
    edge = x0 if side == "left" else x1

    def level(label: Label) -> bool:
        low, high = (y0 - 2.6 * label.size, y0) if upright else (y1 + label.size, y1 + 4 * label.size + _TICK)
        return low < label.middle[1] < high

    def at_end(line: Label) -> bool:
        if upright:
            return line.box[0] - 1 <= edge <= line.box[2] + 3 * line.size
        return any(x1 - 4 * line.size < at < x1 + 4 * line.size for at in (line.middle[0], line.box[2]))

    texts = [line.text for line in joined([label for label in labels if level(label)], 0.5) if at_end(line)]
    factors = [factor for text in texts if (factor := factor_of(text)) is not None]
    offsets = [text for text in texts if factor_of(text) is None and any(is_offset(word) for word in text.split())]
    if len(factors) > 1 or offsets:
        return None
    return factors[0] if factors else 1.0


def _is_no_name(text: str) -> bool:
    """A number or a date: neither is a category."""
    if not any(c.isalpha() for c in text):
        return True
    return tick_number(text) is not None or factor_of(text) is not None or bool(_DATE.search(text))


def _category_axis(
    side: Side,
    box: BBox,
    along: Sequence[Label],
    marks: Sequence[_Mark],
    places: tuple[float, ...],
    begins: int | None,
) -> FoundAxis | None:
    """Names along the side, each at a tick mark or evenly spaced; the k-th has the value k."""
    across = _across(side)
    named = joined(along, _NAME_GAP) if side in ("bottom", "top") else joined(along, 1.0)
    slanted = [label for label in along if label.direction != "right"]
    names = named if len(named) >= len(slanted) or side in ("left", "right") else slanted
    if not names or len(names) > _MANY or sum(_is_no_name(label.text) for label in names) > 0.4 * len(names):
        return None
    if side in ("bottom", "top"):
        first = min(_distance(side, box, label.box) for label in names)
        names = [n for n in names if n.direction != "right" or _distance(side, box, n.box) < first + 0.6 * n.size]
    ordered = sorted(names, key=lambda n: n.box[2] if n.direction == "slanted" else n.middle[across])
    # Lines across the area are grid lines, but also the sides of its frame: tick marks say more.
    ticked = [mark for mark in marks if mark.length > 0] or marks
    majors = sorted({round(mark.at, 2) for mark in ticked})
    inner = [at for at in majors if box[across] + _TOUCH < at < box[across + 2] - _TOUCH]
    if len(ordered) in (len(majors), len(inner)):
        spots = majors if len(ordered) == len(majors) else inner
    elif ordered[0].direction != "slanted":
        spots = [n.middle[across] for n in ordered]
        spots = [at if (m := _mark_of(at, n.size, marks)) is None else m for at, n in zip(spots, ordered, strict=True)]
    else:
        return None
    if len(ordered) < 2:
        return None
    steps = [b - a for a, b in itertools.pairwise(spots)]
    mean = (spots[-1] - spots[0]) / (len(spots) - 1)
    if mean <= 0 or any(abs(step - mean) > 0.05 * mean + 1.0 for step in steps):
        return None
    error = max(abs(spots[0] + k * mean - at) for k, at in enumerate(spots)) + 0.05
    scale = Scale("linear", 1 / mean, -spots[0] / mean, error)
    ticks = tuple(
        LabelledTick(n.text, at, float(k), False, False) for k, (n, at) in enumerate(zip(ordered, spots, strict=True))
    )
    return FoundAxis(side, scale, ticks, tuple(n.text for n in ordered), places, tuple(ordered), begins)
