"""Starts the runs of a host model: the variables and files of a submission's, several runs in one sandbox."""

import json
from collections.abc import Sequence
from pathlib import Path

from reproducegym.errors import HostModelError
from reproducegym.pipeline.judging.draw import PlannedRun
from reproducegym.pipeline.judging.rerun import ENTRY, Judge, conditions_json, knobs_json, staged
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.ports import CopyLimits, ExecOutcome, Files, SandboxBox, SandboxSpec
from reproducegym.schema.contract import Contract

__all__ = ["run_host", "run_name"]

_METRICS = "metrics.csv"


def run_host(
    files: Files, plans: Sequence[PlannedRun], budget_s: int, contract: Contract, judge: Judge
) -> tuple[bytes, ...]:
    """What each run wrote, in order. The operator's program is no adversary: runs share a sandbox, one after another.

    Raises:
        HostModelError: a run failed, exceeded its budget or wrote no metrics.csv.
        InfrastructureError: the engine failed.
        StorageError: the temporary directory cannot be written.
    """
    share = -(-len(plans) // judge.limits.parallel)
    parts = [plans[at : at + share] for at in range(0, len(plans), share)]
    with staged(files) as directory:
        done = judge.executor.map(lambda part: _run_part(part, directory, budget_s, contract, judge), parts)
        return tuple(table for part in done for table in part)


def run_name(plan: PlannedRun) -> str:
    """A run, as errors name it."""
    return f"its run with the knobs {json.dumps(plan.knobs)} and seed {plan.seed}"


def _run_part(
    plans: Sequence[PlannedRun], directory: Path, budget_s: int, contract: Contract, judge: Judge
) -> list[bytes]:
    limits = judge.limits
    spec = SandboxSpec(
        run_id=judge.run_id,
        image=judge.image,
        env={"REPRODUCEGYM_BUDGET_S": str(budget_s)},
        read_only={"/submission": directory},
        memory_mib=limits.memory_mib,
        cpus=limits.cpus,
        pids=limits.pids,
        workspace_mib=limits.workspace_mib,
        file_mib=limits.file_mib,
    )
    with judge.sandbox.create(spec) as box:
        return [_run(box, plan, budget_s, contract, judge) for plan in plans]


def _run(box: SandboxBox, plan: PlannedRun, budget_s: int, contract: Contract, judge: Judge) -> bytes:
    given, out = f"/workspace/in/{plan.index}", f"/workspace/out/{plan.index}"
    box.put(
        {
            f"in/{plan.index}/conditions.json": conditions_json(plan),
            f"in/{plan.index}/knobs.json": knobs_json(plan.knobs),
        }
    )
    ended = box.exec(
        ["/bin/bash", "-c", f'mkdir -p "$REPRODUCEGYM_OUT" && exec /bin/bash /submission/{ENTRY}'],
        cwd="/submission",
        env={
            "REPRODUCEGYM_SEED": str(plan.seed),
            "REPRODUCEGYM_OUT": out,
            "REPRODUCEGYM_BUDGET_S": str(budget_s),
            "REPRODUCEGYM_CONDITIONS": f"{given}/conditions.json",
            "REPRODUCEGYM_KNOBS": f"{given}/knobs.json",
        },
        timeout_s=float(budget_s),
        output_bytes=judge.limits.output_bytes,
    )
    why = _failure(ended, budget_s, judge.limits.memory_mib)
    if why:
        raise HostModelError(f"{run_name(plan)} {why}")
    size = contract.limits.max_bytes
    try:
        found = box.get(
            f"{out}/{_METRICS}", CopyLimits(max_files=1, max_bytes=size, max_file_bytes=size, one_file=True)
        )
    except RefusedFileError as error:
        raise HostModelError(f"{run_name(plan)} wrote no sound {_METRICS} to $REPRODUCEGYM_OUT: {error}") from error
    return found[_METRICS]


def _failure(ended: ExecOutcome, budget_s: int, memory_mib: int) -> str:
    if ended.out_of_memory:
        return f"needs more than {memory_mib} MiB"
    if ended.timed_out:
        return f"was not done after {budget_s} s"
    if ended.exit_code == 0:
        return ""
    last = ended.output.decode(errors="replace").strip().splitlines()[-1:]
    said = f": {last[0][:200]}" if last else ""
    return f"ended with exit code {ended.exit_code}{said}"
