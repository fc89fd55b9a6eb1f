"""Whether an axis with two labels is linear or logarithmic, where something besides them says it for sure."""

import itertools
import math
from collections.abc import Sequence

from reproducegym.parsing.charts.tick_labels import LabelledTick

__all__ = ["is_linear", "is_logarithmic"]

_ON_MARK = 0.35
_NEAR = 0.02
_EXACT = 1e-6
_ROUND = (1.0, 2.0, 2.5, 5.0)
_RATIOS_OF_LOGS = (2.0, 2.5, 3.0, 5.0, 10.0)


def is_linear(ticks: Sequence[LabelledTick], minor: Sequence[float], ends: tuple[float, float]) -> bool:
    """Whether two labels are on a linear axis for sure; `minor` are marks without a label, `ends` those of the axis.

    A logarithmic axis has no zero and no negative number. Marks at even distances between two numbers are linear but
    where they may be decades or the like. Without marks the labels say it where they are neighbours among the multiples
    of a round step, no other multiple lies along the axis, and a logarithmic axis has no such labels.
    """
    low, high = sorted(ticks, key=lambda tick: tick.value)
    if not (low.marked and high.marked):
        return False
    powers = low.power or high.power
    gaps = [b - a for a, b in itertools.pairwise(sorted((*minor, low.at, high.at)))]
    even = len(gaps) > 1 and max(gaps) - min(gaps) < _ON_MARK
    if low.value <= 0:
        return even or not powers
    ratio = high.value / low.value
    if minor:
        return even and not _is_ratio_of_decades(ratio ** (gaps[0] / abs(high.at - low.at)))
    if powers or any(_same(ratio, usual) for usual in _RATIOS_OF_LOGS) or _in_one_decade(low.value, high.value):
        return False
    return _are_multiples(low.value, high.value) and not _has_others(low, high, ends)


def is_logarithmic(ticks: Sequence[LabelledTick], minor: Sequence[float]) -> bool:
    """Whether two labels are powers without a factor, on an axis whose marks say nothing else."""
    return not minor and all(tick.power and tick.marked and _is_whole_power(tick.value) for tick in ticks)


def _same(first: float, second: float) -> bool:
    return abs(first - second) < _EXACT * second


def _is_ratio_of_decades(ratio: float) -> bool:
    """Whether marks of a logarithmic axis may stand at such a ratio: 2, 10, or another whole number or e."""
    return ratio > 1.5 and (abs(ratio - round(ratio)) < _NEAR * ratio or abs(ratio - math.e) < _NEAR)


def _are_multiples(low: float, high: float) -> bool:
    """Whether both are multiples of their difference, and that is a step that axes are divided by."""
    step = high - low
    lead = step / 10.0 ** math.floor(math.log10(step) + _EXACT)
    return any(_same(lead, one) for one in _ROUND) and abs(low / step - round(low / step)) < _EXACT * low / step


def _in_one_decade(low: float, high: float) -> bool:
    """Whether the numbers follow each other within a decade of a logarithmic axis, as 20 and 30 do."""
    return _same(high - low, 10.0 ** math.floor(math.log10(low) + _EXACT))


def _has_others(low: LabelledTick, high: LabelledTick, ends: tuple[float, float]) -> bool:
    """Whether another multiple of the step lies along the axis, which should have a label then."""
    step = high.at - low.at
    return any(min(ends) - _ON_MARK < at < max(ends) + _ON_MARK for at in (low.at - step, high.at + step))


def _is_whole_power(value: float) -> bool:
    """Whether it is a whole power of ten or two."""
    logs = (math.log10(value), math.log2(value)) if value > 0 else ()
    return any(abs(log - round(log)) < _EXACT for log in logs)
