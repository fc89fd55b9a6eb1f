"""The probe whose right answer stands on a hidden learning curve: a smaller budget, drawn for each verification."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.printed.decimals import ARITHMETIC, rounded_up
from reproducegym.pipeline.probing.budget_curves import BudgetCurve, with_spread
from reproducegym.pipeline.probing.ground import ProbeGround, alone, noise_below
from reproducegym.pipeline.probing.paper_probes import PaperProbe
from reproducegym.pipeline.targets.layout import LaidMetric
from reproducegym.pipeline.targets.terms import input_of
from reproducegym.pipeline.targets.tolerance import samples_of
from reproducegym.schema.claim import TargetPoint
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import Expectation, ProbeChoice, ProbePlan

__all__ = ["curve_plan"]

_MOST = 8
"""As many budgets are kept for the draw: a script that knows fewer of them is caught sooner or later."""


@dataclass(frozen=True)
class _Place:
    """A point of a curve: how far it is from guesses, what is allowed, and with how many seeds."""

    curve: BudgetCurve
    x: Decimal
    point: TargetPoint
    apart: Decimal
    width: Decimal
    seeds: int

    @property
    def is_roomy(self) -> bool:
        """Whether printed numbers leave it the quarter of the distance that is allowed for another implementation."""
        return self.width >= self.apart / 4

    @property
    def tells_half_way(self) -> bool:
        """Whether a value half way between the curve's start and its end is wrong here."""
        return abs(self.point.value - (self.curve.start + self.curve.end.value) / 2) > self.width


def curve_plan(ground: ProbeGround, config: VerificationConfig, longest: Decimal | None = None) -> PaperProbe | str:
    """All of the claim's conditions at a smaller budget, where a hidden learning curve says what one of them gives.

    The judge draws one of up to eight budgets, none above `longest`, at which a curve is well apart from its end, its
    start and the straight line between them: a script that knows the claim's value, what little an untrained run gives,
    and how to draw a straight line is off at each of them. A quarter of that distance is allowed, or the noise where
    that is more, which must stay below half of it; and nowhere more than three quarters of the way to a number that the
    table prints: a script that knows the table may answer a turned knob with any of them. Where some of these budgets
    keep the whole quarter all the same, only those are drawn from; of these, those that also rule out a value half way
    between start and end.
    """
    if ground.knob is None or not ground.curves:
        return "no_series"
    best: dict[Decimal, _Place] = {}
    for curve in ground.curves:
        for place in _sound(ground, config, curve, longest):
            if place.x not in best or place.apart > best[place.x].apart:
                best[place.x] = place
    if not best:
        return "no_power"
    places = [best[x] for x in sorted(best)]
    roomy = [place for place in places if place.is_roomy] or places
    chosen = _spread_out([place for place in roomy if place.tells_half_way] or roomy)
    seeds = max(place.seeds for place in chosen)
    choices, metrics = [], []
    for place in chosen:
        metric = LaidMetric(f"{place.curve.label}_{ground.column}", f"mean({place.curve.label}.{ground.column})")
        expect = Expectation(metric=metric.name, value=float(place.point.value), abs=float(place.width), rms=None)
        choices.append(ProbeChoice(knobs={ground.knob.name: float(place.x)}, expect=(expect,)))
        metrics.append(metric)
    plan = ProbePlan(name="curve", conditions=ground.conditions, seeds=seeds, choices=tuple(choices))
    shown = tuple(one for place in chosen for one in place.point.provenance)
    return PaperProbe(plan, tuple(dict.fromkeys(metrics)), shown)


def _sound(
    ground: ProbeGround, config: VerificationConfig, curve: BudgetCurve, longest: Decimal | None
) -> Iterator[_Place]:
    """The points of a curve that noise leaves apart from guesses, but for those that are much less so than the best."""
    found: list[_Place] = []
    for x, read in curve.points:
        point = read if curve.banded else with_spread(read, _likely_spread(ground, curve, read.value))
        derived = alone(input_of("a", point))
        apart = _apart(curve, x, point.value)
        widest = _from_printed(ground, point.value) * 3 / 4
        most = min(apart / 2, widest)
        usable = samples_of(derived, ground.setting.over_seeds) is not None
        if not usable or most <= 0 or (longest is not None and x > longest):
            continue
        width, seeds = noise_below(
            derived, "absolute", ground.setting, config, config.max_seeds, most, least=config.min_seeds, paper=True
        )
        if width is not None:
            allowed = max(width, min(rounded_up(apart / 4), widest))
            found.append(_Place(curve, x, point, apart, allowed, seeds))
    best = max((place.apart for place in found), default=Decimal(0))
    yield from (place for place in found if place.apart >= best / 2)


def _spread_out(places: Sequence[_Place]) -> list[_Place]:
    """Not more places than are kept, evenly over all of them, the first and the last among them."""
    last = len(places) - 1
    if last < _MOST:
        return list(places)
    return [places[last * number // (_MOST - 1)] for number in range(_MOST)]


def _likely_spread(ground: ProbeGround, curve: BudgetCurve, value: Decimal) -> Decimal:
    """How far a value on the way to the claim's own may scatter over seeds, as far as printed spreads tell.

    Not less than the claim's own; else as the printed value of the column that is nearest to it, and in proportion
    where it is larger than that: what is measured from zero, like a loss, scatters more where there is more of it.
    """
    own = curve.end.spread
    if own is None:
        return Decimal(0)
    beside = [curve.end, *ground.compared, *(one.point for one in ground.others)]
    known = [(one.value, one.spread.value) for one in beside if one.spread is not None and one.spread.kind == own.kind]
    nearest, spread = min(known, key=lambda one: (abs(one[0] - value), -one[1]))
    if abs(value) > abs(nearest) > 0:
        spread = ARITHMETIC.divide(ARITHMETIC.multiply(spread, abs(value)), abs(nearest))
    return max(own.value, spread)


def _apart(curve: BudgetCurve, x: Decimal, value: Decimal) -> Decimal:
    """How far a value lies from what can be said without it: the end, the start, the straight line between them."""
    full = Decimal(repr(curve.end_x))
    share = ARITHMETIC.divide(x - curve.start_x, full - curve.start_x)
    line = curve.start + ARITHMETIC.multiply(share, curve.end.value - curve.start)
    return min(abs(value - other) for other in (curve.end.value, curve.start, line))


def _from_printed(ground: ProbeGround, value: Decimal) -> Decimal:
    """How far a value lies from the nearest number that the claim's column prints, and from the chance level."""
    known = [*ground.compared, *(one.point for one in ground.others)]
    levels = [one.value for one in known] + ([] if ground.chance is None else [ground.chance])
    return min(abs(value - level) for level in levels)
