"""Runs a submission again in fresh sandboxes, under seeds and labels it never saw, and has the verifier score it."""

import contextlib
import json
import time
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from reproducegym.errors import InfrastructureError, StorageError
from reproducegym.pipeline.assets.copies import ASSETS, DRAW_BELOW, agent_mounts, run_mounts
from reproducegym.pipeline.judging.draw import PlannedRun, Randbelow, plan_replay, plan_runs, starting_order
from reproducegym.pipeline.judging.plausibility import implausible
from reproducegym.pipeline.judging.recorded import CHECKPOINTS, read_recorded
from reproducegym.pipeline.judging.replay import REPLAY, score_replay
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits, ExecOutcome, Executor, Files, Sandbox, SandboxBox, SandboxSpec
from reproducegym.schema.base import digest
from reproducegym.schema.config import SandboxConfig
from reproducegym.schema.contract import Contract
from reproducegym.schema.reading import read_json
from reproducegym.schema.replay import ReplayPlan
from reproducegym.schema.run import Draw, EvidenceLevel, FailureKind, Flag, Report, RunOutcome, RunRecord
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ManifestTask
from reproducegym.scratch import scratch_directory
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import Run, score_artifact, score_runs

__all__ = [
    "ENTRY",
    "Judge",
    "Order",
    "RunFiles",
    "Verified",
    "conditions_json",
    "knobs_json",
    "let_stop_pass",
    "score_stored",
    "staged",
    "submission_digest",
    "verify",
]

ENTRY = "reproduce.sh"
STAGED = "submission"
"""Purpose of the scratch directories that hold submissions while they are run again."""
_TRIES = 3
_OUT = "/workspace/out"
_CHECKPOINT = "/checkpoint"
_RECORDED = (CHECKPOINTS, "output")
_METRICS = "metrics.csv"
_GRACE_S = 60.0


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
class Judge:
    """Where and how submissions are run again. `image` is the name given to the sandbox; `run_id` labels the boxes.

    `assets` says by name where the operator has what tasks need; their digests were checked.
    """

    sandbox: Sandbox
    image: str
    limits: SandboxConfig
    executor: Executor
    randbelow: Randbelow
    run_id: str
    assets: Mapping[str, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class RunFiles:
    """What one run left: its metrics.csv (None: none could be read) and what it printed."""

    metrics_csv: bytes | None
    output: bytes


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
        files: tuple[RunFiles, ...] = (RunFiles(submission.get("output/metrics.csv"), b""),)
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


def let_stop_pass(error: InfrastructureError) -> None:
    """Nothing, unless the error arose while Ctrl-C or a signal was unwinding us: then that goes on.

    An engine may fail when a sandbox is torn down half-made; a stop is never turned into a result by it.
    """
    seen: set[int] = set()
    behind: list[BaseException | None] = [error]
    while behind:
        one = behind.pop()
        if one is None or id(one) in seen:
            continue
        if isinstance(one, KeyboardInterrupt | SystemExit):
            raise one
        seen.add(id(one))
        behind += [one.__cause__, one.__context__]


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
        empty = tuple(_record(plan, "no_output", None, detail, 0.0, None) for plan in plans)
        return empty, tuple(RunFiles(None, b"") for _ in plans)
    size = contract.limits.max_bytes
    limits = CopyLimits(max_files=1, max_bytes=size, max_file_bytes=size, one_file=True)
    replayed = any(plan.stop is not None for plan in plans)
    recorded = {name: data for name, data in files.items() if replayed and name.split("/")[0] in _RECORDED}
    rest = {name: data for name, data in files.items() if name not in recorded}
    states = {name: data for name, data in recorded.items() if name.split("/")[3:] != [_METRICS]}
    with staged(rest) as directory, staged(states) as checkpoints:

        def work(plan: PlannedRun) -> tuple[RunRecord, RunFiles]:
            mounts = {"/submission": directory}
            if plan.start is not None:
                mounts[_CHECKPOINT] = checkpoints / plan.start
            with _asset_mounts(plan, order.spec, judge) as given:
                return _run_with_retries(plan, mounts | given, budget_s, limits, judge)

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


def _run_with_retries(
    plan: PlannedRun, mounts: Mapping[str, Path], budget_s: int, limits: CopyLimits, judge: Judge
) -> tuple[RunRecord, RunFiles]:
    began = time.monotonic()
    reason = ""
    for _ in range(_TRIES):
        try:
            return _run_once(plan, mounts, budget_s, limits, judge)
        except InfrastructureError as error:
            let_stop_pass(error)
            reason = str(error)
    detail = f"the engine failed {_TRIES} times: {reason}"
    return _record(plan, "infra", None, detail, time.monotonic() - began, None), RunFiles(None, b"")


def _run_once(
    plan: PlannedRun, mounts: Mapping[str, Path], budget_s: int, limits: CopyLimits, judge: Judge
) -> tuple[RunRecord, RunFiles]:
    spec = SandboxSpec(
        run_id=judge.run_id,
        image=judge.image,
        env={
            "REPRODUCEGYM_SEED": str(plan.seed),
            "REPRODUCEGYM_OUT": _OUT,
            "REPRODUCEGYM_BUDGET_S": str(budget_s),
            "REPRODUCEGYM_CONDITIONS": "/workspace/in/conditions.json",
            "REPRODUCEGYM_KNOBS": "/workspace/in/knobs.json",
            **({} if plan.stop is None else {"REPRODUCEGYM_STOP": str(plan.stop)}),
            **({} if plan.start is None else {"REPRODUCEGYM_CHECKPOINT": _CHECKPOINT}),
            **({} if plan.asset_draw is None else {"REPRODUCEGYM_ASSETS": ASSETS}),
        },
        read_only=mounts,
        memory_mib=judge.limits.memory_mib,
        cpus=judge.limits.cpus,
        pids=judge.limits.pids,
        workspace_mib=judge.limits.workspace_mib,
        file_mib=judge.limits.file_mib,
    )
    with judge.sandbox.create(spec) as box:
        box.put({"in/conditions.json": conditions_json(plan), "in/knobs.json": knobs_json(plan.knobs)})
        _make_out(box)
        ended = box.exec(
            ["/bin/bash", f"/submission/{ENTRY}"],
            cwd="/submission",
            timeout_s=float(budget_s),
            output_bytes=judge.limits.output_bytes,
        )
        box.stop_processes()
        outcome, detail, metrics = _outcome(ended, box, limits, budget_s, judge.limits.memory_mib)
    sha256 = None if metrics is None else digest(metrics)
    record = _record(plan, outcome, ended.exit_code, detail, ended.seconds, sha256)
    return record, RunFiles(metrics, ended.output)


def _outcome(
    ended: ExecOutcome, box: SandboxBox, limits: CopyLimits, budget_s: int, memory_mib: int
) -> tuple[RunOutcome, str, bytes | None]:
    """How a run ended, in a word and a line, and its metrics.csv if it ended well.

    That one file is all that is copied out; whatever else the run left in its directory is its own affair.
    """
    if ended.out_of_memory:
        return "out_of_memory", f"more than {memory_mib} MiB were needed", None
    if ended.timed_out:
        return "timeout", f"not done after {budget_s} s", None
    if ended.exit_code != 0:
        return "nonzero_exit", f"{ENTRY} ended with exit code {ended.exit_code}", None
    try:
        return "ok", "", box.get(f"{_OUT}/{_METRICS}", limits)[_METRICS]
    except RefusedFileError as error:
        if error.reason == "absent":
            return "no_output", f"no {_METRICS} in $REPRODUCEGYM_OUT", None
        return "refused", str(error), None


def _make_out(box: SandboxBox) -> None:
    made = box.exec(["/bin/mkdir", "-p", _OUT], timeout_s=_GRACE_S, output_bytes=4096)
    if made.exit_code != 0:
        raise InfrastructureError(f"cannot make {_OUT} in the sandbox: {made.output.decode(errors='replace').strip()}")


def _record(
    plan: PlannedRun,
    outcome: RunOutcome,
    exit_code: int | None,
    detail: str,
    seconds: float,
    metrics_sha256: str | None,
) -> RunRecord:
    return RunRecord(
        purpose=plan.purpose,
        index=plan.index,
        seed=plan.seed,
        labels=plan.labels,
        knobs=plan.knobs,
        asset=plan.asset,
        asset_draw=plan.asset_draw,
        outcome=outcome,
        exit_code=exit_code,
        detail=detail,
        seconds=seconds,
        metrics_sha256=metrics_sha256,
        choice=plan.choice,
        start=plan.start,
    )


def conditions_json(plan: PlannedRun) -> bytes:
    """The file at REPRODUCEGYM_CONDITIONS."""
    shown = [{"label": condition.label, "switches": condition.switches} for condition in plan.conditions]
    return (json.dumps({"conditions": shown}, indent=2) + "\n").encode()


def knobs_json(knobs: Mapping[str, float]) -> bytes:
    """The file at REPRODUCEGYM_KNOBS; whole numbers are written as such: a script may pass them to `range`."""
    plain = {name: int(value) if value.is_integer() else value for name, value in knobs.items()}
    return (json.dumps({"knobs": plain}, indent=2) + "\n").encode()


@contextlib.contextmanager
def staged(files: Files) -> Iterator[Path]:
    """A directory that holds the files, readable and executable for any uid, gone afterwards.

    Raises:
        StorageError: the temporary directory cannot be written.
    """
    with scratch_directory(STAGED) as root:
        try:
            for relative, content in files.items():
                path = root / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            for path in (root, *root.rglob("*")):
                path.chmod(0o755)
        except OSError as error:
            line = f"cannot stage the submission in {root}: {error.strerror}; set TMPDIR to a directory with more room"
            raise StorageError(line) from error
        yield root
