"""The probe whose right answer is another row of the claim's own table."""

from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.printed.decimals import ARITHMETIC
from reproducegym.pipeline.probing.ground import ProbeGround, alone, noise_below
from reproducegym.pipeline.targets.layout import LaidMetric
from reproducegym.pipeline.targets.terms import input_of
from reproducegym.pipeline.targets.tolerance import samples_of
from reproducegym.schema.claim import Provenance
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import ContractCondition, Expectation, ProbeChoice, ProbePlan

__all__ = ["PaperProbe", "row_plan"]


@dataclass(frozen=True)
class PaperProbe:
    """A plan, the metrics that it asks, which nothing else does, and where the paper shows the answers."""

    plan: ProbePlan
    metrics: tuple[LaidMetric, ...]
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
        apart = min(abs(one.point.value - own.value) for own in ground.compared)
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
        best = ARITHMETIC.divide(apart, width), PaperProbe(plan, (metric,), one.point.provenance)
    if best is None:
        return "no_power" if ground.others else "no_other_condition"
    return best[1]
