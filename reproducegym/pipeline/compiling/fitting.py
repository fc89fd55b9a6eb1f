"""Fits a claim's goals: tolerance, seeds, reward curves, guards, knob, probes and evidence level."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import Literal

from reproducegym.pipeline.judging.replay import longest_run
from reproducegym.pipeline.printed.naming import name_of
from reproducegym.pipeline.probing.budget_curves import BudgetCurve
from reproducegym.pipeline.probing.data_probe import levels_of
from reproducegym.pipeline.probing.ground import ProbeGround
from reproducegym.pipeline.probing.other_rows import OtherRow
from reproducegym.pipeline.probing.probes import PlannedProbes, plan_probes, short_probes
from reproducegym.pipeline.targets.curves import guard_curve, quiet_zone, reward_curve, signed_relation
from reproducegym.pipeline.targets.derived import derive
from reproducegym.pipeline.targets.goals import Goal, Goals
from reproducegym.pipeline.targets.layout import LaidMetric, Layout, metric_bounds
from reproducegym.pipeline.targets.measurement import items_of
from reproducegym.pipeline.targets.terms import GuardTerm, Terms, input_of
from reproducegym.pipeline.targets.tolerance import Setting, seed_plan, tolerance
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.claim import Candidate, OverSeeds, Reason
from reproducegym.schema.config import Config
from reproducegym.schema.contract import ContractCondition, Curve
from reproducegym.schema.host_model import HostTruth
from reproducegym.schema.spec import Knob, SeedPlan, Tolerance

__all__ = ["BoundClaim", "Fit", "FittedGoal", "FittedGuard", "budget_knob", "fit_claim"]

_MANY = 100


@dataclass(frozen=True)
class BoundClaim:
    """A bound claim on its way into a spec."""

    paper_id: str
    candidate: Candidate
    config: Config
    terms: Terms
    goals: Goals
    layout: Layout
    over_seeds: OverSeeds
    others: tuple[OtherRow, ...] = ()
    curves: tuple[BudgetCurve, ...] = ()
    assets: tuple[OfferedAsset, ...] = ()
    truth: HostTruth | None = None

    share: Fraction = Fraction(1)

    @property
    def run_budget_s(self) -> int:
        """Wall clock of one run at the full budget: of so many conditions as are drawn, their share."""
        multiples = self.config.verification.run_multiples
        by_cost = {"S": multiples.S, "M": multiples.M, "L": multiples.L, "XL": multiples.XL}
        return ceil(self.config.verification.run_budget_s * by_cost[self.candidate.cost] * self.share)

    def longest_share(self, seeds: int) -> Decimal:
        """The share of a whole run's budget that every run of a replay may take, under so many seeds."""
        verification = self.config.verification
        probe_runs = verification.max_probe_seeds + verification.max_seeds
        return Decimal(longest_run(seeds, probe_runs, verification.max_hours)) / self.run_budget_s

    @property
    def affordable_runs(self) -> int:
        """How many full runs the verification budget holds."""
        return int(Decimal(repr(self.config.verification.max_hours)) * 3600 / self.run_budget_s)


@dataclass(frozen=True)
class FittedGoal:
    """A goal with its metric, no-effect value, tolerance and curve; without a curve it is a diagnostic."""

    goal: Goal
    metric: LaidMetric
    no_effect: Decimal | None
    tolerance: Tolerance
    curve: Curve | None


@dataclass(frozen=True)
class FittedGuard:
    """A guard with its metric, tolerance and curve."""

    term: GuardTerm
    metric: LaidMetric
    tolerance: Tolerance
    curve: Curve


@dataclass(frozen=True)
class Fit:
    """What the compiler fitted to a claim."""

    goals: tuple[FittedGoal, ...]
    guards: tuple[FittedGuard, ...]
    seeds: SeedPlan
    knobs: tuple[Knob, ...]
    probes: PlannedProbes
    evidence_level: Literal["reexecute", "replay"]


def fit_claim(claim: BoundClaim) -> Fit | Reason:
    """Everything that depends on the claim's numbers, or why they say nothing.

    All primary metrics share the chance that an honest run misses; one beside the claim's own has a share of its own. A
    goal that may be spared and lies within noise leaves its share to the others.
    """
    goals = list(zip(claim.goals.all, claim.layout.metrics, strict=True))
    paid = goals
    while True:
        own = sum(not goal.beside for goal, _ in paid)
        seeds = _seeds(claim, [goal for goal, _ in paid], own)
        fitted = [_fitted(claim, goal, metric, seeds.count, own + goal.beside) for goal, metric in goals]
        for one in fitted:
            if isinstance(one, Reason):
                return one
        shared = {metric.name for _, metric in paid}
        done = [
            one if one.metric.name in shared else replace(one, curve=None)
            for one in fitted
            if isinstance(one, FittedGoal)
        ]
        kept = [(one.goal, one.metric) for one in done if one.curve is not None]
        if len(kept) == len(paid):
            break
        paid = kept
    guards = [
        _guard(claim, term, metric, seeds.count)
        for term, metric in zip(claim.terms.guards, claim.layout.guards, strict=True)
    ]
    for guard in guards:
        if isinstance(guard, Reason):
            return guard
    knob = budget_knob(claim.candidate)
    left = claim.affordable_runs - seeds.count
    ground = _probe_ground(claim, own, knob)
    planned = plan_probes(ground, claim.config.verification, left)
    level: Literal["reexecute", "replay"] = "reexecute"
    if sum(plan.seeds for plan in planned.plans) > left:
        planned, level = short_probes(ground, claim.config.verification, claim.longest_share(seeds.count)), "replay"
    paying = {one.metric.name for one in done if one.curve is not None}
    done = [_quieted(claim, one, planned, paying) for one in done]
    kept_guards = tuple(one for one in guards if isinstance(one, FittedGuard))
    knobs = _knobs(knob, claim.truth if "counterfactual" in planned.record.used else None)
    return Fit(tuple(done), kept_guards, seeds, knobs, planned, level)


def _setting(claim: BoundClaim, goal: Goal, primaries: int) -> Setting:
    return Setting(
        pattern=goal.measure,
        kind=claim.candidate.metric.kind,
        unit=claim.candidate.metric.unit,
        n_items=items_of(claim.candidate.protocol),
        policy=claim.config.tolerances,
        error=claim.config.verification.joint_error,
        primaries=primaries,
        over_seeds=claim.over_seeds,
        level=None if claim.terms.level is None else claim.terms.level.value,
    )


def _seeds(claim: BoundClaim, goals: list[Goal], own: int) -> SeedPlan:
    """As many seeds as the goal that needs most of them; `own` of the goals are the claim's own."""
    verification = claim.config.verification
    spare = claim.affordable_runs - 1 - verification.budget_probe_seeds
    cap = min(verification.max_seeds, max(verification.min_seeds, spare))
    plans = [
        seed_plan(
            goal.derived,
            _no_effect(claim, goal),
            _setting(claim, goal, own + goal.beside),
            policy_seeds=verification.policy_seeds,
            floor=verification.min_seeds,
            cap=cap,
        )
        for goal in goals
    ]
    return max(plans, key=lambda plan: plan.count)


def _fitted(claim: BoundClaim, goal: Goal, metric: LaidMetric, seeds: int, primaries: int) -> FittedGoal | Reason:
    """One goal's tolerance and curve; a spare one within noise keeps no curve."""
    width = tolerance(goal.derived, _setting(claim, goal, primaries), seeds)
    no_effect = _no_effect(claim, goal)
    if goal.measure == "near_zero" and abs(goal.derived.value) > width.abs:
        detail = (
            f"the claim says that nothing differs, but {goal.derived.formula} is {goal.derived.value} ± {width.abs}"
        )
        return Reason(code="inconsistent_with_table", argument=None, detail=detail)
    curve = _curve(claim, goal, width, no_effect, Decimal(0))
    if isinstance(curve, Curve):
        return FittedGoal(goal, metric, no_effect, width, curve)
    if goal.spare and curve.code == "effect_within_noise":
        return FittedGoal(goal, metric, no_effect, width, None)
    if claim.candidate.pattern == "near_zero" and goal.measure == "difference":
        detail = f"the control does not differ from the baseline: {curve.detail}"
        return Reason(code="no_control", argument=None, detail=detail)
    return curve


def _curve(
    claim: BoundClaim, goal: Goal, width: Tolerance, no_effect: Decimal | None, quiet: Decimal
) -> Curve | Reason:
    bounds = metric_bounds(goal.measure, claim.layout.columns[0].range)
    relation = signed_relation(goal.relation, goal.measure, goal.derived.value)
    return reward_curve(goal.derived.value, width.abs, no_effect, relation, bounds, quiet)


def _quieted(claim: BoundClaim, one: FittedGoal, planned: PlannedProbes, paying: Collection[str]) -> FittedGoal:
    """A paid goal whose curve keeps out what the null probe takes for no effect."""
    plain = one.goal.measure == "absolute" and claim.terms.baseline is not None
    quiet = quiet_zone(planned.plans, one.metric.name, paying, plain=plain)
    if one.curve is None or quiet == 0:
        return one
    curve = _curve(claim, one.goal, one.tolerance, one.no_effect, quiet)
    return replace(one, curve=curve) if isinstance(curve, Curve) else one


def _no_effect(claim: BoundClaim, goal: Goal) -> Decimal | None:
    """z: what the formula gives for no effect; for a plain value or mean the baseline's, else the chance level's."""
    if goal.derived.no_effect is not None:
        return goal.derived.no_effect
    if goal.part or goal.measure not in {"absolute", "mean"}:
        return None
    point = claim.terms.baseline or claim.terms.chance
    return None if point is None else point.value


def _guard(claim: BoundClaim, term: GuardTerm, metric: LaidMetric, seeds: int) -> FittedGuard | Reason:
    """A guard's tolerance and curve; what the paper's own treatment does not keep to guards nothing."""
    metric_idea, reference = term.metric, term.reference.value
    if metric_idea.direction is None:
        raise ValueError("a guard without direction was refused before")
    derived = derive("absolute", (input_of("a", term.reference),), metric_idea.unit)
    if isinstance(derived, Reason):
        return derived
    setting = replace(
        _setting(claim, claim.goals.first, 1),
        pattern="absolute",
        kind=metric_idea.kind,
        unit=metric_idea.unit,
        over_seeds=metric_idea.over_seeds,
    )
    width = tolerance(derived, setting, seeds)
    worse = -1 if metric_idea.direction == "higher_is_better" else 1
    if term.own is not None and (term.own.value - reference) * worse > width.abs:
        detail = f"{metric_idea.name} is not kept: {term.own.value} against {reference} ± {width.abs}"
        return Reason(code="inconsistent_with_table", argument=None, detail=detail)
    curve = guard_curve(reference, width.abs, metric_idea.direction)
    return curve if isinstance(curve, Reason) else FittedGuard(term, metric, width, curve)


def budget_knob(candidate: Candidate) -> Knob | None:
    """The budget knob. Its zero is 1 where the default is 100 or more, else 0.

    One step of a hundred or more is near zero and still lets every loop write a result; one epoch of ten is not.
    """
    for number in candidate.protocol.numbers:
        zero = 1.0 if number.value >= _MANY else 0.0
        if number.name == candidate.budget_knob and number.value > Decimal(zero):
            return Knob(name=name_of(number.name, (), "knob"), default=float(number.value), zero=zero)
    return None


def _knobs(budget: Knob | None, truth: HostTruth | None) -> tuple[Knob, ...]:
    """The budget knob and those of a host model; one that is both has the model's range."""
    knobs = {} if budget is None else {budget.name: budget}
    for one in () if truth is None else truth.knobs:
        zero = knobs[one.name].zero if one.name in knobs else one.low
        knobs[one.name] = Knob(
            name=one.name, default=one.default, zero=zero, range=(min(zero, one.low), one.high), whole=one.whole
        )
    return tuple(knobs.values())


def _probe_ground(claim: BoundClaim, primaries: int, knob: Knob | None) -> ProbeGround:
    """What probes compare: the claim's treatment and baseline; the control and baseline where those two are one."""
    pair, layout, goals = claim.layout.pair, claim.layout, claim.goals
    asked, metric = goals.first, layout.metrics[0]
    if claim.candidate.pattern in {"near_zero", "comparison"}:
        asked, metric = goals.all[-1], layout.metrics[-1]
    apart = [laid.name for goal, laid in zip(goals.all, layout.metrics, strict=True) if goal.measure == "difference"]
    gap = apart[-1] if apart else f"{metric.name}_gap"
    points = goals.pair if pair is not None else None
    return ProbeGround(
        pattern=asked.measure,
        setting=_setting(claim, asked, primaries),
        derived=asked.derived,
        primary=metric.name,
        gap=gap if points else None,
        conditions=tuple(ContractCondition(label=one.label, switches=one.switches) for one in layout.conditions),
        treatment=None if pair is None else pair.treatment,
        baseline=None if pair is None else pair.baseline,
        a=None if points is None else input_of("a", points[0][1]),
        b=None if points is None else input_of("b", points[1][1]),
        chance=None if claim.terms.chance is None else claim.terms.chance.value,
        knob=knob,
        others=claim.others,
        compared=tuple(claim.terms.compared()),
        column=layout.columns[0].name,
        curves=claim.curves,
        assets=claim.assets,
        levels=levels_of(claim.terms, layout),
        metric_name=claim.candidate.metric.name,
        higher_is_better=claim.candidate.metric.direction == "higher_is_better",
        truth=claim.truth,
    )
