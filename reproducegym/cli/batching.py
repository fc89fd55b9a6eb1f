"""Orders a batch of attempts, finds one again, and works on it until nothing is missing or somebody stops it."""

import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from pydantic import JsonValue

from reproducegym.cli.bench import STOPPING, SlotWork
from reproducegym.cli.places import TaskPlace
from reproducegym.cli.progress import Board
from reproducegym.cli.rewards import reward_line
from reproducegym.cli.voice import Explained, counted, problem, say, stderr, told, warn
from reproducegym.errors import InfrastructureError, ReproduceGymError
from reproducegym.pipeline.attempts.slots import Slot, empty_slots, filled_slots
from reproducegym.pipeline.run import Stored
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.batches import Batches
from reproducegym.ports import Executor
from reproducegym.sandbox.living import first_interrupt
from reproducegym.schema.batch import Batch, BatchTask, NodeUse
from reproducegym.schema.run import FailureKind, Result

__all__ = ["Tally", "Worked", "new_batch", "tell", "told_end", "work_on"]

_STOPPED = 130
_SHOWN, _SHOWN_ALONE = 120, 300


@dataclass(frozen=True)
class Tally:
    """Attempts that were kept, in numbers: all of them, those that were scored, the sum of their rewards.

    `failures` are the kinds of failure that left some unscored.
    """

    kept: int = 0
    scored: int = 0
    rewards: float = 0.0
    failures: frozenset[FailureKind] = frozenset()

    def with_one(self, result: Result) -> "Tally":
        """With one more."""
        if result.reward is not None:
            return replace(self, kept=self.kept + 1, scored=self.scored + 1, rewards=self.rewards + result.reward)
        kinds = self.failures if result.failure_kind is None else self.failures | {result.failure_kind}
        return replace(self, kept=self.kept + 1, failures=kinds)


@dataclass(frozen=True)
class Worked:
    """What one call did for a batch: what it kept, the failure that ended it, whether it was stopped.

    `missing` counts the valid attempts that the batch still lacks.
    """

    made: Tally
    failure: ReproduceGymError | None
    stopped: bool
    missing: int


def new_batch(
    places: Sequence[TaskPlace],
    *,
    agent: str,
    sandbox: str,
    attempts: int,
    assets: Sequence[str],
    config: Path | None,
    node: NodeUse | None = None,
) -> Batch:
    """An order for attempts at tasks below one directory, with every path in it absolute."""
    begun = datetime.now(tz=UTC)
    kind, _, rest = agent.partition(":")
    tasks = [
        BatchTask(paper_id=place.store.paper_id, claim_id=place.claim_id, spec_hash=place.spec_hash) for place in places
    ]
    return Batch(
        schema_version=1,
        batch_id=f"{begun:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}",
        begun=begun,
        agent=f"script:{Path(rest).resolve()}" if kind == "script" and rest else agent,
        sandbox=sandbox,
        attempts=attempts,
        tasks=tuple(tasks),
        assets=tuple(_absolute(asset) for asset in assets),
        config=None if config is None else str(config.resolve()),
        node=node,
    )


def work_on(
    work: SlotWork,
    executor: Executor,
    *,
    new: bool,
    each: Callable[[Stored], None],
    begins: Callable[[int], None] = lambda _missing: None,
) -> Worked:
    """Make the attempts that a batch lacks; one Ctrl-C ends it after those that are being made.

    A `new` batch is kept as soon as there is somebody to work on it. `begins` hears how many valid attempts are
    missing; `each` gets every attempt that was kept; nothing else of it stays in memory.

    Raises:
        BusyError: another process works on this batch.
    """
    batch, batches = work.batch, Batches(work.runs)
    with batches.working(batch):
        missing = _missing(batch, work.runs, tell=warn)
        wanted = batch.attempts * len(batch.tasks)
        if wanted > 1:
            say(_introduced(work, wanted, len(missing)))
        begins(len(missing))
        made = Tally()
        failure: ReproduceGymError | None = None

        def keep() -> None:
            batches.write(batch)

        STOPPING.clear()
        with (
            Board(stderr, wanted, wanted - len(missing)) as board,
            first_interrupt(_stopping(board)),
            closing(executor.as_done(work, _until_stopped(missing, keep if new else None))) as ended,
        ):
            for filled in ended:
                for one in filled.stored:
                    made = made.with_one(one.result)
                    each(one)
                    board.add(one.result.reward)
                if filled.failure is not None:
                    failure = failure or filled.failure
                    STOPPING.set()
        work.clean_up()
        left = len(_missing(batch, work.runs))
        if not left:
            batches.forget_locks(batch)
    return Worked(made, failure, STOPPING.is_set() and failure is None and left > 0, left)


def _absolute(asset: str) -> str:
    name, given, place = asset.partition("=")
    return f"{name}={Path(place).resolve()}" if given and place else asset


def _missing(batch: Batch, runs: Path, tell: Callable[[str], None] = lambda _line: None) -> tuple[Slot, ...]:
    """The empty slots of a batch, after what killed runs left of attempts was put aside; `tell` hears of damage."""
    filled: set[Slot] = set()
    for paper_id in dict.fromkeys(task.paper_id for task in batch.tasks):
        store = PaperStore(runs, paper_id)
        store.clear_lost(datetime.now(tz=UTC))
        filled.update(filled_slots(batch, paper_id, store.each_attempt(tell)))
    return empty_slots(batch, filled)


def _until_stopped(slots: Sequence[Slot], before: Callable[[], None] | None) -> Iterator[Slot]:
    if before is not None:
        before()
    for slot in slots:
        if STOPPING.is_set():
            return
        yield slot


def _stopping(board: Board) -> Callable[[], None]:
    def stop() -> None:
        STOPPING.set()
        board.ending()
        warn("no further attempt begins; those in progress are finished and kept (Ctrl-C again stops them at once)")

    return stop


def _introduced(work: SlotWork, wanted: int, missing: int) -> str:
    batch = work.batch
    each = f"{counted(len(batch.tasks), 'task')}, {counted(batch.attempts, 'attempt')} each"
    state = f"{missing} of {wanted} missing" if missing < wanted else f"after a stop {work.again}"
    return f"batch {batch.batch_id}: {each}; {state}"


def told_end(work: SlotWork, worked: Worked) -> tuple[int, Mapping[str, JsonValue]]:
    """The exit code, said, and the failure as the answer tells it."""
    wanted = work.batch.attempts * len(work.batch.tasks)
    if worked.failure is not None:
        if wanted > 1:
            warn(f"{counted(worked.missing, 'valid attempt')} of {wanted} missing; {work.again}")
        return worked.failure.exit_code, {"error": told(worked.failure)}
    if worked.stopped:
        line = f"stopped with {worked.missing} of {wanted} valid attempts missing; {work.again}"
        warn(line)
        return Explained(_STOPPED), {"error": problem("Stopped", line, _STOPPED)}
    kinds = worked.made.failures if worked.missing else frozenset()
    if kinds:
        warn(f"some attempts are unscored (reward null), and only scored ones count; {work.again}")
    return (0 if not kinds else InfrastructureError.exit_code if "infra" in kinds else 1), {}


def tell(stored: Stored, *, named: bool) -> None:
    """Say what became of an attempt, with the claim's name where there are several."""
    result = stored.result
    line, most = reward_line(result), _SHOWN if named else _SHOWN_ALONE
    line = line if len(line) <= most else f"{line[:most]}…"
    if named:
        say(f"{result.claim_id} attempt {result.attempt}: {line}; see {stored.directory}")
    else:
        say(f"attempt {result.attempt}: {line}; see {stored.directory}")
    for flag in result.flags:
        say(f"look at {flag.flag}: {flag.note}")
