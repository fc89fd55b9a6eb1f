"""Axes of names: categories along a side of a plot area, each at a tick mark or evenly spaced."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.charts.axis_sides import FoundAxis, Mark, Side, across, beside, distance, mark_of
from reproducegym.parsing.charts.calibration import Scale
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.tick_labels import LabelledTick, factor_of, tick_number
from reproducegym.schema.base import BBox

__all__ = ["DATE", "category_axis"]

_TOUCH = 1.2
_NAME_GAP = 0.7
_LONG_NAME = 160.0
_MANY = 30
_MOST_LINES = 3
_LINE_GAP = 0.5
_CENTRED = 0.6
DATE = re.compile(
    r"\b(?:19|20)\d\d\b|\d[-/:.]\d\d|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\b", re.IGNORECASE
)


def _is_no_name(text: str) -> bool:
    """A number or a date: neither is a category."""
    if not any(c.isalpha() for c in text):
        return True
    return tick_number(text) is not None or factor_of(text) is not None or bool(DATE.search(text))


def category_axis(
    side: Side,
    box: BBox,
    labels: Sequence[Label],
    marks: Sequence[Mark],
    places: tuple[float, ...],
    begins: int | None,
) -> FoundAxis | None:
    """Names along the side, each at a tick mark or evenly spaced; the k-th has the value k."""
    way = across(side)
    along = [label for label in labels if beside(side, box, label)]
    named = joined(along, _NAME_GAP) if side in ("bottom", "top") else _whole_names(side, box, labels)
    slanted = [label for label in along if label.direction != "right"]
    names = named if len(named) >= len(slanted) or side in ("left", "right") else slanted
    if not names or len(names) > _MANY or sum(_is_no_name(label.text) for label in names) > 0.4 * len(names):
        return None
    if side in ("bottom", "top"):
        first = min(distance(side, box, label.box) for label in names)
        names = [n for n in names if n.direction != "right" or distance(side, box, n.box) < first + 0.6 * n.size]
        names = _with_next_lines(names, labels) if side == "bottom" else names
    ordered = sorted(names, key=lambda n: n.box[2] if n.direction == "slanted" else n.middle[way])
    # Lines across the area are grid lines, but also the sides of its frame: tick marks say more.
    ticked = [mark for mark in marks if mark.length > 0] or marks
    majors = sorted({round(mark.at, 2) for mark in ticked})
    inner = [at for at in majors if box[way] + _TOUCH < at < box[way + 2] - _TOUCH]
    if len(ordered) in (len(majors), len(inner)):
        spots = majors if len(ordered) == len(majors) else inner
    elif ordered[0].direction != "slanted":
        spots = [n.middle[way] for n in ordered]
        spots = [at if (m := mark_of(at, n.size, marks)) is None else m for at, n in zip(spots, ordered, strict=True)]
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


def _whole_names(side: Side, box: BBox, labels: Sequence[Label]) -> list[Label]:
    """Names beside an upright side, with words of theirs that stand far from it."""
    far = [label for label in labels if beside(side, box, label, _LONG_NAME)]
    return [name for name in joined(far, 1.0) if beside(side, box, name)]


def _with_next_lines(names: Sequence[Label], labels: Sequence[Label]) -> list[Label]:
    """Names in a row with the lines right under them, where several have one: a single line is the axis' title."""
    whole = list(names)
    for _ in range(_MOST_LINES - 1):
        free = [label for label in labels if not any(contains_center(name.box, label.box) for name in whole)]
        lines = joined(free, _NAME_GAP)
        under = {i: line for i, name in enumerate(whole) for line in lines if _goes_on(name, line)}
        if len(under) < 2:
            break
        for i, line in under.items():
            name = whole[i]
            whole[i] = replace(name, text=f"{name.text} {line.text}", box=union((name.box, line.box)))
    return whole


def _goes_on(name: Label, line: Label) -> bool:
    """Whether a line of the same size stands centred right under a name."""
    alike = name.direction == "right" and abs(name.size - line.size) < 0.05 * name.size
    near = -0.5 * name.size < line.box[1] - name.box[3] < _LINE_GAP * name.size
    return alike and near and abs(line.middle[0] - name.middle[0]) < _CENTRED * name.size
