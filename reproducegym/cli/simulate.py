"""`reproducegym simulate`: thousands of made papers and attempts, to see what a machine or a cluster would take."""

import resource
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.table import Table

from reproducegym.cli import wiring
from reproducegym.cli.batching import Worked, work_on
from reproducegym.cli.options import AsJson, ConfigFile, ExecutorChoice, ExecutorName, RayAddress
from reproducegym.cli.simulating import PaperWork, SimulatedWork
from reproducegym.cli.voice import answer, counted, say, stderr, warn
from reproducegym.errors import NotFoundError
from reproducegym.pipeline.files import write_file
from reproducegym.pipeline.run import Stored
from reproducegym.pipeline.store.batches import Batches
from reproducegym.ports import Executor
from reproducegym.schema.batch import Batch, BatchTask
from reproducegym.schema.simulation import Lap, Simulation
from reproducegym.simulation.box import SIMULATED

__all__ = ["simulate"]

_LAPS = 10


def simulate(
    out: Annotated[Path, typer.Option("--out", help="Where made papers and attempts go.", readable=False)] = Path(
        "build/simulation"
    ),
    papers: Annotated[int, typer.Option("--papers", min=1, max=99_999, help="How many papers to make.")] = 5,
    attempts: Annotated[
        int, typer.Option("--attempts", min=0, help="How many attempts at their tasks, in all; 0 makes papers alone.")
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
    is not made again, so that a simulation that was stopped goes on. No reward of it is evidence of anything.

    Example: reproducegym simulate --papers 2 --attempts 20
    """
    pool = wiring.executor(executor, parallel, wiring.config(config), ray_address)
    built, tasks = _built(PaperWork(out.resolve(), seed, config), papers, pool)
    laps, worked = _attempted(_batch(out, tasks, attempts, config), out, pool, faults) if attempts else ([], None)
    told = Simulation(
        schema_version=1,
        papers=papers,
        tasks=len(tasks),
        attempts=0 if worked is None else worked.made.kept,
        executor=executor.value,
        parallel=parallel,
        faults=faults,
        builds=tuple(built),
        runs=tuple(laps),
        mean_reward=None if worked is None or not worked.made.scored else worked.made.rewards / worked.made.scored,
    )
    write_file(out / "simulation.json", told.to_json().encode())
    stderr.print(_table(told))
    say(f"{counted(told.tasks, 'task')} of {counted(papers, 'paper')}; measured: {out / 'simulation.json'}")
    if as_json:
        value: dict[str, JsonValue] = told.model_dump(mode="json")
        answer(value)
    if worked is None or not worked.missing:
        return 0
    warn(f"{counted(worked.missing, 'valid attempt')} missing; the same command goes on")
    return 1 if worked.failure is None else worked.failure.exit_code


def _built(work: PaperWork, papers: int, pool: Executor) -> tuple[list[Lap], list[BatchTask]]:
    """All papers made; the tasks of those that could be built.

    Raises:
        NotFoundError: there is not one task.
    """
    watch, tasks = _Watch(papers), list[BatchTask]()
    for made in pool.as_done(work, range(1, papers + 1)):
        if made.failure is not None:
            warn(f"{made.paper_id}: {made.failure}")
        tasks += made.tasks
        watch.one_more()
    if not tasks:
        raise NotFoundError(f"no made paper below {work.out} has a task")
    return watch.laps, sorted(tasks, key=lambda task: (task.paper_id, task.claim_id))


def _batch(out: Path, tasks: list[BatchTask], attempts: int, config: Path | None) -> Batch:
    """The batch of a simulation of this size: the one that was begun, or a new one."""
    each, chosen = max(1, attempts // len(tasks)), tasks[:attempts]
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


def _attempted(batch: Batch, out: Path, pool: Executor, faults: float) -> tuple[list[Lap], Worked]:
    watch = _Watch(batch.attempts * len(batch.tasks))
    work = SimulatedWork(batch, out.resolve(), 1, faults)
    work.check()

    def each(_stored: Stored) -> None:
        watch.one_more()

    return watch.laps, work_on(work, pool, new=batch.batch_id not in Batches(out.resolve()).ids(), each=each)


class _Watch:
    """Notes time and memory of this process at every tenth of the work, and at its beginning."""

    def __init__(self, pieces: int, now: Callable[[], float] = time.monotonic) -> None:
        self._every, self._now, self._began, self._done = max(1, pieces // _LAPS), now, now(), 0
        self.laps: list[Lap] = [Lap(done=0, seconds=0.0, driver_mib=_resident_mib())]

    def one_more(self) -> None:
        """One more piece is done."""
        self._done += 1
        if self._done % self._every == 0:
            seconds = round(self._now() - self._began, 2)
            self.laps.append(Lap(done=self._done, seconds=seconds, driver_mib=_resident_mib()))


def _resident_mib() -> float:
    """Memory of this process that stands in RAM."""
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return round(pages * resource.getpagesize() / 2**20, 1)


def _table(told: Simulation) -> Table:
    drawn = Table("what", "done", "seconds", "a second", "driver MiB")
    for what, laps in (("papers", told.builds), ("attempts", told.runs)):
        for lap in laps[1:]:
            rate = f"{lap.done / lap.seconds:.1f}" if lap.seconds else "–"
            drawn.add_row(what, str(lap.done), f"{lap.seconds:.1f}", rate, f"{lap.driver_mib:.0f}")
    return drawn
