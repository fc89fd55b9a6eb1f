"""Picks the extra re-runs whose right answer follows from a claim's logic, and says why the others are missing."""

from dataclasses import dataclass
from decimal import Decimal

from scipy.special import fdtri

from reproducegym.pipeline.printed.decimals import ARITHMETIC, rounded_up, square_root
from reproducegym.pipeline.probing.counterfactual import counterfactual_plan
from reproducegym.pipeline.probing.curve_probe import curve_plan
from reproducegym.pipeline.probing.data_probe import data_plan
from reproducegym.pipeline.probing.ground import ProbeGround, noise_below
from reproducegym.pipeline.probing.paper_probes import PaperProbe, row_plan
from reproducegym.pipeline.targets.derived import Derived, Measure, derive
from reproducegym.pipeline.targets.tolerance import Setting, samples_of
from reproducegym.schema.claim import Reason
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import ContractCondition, Expectation, ProbeChoice, ProbePlan
from reproducegym.schema.spec import DerivationInput, Probes

__all__ = ["PlannedProbes", "plan_probes", "short_probes"]

_TRENDS = frozenset({"slope", "spearman", "auc", "first_reach"})
_ORDER = ("null", "budget", "data", "curve", "row", "counterfactual")


@dataclass(frozen=True)
class PlannedProbes:
    """The plans, what the spec says of them, and those among them that numbers of the paper answer."""

    plans: tuple[ProbePlan, ...]
    record: Probes
    asked: tuple[PaperProbe, ...]


def plan_probes(ground: ProbeGround, config: VerificationConfig, affordable: int) -> PlannedProbes:
    """Every probe that the claim admits with enough power to tell an effect from none.

    `affordable` is how many runs the claim's own leave. A null probe that noise hides from its usual number of seeds
    gets `max_probe_seeds` where these tell, and fit beside the others. Of the probes that the paper answers, those that
    do not fit are left out.
    """
    missing: dict[str, str] = {}
    plans: list[ProbePlan] = []
    budget = _budget(ground, config)
    null = _null(ground, config, config.max_seeds)
    if null == "no_power":
        null = _null(ground, config, config.max_probe_seeds)
        beside = budget.seeds if isinstance(budget, ProbePlan) else 0
        if isinstance(null, ProbePlan) and null.seeds + beside > affordable:
            null = "over_verification_budget"
    for name, plan in (("null", null), ("budget", budget)):
        if isinstance(plan, str):
            missing[name] = plan
        else:
            plans.append(plan)
    asked: list[PaperProbe] = []
    answered = {"data": data_plan, "curve": curve_plan, "row": row_plan, "counterfactual": counterfactual_plan}
    for name, probe in ((name, plan_of(ground, config)) for name, plan_of in answered.items()):
        if isinstance(probe, str):
            missing[name] = probe
        elif probe.plan.seeds + sum(plan.seeds for plan in plans) > affordable:
            missing[name] = "over_verification_budget"
        else:
            plans.append(probe.plan)
            asked.append(probe)
    used = tuple(plan.name for plan in plans)
    told = {name: missing[name] for name in _ORDER if name in missing}
    return PlannedProbes(tuple(plans), Probes(used=used, missing=told), tuple(asked))


def short_probes(ground: ProbeGround, config: VerificationConfig, share: Decimal) -> PlannedProbes:
    """The probes of a task whose whole runs are too long to be made again: those that turn its budget down.

    `share` is what part of a whole run's budget one of their runs may take.
    """
    budget = _budget(ground, config)
    longest = None if ground.knob is None else share * Decimal(repr(ground.knob.default))
    curve = curve_plan(ground, config, longest)
    found = {"budget": budget, "curve": curve if isinstance(curve, str) else curve.plan}
    plans = tuple(plan for plan in found.values() if isinstance(plan, ProbePlan))
    too_long = {"null": _null(ground, config, config.max_probe_seeds), "data": data_plan(ground, config)}
    too_long |= {"row": row_plan(ground, config), "counterfactual": counterfactual_plan(ground, config)}
    why = {name: plan for name, plan in found.items() if isinstance(plan, str)}
    why |= {name: plan if isinstance(plan, str) else "over_verification_budget" for name, plan in too_long.items()}
    told = {name: why[name] for name in _ORDER if name in why}
    asked = () if isinstance(curve, str) else (curve,)
    return PlannedProbes(plans, Probes(used=tuple(plan.name for plan in plans), missing=told), asked)


def _null(ground: ProbeGround, config: VerificationConfig, cap: int) -> ProbePlan | str:
    """The treatment's label with the baseline's switches: what compares the two must say "no effect".

    Ratio and relative change answer for themselves; an absolute claim answers with its gap, whose expectation is 0
    whatever level the reproduction reaches. The number of seeds is the smallest up to `cap` with power: noise below
    half of the effect, and below three quarters of it in single runs. With more than `max_seeds` it is `cap` itself,
    and where single runs are too noisy at any number they are not looked at. The tolerances are that noise, or a
    quarter of the effect where that is more: a re-implementation may be noisier than the authors' runs, and a script
    that keeps the effect is four times as far away. Single runs count, so that a script which gives the effect one sign
    or the other by chance does not pass where the signs cancel.
    """
    if ground.a is None or ground.b is None or ground.treatment is None or ground.baseline is None:
        return "no_baseline"
    switches = {one.label: one.switches for one in ground.conditions}
    pattern: Measure = ground.pattern if ground.pattern in {"ratio", "relative_change"} else "difference"
    twin = _derived(pattern, ground.b, ground.b, ground.setting.unit)
    real = _derived(pattern, ground.a, ground.b, ground.setting.unit)
    metric = ground.primary if pattern == ground.pattern else ground.gap
    if twin is None or real is None or metric is None:
        return "no_baseline"
    effect = abs(real.value - twin.value)
    single = [_run_noise(twin, ground.setting, config, runs) for runs in range(1, cap + 1)]
    enough = [runs for runs, noise in enumerate(single, 1) if noise is None or noise < effect * 3 / 4]
    wide = cap > config.max_seeds
    if not enough and not wide:
        return "no_power"
    least = cap if wide else max(enough[0], config.min_seeds)
    noise, seeds = noise_below(twin, pattern, ground.setting, config, cap, effect / 2, least=least)
    if noise is None:
        return "no_power"
    width = max(noise, rounded_up(effect / 4))
    rms = float(max(single[seeds - 1] or noise, rounded_up(effect / 4))) if enough else None
    conditions = tuple(
        ContractCondition(
            label=one.label,
            switches=switches[ground.baseline] if one.label == ground.treatment else one.switches,
        )
        for one in ground.conditions
    )
    expect = Expectation(metric=metric, value=float(twin.value), abs=float(width), rms=rms)
    choice = ProbeChoice(knobs={}, expect=(expect,))
    return ProbePlan(name="null", conditions=conditions, seeds=seeds, choices=(choice,))


def _budget(ground: ProbeGround, config: VerificationConfig) -> ProbePlan | str:
    """The budget knob at (near) zero: at least a quarter of what training brought must be gone.

    The seeds are as many as bring the noise of trained runs below that quarter, so that a script which keeps the effect
    is told from no effect by it, and an honest run, which is not trained and may scatter more, by three times as much.
    They are `budget_probe_seeds` to `max_probe_seeds`: an effect that so many don't tell so well is not far from
    what two methods may differ by before they have learned anything.

    A plain value or mean must come near the chance level, where the paper gives it; else the gap between treatment and
    baseline must close. So must it for ratio and relative change, whose own formulas may divide by nothing there. The
    rows of a trend may be steps of that very budget, and an honest run without it could not write them.
    """
    if ground.knob is None:
        return "no_budget_knob"
    if ground.pattern in _TRENDS:
        return "rows_over_budget"
    if ground.pattern in {"absolute", "mean"} and ground.chance is not None:
        metric, level, value = ground.primary, ground.chance, ground.derived
        pattern: Measure = ground.pattern
    else:
        if ground.a is None or ground.b is None or ground.gap is None:
            return "no_chance_level"
        gap = _derived("difference", ground.a, ground.b, ground.setting.unit)
        if gap is None:
            return "no_chance_level"
        metric, level, value, pattern = ground.gap, Decimal(0), gap, "difference"
    quarter, least, most = abs(value.value - level) / 4, config.budget_probe_seeds, config.max_probe_seeds
    width, seeds = noise_below(value, pattern, ground.setting, config, most, quarter, least=least)
    if width is None:
        return "no_power"
    expect = Expectation(metric=metric, value=float(level), abs=float(rounded_up(3 * quarter)), rms=None)
    return ProbePlan(
        name="budget",
        conditions=ground.conditions,
        seeds=seeds,
        choices=(ProbeChoice(knobs={ground.knob.name: ground.knob.zero}, expect=(expect,)),),
    )


def _run_noise(derived: Derived, setting: Setting, config: VerificationConfig, runs: int) -> Decimal | None:
    """What the root mean square of single runs' deviations stays below, but for a chance of `probe_error`.

    `sqrt(F(1 − error; m, ν) · Σ slope² s²)` with Welch's ν: the spread is known from n runs only. None without usable
    spreads: the policy's width then speaks of single runs already.
    """
    samples = samples_of(derived)
    if samples is None or all(one.s == 0 for one in samples):
        return None
    variances = [ARITHMETIC.multiply(one.slope * one.slope, one.s * one.s) for one in samples]
    total = sum(variances, Decimal(0))
    freedom = total * total / sum((v * v / (one.n - 1) for v, one in zip(variances, samples, strict=True)), Decimal(0))
    quantile = fdtri(runs, float(freedom), float(1 - config.probe_error))
    return rounded_up(square_root(Decimal(repr(float(quantile))).quantize(Decimal("1e-9")) * total))


def _derived(pattern: Measure, a: DerivationInput, b: DerivationInput, unit: str) -> Derived | None:
    named = (a.model_copy(update={"name": "a"}), b.model_copy(update={"name": "b"}))
    found = derive(pattern, named, unit)
    return None if isinstance(found, Reason) else found
