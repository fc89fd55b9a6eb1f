"""The axes of a plot area: which labels stand along its sides, at which tick marks, and what scale they give."""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.charts.axis_sides import (
    TICK,
    FoundAxis,
    Mark,
    Side,
    across,
    beside,
    distance,
    find_marks,
    mark_of,
)
from reproducegym.parsing.charts.category_axes import DATE, category_axis
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.segments import Segment
from reproducegym.parsing.charts.signs import fit_with_signs
from reproducegym.parsing.charts.tick_labels import LabelledTick, factor_of, is_offset, tick_number
from reproducegym.schema.base import BBox

__all__ = ["FoundAxis", "Side", "find_axis", "first_mark", "labelled_anyhow", "marks_along"]

_WIDE = 40.0
_TOUCH = 1.2
_LABEL_GAP = 0.35
_CENTRED = 0.12
_CORNER = 0.4
_GROUP_GAP = 0.45
_MINUS = "-−–"


def find_axis(side: Side, box: BBox, labels: Sequence[Label], segments: Sequence[Segment]) -> FoundAxis | None:
    """The axis along a side of a box; None where no labels stand there that fit a scale."""
    marks = find_marks(side, box, segments)
    wide = [label for label in labels if beside(side, box, label, _WIDE)]
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
            ends = (box[across(side)], box[across(side) + 2])
            fit = fit_with_signs(_rises(side), numbers, minor, ends, signs_seen=signs or _centred(side, words, seen))
            if fit is not None:
                return FoundAxis(side, fit[0], fit[1], (), places, tuple(words), begins)
    return category_axis(side, box, labels, marks, places, begins)


def first_mark(side: Side, box: BBox, segments: Sequence[Segment]) -> int | None:
    """When the first tick mark along a side was drawn."""
    return min((mark.order for mark in find_marks(side, box, segments) if mark.length > 0), default=None)


def marks_along(side: Side, box: BBox, segments: Sequence[Segment]) -> list[float]:
    """Places of the tick marks and grid lines along a side."""
    return [mark.at for mark in find_marks(side, box, segments)]


def _nearest_row(side: Side, box: BBox, along: Sequence[Label]) -> list[Label]:
    """The labels of the row or column of numbers nearest to the side."""
    merged = joined(along, _LABEL_GAP) + [label for label in along if label.direction != "right"]
    numbers = [n for n in merged if tick_number(n.text) is not None and beside(side, box, n)]
    if not numbers:
        return []
    first = min(numbers, key=lambda label: distance(side, box, label.box))
    if side in ("bottom", "top"):
        if first.direction != "right":
            near_edge = 1 if side == "bottom" else 3
            return [n for n in numbers if abs(n.box[near_edge] - first.box[near_edge]) < first.size]
        return [n for n in numbers if abs(n.middle[1] - first.middle[1]) < 0.5 * first.size]
    edge = 2 if side == "left" else 0
    limit = distance(side, box, first.box) + 0.6 * first.size
    near = [n for n in numbers if distance(side, box, n.box) <= limit]
    if len(near) >= 2:
        return near
    return [n for n in numbers if abs(n.box[edge] - first.box[edge]) < 4 * first.size]


def _of_one_length(marks: Sequence[Mark]) -> list[Mark]:
    """The tick marks of the length that most have: others may be ends of error bars that touch the side."""
    lengths = Counter(round(mark.length, 1) for mark in marks if mark.length > 0)
    usual = max(lengths, key=lambda length: (lengths[length], length), default=0.0)
    return [mark for mark in marks if abs(mark.length - usual) < 0.11]


def _number_ticks(side: Side, box: BBox, row: Sequence[Label], marks: Sequence[Mark]) -> list[LabelledTick]:
    """The numbers along a side; those without a mark beyond its ends are of the axis around the corner."""
    way = across(side)
    ticks = []
    for label in row:
        number = tick_number(label.text)
        if number is None:
            continue
        at = label.middle[way]
        mark = mark_of(at, label.size, marks) if label.direction != "slanted" else None
        beyond = max(box[way] - at, at - box[way + 2])
        if mark is None and beyond > _CORNER * label.size:
            continue
        ticks.append(
            LabelledTick(label.text, at if mark is None else mark, number.value, number.power, mark is not None)
        )
    return sorted(ticks, key=lambda tick: tick.at)


def _rises(side: Side) -> int:
    """The sign of a scale whose values grow upwards or to the right."""
    return -1 if side in ("left", "right") else 1


def _unlabelled(side: Side, box: BBox, marks: Sequence[Mark], ticks: Sequence[LabelledTick]) -> list[float]:
    """Places of marks without a label, but for the sides of the frame."""
    way = across(side)
    ends = (box[way], box[way + 2])
    inner = {round(mark.at, 2) for mark in marks if mark.length > 0 or all(abs(mark.at - end) > _TOUCH for end in ends)}
    return [at for at in sorted(inner) if all(abs(at - tick.at) > 0.2 for tick in ticks)]


def _centred(side: Side, row: Sequence[Label], marks: Sequence[Mark]) -> bool:
    """Whether the words of a row stand right over their tick marks: with a sign that was lost they would be beside."""
    if side in ("left", "right") or len(row) < 3:
        return False
    spots = [(label, mark_of(label.middle[0], label.size, marks)) for label in row]
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
    along = [label for label in labels if beside(side, box, label)]
    return sum(tick_number(word.text) is not None or bool(DATE.search(word.text)) for word in along) >= 2


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
        low, high = (y0 - 2.6 * label.size, y0) if upright else (y1 + label.size, y1 + 4 * label.size + TICK)
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
