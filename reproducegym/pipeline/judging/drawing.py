"""Draws the runs of one verification, wherever it is made: standard library and the judge's own types alone."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

from reproducegym.verifier.contract import Condition

__all__ = [
    "SEED_BELOW",
    "Choice",
    "Drawable",
    "PlannedRun",
    "Probe",
    "Randbelow",
    "Setting",
    "conditions_json",
    "fresh",
    "knobs_json",
    "plan_runs",
    "probe_runs",
    "shuffled",
    "starting_order",
    "under_labels",
]

SEED_BELOW = 2**31
"""Seeds are drawn from [0, 2^31): every generator in use takes these."""

T = TypeVar("T")

Randbelow = Callable[[int], int]
"""Gives an integer in [0, n); `secrets.randbelow` in earnest, a fixed generator in tests."""


class Setting(Protocol):
    """A condition: its label, and the switches that say what to run."""

    @property
    def label(self) -> str: ...
    @property
    def switches(self) -> dict[str, str]: ...


class Choice(Protocol):
    """One way to run a probe."""

    @property
    def knobs(self) -> dict[str, float]: ...


class Probe(Protocol):
    """What a plan needs of a probe."""

    @property
    def name(self) -> str: ...
    @property
    def conditions(self) -> Sequence[Setting]: ...
    @property
    def seeds(self) -> int: ...
    @property
    def choices(self) -> Sequence[Choice]: ...


class Drawable(Protocol):
    """What a plan needs of a contract: that of the schema and the judge's own both have it."""

    @property
    def conditions(self) -> Sequence[Setting]: ...
    @property
    def seeds(self) -> int: ...
    @property
    def knobs(self) -> dict[str, float]: ...
    @property
    def probes(self) -> Sequence[Probe]: ...


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
    conditions: tuple[Setting, ...]
    labels: dict[str, str]
    knobs: dict[str, float]
    start: str | None = None
    stop: int | None = None
    choice: int = 0
    asset: str | None = None
    asset_draw: int | None = None


def plan_runs(contract: Drawable, randbelow: Randbelow) -> tuple[PlannedRun, ...]:
    """The main runs, then each probe's, every one with its own seed, labels and order of conditions.

    All runs of a probe are made under one of its choices, drawn here. Nothing in what a run is shown tells a probe
    from a main run besides its switches and knobs. Runs come in pairs of opposite order, and labels sort as they
    stand, so that a script which goes by a condition's place instead of its switches gives an effect one sign and
    then the other: chance doesn't help it.
    """
    taken: set[int] = set()
    main = _Purpose("main", contract.seeds, contract.conditions, dict(contract.knobs), 0)
    return (*_runs_of(main, randbelow, taken), *probe_runs(contract, randbelow, taken))


@dataclass(frozen=True)
class _Purpose:
    """What runs are made for, how many there are, and what all of them are told."""

    name: str
    count: int
    conditions: Sequence[Setting]
    knobs: dict[str, float]
    choice: int


def _runs_of(purpose: _Purpose, randbelow: Randbelow, taken: set[int]) -> Iterator[PlannedRun]:
    order: list[Setting] = []
    for index in range(purpose.count):
        seed = fresh(taken, lambda: randbelow(SEED_BELOW))
        order = order[::-1] if index % 2 else shuffled(purpose.conditions, randbelow)
        shown, opaque = under_labels(order, randbelow)
        yield PlannedRun(purpose.name, index, seed, shown, opaque, purpose.knobs, choice=purpose.choice)


def probe_runs(contract: Drawable, randbelow: Randbelow, taken: set[int]) -> Iterator[PlannedRun]:
    """Every run of every probe, under the choice that is drawn for it; `taken` are the seeds used so far."""
    for probe in contract.probes:
        choice = randbelow(len(probe.choices)) if len(probe.choices) > 1 else 0
        knobs = {**contract.knobs, **probe.choices[choice].knobs}
        yield from _runs_of(_Purpose(probe.name, probe.seeds, probe.conditions, knobs, choice), randbelow, taken)


def starting_order(count: int, randbelow: Randbelow) -> tuple[int, ...]:
    """In which order so many planned runs are started: by the clock, too, nobody can tell a probe from a main run."""
    return tuple(shuffled(range(count), randbelow))


def under_labels(order: Sequence[Setting], randbelow: Randbelow) -> tuple[tuple[Setting, ...], dict[str, str]]:
    """The conditions under opaque labels, and what each of these stands for."""
    taken: set[str] = set()
    labels = sorted(fresh(taken, lambda: f"c{randbelow(16**8):08x}") for _ in order)
    pairs = list(zip(labels, order, strict=True))
    shown = tuple(Condition(label=label, switches=condition.switches) for label, condition in pairs)
    return shown, {label: condition.label for label, condition in pairs}


def fresh(taken: set[T], draw: Callable[[], T]) -> T:
    """A drawn value that is not taken yet; it is taken afterwards."""
    while (value := draw()) in taken:
        continue
    taken.add(value)
    return value


def shuffled(items: Sequence[T], randbelow: Randbelow) -> list[T]:
    """Fisher–Yates."""
    rest = list(items)
    for last in range(len(rest) - 1, 0, -1):
        other = randbelow(last + 1)
        rest[last], rest[other] = rest[other], rest[last]
    return rest


def conditions_json(plan: PlannedRun) -> bytes:
    """The file at REPRODUCEGYM_CONDITIONS."""
    shown = [{"label": condition.label, "switches": condition.switches} for condition in plan.conditions]
    return (json.dumps({"conditions": shown}, indent=2) + "\n").encode()


def knobs_json(knobs: Mapping[str, float]) -> bytes:
    """The file at REPRODUCEGYM_KNOBS; whole numbers are written as such: a script may pass them to `range`."""
    plain = {name: int(value) if value.is_integer() else value for name, value in knobs.items()}
    return (json.dumps({"knobs": plain}, indent=2) + "\n").encode()
