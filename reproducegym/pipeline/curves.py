"""Draws the reward curve of a target: 1 within its tolerance, 0 at twice that or at the no-effect value."""

import math
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from reproducegym.pipeline.decimals import ARITHMETIC
from reproducegym.pipeline.derived import Measure
from reproducegym.schema.claim import Direction, Reason, Relation
from reproducegym.schema.contract import Curve

__all__ = ["guard_curve", "reward_curve", "signed_relation"]

_PLATEAU = 5
"""A bound is honoured up to this many tolerances beyond its target; past that a value is implausible."""


def reward_curve(
    target: Decimal,
    width: Decimal,
    no_effect: Decimal | None,
    relation: Relation,
    declared: tuple[float | None, float | None],
) -> Curve | Reason:
    """Piecewise linear reward of a primary metric.

    `width` is d > 0; where t ± d would leave the declared range, full reward ends with the range. `equals` gives the
    two-sided curve; `at_least` and `at_most` keep 1 beyond the target up to target ± 5d or the metric's declared range,
    whichever is nearer, and call what lies past that implausible.
    """
    if width <= 0:
        raise ValueError(f"a tolerance is positive, not {width}")
    if no_effect is not None and abs(target - no_effect) <= width:
        return Reason(
            code="effect_within_noise",
            argument=None,
            detail=f"the target {target} ± {width} reaches the no-effect value {no_effect}",
        )
    floor, ceiling = declared
    low = [_foot(target, width, no_effect, -1), _nearer(_plus(target, -width), floor, lowest=False)]
    high = [_nearer(_plus(target, width), ceiling, lowest=True), _foot(target, width, no_effect, 1)]
    rise, fall = [(low[0], 0.0), (low[1], 1.0)], [(high[0], 1.0), (high[1], 0.0)]
    if relation == "equals":
        return _drawn("two_sided", rise + fall, (None, None))
    wrong_side = no_effect is not None and (no_effect > target) == (relation == "at_least")
    if wrong_side:
        return Reason(
            code="direction_unknown",
            argument=None,
            detail=f"the claim bounds the metric {relation.replace('_', ' ')} {target}, and no effect already does",
        )
    if relation == "at_least":
        return _drawn("at_least", rise, (None, _nearer(_plus(target, _PLATEAU * width), ceiling, lowest=True)))
    return _drawn("at_most", fall, (_nearer(_plus(target, -_PLATEAU * width), floor, lowest=False), None))


def guard_curve(reference: Decimal, width: Decimal, direction: Direction) -> Curve | Reason:
    """1 at the reference less d and better, 0 at the reference less 2d; a guard has no no-effect value."""
    if direction == "higher_is_better":
        points = [(_plus(reference, -2 * width), 0.0), (_plus(reference, -width), 1.0)]
    else:
        points = [(_plus(reference, width), 1.0), (_plus(reference, 2 * width), 0.0)]
    return _drawn("guard", points, (None, None))


def signed_relation(relation: Relation, measure: Measure, value: Decimal) -> Relation:
    """A bound on a magnitude ("cuts by at least 40%") as a bound on the signed value."""
    if measure in {"difference", "relative_change", "gap", "slope", "spearman"} and value < 0:
        flipped: dict[Relation, Relation] = {"at_least": "at_most", "at_most": "at_least", "equals": "equals"}
        return flipped[relation]
    return relation


def _foot(target: Decimal, width: Decimal, no_effect: Decimal | None, side: int) -> float:
    """Where the curve reaches 0 on one side: at 2d, or at the no-effect value where that is nearer on this side."""
    reach = 2 * width
    if no_effect is not None and (no_effect - target) * side > 0:
        reach = min(reach, abs(no_effect - target))
    return _plus(target, side * reach)


def _plus(target: Decimal, shift: Decimal) -> float:
    return float(ARITHMETIC.add(target, shift))


def _nearer(bound: float, declared: float | None, *, lowest: bool) -> float:
    if declared is None:
        return bound
    return min(bound, declared) if lowest else max(bound, declared)


def _drawn(
    shape: Literal["two_sided", "at_least", "at_most", "guard"],
    points: list[tuple[float, float]],
    plausible: tuple[float | None, float | None],
) -> Curve | Reason:
    """The curve, unless floats cannot hold it."""
    xs = [x for x, _ in points]
    bounds = [bound for bound in plausible if bound is not None]
    finite = all(math.isfinite(x) for x in xs + bounds)
    if not finite or any(after <= before for before, after in pairwise(xs)):
        return Reason(
            code="formula_unsupported",
            argument=None,
            detail=f"the reward curve through {xs} is finer or larger than floating point can hold",
        )
    return Curve(shape=shape, points=tuple(points), plausible=plausible)
