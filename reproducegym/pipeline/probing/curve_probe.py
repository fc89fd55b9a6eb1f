"""The probe whose right answer stands on a hidden learning curve: a smaller budget, drawn for each verification."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
    """A point of a curve: how far it is from guesses, what is allowed, and with how many seeds.

    `beside` is a point of another curve at the same budget that must hold too, where this one alone is not enough.
    """

    curve: BudgetCurve
    x: Decimal
    point: TargetPoint
    apart: Decimal
    width: Decimal
    seeds: int
    beside: "_Place | None" = None

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
    between start and end. Where one curve rules out the table at no budget, two may: no number that is let pass by the
    first is let pass by the second, so that none answers for both of their conditions.
    """
    if ground.knob is None or not ground.curves:
        return "no_series"
    sound = [place for curve in ground.curves for place in _sound(ground, config, curve, longest)]
    found = sound or list(_paired(ground, config, longest))
    if not found:
        return "no_power"
    best: dict[Decimal, _Place] = {}
    for place in sorted(found, key=lambda place: place.apart):
        best[place.x] = place
    places = [best[x] for x in sorted(best)]
    roomy = [place for place in places if place.is_roomy] or places
    chosen = _spread_out([place for place in roomy if place.tells_half_way] or roomy)
    seeds = max(place.seeds for place in chosen)
    choices, metrics = [], []
    asked = [[place] if place.beside is None else [place, place.beside] for place in chosen]
    for places in asked:
        laid = [
            LaidMetric(f"{one.curve.label}_{ground.column}", f"mean({one.curve.label}.{ground.column})")
            for one in places
        ]
        expect = tuple(
            Expectation(metric=metric.name, value=float(one.point.value), abs=float(one.width), rms=None)
            for metric, one in zip(laid, places, strict=True)
        )
        choices.append(ProbeChoice(knobs={ground.knob.name: float(places[0].x)}, expect=expect))
        metrics += laid
    plan = ProbePlan(name="curve", conditions=ground.conditions, seeds=seeds, choices=tuple(choices))
    shown = tuple(place for places in asked for one in places for place in one.point.provenance)
    return PaperProbe(plan, tuple(dict.fromkeys(metrics)), shown)


def _sound(
    ground: ProbeGround,
    config: VerificationConfig,
    curve: BudgetCurve,
    longest: Decimal | None,
    *,
    by_itself: bool = True,
) -> Iterator[_Place]:
    """The points of a curve that noise leaves apart from guesses, but for those that are much less so than the best.

    Not `by_itself`: numbers of the table are left to another curve.
    """
    found: list[_Place] = []
    for x, read in curve.points:
        point = _scattered(ground, curve, read)
        apart = _apart(curve, x, point.value)
        widest = min(_from_printed(ground, point.value)) * 3 / 4 if by_itself else apart
        place = _placed(
            ground, config, _Place(curve, x, point, apart, widest, config.min_seeds), min(apart / 2, widest)
        )
        if place is not None and (longest is None or x <= longest):
            found.append(replace(place, width=max(place.width, min(rounded_up(apart / 4), widest))))
    best = max((place.apart for place in found), default=Decimal(0))
    yield from (place for place in found if place.apart >= best / 2)


def _paired(ground: ProbeGround, config: VerificationConfig, longest: Decimal | None) -> Iterator[_Place]:
    """Points of one curve, each beside one of another that rules out what it lets pass; they share the error."""
    shared = config.model_copy(update={"probe_error": config.probe_error / 2})
    for curve in ground.curves:
        for place in _sound(ground, shared, curve, longest, by_itself=False):
            passing = [far * 3 / 4 < place.width for far in _from_printed(ground, place.point.value)]
            others = [(one, read) for one in ground.curves if one != curve for x, read in one.points if x == place.x]
            for other, read in others:
                point = _scattered(ground, other, read)
                far = [one for one, let in zip(_from_printed(ground, point.value), passing, strict=True) if let]
                most = min(far) * 3 / 4
                beside = _placed(ground, shared, _Place(other, place.x, point, most, most, place.seeds), most)
                if beside is not None:
                    yield replace(place, seeds=beside.seeds, beside=replace(beside, width=most))


def _placed(ground: ProbeGround, config: VerificationConfig, place: _Place, most: Decimal) -> _Place | None:
    """The place with the noise that fewest seeds, no fewer than its own, bring below `most`; None where none do."""
    derived = alone(input_of("a", place.point))
    if most <= 0 or samples_of(derived, ground.setting.over_seeds) is None:
        return None
    width, seeds = noise_below(
        derived, "absolute", ground.setting, config, config.max_seeds, most, least=place.seeds, paper=True
    )
    return None if width is None else replace(place, width=width, seeds=seeds)


def _scattered(ground: ProbeGround, curve: BudgetCurve, read: TargetPoint) -> TargetPoint:
    """A point of a curve with the spread of its band, or with the one that printed spreads make likely."""
    return read if curve.banded else with_spread(read, _likely_spread(ground, curve, read.value))


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


def _from_printed(ground: ProbeGround, value: Decimal) -> list[Decimal]:
    """How far a value lies from each number that the claim's column prints, and from the chance level."""
    known = [*ground.compared, *(one.point for one in ground.others)]
    levels = [one.value for one in known] + ([] if ground.chance is None else [ground.chance])
    return [abs(value - level) for level in levels]
