"""Plans the runs of one verification: hidden seeds, opaque labels, shuffled conditions, drawn after the agent ended."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from reproducegym.pipeline.judging.recorded import CHECKPOINTS
from reproducegym.pipeline.judging.replay import CROSSED, FINAL, FRESH, SEGMENT
from reproducegym.schema.contract import Contract, ContractCondition
from reproducegym.schema.replay import ReplayPlan

__all__ = ["SEED_BELOW", "PlannedRun", "Randbelow", "plan_replay", "plan_runs", "starting_order"]

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
    taken: set[int] = set()
    main = _Purpose("main", contract.seeds, contract.conditions, dict(contract.knobs), 0)
    return (*_runs_of(main, randbelow, taken), *_probe_runs(contract, randbelow, taken))


@dataclass(frozen=True)
class _Purpose:
    """What runs are made for, how many there are, and what all of them are told."""

    name: str
    count: int
    conditions: Sequence[ContractCondition]
    knobs: dict[str, float]
    choice: int


def _runs_of(purpose: _Purpose, randbelow: Randbelow, taken: set[int]) -> Iterator[PlannedRun]:
    order: list[ContractCondition] = []
    for index in range(purpose.count):
        seed = _fresh(taken, lambda: randbelow(SEED_BELOW))
        order = order[::-1] if index % 2 else _shuffled(purpose.conditions, randbelow)
        shown, opaque = _under_labels(order, randbelow)
        yield PlannedRun(purpose.name, index, seed, shown, opaque, purpose.knobs, choice=purpose.choice)


def _probe_runs(contract: Contract, randbelow: Randbelow, taken: set[int]) -> Iterator[PlannedRun]:
    """Every run of every probe, under the choice that is drawn for it; `taken` are the seeds used so far."""
    for probe in contract.probes:
        choice = randbelow(len(probe.choices)) if len(probe.choices) > 1 else 0
        knobs = {**contract.knobs, **probe.choices[choice].knobs}
        yield from _runs_of(_Purpose(probe.name, probe.seeds, probe.conditions, knobs, choice), randbelow, taken)


def starting_order(count: int, randbelow: Randbelow) -> tuple[int, ...]:
    """In which order so many planned runs are started: by the clock, too, nobody can tell a probe from a main run."""
    return tuple(_shuffled(range(count), randbelow))


def plan_replay(contract: Contract, plan: ReplayPlan, randbelow: Randbelow) -> tuple[PlannedRun, ...]:
    """Of each seed some segments that nobody knew before, the last one, and the measurement at the last checkpoint.

    Then segments that start from another seed's checkpoint, first segments under new seeds, and the probes' runs.
    """
    runs: list[PlannedRun] = []
    taken = set(plan.seeds)

    def add(purpose: str, index: int, seed: int, start: str | None, stop: int) -> None:
        shown, opaque = _under_labels(_shuffled(contract.conditions, randbelow), randbelow)
        runs.append(PlannedRun(purpose, index, seed, shown, opaque, dict(contract.knobs), start, stop))

    for seed in plan.seeds:
        drawn = sorted(_shuffled(range(1, plan.segments), randbelow)[: plan.drawn])
        ends = [(SEGMENT, stop, stop - 1) for stop in (*drawn, plan.segments)]
        for purpose, stop, start in (*ends, (FINAL, plan.segments, plan.segments)):
            add(purpose, stop, seed, f"{CHECKPOINTS}/{seed}/{start}" if start else None, stop)
    for number in range(plan.crossed if len(plan.seeds) > 1 and plan.segments > 1 else 0):
        seed, other = _shuffled(plan.seeds, randbelow)[:2]
        stop = 2 + randbelow(plan.segments - 1) if number else plan.segments
        add(CROSSED, stop, seed, f"{CHECKPOINTS}/{other}/{stop - 1}", stop)
    for _ in range(plan.fresh):
        add(FRESH, 1, _fresh(taken, lambda: randbelow(SEED_BELOW)), None, 1)
    return (*runs, *_probe_runs(contract, randbelow, taken))


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
