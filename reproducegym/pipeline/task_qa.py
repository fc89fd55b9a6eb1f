"""Proves a task before it is accepted: synthetic submissions of known worth must earn exactly what they should."""

from collections.abc import Mapping
from dataclasses import dataclass

from reproducegym.schema.contract import Contract
from reproducegym.schema.task import CheckResult

__all__ = ["TargetCheck", "self_test"]


@dataclass(frozen=True)
class TargetCheck:
    """What a metric should be worth, independent of its curve, and values of the columns that make it so.

    `target`, `tolerance`, `no_effect` are t, d, z of docs/contract.md (for a guard: its reference g, d, and None).
    `inputs` gives each series that the formula uses (`"ucb.regret"`, that is condition.column) a value inside the
    column's range such that the metric equals the target; `moves` names the series that are shifted together to
    make the metric take another value (say, the treatment's; all parts of a mean).
    A diagnostic that a probe expects something of needs a check too: only its `inputs` and `moves` are used then.
    """

    target: float
    tolerance: float
    no_effect: float | None
    inputs: Mapping[str, float]
    moves: tuple[str, ...]


def self_test(contract: Contract, checks: Mapping[str, TargetCheck]) -> tuple[CheckResult, ...]:
    """Run all self-tests; `checks` holds one entry for each primary and guard metric, by metric name.

    A task is accepted only when every result has passed.
    """
    raise NotImplementedError
