"""One attempt at a task: the agent works in a sandbox, its files are copied out, run again, scored and stored whole."""

import contextlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from reproducegym import __version__
from reproducegym.errors import InfrastructureError, ModelUnavailableError, NotFoundError, SandboxUnavailableError
from reproducegym.pipeline.assets.copies import ASSETS, agent_mounts
from reproducegym.pipeline.assets.tree import check_assets
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.entry import check_entry
from reproducegym.pipeline.judging.flags import flags_of
from reproducegym.pipeline.judging.rerun import Judge, let_stop_pass
from reproducegym.pipeline.judging.transfer import RefusedFileError
from reproducegym.pipeline.judging.verify import Order, Verified, submission_digest, verify
from reproducegym.pipeline.polling import polling_s
from reproducegym.pipeline.seal import check_contract, check_digest
from reproducegym.pipeline.store import REFRESH, PaperStore
from reproducegym.ports import Agent, AgentTask, Bill, CopyLimits, Files, SandboxSpec
from reproducegym.schema.batch import InProgress, Origin
from reproducegym.schema.contract import Contract
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import AgentRecord, FailureKind, Flag, Report, Result, Timings, verdict
from reproducegym.scratch import scratch_directory

__all__ = ["TRACED", "Attempt", "Rollout", "Stored", "attempt", "judged_again", "read_order", "roll_out", "run_attempt"]

TRACED = "trace"
"""Purpose of the scratch directories of attempts that nobody keeps."""
_INPUT = "input_files/"
_WORKSPACE = "/workspace"


@dataclass(frozen=True)
class Rollout:
    """What an agent left. `files` is None when nothing could be copied out: `record` says why.

    `refused` is there where its models refuse us: no other attempt would fare better.
    """

    record: AgentRecord
    files: Files | None
    agent_s: float
    copy_out_s: float
    refused: ModelUnavailableError | None = None


@dataclass(frozen=True)
class Attempt:
    """A finished attempt, not numbered yet."""

    order: Order
    judge: Judge
    image: str
    rolled: Rollout
    verified: Verified | None
    total_s: float

    @property
    def unjudged(self) -> bool:
        """Whether the agent has ended well enough to be judged, and the engine or the judge failed at that."""
        return self.verified is not None and self.verified.report is None

    def result(self, number: int) -> Result:
        """Its `result.json` as attempt `number`."""
        return _result(self, number)

    def files(self, number: int) -> Files:
        """Every file of its directory."""
        return _files(self, number)


@dataclass(frozen=True)
class Stored:
    """An attempt on disk; `refused` as its `Rollout` says."""

    result: Result
    directory: Path
    refused: ModelUnavailableError | None = None


def read_order(store: PaperStore, claim_id: str, spec_hash: str) -> Order:
    """A task as built, with its spec: of the last build, or an earlier version that the manifest still lists.

    Raises:
        NotFoundError: there is no such task, or the manifest does not list it.
        SchemaError: a file does not fit its schema or is newer than this program.
        TamperedError: the task directory differs from the digest in the manifest, the spec from its hash, the
            contract from the one that both name, or the manifest from the spec.
    """
    files = store.read_task(claim_id, spec_hash)
    manifest = store.manifest()
    known = (*manifest.tasks, *manifest.earlier)
    listed = [task for task in known if (task.claim_id, task.spec_hash) == (claim_id, spec_hash)]
    directory = store.task_directory(claim_id, spec_hash)
    if not listed:
        raise NotFoundError(
            f"{directory} is not listed in task_manifest.json: no build made it, or the last one refused it; "
            "run build_claim_tasks.py again"
        )
    check_digest(files, listed[0].task_digest, str(directory))
    contract_json = files["reward/contract.json"]
    contract = read_json(Contract, contract_json, str(directory / "reward" / "contract.json"), advice=REFRESH)
    spec = store.read_spec(claim_id, spec_hash)
    check_contract(contract, spec, listed[0], str(directory))
    check_entry(listed[0], spec, str(store.root / "task_manifest.json"))
    return Order(
        entry=listed[0],
        spec=spec,
        instructions=files[f"{_INPUT}task.md"].decode(),
        input_files={name.removeprefix(_INPUT): data for name, data in files.items() if name.startswith(_INPUT)},
        contract=contract,
        contract_json=contract_json,
        samples=tuple(contract_of(one) for one in spec.drawn()) if spec.samples else (),
    )


def run_attempt(
    store: PaperStore,
    order: Order,
    agent: Agent,
    judge: Judge,
    owner: InProgress | None = None,
    origin: Origin | None = None,
    again: Callable[[int], bool] = lambda _tried: False,
) -> Stored:
    """Run one attempt and keep it under the next number, whole or not at all, with the agent's trace.

    A run that is killed leaves nothing that reads as an attempt, but the trace so far; the next one takes its number.
    `owner` is written to the directory in which it is made, `origin` into the attempt. Where the engine or the judge
    failed after the agent had ended, `again` is asked, with how often it was, whether to judge what it left once more.

    Raises:
        AssetError: an asset of the task is missing, unreadable, or not the one that it names.
        SandboxUnavailableError: the image is missing.
        StorageError: the attempt cannot be written; it is not there then.
    """
    claim_id, spec_hash = order.entry.claim_id, order.entry.spec_hash
    store.check_attempts_writable(claim_id, spec_hash)
    check_assets(order.spec.assets, judge.assets)
    told = {} if origin is None else {"origin.json": origin.to_json().encode()}
    with store.begin_attempt(claim_id, spec_hash, owner) as begun:
        done, tried = attempt(order, agent, judge, begun.trace), 0
        while done.unjudged and again(tried):
            done, tried = judged_again(done), tried + 1
        number = store.add_attempt(begun, lambda number: {**done.files(number), **told})
    return Stored(done.result(number), store.attempt_directory(claim_id, spec_hash, number), done.rolled.refused)


def attempt(order: Order, agent: Agent, judge: Judge, trace: Path | None = None) -> Attempt:
    """Run the agent on the task and score what it leaves.

    Faults of the agent score 0, faults of the engine, the judge or its models leave the reward empty; none is an
    exception.
    Agent and re-runs get the image that has the name when the attempt begins, by its digest. `trace` is an empty
    directory for what the agent says (`AgentTask.trace`); without one that is not kept.

    Raises:
        AssetError: no place is known of an asset of the task.
        SandboxUnavailableError: the image is missing.
    """
    given = agent_mounts(order.spec.assets, judge.assets)
    began = time.monotonic()
    image = judge.sandbox.image_id(judge.image)
    judge = replace(judge, image=image)
    with contextlib.nullcontext(trace) if trace is not None else scratch_directory(TRACED) as place:
        rolled = roll_out(order, agent, judge, given, place)
    return _judged(Attempt(order, judge, image, rolled, None, 0.0), time.monotonic() - began)


def judged_again(done: Attempt) -> Attempt:
    """The same attempt with what the agent left judged anew, under new seeds; the agent does not work again."""
    return _judged(replace(done, verified=None), 0.0)


def _judged(done: Attempt, spent_s: float) -> Attempt:
    """The attempt with its verification, if there is anything to verify; both must have run in the same software."""
    began = time.monotonic()
    if done.rolled.files is not None:
        done = replace(done, verified=verify(done.rolled.files, done.order, done.judge))
        if _image_now(done) != done.image:
            done = replace(done, rolled=_without_image(done.rolled), verified=None)
    return replace(done, total_s=done.total_s + spent_s + time.monotonic() - began)


def _image_now(done: Attempt) -> str:
    """The image by the name that the runs had; an engine that is away cannot have changed what its digest names."""
    try:
        return done.judge.sandbox.image_id(done.judge.image)
    except (InfrastructureError, SandboxUnavailableError):
        return done.image


def roll_out(order: Order, agent: Agent, judge: Judge, given: Mapping[str, Path], trace: Path) -> Rollout:
    """Put the task's input files into a fresh sandbox, let the agent work, kill what runs, copy its files out.

    `given` are the task's assets, by their places inside; `trace` is where the agent's trace goes.
    """
    spec = SandboxSpec(
        run_id=judge.run_id,
        image=judge.image,
        env={"REPRODUCEGYM_ASSETS": ASSETS} if given else {},
        read_only={**agent.mounts, **given},
        memory_mib=judge.limits.memory_mib,
        cpus=judge.limits.cpus,
        pids=judge.limits.pids,
        workspace_mib=judge.limits.workspace_mib,
        file_mib=judge.limits.file_mib,
        door=agent.door,
    )
    task = AgentTask(
        instructions=order.instructions,
        timeout_s=float(order.entry.timeout_s),
        output_bytes=judge.limits.output_bytes,
        trace=trace,
        poll_s=polling_s(order.spec.run_budget_s),
    )
    limits = CopyLimits(
        max_files=judge.limits.submission_files,
        max_bytes=judge.limits.submission_mib * 2**20,
        max_file_bytes=judge.limits.submission_mib * 2**20,
    )
    began = time.monotonic()
    try:
        with judge.sandbox.create(spec) as box:
            box.put({f"input_files/{name}": content for name, content in order.input_files.items()})
            record = _billed(agent.run(task, box), task.bill)
            box.stop_processes()
            agent_s = time.monotonic() - began
            if record.outcome == "infra":
                return Rollout(record, None, agent_s, 0.0)
            files = box.get(_WORKSPACE, limits)
            return Rollout(record, files, agent_s, time.monotonic() - began - agent_s)
    except RefusedFileError as error:
        return _unusable(agent, task.bill, "refused", f"the workspace was refused: {error}", time.monotonic() - began)
    except ModelUnavailableError as error:
        left = _unusable(agent, task.bill, "infra", str(error), time.monotonic() - began)
        return replace(left, refused=error)
    except InfrastructureError as error:
        let_stop_pass(error)
        return _unusable(agent, task.bill, "infra", str(error), time.monotonic() - began)


def _billed(record: AgentRecord, bill: Bill) -> AgentRecord:
    """The record with what is billed; what only the record says goes into the bill, for what comes later.

    The bill was made last, when nothing was under way any more, and so it is what counts.
    """
    bill.usage, bill.model = bill.usage or record.usage, bill.model or record.model
    bill.egress = bill.egress or record.egress
    return record.model_copy(update={"usage": bill.usage, "model": bill.model, "egress": bill.egress})


def _unusable(agent: Agent, bill: Bill, outcome: Literal["refused", "infra"], detail: str, seconds: float) -> Rollout:
    record = AgentRecord(agent=agent.name, outcome=outcome, exit_code=None, detail=detail)
    return Rollout(_billed(record, bill), None, seconds, 0.0)


def _without_image(rolled: Rollout) -> Rollout:
    detail = "the sandbox image changed between the agent's run and the re-run"
    told = {"outcome": "infra", "exit_code": None, "detail": detail, "stopped_by": None}
    record = rolled.record.model_copy(update=told)
    return Rollout(record, rolled.files, rolled.agent_s, rolled.copy_out_s)


def _result(done: Attempt, number: int) -> Result:
    order, rolled, verified = done.order, done.rolled, done.verified
    report: Report | None = None
    kind: FailureKind | None
    if verified is not None:
        report, kind, detail = verified.report, verified.failure_kind, verified.failure_detail
        reward = None if report is None else report.reward
    elif rolled.record.outcome == "infra":
        reward, kind, detail = None, "infra", rolled.record.detail
    else:
        reward, kind, detail = 0.0, "agent", rolled.record.detail
    return Result(
        schema_version=1,
        task_id=order.entry.task_id,
        paper_id=order.spec.paper_id,
        claim_id=order.entry.claim_id,
        spec_hash=order.entry.spec_hash,
        contract_hash=order.entry.contract_hash,
        task_digest=order.entry.task_digest,
        attempt=number,
        reward=reward,
        reward_valid=reward is not None,
        failure_kind=kind,
        failure_detail=detail,
        verdict=verdict(reward),
        evidence_level=order.contract.evidence_level if verified is None else verified.level,
        evidence_detail="" if verified is None else verified.level_detail,
        sandbox=done.judge.sandbox.name,
        image=done.image,
        agent=rolled.record,
        report=report,
        submission_sha256=None if rolled.files is None else submission_digest(rolled.files),
        reproducegym_version=__version__,
        timings=Timings(
            agent_s=round(rolled.agent_s, 3),
            copy_out_s=round(rolled.copy_out_s, 3),
            verify_s=round(verified.seconds, 3) if verified is not None else 0.0,
            total_s=round(done.total_s, 3),
        ),
        flags=_flags(done),
    )


def _flags(done: Attempt) -> tuple[Flag, ...]:
    """What people should look at: in the submission, and in what its runs wrote."""
    rolled, verified = done.rolled, done.verified
    if verified is None or rolled.files is None:
        return ()
    return flags_of(rolled.files, verified.draw, done.order.spec) + verified.flags


def _files(done: Attempt, number: int) -> Files:
    files: dict[str, bytes] = {}
    for name, content in (done.rolled.files or {}).items():
        files[f"workspace/{name}"] = content
    if done.verified is not None:
        files["verification/draw.json"] = done.verified.draw.to_json().encode()
        for index, stored in enumerate(done.verified.files):
            files[f"verification/runs/{index}/output.log"] = stored.output
            if stored.metrics_csv is not None:
                files[f"verification/runs/{index}/metrics.csv"] = stored.metrics_csv
    files["result.json"] = done.result(number).to_json().encode()
    return files
