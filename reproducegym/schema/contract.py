"""What the hidden verifier needs to score a submission; written as `reward/contract.json`, read by `verifier`."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen

__all__ = [
    "Column",
    "Contract",
    "ContractCondition",
    "ContractMetric",
    "Curve",
    "Expectation",
    "Limits",
    "ProbeChoice",
    "ProbePlan",
]


class Column(Frozen):
    """One column of metrics.csv; values outside `range` (inclusive; None is open) are refused."""

    name: str
    unit: str
    range: tuple[float | None, float | None]
    stochastic: Literal["continuous", "discrete", "none"]


class ContractCondition(Frozen):
    """One setting that `reproduce.sh` must run, with the switches it gets."""

    label: str
    switches: dict[str, str]


class ContractMetric(Frozen):
    """A scalar: `formula` over `condition.column` series; `over_seeds` combines each aggregation across seeds."""

    name: str
    formula: str
    role: Literal["primary", "guard", "diagnostic"]
    over_seeds: Literal["mean", "median", "iqm", "max"]


class Curve(Frozen):
    """Piecewise linear reward in [0, 1]: x strictly increasing; flat beyond both ends.

    Values outside `plausible` (inclusive; None is open) earn 0 and are listed as implausible.
    """

    shape: Literal["two_sided", "at_least", "at_most", "guard"]
    points: tuple[tuple[float, float], ...]
    plausible: tuple[float | None, float | None]


class Expectation(Frozen):
    """A probe's right answer: the metric must lie within `abs` of `value`.

    `rms` bounds the root mean square of the runs' own deviations from `value` (None: not looked at): runs that are
    wrong in turn, on one side and the other, must not cancel.
    """

    metric: str
    value: float
    abs: float
    rms: float | None


class ProbeChoice(Frozen):
    """One way to run a probe: these knobs, and what must hold under them."""

    knobs: dict[str, float]
    expect: tuple[Expectation, ...]


class ProbePlan(Frozen):
    """An extra re-run: same labels, these switches, `seeds` runs under one of the `choices`.

    Each verification draws one choice after the agent has ended; no two have the same knobs.

    `asset` names the data set whose labels are permuted in these runs, None where none are: it stands in the spec, not
    in a contract, since it is the judge who gives a run its data, and the verifier only reads what runs wrote.
    """

    name: Literal["null", "budget", "data", "curve", "row", "counterfactual"]
    conditions: tuple[ContractCondition, ...]
    seeds: int
    choices: tuple[ProbeChoice, ...]
    asset: Annotated[str | None, Field(exclude_if=lambda asset: asset is None)] = None

    @property
    def expectations(self) -> tuple[Expectation, ...]:
        """What must hold under any of the choices, in their order."""
        return tuple(expectation for choice in self.choices for expectation in choice.expect)


class Limits(Frozen):
    """Bounds on one metrics.csv."""

    max_bytes: int
    max_rows: int


class Contract(Frozen):
    """Everything that the verifier uses, and nothing else; its digest is the `contract_hash`."""

    schema_version: Literal[1]
    evidence_level: Literal["artifact", "replay", "reexecute"]
    conditions: tuple[ContractCondition, ...]
    columns: tuple[Column, ...]
    step_column: bool
    min_rows_per_condition: int
    seeds: int
    knobs: dict[str, float]
    metrics: tuple[ContractMetric, ...]
    reward_curves: dict[str, Curve]
    aggregation: Literal["min", "weighted_mean"]
    weights: dict[str, float] | None
    probes: tuple[ProbePlan, ...]
    limits: Limits
