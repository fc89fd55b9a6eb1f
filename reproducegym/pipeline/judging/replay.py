"""Judges runs from checkpoints: what a submission recorded must come out again, and only what came out is scored."""

import math
from collections.abc import Sequence
from dataclasses import replace

from reproducegym.pipeline.judging.recorded import read_recorded
from reproducegym.pipeline.judging.replay_checks import changed_rows, crossed, differences, fresh
from reproducegym.ports import Files
from reproducegym.schema.replay import ReplayPlan
from reproducegym.schema.run import RunRecord
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import Contract
from reproducegym.verifier.score import Report, Run, score_runs

__all__ = [
    "CROSSED",
    "FINAL",
    "FRESH",
    "REPLAY",
    "SEGMENT",
    "longest_run",
    "replay_plan",
    "score_replay",
]

REPLAY = "replay.json"
"""The plan of a task at level `replay`, among its input files."""
SEGMENT = "segment"
"""Purpose of a run from the checkpoint before a segment to its end; its index is the segment's number, from 1."""
FINAL = "final"
"""Purpose of a measurement from the last checkpoint, without training."""

CROSSED = "crossed"
"""Purpose of a run of a segment under one seed from the checkpoint of another; its index is the segment's number."""
FRESH = "fresh"
"""Purpose of a run of the first segment under a seed that nobody knew before."""

_PURPOSES = (SEGMENT, FINAL, CROSSED, FRESH)
_DRAWN = 1
_CROSSED = 2
_FRESH = 1
_ROOM = 1.25


def longest_run(seeds: int, probe_runs: int, max_hours: float) -> int:
    """Seconds that each run of a replay may take, so that all of them fit into `max_hours`."""
    runs = seeds * (_DRAWN + 2) + _CROSSED + _FRESH + probe_runs
    return max(1, int(max_hours * 3600 / runs))


def replay_plan(spec: ClaimSpec, max_hours: float) -> ReplayPlan:
    """As few segments as make what is run again fit into `max_hours`; each may take a quarter more than its share."""
    budget = longest_run(spec.seeds.count, sum(plan.seeds for plan in spec.probe_plans), max_hours)
    return ReplayPlan(
        schema_version=1,
        seeds=tuple(range(1, spec.seeds.count + 1)),
        segments=max(2, math.ceil(_ROOM * spec.run_budget_s / budget)),
        segment_budget_s=budget,
        drawn=_DRAWN,
        crossed=_CROSSED,
        fresh=_FRESH,
    )


def score_replay(contract: Contract, submission: Files, runs: Sequence[tuple[RunRecord, bytes | None]]) -> Report:
    """Score runs from checkpoints, each with the metrics.csv that it wrote.

    Every segment and measurement must give again what the submission recorded; segments from another seed's checkpoint
    must follow from it, first segments under new seeds must be like the recorded ones, and probes must hold. The reward
    is the smaller of what the last segments and the measurements at the last checkpoints earn: nothing that was only
    recorded is ever paid for.

    Raises:
        ValueError: the runs are not of this submission.
    """
    made = {purpose: [one for one in runs if one[0].purpose == purpose] for purpose in _PURPOSES}
    segments = max(record.index for record, _ in made[SEGMENT])
    recorded = read_recorded(submission, contract, sorted({record.seed for record, _ in made[SEGMENT]}), segments)
    if isinstance(recorded, str):
        raise ValueError(f"runs from checkpoints that the submission doesn't have: {recorded}")
    probes = [_probe(record, data) for record, data in runs if record.purpose not in _PURPOSES]
    scored = [
        score_runs(
            contract, [*(_main(record, data) for record, data in made[purpose] if record.index == segments), *probes]
        )
        for purpose in (SEGMENT, FINAL)
    ]
    worst = min(scored, key=lambda report: report.reward)
    found = (
        *changed_rows(recorded),
        *differences(contract, recorded, [*made[SEGMENT], *made[FINAL]]),
        *crossed(contract, recorded, made[CROSSED]),
        *fresh(contract, recorded, made[FRESH]),
    )
    problems = tuple(map(str, found))
    if not problems:
        return worst
    told = tuple(dict.fromkeys((*worst.problems, *problems)))
    return replace(worst, reward=0.0, failure_kind="agent", problems=told)


def _main(record: RunRecord, data: bytes | None) -> Run:
    return Run("main", record.seed, record.seed, record.labels, record.outcome, record.detail, data)


def _probe(record: RunRecord, data: bytes | None) -> Run:
    at = (record.purpose, record.index, record.seed, record.labels)
    return Run(*at, record.outcome, record.detail, data, record.choice)
