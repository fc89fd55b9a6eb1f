"""The red team's cheap attacks at build time: remembered numbers put through drawn runs and the judge, no box."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Literal

from reproducegym.pipeline.attacking.forgery import (
    Row,
    known_conditions,
    remembered,
    seed_noise,
    starved,
    trend_steps,
)
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.judging.draw import PlannedRun, Randbelow, plan_runs
from reproducegym.pipeline.probing.resistance import memory_resistant
from reproducegym.pipeline.proving.synthetic import csv_bytes
from reproducegym.schema.base import canonical_json
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Run, score_runs

__all__ = ["earnings", "gameability", "is_resistant", "rehearse", "resists_memory", "weakest_paid"]

Strength = Literal["none", "knobs", "switches", "labels"]

_Recall = Callable[[PlannedRun, int], Row]
"""The remembered values that a cheat writes for the condition at this place of a run."""

_GOES_BY: Mapping[str, Strength] = {
    "constants": "switches",
    "by_place": "labels",
    "copied_rows": "labels",
    "by_switches": "switches",
    "by_knobs": "knobs",
}
"""What a cheat goes by, from the little that anybody sees (labels, their places) to knowledge of the probes."""
_INFORMED = "by_knobs"


def earnings(spec: ClaimSpec, contract: Contract) -> Mapping[str, float]:
    """What remembered numbers earn in one drawn verification, by what they are keyed on.

    Of a claim that is drawn from, the most that each earns on any sample. In an audit there are no numbers to remember.
    """
    if spec.audit is not None:
        return dict.fromkeys(_GOES_BY, 0.0)
    if spec.samples:
        each = [earnings(one, contract_of(one)) for one in spec.drawn()]
        return {name: max(one[name] for one in each) for name in _GOES_BY}
    judge = load_contract(canonical_json(contract))
    values, noise = remembered(spec, contract), seed_noise(spec, contract)
    known = [condition.label for condition in contract.conditions]
    printed = known_conditions(contract, values)
    idle = starved(spec, contract, values)

    def by_switches(run: PlannedRun, place: int) -> Row:
        asked = run.conditions[place].switches
        return next((row for condition, row in printed if condition.switches == asked), printed[0][1])

    cheats: Mapping[str, tuple[_Recall, float]] = {
        "constants": (by_switches, 0.0),
        "by_place": (lambda run, place: values[known[place % len(known)]], noise),
        "copied_rows": (lambda run, place: values[known[0]], noise),
        "by_switches": (by_switches, noise),
        _INFORMED: (lambda run, place: by_switches(run, place) if run.knobs == contract.knobs else idle, noise),
    }
    earned = {}
    for name, (recall, spread) in cheats.items():
        runs = [
            Run(
                plan.purpose,
                plan.index,
                plan.seed,
                plan.labels,
                "ok",
                "",
                _table(spec, contract, plan, recall, spread),
                plan.choice,
            )
            for plan in plan_runs(contract, _below(_drawn(name)))
        ]
        earned[name] = score_runs(judge, runs).reward
    return earned


def rehearse(spec: ClaimSpec, contract: Contract) -> tuple[CheckResult, ...]:
    """What remembered numbers earn, in words.

    One that earns something fails no task; its detail says so, and the manifest calls the task not memory-resistant,
    unless the cheat had to know of the probes.
    """
    paid = {name: reward for name, reward in earnings(spec, contract).items() if reward > 0}
    said = {name: f"earns {reward:.2f}: no probe of this task stops it" for name, reward in paid.items()}
    if _INFORMED in said:
        said[_INFORMED] += "; it has to know that a turned knob must close the gap"
    return tuple(CheckResult(name=f"attack_{name}", passed=True, detail=said.get(name, "")) for name in _GOES_BY)


def is_resistant(spec: ClaimSpec, earned: Mapping[str, float]) -> bool:
    """Whether a task has probes that memory alone does not answer, and they do stop every cheat that knows no more."""
    return memory_resistant(spec.probes.used) and gameability(earned) == 0


def resists_memory(spec: ClaimSpec, contract: Contract) -> bool:
    """Whether remembered numbers alone earn nothing in a task, by its probes and by the rehearsal."""
    return is_resistant(spec, earnings(spec, contract))


def gameability(earned: Mapping[str, float]) -> float:
    """The best reward of a cheat that knows the paper and nothing else."""
    return max(reward for name, reward in earned.items() if name != _INFORMED)


def weakest_paid(earned: Mapping[str, float]) -> Strength:
    """The least that remembered numbers must go by to be paid."""
    paid = {_GOES_BY[name] for name, reward in earned.items() if reward > 0}
    order: tuple[Strength, ...] = ("labels", "switches", "knobs")
    return next((one for one in order if one in paid), "none")


def _table(spec: ClaimSpec, contract: Contract, plan: PlannedRun, recall: _Recall, spread: float) -> bytes:
    names = [column.name for column in contract.columns]
    lines = [["condition", *["step"] * contract.step_column, *names]]
    draw = _drawn(str(plan.seed))
    for place, condition in enumerate(plan.conditions):
        row = recall(plan, place)
        for index, step in enumerate(trend_steps(spec, contract)):
            levels = [level[index] if isinstance(level, tuple) else level for level in (row[name] for name in names)]
            cells = [repr(level + spread * (next(draw) / 2**31 - 1)) for level in levels]
            lines.append([condition.label, *[repr(step)] * contract.step_column, *cells])
    return csv_bytes(lines)


def _below(drawn: Iterator[int]) -> Randbelow:
    return lambda bound: next(drawn) % bound


def _drawn(key: str) -> Iterator[int]:
    """Numbers below 2³² that only the key decides: a build gives the same bytes every time."""
    number = 0
    while True:
        number += 1
        yield int.from_bytes(sha256(f"{key} {number}".encode()).digest()[:4], "big")
