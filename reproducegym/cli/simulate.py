"""`reproducegym simulate`: thousands of made papers and attempts, to see what a machine or a cluster would take."""

import math
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table

from reproducegym.cli import wiring
from reproducegym.cli.batching import told_end, work_on
from reproducegym.cli.options import AsJson, ConfigFile, ExecutorChoice, ExecutorName, RayAddress
from reproducegym.cli.simulated_laps import Record
from reproducegym.cli.simulating import PaperWork, SimulatedWork
from reproducegym.cli.voice import answer, counted, say, stderr, warn
from reproducegym.errors import MisuseError, NotFoundError, ReproduceGymError, StorageError
from reproducegym.pipeline.locks import locked
from reproducegym.pipeline.run import Stored
from reproducegym.pipeline.store.batches import Batches
from reproducegym.ports import Executor
from reproducegym.schema.batch import Batch, BatchTask
from reproducegym.schema.simulation import Simulation, SimulationOrder
from reproducegym.simulation.box import SIMULATED

__all__ = ["simulate"]


def simulate(
    out: Annotated[Path, typer.Option("--out", help="Where made papers and attempts go.", readable=False)] = Path(
        "build/simulation"
    ),
    papers: Annotated[int, typer.Option("--papers", min=1, max=99_999, help="How many papers to make.")] = 5,
    attempts: Annotated[
        int,
        typer.Option("--attempts", min=0, help="How many attempts in all, at each task as many; 0 makes papers alone."),
    ] = 100,
    parallel: Annotated[int, typer.Option("--parallel", min=1, max=1024, help="Pieces of work at once.")] = 2,
    executor: ExecutorName = ExecutorChoice.LOCAL,
    ray_address: RayAddress = None,
    faults: Annotated[
        float, typer.Option("--faults", min=0.0, max=0.9, help="The share of sandboxes whose engine fails.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", min=0, help="What decides which papers are made.")] = 0,
    config: ConfigFile = None,
    as_json: AsJson = False,
) -> int:
    """Make papers whose numbers are computed, build them, and make attempts in a sandbox that is none.

    All but the sandbox is what real runs go through: store, batches, retries, verifier, executor. What stands already
    is not made again, so that a simulation that was stopped goes on; what was measured until then is kept. No reward
    of it is evidence of anything.

    Example: reproducegym simulate --papers 2 --attempts 20
    """
    pool = wiring.executor(executor, parallel, wiring.config(config), ray_address)
    asked = SimulationOrder(
        papers=papers, attempts=attempts, seed=seed, executor=executor.value, parallel=parallel, faults=faults
    )
    with locked(out / ".locks" / "simulation", f"the simulation below {out}", wait=False):
        record = Record(out, asked)
        tasks, failures = _built(PaperWork(out.resolve(), seed, config), papers, pool, record)
        code, failed = _attempted(_batch(out, tasks, attempts, config), out, pool, record) if attempts else (0, {})
        stderr.print(_table(record.told))
        say(f"{counted(len(tasks), 'task')} of {counted(papers - len(failures), 'paper')}; measured: {record.file}")
        if failures:
            warn(f"{counted(len(failures), 'paper')} missing; the same command goes on")
        if as_json:
            value: dict[str, JsonValue] = record.told.model_dump(mode="json")
            answer({**value, **failed})
    return code or (failures[0].exit_code if failures else 0)


def _built(
    work: PaperWork, papers: int, pool: Executor, record: Record
) -> tuple[list[BatchTask], list[ReproduceGymError]]:
    """The tasks of all papers that could be made and built, and why the others could not.

    Raises:
        ReproduceGymError: what kept a paper from it would keep every other from it too, or there is not one task.
    """
    watch, tasks, failures = record.builds(papers), list[BatchTask](), list[ReproduceGymError]()
    with closing(pool.as_done(work, range(1, papers + 1))) as ended:
        for made in ended:
            if isinstance(made.failure, MisuseError):
                raise MisuseError(f"{work.out} holds other papers; name another --out") from made.failure
            if isinstance(made.failure, StorageError):
                raise made.failure
            if made.failure is not None:
                warn(f"{made.paper_id}: {made.failure}")
                failures.append(made.failure)
                continue
            tasks += made.tasks
            watch.one_more(made=not made.stood)
    if not tasks:
        raise failures[0] if failures else NotFoundError(f"no made paper below {work.out} has a task")
    watch.end()
    record.found(len(tasks))
    return sorted(tasks, key=lambda task: (task.paper_id, task.claim_id)), failures


def _batch(out: Path, tasks: list[BatchTask], attempts: int, config: Path | None) -> Batch:
    """The batch of a simulation of this size: the one that was begun, or a new one."""
    each, chosen = math.ceil(attempts / len(tasks)), tasks[:attempts]
    name = f"{SIMULATED}-{len(chosen)}x{each}"
    if name in Batches(out.resolve()).ids():
        return Batches(out.resolve()).read(name)
    return Batch(
        schema_version=1,
        batch_id=name,
        begun=datetime.now(tz=UTC),
        agent=SIMULATED,
        sandbox=SIMULATED,
        attempts=each,
        tasks=tuple(chosen),
        assets=(),
        config=None if config is None else str(config.resolve()),
    )


def _attempted(batch: Batch, out: Path, pool: Executor, record: Record) -> tuple[int, Mapping[str, JsonValue]]:
    """Make the attempts that are missing; the exit code, said, and the failure as the answer tells it."""
    wanted = batch.attempts * len(batch.tasks)
    watch = record.runs(wanted)
    work = SimulatedWork(batch, out.resolve(), 1, record.told.order.faults)
    work.check()

    def each(stored: Stored) -> None:
        if stored.result.reward_valid:
            watch.one_more(made=True)

    new = batch.batch_id not in Batches(out.resolve()).ids()
    worked = work_on(work, pool, new=new, each=each, begins=lambda missing: watch.begin(wanted - missing))
    watch.end()
    record.made(worked.made)
    return told_end(work, worked)


def _table(told: Simulation) -> Table:
    drawn = Table("what", "done", "seconds", "a second", "driver MiB")
    for what, laps in (("papers", told.builds), ("attempts", told.runs)):
        for lap in laps:
            if lap.made:
                rate = f"{lap.made / lap.seconds:.1f}" if lap.seconds else "–"
                drawn.add_row(what, str(lap.done), f"{lap.seconds:.1f}", rate, f"{lap.driver_mib:.0f}")
    return drawn
