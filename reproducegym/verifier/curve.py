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
    """What is wrong with a curve, in words, or None; a sound curve cannot pay the losing side."""
    xs = [x for x, _ in curve.points]
    ys = [y for _, y in curve.points]
    if len(xs) < 2:
        return "at least two points are wanted"
    if any(after <= before for before, after in pairwise(xs)):
        return "x must be strictly increasing"
    if min(ys) < 0 or max(ys) != 1:
        return "rewards must lie in [0, 1] and reach 1"
    peak = ys.index(1)
    rises = ys[: peak + 1] == sorted(ys[: peak + 1])
    falls = ys[peak:] == sorted(ys[peak:], reverse=True)
    if not (rises and falls):
        return "the reward must rise to 1 once and not come back"
    wanted = {"two_sided": [(0.0, 0.0)], "at_least": [(0.0, 1.0)], "at_most": [(1.0, 0.0)]}
    ends = wanted.get(curve.shape, [(0.0, 1.0), (1.0, 0.0)])
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
