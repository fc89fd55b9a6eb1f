"""What probes stand on: a claim's conditions and grounded values, and the noise that an honest answer may have."""

from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.probing.budget_curves import BudgetCurve
from reproducegym.pipeline.probing.other_rows import OtherRow
from reproducegym.pipeline.targets.derived import Derived, Measure
from reproducegym.pipeline.targets.tolerance import Setting, tolerance
from reproducegym.schema.asset import OfferedAsset
from reproducegym.schema.claim import TargetPoint
from reproducegym.schema.config import VerificationConfig
from reproducegym.schema.contract import ContractCondition
from reproducegym.schema.host_model import HostTruth
from reproducegym.schema.spec import DerivationInput, Knob

__all__ = ["ProbeGround", "alone", "noise_below"]


@dataclass(frozen=True)
class ProbeGround:
    """What probes stand on.

    `primary` and `gap` name metrics: the claim's own, and the plain difference of treatment and baseline (the same
    metric where the claim is a difference; None where there is no baseline). `treatment` and `baseline` are labels of
    `conditions`; `a`, `b` the grounded values. `chance` is the level of an untrained run in the metric's unit.
    `assets` are those that the paper names for the claim, `levels` the grounded values of its conditions by label (None
    where one metric does not say them: of trends, and over several data sets), `metric_name` what they measure.
    `others` are conditions beside the claim's, and `compared` the claim's own points, that one of them must be told
    from; all are in `column`. `curves` are what the paper shows of its conditions at smaller budgets.
    `truth` is what a host model measured.
    """

    pattern: Measure
    setting: Setting
    derived: Derived
    primary: str
    gap: str | None
    conditions: tuple[ContractCondition, ...]
    treatment: str | None
    baseline: str | None
    a: DerivationInput | None
    b: DerivationInput | None
    chance: Decimal | None
    knob: Knob | None
    others: tuple[OtherRow, ...]
    compared: tuple[TargetPoint, ...]
    column: str
    curves: tuple[BudgetCurve, ...]
    assets: tuple[OfferedAsset, ...]
    levels: tuple[tuple[str, TargetPoint], ...] | None
    metric_name: str
    higher_is_better: bool
    truth: HostTruth | None = None


def alone(one: DerivationInput) -> Derived:
    """One input as a plain value."""
    step = one.resolution
    return Derived("a", (one,), one.value, one.unit, step, step / 2, (Decimal(1),), None)


def noise_below(
    derived: Derived,
    pattern: Measure,
    setting: Setting,
    config: VerificationConfig,
    cap: int,
    below: Decimal,
    *,
    least: int = 1,
    paper: bool = False,
) -> tuple[Decimal | None, int]:
    """The noise of a probe that must lie below a bound, and the fewest seeds that bring it there.

    `paper`: what is expected is a number of the paper, which has noise of its own.
    """
    probe = Setting(
        pattern=pattern,
        kind=setting.kind,
        unit=setting.unit,
        n_items=setting.n_items,
        policy=setting.policy,
        error=config.probe_error,
        over_seeds=setting.over_seeds,
    )
    for seeds in range(least, cap + 1):
        width = tolerance(derived, probe, seeds, against_paper=paper).abs
        if width < below:
            return width, seeds
    return None, cap
