"""Legends: a sample of a line, marker or patch beside a name."""

from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.markers import is_small, marker_shape
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.parsing.charts.tick_labels import tick_number
from reproducegym.schema.base import BBox

__all__ = ["LegendEntry", "Style", "best_entry", "find_legend"]

_LONGEST = 75.0
_SHORTEST = 4.0
_NAME_GAP = 0.75
_REACH = 2.6


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


def find_legend(strokes: Sequence[Stroke], labels: Sequence[Label]) -> list[LegendEntry]:
    """Every sample with a name at its right (else at its left), from top to bottom."""
    names = [name for name in joined(labels, _NAME_GAP) if any(c.isalnum() for c in name.text)]
    samples = [stroke for stroke in strokes if _is_line_sample(stroke) or _is_patch(stroke) or is_small(stroke)]
    found: dict[Label, list[Stroke]] = {}
    for sample in samples:
        name = _name_beside(sample, names)
        if name is not None:
            found.setdefault(name, []).append(sample)
    entries = [entry for name, beside in found.items() if (entry := _entry(name, beside)) is not None]
    return _alike(entries)


def _is_line_sample(stroke: Stroke) -> bool:
    if stroke.colour is None or len(stroke.lines) != 1 or len(stroke.lines[0]) > 4 or stroke.curved:
        return False
    x0, y0, x1, y1 = stroke.box
    return y1 - y0 < 0.05 and _SHORTEST <= x1 - x0 <= _LONGEST


def _is_patch(stroke: Stroke) -> bool:
    w, h = stroke.box[2] - stroke.box[0], stroke.box[3] - stroke.box[1]
    return stroke.fill not in (None, "#ffffff") and len(stroke.lines) == 1 and 3 <= w <= 45 and 2.5 <= h <= 16


def _name_beside(sample: Stroke, names: Sequence[Label]) -> Label | None:
    middle = (sample.box[1] + sample.box[3]) / 2
    level = [name for name in names if abs(name.middle[1] - middle) < 0.5 * name.size]
    right = [n for n in level if -1.0 <= n.box[0] - sample.box[2] <= _REACH * n.size]
    if right:
        return min(right, key=lambda n: n.box[0])
    left = [n for n in level if -1.0 <= sample.box[0] - n.box[2] <= _REACH * n.size]
    return max(left, key=lambda n: n.box[2]) if left else None


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
    patch = mark is not None and line is None and _is_patch(mark) and not mark.curved
    if line is None and tick_number(name.text) is not None and not patch:
        return None
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


def _alike(entries: Sequence[LegendEntry]) -> list[LegendEntry]:
    """Entries from top to bottom; patches and markers only where they can't be bars or points beside a number."""
    kept = [entry for entry in entries if entry.style.width is not None or tick_number(entry.name) is None]
    return sorted(kept, key=lambda entry: (entry.box[1], entry.box[0]))


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
    score = 1
    score += 8 * (style.dash == sample.dash and (style.width is None) == (sample.width is None))
    score += 4 * (style.marker == sample.marker)
    score += 4 * (abs(style.opacity - sample.opacity) < 0.02)
    if style.width is not None and sample.width is not None:
        score += 2 * (abs(style.width - sample.width) < 0.1 * sample.width)
    return score


def _same_colour(first: str, second: str) -> bool:
    parts = (abs(int(first[i : i + 2], 16) - int(second[i : i + 2], 16)) for i in (1, 3, 5))
    return max(parts) <= 2
