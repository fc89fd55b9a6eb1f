"""Titles of axes and plot areas among the words around them."""

import re
from collections.abc import Sequence

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.axes import FoundAxis
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.tick_labels import factor_of, tick_number

__all__ = ["area_title", "axis_title"]

_REACH = 3.2
_GAP = 1.2
_UNDER = 4.5
_SUB_CAPTION = re.compile(r"\([a-z]\)\s*\S")


def axis_title(axis: FoundAxis, area: PlotArea, areas: Sequence[PlotArea], free: Sequence[Label]) -> str | None:
    """The words along the axis beyond its labels; `free` are words that belong to nothing else."""
    if axis.upright:
        return _beside(axis, area, free)
    x0, y0, x1, y1 = area.box
    edge = max((word.box[3] for word in axis.words), default=y1)
    if axis.side == "top":
        edge = min((word.box[1] for word in axis.words), default=y0)
    lines = [
        line
        for line in joined(free, _GAP)
        if x0 <= line.middle[0] <= x1
        and (
            -0.7 * line.size < line.box[1] - edge < _REACH * line.size
            if axis.side == "bottom"
            else -0.7 * line.size < edge - line.box[3] < _REACH * line.size
        )
        and tick_number(line.text) is None
        and not (axis.side == "bottom" and _nearer_to_next(line, edge, area, areas))
        and not _SUB_CAPTION.match(line.text)
        and factor_of(line.text) is None
    ]
    if not lines:
        return None
    return min(
        lines, key=lambda line: (round(abs(line.box[1] - edge) / line.size), abs(line.middle[0] - (x0 + x1) / 2))
    ).text


def _beside(axis: FoundAxis, area: PlotArea, free: Sequence[Label]) -> str | None:
    """Words set upright beside the axis, read in their own direction."""
    y0, y1 = area.box[1], area.box[3]
    left = axis.side == "left"
    words_at = [word.box for word in axis.words]
    edge = (
        min((box[0] for box in words_at), default=area.box[0])
        if left
        else max((box[2] for box in words_at), default=area.box[2])
    )
    near = [
        word
        for word in free
        if word.direction in ("up", "down")
        and y0 - 20 <= word.middle[1] <= y1 + 20
        and (
            -0.4 * word.size <= edge - word.box[2] <= _REACH * word.size
            if left
            else -0.4 * word.size <= word.box[0] - edge <= _REACH * word.size
        )
    ]
    if not near:
        return None
    first = min(near, key=lambda word: abs(word.middle[0] - edge))
    line = [
        word for word in near if abs(word.base - first.base) < 0.6 * first.size and word.direction == first.direction
    ]
    line.sort(key=lambda word: -word.middle[1] if first.direction == "up" else word.middle[1])
    return " ".join(word.text for word in line)


def _below(area: PlotArea) -> float:
    """Where its tick labels end."""
    return max((word.box[3] for word in area.x.words if area.x.side == "bottom"), default=area.box[3])


def _nearer_to_next(line: Label, edge: float, area: PlotArea, areas: Sequence[PlotArea]) -> bool:
    """Whether a line under an area is nearer to the top of another one under it."""
    return any(
        other is not area
        and other.box[0] <= line.middle[0] <= other.box[2]
        and -0.7 * line.size < other.box[1] - line.box[3] < line.box[1] - edge
        for other in areas
    )


def _of_area_above(line: Label, area: PlotArea, areas: Sequence[PlotArea]) -> bool:
    """Whether a line over an area is the axis title or caption of another one over it."""
    above = [
        _below(other)
        for other in areas
        if other is not area and other.box[0] <= line.middle[0] <= other.box[2] and other.box[3] <= line.box[1] + 2
    ]
    if not above:
        return False
    return bool(_SUB_CAPTION.match(line.text)) or line.box[1] - max(above) < area.box[1] - line.box[3]


def area_title(area: PlotArea, areas: Sequence[PlotArea], free: Sequence[Label]) -> str | None:
    """The line right above the plot area, over its middle; else a caption of its own under it: "(a) Reward"."""
    x0, y0, x1, _ = area.box
    lines = [
        line
        for line in joined(free, _GAP)
        if -0.7 * line.size < y0 - line.box[3] < 1.6 * line.size
        and abs(line.middle[0] - (x0 + x1) / 2) < 0.25 * (x1 - x0)
        and any(c.isalpha() for c in line.text)
        and factor_of(line.text) is None
        and not _of_area_above(line, area, areas)
    ]
    if not lines:
        below = _below(area)
        under = [
            line
            for line in joined(free, _GAP)
            if _SUB_CAPTION.match(line.text)
            and -0.5 * line.size < line.box[1] - below < _UNDER * line.size
            and abs(line.middle[0] - (x0 + x1) / 2) < 0.4 * (x1 - x0)
        ]
        return min(under, key=lambda line: line.box[1]).text if under else None
    return max(lines, key=lambda line: (line.box[3], -abs(line.middle[0] - (x0 + x1) / 2))).text
