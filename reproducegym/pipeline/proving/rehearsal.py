"""The red team's cheap attacks at build time: remembered numbers put through drawn runs and the judge, no box."""

from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256

from reproducegym.pipeline.attacking.forgery import Values, remembered, seed_noise, trend_steps
from reproducegym.pipeline.judging.draw import PlannedRun, Randbelow, plan_runs
from reproducegym.pipeline.probing.probes import memory_resistant
from reproducegym.pipeline.proving.synthetic import csv_bytes
from reproducegym.schema.base import canonical_json
from reproducegym.schema.contract import Contract
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Run, score_runs

__all__ = ["rehearse", "resists_memory"]

_Recall = Callable[[PlannedRun, int], str]
"""Which of the remembered conditions a cheat takes for the one at this place of a run."""


def resists_memory(spec: ClaimSpec, contract: Contract) -> bool:
    """Whether a task has probes that memory alone does not answer, and they do stop every rehearsed cheat."""
    return memory_resistant(spec.probes.used) and not any(check.detail for check in rehearse(spec, contract))


def rehearse(spec: ClaimSpec, contract: Contract) -> tuple[CheckResult, ...]:
    """What remembered numbers earn, by what they are keyed on; of a probe's choices under the kindest one.

    One that earns something fails no task; its detail says so, and the manifest calls the task not memory-resistant.
    """
    values, noise = remembered(spec, contract), seed_noise(spec, contract)
    known = [condition.label for condition in contract.conditions]
    switches = {condition.label: condition.switches for condition in contract.conditions}

    def by_switches(run: PlannedRun, place: int) -> str:
        return next((one for one in known if switches[one] == run.conditions[place].switches), known[0])

    cheats: Mapping[str, tuple[_Recall, float]] = {
        "constants": (by_switches, 0.0),
        "by_place": (lambda run, place: known[place % len(known)], noise),
        "copied_rows": (lambda run, place: known[0], noise),
        "by_switches": (by_switches, noise),
    }
    results = []
    for name, (recall, spread) in cheats.items():
        rewards = []
        for fixed in _by_choice(contract):
            plans = plan_runs(fixed, _below(_drawn(name)))
            runs = [_run(plan, _table(spec, fixed, values, plan, recall, spread)) for plan in plans]
            rewards.append(score_runs(load_contract(canonical_json(fixed)), runs).reward)
        reward = max(rewards)
        detail = "" if reward == 0 else f"earns {reward:.2f}: no probe of this task stops it"
        results.append(CheckResult(name=f"attack_{name}", passed=True, detail=detail))
    return tuple(results)


def _by_choice(contract: Contract) -> Iterator[Contract]:
    """The contract as often as its probes have choices, each with one of them; the shorter lists go round."""
    for number in range(max((len(probe.choices) for probe in contract.probes), default=1)):
        kept = [(probe, probe.choices[number % len(probe.choices)]) for probe in contract.probes]
        probes = tuple(probe.model_copy(update={"choices": (choice,)}) for probe, choice in kept)
        yield contract.model_copy(update={"probes": probes})


def _run(plan: PlannedRun, table: bytes) -> Run:
    return Run(plan.purpose, plan.index, plan.seed, plan.labels, "ok", "", table)


def _table(
    spec: ClaimSpec, contract: Contract, values: Values, plan: PlannedRun, recall: _Recall, spread: float
) -> bytes:
    names = [column.name for column in contract.columns]
    lines = [["condition", *["step"] * contract.step_column, *names]]
    draw = _drawn(str(plan.seed))
    for place, condition in enumerate(plan.conditions):
        row = values[recall(plan, place)]
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
