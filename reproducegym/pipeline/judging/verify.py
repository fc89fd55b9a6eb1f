"""Runs a submission again in fresh sandboxes, under seeds and labels it never saw, and has the verifier score it."""

import contextlib
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reproducegym.pipeline.assets.copies import DRAW_BELOW, agent_mounts, run_mounts
from reproducegym.pipeline.judging.draw import PlannedRun, Randbelow, plan_replay, plan_runs, starting_order
from reproducegym.pipeline.judging.examining import scored_table
from reproducegym.pipeline.judging.plausibility import implausible
from reproducegym.pipeline.judging.recorded import CHECKPOINTS, read_recorded
from reproducegym.pipeline.judging.replay import REPLAY, score_replay
from reproducegym.pipeline.judging.rerun import (
    CHECKPOINT,
    ENTRY,
    METRICS,
    Judge,
    RunFiles,
    record_of,
    run_again,
    staged,
)
from reproducegym.ports import CopyLimits, Files
from reproducegym.schema.base import digest
from reproducegym.schema.contract import Contract
from reproducegym.schema.reading import read_json
from reproducegym.schema.replay import ReplayPlan
from reproducegym.schema.run import Draw, EvidenceLevel, FailureKind, Flag, Report, RunRecord
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ManifestTask
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Run, score_artifact, score_runs

__all__ = ["Order", "Verified", "score_stored", "submission_digest", "verify"]

_RECORDED = (CHECKPOINTS, "output")


@dataclass(frozen=True)
class Order:
    """A task as runner and verifier need it, read from a task directory whose digest was checked.

    `input_files` are named relative to `input_files/`; `contract_json` are the bytes of `reward/contract.json`.
    `samples` are the contracts of which a verification draws one, where the claim is too wide to be run whole.
    """

    entry: ManifestTask
    spec: ClaimSpec
    instructions: str
    input_files: Files
    contract: Contract
    contract_json: bytes
    samples: tuple[Contract, ...] = ()

    def on(self, sample: int | None) -> "Order":
        """The task with the contract of the sample that was drawn; itself where there are none (None)."""
        if sample is None:
            return self
        drawn = self.samples[sample]
        return replace(self, contract=drawn, contract_json=drawn.to_json().encode())


@dataclass(frozen=True)
class Verified:
    """The outcome of a verification.

    `report` is None exactly when the failure is `infra` or `verifier`. `files` stands beside `draw.runs`, in order.
    `level_detail` says why `level` is below the one that the contract asks for; empty where it isn't;
    `flags` are what people should look at in the runs, whatever they earned.
    """

    draw: Draw
    files: tuple[RunFiles, ...]
    report: Report | None
    failure_kind: FailureKind | None
    failure_detail: str
    seconds: float
    level: EvidenceLevel
    level_detail: str
    flags: tuple[Flag, ...]


def submission_digest(files: Files) -> str:
    """One sha256 over names and contents, independent of order."""
    lines = "".join(f"{digest(files[name])}  {name}\n" for name in sorted(files))
    return digest(lines.encode())


def verify(submission: Files, order: Order, judge: Judge) -> Verified:
    """Score a submission at the contract's evidence level.

    At `reexecute` every planned run gets a fresh sandbox without network, in which `/submission` is the submission
    with the pristine `input_files/` put over it, read-only. At `replay` these runs start from checkpoints of the
    submission, and see no table that it recorded later; without usable checkpoints the level falls to `artifact`.
    Faults of the submission score 0; a fault of the engine (after two more tries) or of our scoring leaves no report.
    """
    began = time.monotonic()
    sample = judge.randbelow(len(order.samples)) if order.samples else None
    order = order.on(sample)
    contract, level, lacking = order.contract, order.contract.evidence_level, ""
    pristine = {f"input_files/{name}": content for name, content in order.input_files.items()}
    own = {name: data for name, data in submission.items() if name.split("/")[0] != "input_files"}
    if level == "replay":
        plan = read_json(ReplayPlan, order.input_files[REPLAY], REPLAY)
        lacking = _lacking(submission, plan, order.contract_json)
        level = "artifact" if lacking else level
    if level == "artifact":
        records: tuple[RunRecord, ...] = ()
        files: tuple[RunFiles, ...] = (RunFiles(scored_table(submission, order.spec.audit), b""),)
    elif level == "replay":
        plans = plan_replay(contract, plan, judge.randbelow)
        records, files = _run_all(own | pristine, plans, plan.segment_budget_s, order, judge)
    else:
        plans = plan_runs(contract, judge.randbelow)
        records, files = _run_all(own | pristine, plans, order.spec.run_budget_s, order, judge)
    draw = Draw(schema_version=1, submission_sha256=submission_digest(submission), runs=records, sample=sample)
    report, kind, detail = score_stored(draw, files, contract, order.contract_json, submission)
    flagged = () if report is None else _flags(draw, files, order.contract_json)
    return Verified(draw, files, report, kind, detail, time.monotonic() - began, level, lacking, flagged)


def _lacking(submission: Files, plan: ReplayPlan, contract_json: bytes) -> str:
    """Why nothing can be run again from a submission's checkpoints; empty where it can."""
    if ENTRY not in submission:
        return f"the submission has no {ENTRY}"
    recorded = read_recorded(submission, load_contract(contract_json), plan.seeds, plan.segments)
    return recorded if isinstance(recorded, str) else ""


def score_stored(
    draw: Draw, files: tuple[RunFiles, ...], contract: Contract, contract_json: bytes, submission: Files
) -> tuple[Report | None, FailureKind | None, str]:
    """The report on runs that were made, or whose fault it is that there is none; used again by regrade."""
    failed = [run for run in draw.runs if run.outcome == "infra"]
    if failed:
        return None, "infra", f"{failed[0].purpose} run {failed[0].index}: {failed[0].detail}"
    try:
        judged = load_contract(contract_json)
        if contract.evidence_level == "reexecute":
            pairs = zip(draw.runs, files, strict=True)
            scored = score_runs(judged, [_scored(record, stored) for record, stored in pairs])
        elif draw.runs:
            told = [(run, stored.metrics_csv) for run, stored in zip(draw.runs, files, strict=True)]
            scored = score_replay(judged, submission, told)
        else:
            scored = score_artifact(judged, files[0].metrics_csv)
        report = Report.from_json(scored.to_json())
    except Exception:  # noqa: BLE001 - whatever breaks in the judge is the judge's fault and must never become a 0
        return None, "verifier", " | ".join(traceback.format_exc().splitlines())
    return report, report.failure_kind, _detail(report, draw)


def _flags(draw: Draw, files: tuple[RunFiles, ...], contract_json: bytes) -> tuple[Flag, ...]:
    made = zip(draw.runs, files, strict=True) if draw.runs else ()
    return implausible(load_contract(contract_json), [(run, stored.metrics_csv) for run, stored in made])


def _detail(report: Report, draw: Draw) -> str:
    """The report's problems, a failed run's with its reason; a reason that many runs share stands once."""
    reasons = {f"{run.outcome}:{run.purpose} run {run.index}": run.detail for run in draw.runs}
    reasons |= {f"{run.outcome}:seed {run.seed}, {run.purpose} {run.index}": run.detail for run in draw.runs}
    told: set[str] = set()
    words = []
    for problem in report.problems:
        reason = reasons.get(problem, "")
        words.append(problem if not reason or reason in told else f"{problem} ({reason})")
        told.add(reason)
    return "; ".join(words)


def _scored(record: RunRecord, stored: RunFiles) -> Run:
    return Run(
        purpose=record.purpose,
        index=record.index,
        seed=record.seed,
        labels=record.labels,
        outcome=record.outcome,
        detail=record.detail,
        metrics_csv=stored.metrics_csv,
        choice=record.choice,
    )


def _run_all(
    files: Files, plans: tuple[PlannedRun, ...], budget_s: int, order: Order, judge: Judge
) -> tuple[tuple[RunRecord, ...], tuple[RunFiles, ...]]:
    contract, plans = order.contract, _with_assets(plans, order, judge.randbelow)
    if ENTRY not in files:
        detail = f"the submission has no {ENTRY}"
        empty = tuple(record_of(plan, "no_output", None, detail, 0.0, None) for plan in plans)
        return empty, tuple(RunFiles(None, b"") for _ in plans)
    size = contract.limits.max_bytes
    limits = CopyLimits(max_files=1, max_bytes=size, max_file_bytes=size, one_file=True)
    replayed = any(plan.stop is not None for plan in plans)
    recorded = {name: data for name, data in files.items() if replayed and name.split("/")[0] in _RECORDED}
    rest = {name: data for name, data in files.items() if name not in recorded}
    states = {name: data for name, data in recorded.items() if name.split("/")[3:] != [METRICS]}
    with staged(rest) as directory, staged(states) as checkpoints:

        def work(plan: PlannedRun) -> tuple[RunRecord, RunFiles]:
            mounts = {"/submission": directory}
            if plan.start is not None:
                mounts[CHECKPOINT] = checkpoints / plan.start
            with _asset_mounts(plan, order.spec, judge) as given:
                return run_again(plan, mounts | given, budget_s, limits, judge)

        order_of_starts = starting_order(len(plans), judge.randbelow)
        ended = judge.executor.map(work, (plans[place] for place in order_of_starts))
        by_place = dict(zip(order_of_starts, ended, strict=True))
    done = [by_place[place] for place in range(len(plans))]
    return tuple(record for record, _ in done), tuple(stored for _, stored in done)


def _with_assets(plans: tuple[PlannedRun, ...], order: Order, randbelow: Randbelow) -> tuple[PlannedRun, ...]:
    """The runs of a task with assets, each with its own draw; those of some probes with permuted labels."""
    if not order.spec.assets:
        return plans
    permuted = {str(probe.name): probe.asset for probe in order.spec.probe_plans}
    return tuple(replace(plan, asset=permuted.get(plan.purpose), asset_draw=randbelow(DRAW_BELOW)) for plan in plans)


@contextlib.contextmanager
def _asset_mounts(plan: PlannedRun, spec: ClaimSpec, judge: Judge) -> Iterator[dict[str, Path]]:
    """Where a run finds the task's assets; nothing for a task without any. A replayed run gets them as they are."""
    if plan.asset_draw is None or plan.stop is not None:
        yield agent_mounts(spec.assets, judge.assets)
        return
    probed = frozenset(probe.asset for probe in spec.probe_plans if probe.asset is not None)
    with run_mounts(spec.assets, judge.assets, probed, plan.asset, plan.asset_draw) as mounts:
        yield mounts
