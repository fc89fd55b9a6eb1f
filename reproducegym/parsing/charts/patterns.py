"""Boxes filled with a pattern (hatches): the tiles drawn behind them are put back into one fill colour."""

from collections.abc import Sequence
from dataclasses import replace

from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.schema.base import BBox

__all__ = ["with_pattern_fills"]

_SAME = 0.3


def with_pattern_fills(strokes: Sequence[Stroke]) -> list[Stroke]:
    """The paths, those of a pattern left out and the box around them filled with the colour behind its hatches.

    A pattern is drawn as tiles clipped to the box, anywhere on the page, right before the outline of the box.
    """
    kept: list[Stroke] = []
    for stroke in strokes:
        seen = _seen(stroke) if stroke.fill is None and stroke.closed and len(stroke.lines[0]) == 5 else None
        tiles = 0
        while seen is not None and tiles < len(kept) and _is_tile(kept[-1 - tiles], seen):
            tiles += 1
        fill = kept[-tiles].fill if tiles else None
        if fill is not None:
            del kept[-tiles:]
        kept.append(stroke if fill is None else replace(stroke, fill=fill))
    return kept


def _seen(stroke: Stroke) -> BBox:
    """What shows of a box through its clip."""
    if stroke.clip is None:
        return stroke.box
    x0, y0, x1, y1 = stroke.box
    return (max(x0, stroke.clip[0]), max(y0, stroke.clip[1]), min(x1, stroke.clip[2]), min(y1, stroke.clip[3]))


def _is_tile(stroke: Stroke, box: BBox) -> bool:
    """Whether it is clipped to the box without being drawn for it: what is data reaches no further than its box."""
    clipped = stroke.clip is not None and all(abs(a - b) < _SAME for a, b in zip(stroke.clip, box, strict=True))
    inside = all(box[i] - _SAME <= stroke.box[i] and stroke.box[i + 2] <= box[i + 2] + _SAME for i in (0, 1))
    return clipped and not inside
