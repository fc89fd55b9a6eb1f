"""Legends: a sample of a line, marker or patch beside a name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import contains_center, height, union, width
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.markers import is_small, marker_shape
from reproducegym.parsing.charts.outlines import is_box
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.parsing.charts.tick_labels import tick_number
from reproducegym.schema.base import BBox

__all__ = ["LegendEntry", "Style", "best_entry", "find_legend"]

_LONGEST = 75.0
_SHORTEST = 4.0
_NAME_GAP = 0.75
_REACH = 2.6
_FRAMED_REACH = 16.0
_LIGHT = 0xE0
_MIN_FRAME = (18.0, 8.0)
_MOST_FRAMES = 200
_COLUMN = 1.0
_BACKGROUND = 3.0


@dataclass(frozen=True, slots=True)
class Style:
    """How a series is drawn; `width` and `dash` are those of its line, None without one."""

    colour: str
    width: float | None
    dash: str | None
    opacity: float
    marker: str | None


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A name and the style of its sample. `orders` are the paths of the sample, `words` the box of the name."""

    name: str
    style: Style
    box: BBox
    patch: bool
    orders: frozenset[int]


def find_legend(strokes: Sequence[Stroke], labels: Sequence[Label], areas: Sequence[BBox]) -> list[LegendEntry]:
    """Every sample with a name at its right (else at its left), from top to bottom; `areas` are the plot areas."""
    names = [name for name in joined(labels, _NAME_GAP) if any(c.isalnum() for c in name.text)]
    samples = [stroke for stroke in strokes if _is_line_sample(stroke) or _is_patch(stroke) or is_small(stroke)]
    frames = [frame for frame in _frames(strokes) if not any(_holds(frame.box, area) for area in areas)]
    framed = {name: _frame_of(name, frames) for name in names}
    found: dict[Label, list[Stroke]] = {}
    for sample in samples:
        name = _name_beside(sample, names, framed)
        if name is not None:
            found.setdefault(name, []).append(sample)
    plain = [e for name, beside in found.items() if framed[name] is None and (e := _entry(name, beside)) is not None]
    boxed = [
        e for name, beside in found.items() if framed[name] is not None and (e := _entry(name, beside)) is not None
    ]
    kept = [entry for entry in plain if not _is_bare_number(entry)]
    kept += [entry for entry in boxed if not _is_bare_number(entry) or _in_column(entry, boxed)]
    return sorted(kept, key=lambda entry: (entry.box[1], entry.box[0]))


def _is_bare_number(entry: LegendEntry) -> bool:
    """Whether it may as well be a number that stands beside a point or a bar."""
    return entry.style.width is None and tick_number(entry.name) is not None


def _in_column(entry: LegendEntry, entries: Sequence[LegendEntry]) -> bool:
    return any(other is not entry and abs(other.box[0] - entry.box[0]) < _COLUMN for other in entries)


def _frames(strokes: Sequence[Stroke]) -> list[Stroke]:
    """Light boxes that legends may be set in, the smallest first."""
    light = [
        stroke
        for stroke in strokes
        if stroke.fill is not None
        and min(int(stroke.fill[i : i + 2], 16) for i in (1, 3, 5)) >= _LIGHT
        and len(stroke.lines) == 1
        and width(stroke.box) > _MIN_FRAME[0]
        and height(stroke.box) > _MIN_FRAME[1]
    ]
    return sorted(light, key=lambda stroke: width(stroke.box) * height(stroke.box))[:_MOST_FRAMES]


def _holds(frame: BBox, area: BBox) -> bool:
    """Whether the frame is the background of a plot area, or of more."""
    return all(frame[i] - _BACKGROUND <= area[i] and area[i + 2] <= frame[i + 2] + _BACKGROUND for i in (0, 1))


def _frame_of(name: Label, frames: Sequence[Stroke]) -> Stroke | None:
    """The smallest frame around a name that leaves room for a sample beside it."""
    return next(
        (
            frame
            for frame in frames
            if frame.box[0] - 1 <= name.box[0]
            and name.box[2] <= frame.box[2] + 1
            and frame.box[1] - 1 <= name.middle[1] <= frame.box[3] + 1
            and width(frame.box) > width(name.box) + _SHORTEST
        ),
        None,
    )


def _is_line_sample(stroke: Stroke) -> bool:
    if stroke.colour is None or len(stroke.lines) != 1 or len(stroke.lines[0]) > 4 or stroke.curved:
        return False
    x0, y0, x1, y1 = stroke.box
    return y1 - y0 < 0.05 and _SHORTEST <= x1 - x0 <= _LONGEST


def _is_patch(stroke: Stroke) -> bool:
    """Whether it is a filled shape of the size of a sample, or a box wider than markers without a colour in it."""
    w, h = stroke.box[2] - stroke.box[0], stroke.box[3] - stroke.box[1]
    if len(stroke.lines) != 1 or not (3 <= w <= 45 and 2.5 <= h <= 16):
        return False
    return stroke.fill not in (None, "#ffffff") or (
        stroke.colour is not None and w > 1.3 * h and is_box(stroke.lines[0])
    )


def _name_beside(sample: Stroke, names: Sequence[Label], framed: Mapping[Label, Stroke | None]) -> Label | None:
    """The name next to a sample. Names in a frame take only what is drawn in it: they may be centred in its width."""
    middle = (sample.box[1] + sample.box[3]) / 2
    level = [
        name
        for name in names
        if abs(name.middle[1] - middle) < 0.5 * name.size and ((f := framed[name]) is None or _is_drawn_in(sample, f))
    ]

    def reach(name: Label) -> float:
        return (_REACH if framed[name] is None else _FRAMED_REACH) * name.size

    right = [n for n in level if -1.0 <= n.box[0] - sample.box[2] <= reach(n)]
    if right:
        return min(right, key=lambda n: n.box[0])
    left = [n for n in level if -1.0 <= sample.box[0] - n.box[2] <= _REACH * n.size]
    return max(left, key=lambda n: n.box[2]) if left else None


def _is_drawn_in(sample: Stroke, frame: Stroke) -> bool:
    """Whether it lies in the frame and was drawn after it; what was drawn before is data behind a legend."""
    return sample.order > frame.order and all(
        frame.box[i] - 1 <= sample.box[i] and sample.box[i + 2] <= frame.box[i + 2] + 1 for i in (0, 1)
    )


def _entry(name: Label, samples: Sequence[Stroke]) -> LegendEntry | None:
    """The entry of a name with the samples beside it: a line, a marker, a line with a marker on it, or a patch."""
    lines = [stroke for stroke in samples if _is_line_sample(stroke)]
    marks = [stroke for stroke in samples if not _is_line_sample(stroke)]
    line = max(lines, key=lambda stroke: stroke.box[2] - stroke.box[0]) if lines else None
    if line is not None:
        marks = [mark for mark in marks if contains_center(_grown(line.box), mark.box)]
    elif marks:
        marks = marks[-1:]
    if line is None and not marks:
        return None
    mark = marks[-1] if marks else None
    patch = mark is not None and line is None and _is_patch(mark) and marker_shape(mark) == "s"
    shown = line or mark
    if shown is None:
        return None
    style = Style(
        colour=(line.colour or "#000000") if line is not None else shown.main_colour,
        width=line.width if line is not None else None,
        dash=line.dash if line is not None else None,
        opacity=shown.opacity,
        marker=marker_shape(mark) if mark is not None else None,
    )
    used = [stroke for stroke in (line, *marks) if stroke is not None]
    box = union([name.box, *(stroke.box for stroke in used)])
    return LegendEntry(name.text, style, box, patch, frozenset(stroke.order for stroke in used))


def _grown(box: BBox) -> BBox:
    return (box[0], box[1] - 2, box[2], box[3] + 2)


def best_entry(style: Style, entries: Sequence[LegendEntry]) -> tuple[LegendEntry, int] | None:
    """The entry whose sample looks most like a series, and how much; None without one of its colour, or with two."""
    scored = [(entry, score) for entry in entries if (score := _likeness(style, entry.style)) > 0]
    if not scored:
        return None
    best = max(score for _, score in scored)
    first = [entry for entry, score in scored if score == best]
    if len({entry.name for entry in first}) > 1:
        return None
    return first[0], best


def _likeness(style: Style, sample: Style) -> int:
    """0 for another colour or for a line where the sample has none."""
    if not _same_colour(style.colour, sample.colour):
        return 0
    score = 1 + (style.colour == sample.colour)
    score += 8 * (style.dash == sample.dash and (style.width is None) == (sample.width is None))
    score += 4 * (style.marker == sample.marker)
    score += 4 * (abs(style.opacity - sample.opacity) < 0.02)
    if style.width is not None and sample.width is not None:
        score += 2 * (abs(style.width - sample.width) < 0.1 * sample.width)
    return score


def _same_colour(first: str, second: str) -> bool:
    parts = (abs(int(first[i : i + 2], 16) - int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return max(parts) <= 2
