"""The claim spec: the compiled claim with its hidden targets, as written to `02-spec/<claim_id>.<spec_hash>.yaml`."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from reproducegym.schema.asset import Asset
from reproducegym.schema.audit import Audit
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Anchor, ClaimType, Direction, Protocol, Provenance, Spread
from reproducegym.schema.contract import Column, Curve, Limits, ProbePlan

__all__ = [
    "CellSample",
    "ClaimSpec",
    "Condition",
    "Derivation",
    "DerivationInput",
    "ExposurePolicy",
    "Guard",
    "Knob",
    "MetricSpec",
    "PaperText",
    "Probes",
    "RequiredOutputs",
    "SeedPlan",
    "Target",
    "Tolerance",
]


ExposurePolicy = Literal["masked", "full", "claim_only"]
"""What an agent may know of the paper: all but what its claim hides, all, or nothing beyond the task's own words."""

PaperText = Literal["masked", "link", "none"]
"""How much of the paper's text a task carries: what exposure leaves of it, the title alone, or nothing."""


class Condition(Frozen):
    """A setting to run. `source_label` is the paper's own name for it."""

    label: str
    source_label: str
    switches: dict[str, str]
    description: str


class Knob(Frozen):
    """A protocol number that the verifier may turn; `zero` is its (near) zero setting.

    `range` is where a host model varies it, `whole` that it takes whole numbers there; written where there is one.
    """

    name: str
    default: float
    zero: float
    range: Annotated[tuple[float, float] | None, Field(exclude_if=lambda span: span is None)] = None
    whole: Annotated[bool, Field(exclude_if=lambda whole: not whole)] = False


class MetricSpec(Frozen):
    """One scalar of the contract, over the columns of metrics.csv."""

    name: str
    formula: str
    unit: str
    range: tuple[float | None, float | None]
    direction: Direction
    role: Literal["primary", "guard", "diagnostic"]
    over_seeds: Literal["mean", "median", "iqm", "max"]


class DerivationInput(Frozen):
    """One grounded term of a derived target; `x` (written where there is one) is where on a trend's axis it stands."""

    name: str
    value: Decimal
    unit: str
    resolution: Decimal
    spread: Spread | None
    provenance: tuple[Provenance, ...]
    x: Annotated[Decimal | None, Field(exclude_if=lambda x: x is None)] = None


class Derivation(Frozen):
    """A formula over grounded inputs; `printed` is the paper's own value of it, when it prints one.

    `figure_read` says that an input was read off a figure and is written where it was.
    """

    formula: str
    inputs: tuple[DerivationInput, ...]
    rounding: Decimal
    printed: Decimal | None
    figure_read: Annotated[bool, Field(exclude_if=lambda read: not read)] = False


class Tolerance(Frozen):
    """Half-width d around a target, the rule that set it, and the numbers the rule used."""

    abs: Decimal
    rule: Literal["prediction_interval", "reported_spread", "rounding", "granularity", "policy"]
    inputs: dict[str, Decimal]


class Target(Frozen):
    """The grounded value of a metric. `no_effect` is the value that a run without the effect would give.

    `provenance` holds the places of the value, of its inputs, and of the paper's own print of a derived value;
    `reference_provenance` those of the baseline and chance level that the curve or a probe refers to.
    """

    metric: str
    value: Decimal
    unit: str
    no_effect: Decimal | None
    spread: Spread | None
    provenance: tuple[Provenance, ...]
    reference_provenance: tuple[Provenance, ...] = ()
    derivation: Derivation | None
    tolerance: Tolerance


class Guard(Frozen):
    """A metric that must not get worse than a grounded reference."""

    metric: str
    reference: Decimal
    unit: str
    provenance: tuple[Provenance, ...]
    tolerance: Tolerance


class SeedPlan(Frozen):
    """How many hidden seeds the verifier draws, and what says so (`from` in files)."""

    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True, serialize_by_alias=True)

    count: int
    origin: Annotated[Literal["prediction_interval", "policy", "budget_cap"], Field(alias="from")]


class Probes(Frozen):
    """Which probes the contract carries and why the others are missing."""

    used: tuple[str, ...]
    missing: dict[str, str]


class CellSample(Frozen):
    """Some of a wide claim's conditions, and the claim on these: everything of a spec that they change."""

    conditions: tuple[Condition, ...]
    metrics: tuple[MetricSpec, ...]
    targets: tuple[Target, ...]
    reward_curves: dict[str, Curve]
    seeds: SeedPlan
    probes: Probes
    probe_plans: tuple[ProbePlan, ...]


class RequiredOutputs(Frozen):
    """The schema of metrics.csv besides `condition` (and `step`)."""

    columns: tuple[Column, ...]
    step_column: bool
    min_rows_per_condition: int


class ClaimSpec(Frozen):
    """A claim with everything that makes its task: hidden targets, contract, wording, budget.

    `spec_hash` is the digest of everything here that changes the task; `contract_hash` of what the verifier uses.
    `paper_text` is written where it is not `masked`, `samples` where there are any: each verification draws one, and
    runs and scores no more than that. `audit` is written where findings are asked for in place of measurements.
    """

    schema_version: Literal[1]
    paper_id: str
    family: str
    claim_id: str
    claim_uid: str
    spec_hash: str
    contract_hash: str
    title: str
    statement: str
    agent_statement: str
    claim_type: ClaimType
    anchors: tuple[Anchor, ...]
    conditions: tuple[Condition, ...]
    knobs: tuple[Knob, ...]
    metrics: tuple[MetricSpec, ...]
    targets: tuple[Target, ...]
    guards: tuple[Guard, ...]
    reward_curves: dict[str, Curve]
    aggregation: Literal["min", "weighted_mean"]
    seeds: SeedPlan
    probes: Probes
    probe_plans: tuple[ProbePlan, ...]
    required_outputs: RequiredOutputs
    limits: Limits
    protocol: Protocol
    assets: tuple[Asset, ...]
    egress: tuple[str, ...]
    evidence_level: Literal["artifact", "replay", "reexecute"]
    exposure_policy: ExposurePolicy
    paper_text: Annotated[PaperText, Field(exclude_if=lambda text: text == "masked")] = "masked"
    run_budget_s: int
    requires_training: bool
    requires_gpu: bool
    cost: Literal["S", "M", "L", "XL"]
    samples: Annotated[tuple[CellSample, ...], Field(exclude_if=lambda samples: not samples)] = ()
    audit: Annotated[Audit | None, Field(exclude_if=lambda audit: audit is None)] = None

    def drawn(self) -> tuple["ClaimSpec", ...]:
        """What a verification may draw: the claim on each of its samples, or the claim itself where it has none."""
        if not self.samples:
            return (self,)
        fields = [{name: getattr(one, name) for name in CellSample.model_fields} for one in self.samples]
        return tuple(self.model_copy(update={**changed, "samples": ()}) for changed in fields)
