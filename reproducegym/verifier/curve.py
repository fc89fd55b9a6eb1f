"""The reward curve: a piecewise linear function from a metric's value to a reward in [0, 1]."""

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

__all__ = ["Curve", "curve_fault", "is_plausible", "reward_at"]


@dataclass(frozen=True)
class Curve:
    """Points (x, reward) with strictly increasing x; flat beyond both ends; values outside `plausible` earn 0."""

    shape: Literal["two_sided", "at_least", "at_most", "guard"]
    points: tuple[tuple[float, float], ...]
    plausible: tuple[float | None, float | None]


def curve_fault(curve: Curve) -> str | None:
    """What is wrong with a curve, in words, or None; a sound curve pays 1 once, and the losing side nothing."""
    xs, ys = [x for x, _ in curve.points], [y for _, y in curve.points]
    if len(xs) < 2 or any(after <= before for before, after in pairwise(xs)):
        return "two or more points with increasing x are wanted"
    peak = ys.index(max(ys))
    if ys[peak] != 1 or min(ys) < 0 or ys[:peak] != sorted(ys[:peak]) or ys[peak:] != sorted(ys[peak:], reverse=True):
        return "rewards must rise from 0 to 1 once, and not come back"
    ends = {"two_sided": [(0, 0)], "at_least": [(0, 1)], "at_most": [(1, 0)], "guard": [(0, 1), (1, 0)]}[curve.shape]
    return None if (ys[0], ys[-1]) in ends else f"a {curve.shape} curve cannot end at {ys[0]:g} and {ys[-1]:g}"


def is_plausible(curve: Curve, x: float) -> bool:
    """Whether a value is one that an honest run could give."""
    low, high = curve.plausible
    return (low is None or x >= low) and (high is None or x <= high)


def reward_at(curve: Curve, x: float) -> float:
    """The reward of a finite value: always in [0, 1], and 0 where the value is implausible."""
    if not is_plausible(curve, x):
        return 0.0
    xs = [point[0] for point in curve.points]
    right = bisect_right(xs, x)
    if right == 0:
        return curve.points[0][1]
    if right == len(xs):
        return curve.points[-1][1]
    (x0, y0), (x1, y1) = curve.points[right - 1], curve.points[right]
    return min(1.0, max(0.0, y0 + (x - x0) / (x1 - x0) * (y1 - y0)))
