"""One run of a submission: a fresh sandbox, what is given to it, how it ended, and the one file that is taken out."""

import contextlib
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from reproducegym.errors import InfrastructureError, ReproduceGymError, SandboxUnavailableError, StorageError
from reproducegym.pipeline.assets.copies import ASSETS
from reproducegym.pipeline.judging.drawing import PlannedRun, Randbelow, conditions_json, knobs_json
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits, ExecOutcome, Executor, Files, Sandbox, SandboxBox, SandboxSpec
from reproducegym.schema.base import digest
from reproducegym.schema.config import SandboxConfig
from reproducegym.schema.run import RunOutcome, RunRecord
from reproducegym.scratch import scratch_directory

__all__ = [
    "CHECKPOINT",
    "ENTRY",
    "METRICS",
    "STAGED",
    "Judge",
    "RunFiles",
    "conditions_json",
    "knobs_json",
    "let_stop_pass",
    "record_of",
    "run_again",
    "staged",
]

ENTRY = "reproduce.sh"
METRICS = "metrics.csv"
CHECKPOINT = "/checkpoint"
"""Where a replayed run finds the checkpoint that it starts from."""
STAGED = "submission"
"""Purpose of the scratch directories that hold submissions while they are run again."""
_TRIES = 3
_OUT = "/workspace/out"


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


def let_stop_pass(error: ReproduceGymError) -> None:
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


def run_again(
    plan: PlannedRun, mounts: Mapping[str, Path], budget_s: int, limits: CopyLimits, judge: Judge
) -> tuple[RunRecord, RunFiles]:
    """Make a planned run and tell how it ended; where the engine fails, twice more."""
    began = time.monotonic()
    reason = ""
    for _ in range(_TRIES):
        try:
            return _run_once(plan, mounts, budget_s, limits, judge)
        except (InfrastructureError, SandboxUnavailableError) as error:
            let_stop_pass(error)
            reason = str(error)
    detail = f"the engine failed {_TRIES} times: {reason}"
    return record_of(plan, "infra", None, detail, time.monotonic() - began, None), RunFiles(None, b"")


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
            **({} if plan.start is None else {"REPRODUCEGYM_CHECKPOINT": CHECKPOINT}),
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
        given = {"in/conditions.json": conditions_json(plan), "in/knobs.json": knobs_json(plan.knobs)}
        box.put(given, directories=["out"])
        ended = box.exec(
            ["/bin/bash", f"/submission/{ENTRY}"],
            cwd="/submission",
            timeout_s=float(budget_s),
            output_bytes=judge.limits.output_bytes,
        )
        box.stop_processes()
        outcome, detail, metrics = _outcome(ended, box, limits, budget_s, judge.limits.memory_mib)
    sha256 = None if metrics is None else digest(metrics)
    record = record_of(plan, outcome, ended.exit_code, detail, ended.seconds, sha256)
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
        return "ok", "", box.get(f"{_OUT}/{METRICS}", limits)[METRICS]
    except RefusedFileError as error:
        if error.reason == "absent":
            return "no_output", f"no {METRICS} in $REPRODUCEGYM_OUT", None
        return "refused", str(error), None


def record_of(
    plan: PlannedRun,
    outcome: RunOutcome,
    exit_code: int | None,
    detail: str,
    seconds: float,
    metrics_sha256: str | None,
) -> RunRecord:
    """What is kept of a run."""
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
