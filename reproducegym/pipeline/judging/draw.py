"""Plans the runs of one verification: hidden seeds, opaque labels, shuffled conditions, drawn after the agent ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reproducegym.pipeline.judging.replay import CHECKPOINTS, FINAL, SEGMENT
from reproducegym.schema.contract import Contract, ContractCondition
from reproducegym.schema.replay import ReplayPlan

__all__ = ["SEED_BELOW", "PlannedRun", "Randbelow", "plan_replay", "plan_runs"]

SEED_BELOW = 2**31
"""Seeds are drawn from [0, 2^31): every generator in use takes these."""

T = TypeVar("T")

Randbelow = Callable[[int], int]
"""Gives an integer in [0, n); `secrets.randbelow` in earnest, a fixed generator in tests."""


@dataclass(frozen=True)
class PlannedRun:
    """One run of reproduce.sh to start.

    `purpose` is `main` or a probe's name, `index` counts within it. `conditions` carry opaque labels in the order
    that the run sees them; `labels` maps these back to the contract's. `knobs` is complete; `choice` is which of its
    probe's choices it is made under. Of a replay `start` is the
    directory of the submission that it starts from (None: from the beginning), `stop` the segment that it ends after.
    `asset` is the one whose labels are permuted, None where none are; `asset_draw` decides in which order, None where
    the task has no assets.
    """

    purpose: str
    index: int
    seed: int
    conditions: tuple[ContractCondition, ...]
    labels: dict[str, str]
    knobs: dict[str, float]
    start: str | None = None
    stop: int | None = None
    choice: int = 0
    asset: str | None = None
    asset_draw: int | None = None


def plan_runs(contract: Contract, randbelow: Randbelow) -> tuple[PlannedRun, ...]:
    """The main runs, then each probe's, every one with its own seed, labels and order of conditions.

    All runs of a probe are made under one of its choices, drawn here. Nothing in what a run is shown tells a probe
    from a main run besides its switches and knobs. Runs come in pairs of opposite order, and labels sort as they
    stand, so that a script which goes by a condition's place instead of its switches gives an effect one sign and
    then the other: chance doesn't help it.
    """
    seeds: set[int] = set()
    runs: list[PlannedRun] = []

    def add(
        purpose: str, count: int, conditions: Sequence[ContractCondition], knobs: dict[str, float], choice: int = 0
    ) -> None:
        order: list[ContractCondition] = []
        for index in range(count):
            seed = _fresh(seeds, lambda: randbelow(SEED_BELOW))
            order = order[::-1] if index % 2 else _shuffled(conditions, randbelow)
            shown, opaque = _under_labels(order, randbelow)
            runs.append(PlannedRun(purpose, index, seed, shown, opaque, knobs, choice=choice))

    add("main", contract.seeds, contract.conditions, dict(contract.knobs))
    for probe in contract.probes:
        choice = randbelow(len(probe.choices)) if len(probe.choices) > 1 else 0
        add(probe.name, probe.seeds, probe.conditions, {**contract.knobs, **probe.choices[choice].knobs}, choice)
    return tuple(runs)


def plan_replay(contract: Contract, plan: ReplayPlan, randbelow: Randbelow) -> tuple[PlannedRun, ...]:
    """Of each seed some segments that nobody knew before, the last one, and the measurement at the last checkpoint."""
    runs: list[PlannedRun] = []
    for seed in plan.seeds:
        drawn = sorted(_shuffled(range(1, plan.segments), randbelow)[: plan.drawn])
        ends = [(SEGMENT, stop, stop - 1) for stop in (*drawn, plan.segments)]
        for purpose, stop, start in (*ends, (FINAL, plan.segments, plan.segments)):
            shown, opaque = _under_labels(_shuffled(contract.conditions, randbelow), randbelow)
            place = f"{CHECKPOINTS}/{seed}/{start}" if start else None
            runs.append(PlannedRun(purpose, stop, seed, shown, opaque, dict(contract.knobs), place, stop))
    return tuple(runs)


def _under_labels(
    order: Sequence[ContractCondition], randbelow: Randbelow
) -> tuple[tuple[ContractCondition, ...], dict[str, str]]:
    """The conditions under opaque labels, and what each of these stands for."""
    taken: set[str] = set()
    labels = sorted(_fresh(taken, lambda: f"c{randbelow(16**8):08x}") for _ in order)
    pairs = list(zip(labels, order, strict=True))
    shown = tuple(ContractCondition(label=label, switches=condition.switches) for label, condition in pairs)
    return shown, {label: condition.label for label, condition in pairs}


def _fresh(taken: set[T], draw: Callable[[], T]) -> T:
    """A drawn value that is not taken yet; it is taken afterwards."""
    while (value := draw()) in taken:
        continue
    taken.add(value)
    return value


def _shuffled(items: Sequence[T], randbelow: Randbelow) -> list[T]:
    """Fisher–Yates."""
    rest = list(items)
    for last in range(len(rest) - 1, 0, -1):
        other = randbelow(last + 1)
        rest[last], rest[other] = rest[other], rest[last]
    return rest
