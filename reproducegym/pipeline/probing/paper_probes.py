"""Probes whose right answer is a hidden number of the paper beside the claim's own: another row, a smaller budget."""

from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256

from reproducegym.pipeline.printed.decimals import ARITHMETIC, rounded_up
from reproducegym.pipeline.probing.budget_curves import BudgetCurve
from reproducegym.pipeline.probing.ground import ProbeGround, alone, noise_below
from reproducegym.pipeline.targets.layout import LaidMetric
from reproducegym.pipeline.targets.terms import input_of
from reproducegym.pipeline.targets.tolerance import samples_of
from reproducegym.schema.claim import Provenance
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import ContractCondition, Expectation, ProbeChoice, ProbePlan

__all__ = ["PaperProbe", "curve_plan", "row_plan"]


@dataclass(frozen=True)
class PaperProbe:
    """A plan, the metric that it asks, which nothing else does, and where the paper shows the answer."""

    plan: ProbePlan
    metric: LaidMetric
    places: tuple[Provenance, ...]


def row_plan(ground: ProbeGround, config: VerificationConfig) -> PaperProbe | str:
    """A condition that the claim does not mention, run beside the first of its own: its cell must be met.

    Of all such conditions the one that stands out most from the claim's own values, by its own noise: a script that
    answers with a value of the claim is then furthest off. Only a cell with a usable spread says how far an honest
    reproduction may be off.
    """
    best: tuple[Decimal, PaperProbe] | None = None
    for one in ground.others:
        derived = alone(input_of("a", one.point))
        if samples_of(derived, ground.setting.over_seeds) is None:
            continue
        apart = min(abs(one.point.value - value) for value in ground.compared)
        width, seeds = noise_below(
            derived, "absolute", ground.setting, config, config.max_seeds, apart / 2, least=config.min_seeds, paper=True
        )
        if width is None or (best is not None and ARITHMETIC.divide(apart, width) <= best[0]):
            continue
        metric = LaidMetric(f"{ground.column}_{one.condition.label}", f"mean({one.condition.label}.{ground.column})")
        added = ContractCondition(label=one.condition.label, switches=one.condition.switches)
        expect = Expectation(metric=metric.name, value=float(one.point.value), abs=float(width), rms=None)
        plan = ProbePlan(
            name="row",
            conditions=(ground.conditions[0], added),
            seeds=seeds,
            choices=(ProbeChoice(knobs={}, expect=(expect,)),),
        )
        best = ARITHMETIC.divide(apart, width), PaperProbe(plan, metric, one.point.provenance)
    if best is None:
        return "no_power" if ground.others else "no_other_condition"
    return best[1]


def curve_plan(ground: ProbeGround, config: VerificationConfig) -> PaperProbe | str:
    """All of the claim's conditions at a smaller budget, where a hidden learning curve says what one of them gives.

    Of all budgets at which the curve is well apart from its end, from its start and from the straight line between
    them, one is drawn by a digest of the curve: a script that knows the claim's value, what little an untrained run
    gives, and how to draw a line is off at each of them. A quarter of that distance is allowed, or the noise where that
    is more.
    """
    curve = ground.curve
    if curve is None or ground.knob is None:
        return "no_series"
    sound: list[tuple[Decimal, PaperProbe]] = []
    for x, point in curve.points:
        derived = alone(input_of("a", point))
        apart = _apart(curve, x, point.value)
        if samples_of(derived, ground.setting.over_seeds) is None or apart <= 0:
            continue
        width, seeds = noise_below(
            derived, "absolute", ground.setting, config, config.max_seeds, apart / 2, least=config.min_seeds, paper=True
        )
        if width is None:
            continue
        metric = LaidMetric(f"{curve.label}_{ground.column}", f"mean({curve.label}.{ground.column})")
        allowed = max(width, rounded_up(apart / 4))
        expect = Expectation(metric=metric.name, value=float(point.value), abs=float(allowed), rms=None)
        plan = ProbePlan(
            name="curve",
            conditions=ground.conditions,
            seeds=seeds,
            choices=(ProbeChoice(knobs={ground.knob.name: float(x)}, expect=(expect,)),),
        )
        sound.append((apart, PaperProbe(plan, metric, point.provenance)))
    if not sound:
        return "no_power"
    best = max(apart for apart, _ in sound)
    drawn = [probe for apart, probe in sound if apart >= best / 2]
    text = " ".join(f"{x}:{point.value}" for x, point in curve.points)
    return drawn[int.from_bytes(sha256(text.encode()).digest()[:8]) % len(drawn)]


def _apart(curve: BudgetCurve, x: Decimal, value: Decimal) -> Decimal:
    """How far a value lies from what can be said without it: the end, the start, the straight line between them."""
    full = Decimal(repr(curve.end_x))
    share = ARITHMETIC.divide(x - curve.start_x, full - curve.start_x)
    line = curve.start + ARITHMETIC.multiply(share, curve.end.value - curve.start)
    return min(abs(value - other) for other in (curve.end.value, curve.start, line))
