"""Draws the reward curve of a target: 1 within its tolerance, 0 at twice that or where no effect may still be."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Literal

from reproducegym.pipeline.printed.decimals import ARITHMETIC
from reproducegym.pipeline.targets.derived import Measure
from reproducegym.schema.claim import Direction, Reason, Relation
from reproducegym.schema.contract import Curve, ProbePlan

__all__ = ["LosingSide", "guard_curve", "losing_side", "quiet_zone", "reward_curve", "signed_relation"]

_PLATEAU = 5
"""A bound is honoured up to this many tolerances beyond its target; past that a value is implausible."""
QUIET_RAMP = Decimal("0.1")
"""Where the quiet zone around z reaches into a tolerance, full reward begins this share nearer to t than its edge."""


def reward_curve(
    target: Decimal,
    width: Decimal,
    no_effect: Decimal | None,
    relation: Relation,
    declared: tuple[float | None, float | None],
    quiet: Decimal = Decimal(0),
) -> Curve | Reason:
    """Piecewise linear reward of a primary metric.

    Within `quiet` of the no-effect value nothing is earned, and full reward begins beyond it, even inside t ± d: two
    runs of one method differ by chance as much, so a run that lies there has not shown the effect, however unsure the
    paper is of its own number.

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
    below, above = (losing_side(target, width, no_effect, quiet, side) for side in (-1, 1))
    low = [_plus(target, -below.foot), _nearer(_plus(target, -below.shoulder), floor, lowest=False)]
    high = [_nearer(_plus(target, above.shoulder), ceiling, lowest=True), _plus(target, above.foot)]
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


def quiet_zone(plans: Iterable[ProbePlan], metric: str, paid: Collection[str], *, plain: bool) -> Decimal:
    """How far from z a metric may lie without an effect: what the contract's own null probe takes for none.

    A plain value, whose z is its baseline's, answers to the null probe with its gap, unless that is paid for itself.
    """
    asked = [e for plan in plans if plan.name == "null" for e in plan.expectations]
    widths = [e.abs for e in asked if e.metric == metric or (plain and e.metric not in paid)]
    return Decimal(repr(max(widths, default=0.0)))


@dataclass(frozen=True)
class LosingSide:
    """How far from the target full reward ends, and how far none is left."""

    shoulder: Decimal
    foot: Decimal


def losing_side(target: Decimal, width: Decimal, no_effect: Decimal | None, quiet: Decimal, side: int) -> LosingSide:
    """1 up to d and 0 at 2d, or where no effect may still be if that is nearer on this side (-1 below, 1 above)."""
    if no_effect is None or (no_effect - target) * side <= 0:
        return LosingSide(width, 2 * width)
    foot = min(2 * width, abs(no_effect - target) - quiet)
    return LosingSide(width if quiet == 0 else min(width, ARITHMETIC.divide(foot, 1 + QUIET_RAMP)), foot)


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
