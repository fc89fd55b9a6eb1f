"""`reproducegym run`: agents attempt tasks in sandboxes, and what they leave is run again and scored."""

import resource
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from reproducegym.cli import wiring
from reproducegym.cli.batching import Worked, new_batch, tell, told_end, work_on
from reproducegym.cli.bench import SlotWork
from reproducegym.cli.options import (
    AgentName,
    AsJson,
    Assets,
    AtOnce,
    Attempts,
    ClaimIds,
    ConfigFile,
    EveryTask,
    ExecutorChoice,
    ExecutorName,
    Gpus,
    NodeName,
    NodesFiles,
    NodeUseChoice,
    NodeUseName,
    PaperDirectory,
    RayAddress,
    Runs,
    SandboxChoice,
    SandboxName,
    SpecHash,
    TaskDirectories,
    given,
)
from reproducegym.cli.places import find_tasks
from reproducegym.cli.voice import answer, say
from reproducegym.errors import MisuseError
from reproducegym.pipeline.run import Stored
from reproducegym.pipeline.store.batches import Batches
from reproducegym.schema.batch import Batch, NodeUse

__all__ = ["run"]

_OPEN_FILES = 1 << 16
"""Doors of attempts at once may each have a hundred connections."""
_SAID_AGAIN = frozenset({"--resume", "--paper", "--runs", "--parallel", "--executor", "--ray-address", "--json"})
"""What may be said with --resume: where the batch is, and how it is worked on from now."""


def run(
    context: typer.Context,
    claim_id: ClaimIds = None,
    spec_hash: SpecHash = None,
    task_dir: TaskDirectories = None,
    every: EveryTask = False,
    paper: PaperDirectory = None,
    runs: Runs = Path("runs"),
    agent: AgentName = "noop",
    sandbox: SandboxName = SandboxChoice.AUTO,
    asset: Assets = None,
    attempts: Attempts = 1,
    parallel: AtOnce = 1,
    resume: Annotated[
        str | None,
        typer.Option("--resume", metavar="BATCH", help="Finish this batch, or the `last` one.", show_default=False),
    ] = None,
    executor: ExecutorName = ExecutorChoice.LOCAL,
    ray_address: RayAddress = None,
    node: NodeName = None,
    node_for: NodeUseName = NodeUseChoice.SANDBOX,
    gpus: Gpus = 0,
    nodes: NodesFiles = None,
    probe_only: Annotated[bool, typer.Option("--probe-only", help="Look at the node now, and run nothing.")] = False,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Run an agent on tasks, then run its reproduce.sh again under hidden seeds and score that.

    A valid attempt is one that was scored. One that the engine or the judge failed is tried again, up to [run] retries.
    Ctrl-C once: what is in progress is finished and kept; twice: all stops now. --resume makes exactly what is missing.
    Exit code 0 means that every attempt was scored, whatever the reward; 12 that the engine failed.

    Example: reproducegym run --claim-id c003_ucb1_return
    --agent script:examples/papers/optimism-small-budgets/solution/solve.sh
    """
    if probe_only:
        return _probed(node, nodes, config, as_json=as_json)
    if resume is not None:
        if other := given(context) - _SAID_AGAIN:
            raise MisuseError(f"--resume goes on as the batch was begun; leave out {', '.join(sorted(other))}")
        below = paper.resolve().parent if paper is not None else runs.resolve()
        batch = Batches(below).read(resume)
    else:
        places = find_tasks(
            claim_ids=claim_id or [],
            spec_hash=spec_hash,
            task_dirs=task_dir or [],
            every=every,
            paper=paper,
            runs=runs,
        )
        below = places[0].store.out.resolve()
        batch = new_batch(
            places,
            agent=agent,
            sandbox=sandbox.value,
            attempts=attempts,
            assets=asset or [],
            config=config,
            node=_node(context, node, node_for, gpus, nodes),
        )
    _open_more_files()
    settings = wiring.config(None if batch.config is None else Path(batch.config))
    pool = wiring.executor(executor, parallel, settings, ray_address)
    work = SlotWork(batch, below, max(1, settings.sandbox.parallel // parallel))
    work.check()
    rows: list[JsonValue] = []

    def kept(one: Stored) -> None:
        tell(one, named=batch.attempts * len(batch.tasks) > 1)
        if as_json:
            rows.append({**one.result.model_dump(mode="json"), "attempt_dir": str(one.directory)})

    worked = work_on(work, pool, new=resume is None, each=kept)
    return _ended(work, worked, rows if as_json else None)


def _open_more_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _OPEN_FILES)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _node(
    context: typer.Context, name: str | None, use: NodeUseChoice, gpus: int, files: list[Path] | None
) -> NodeUse | None:
    if name is None and not gpus:
        if idle := given(context) & {"--node-for", "--nodes", "--gpus"}:
            raise MisuseError(f"{', '.join(sorted(idle))} without a node: name one with --node")
        return None
    from reproducegym.cli.lending import node_use

    return node_use(name, use, gpus, files)


def _probed(name: str | None, files: list[Path] | None, config: Path | None, *, as_json: bool) -> int:
    from reproducegym.cli.nodes import probe

    if name is None:
        raise MisuseError("--probe-only looks at a node: name it with --node")
    return probe([name], files, config=config, as_json=as_json)


def _ended(work: SlotWork, worked: Worked, rows: list[JsonValue] | None) -> int:
    """Say how it ended, with a row for each attempt where an answer for machines is wanted; the exit code."""
    if worked.failure is not None and not worked.made.kept:
        raise worked.failure
    batch = work.batch
    wanted = batch.attempts * len(batch.tasks)
    code, failed = told_end(work, worked)
    if wanted > 1 and not worked.missing:
        say(_summary(batch, worked, wanted))
    if rows is not None:
        ids: list[JsonValue] = [f"{task.paper_id}.{task.claim_id}" for task in batch.tasks]
        named: dict[str, JsonValue] = {"task_id": ids[0]} if len(ids) == 1 else {"task_ids": ids}
        state: JsonValue = {"batch_id": batch.batch_id, "wanted": wanted, "missing": worked.missing}
        answer({**named, "batch": state, "attempts": rows, **failed})
    return code


def _summary(batch: Batch, worked: Worked, wanted: int) -> str:
    made = worked.made
    mean = f", mean reward {made.rewards / made.scored:.3f}" if made.scored else ""
    return f"batch {batch.batch_id}: all {wanted} valid attempts are there; {made.scored} made now{mean}"
