"""Titles of axes and plot areas among the words around them."""

from collections.abc import Sequence

from reproducegym.parsing.charts.areas import PlotArea
from reproducegym.parsing.charts.axes import FoundAxis
from reproducegym.parsing.charts.labels import Label, joined
from reproducegym.parsing.charts.tick_labels import factor_of, tick_number

__all__ = ["area_title", "axis_title"]

_REACH = 3.2
_GAP = 1.2


def axis_title(axis: FoundAxis, area: PlotArea, free: Sequence[Label]) -> str | None:
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
        and (-2 <= edge - word.box[2] <= _REACH * word.size if left else -2 <= word.box[0] - edge <= _REACH * word.size)
    ]
    if not near:
        return None
    first = min(near, key=lambda word: abs(word.middle[0] - edge))
    line = [
        word for word in near if abs(word.base - first.base) < 0.6 * first.size and word.direction == first.direction
    ]
    line.sort(key=lambda word: -word.middle[1] if first.direction == "up" else word.middle[1])
    return " ".join(word.text for word in line)


def area_title(area: PlotArea, free: Sequence[Label]) -> str | None:
    """The line right above the plot area, over its middle."""
    x0, y0, x1, _ = area.box
    lines = [
        line
        for line in joined(free, _GAP)
        if -0.7 * line.size < y0 - line.box[3] < 1.6 * line.size
        and abs(line.middle[0] - (x0 + x1) / 2) < 0.25 * (x1 - x0)
        and any(c.isalpha() for c in line.text)
        and factor_of(line.text) is None
    ]
    if not lines:
        return None
    return max(lines, key=lambda line: (line.box[3], -abs(line.middle[0] - (x0 + x1) / 2))).text
