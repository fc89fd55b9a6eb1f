"""What a process needs to work on a batch, made from the batch alone: a driver does as a remote worker does.

What travels to another process is the batch, never an agent with its keys: each process chooses its own.
"""

import contextlib
import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.cli import wiring
from reproducegym.cli.assets import places_of_all, with_assets
from reproducegym.cli.options import SandboxChoice
from reproducegym.errors import InfrastructureError, SandboxUnavailableError
from reproducegym.pipeline.attempts.filling import Bench, Filled, fill
from reproducegym.pipeline.attempts.slots import Slot
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.batches import Batches
from reproducegym.ports import Sandbox
from reproducegym.sandbox.living import destroyed_on_signals, go_on_ending
from reproducegym.schema.batch import Batch, BatchTask

__all__ = ["STOPPING", "SlotWork"]

STOPPING = threading.Event()
"""Set when no further attempt may begin in this process."""


@dataclass(frozen=True)
class _Tools:
    bench: Bench
    orders: dict[BatchTask, tuple[Order, Bench]]


_SLICE_S = 0.5
_tools: dict[str, _Tools] = {}
_making = threading.Lock()


@dataclass(frozen=True)
class SlotWork:
    """Fills slots of a batch; may be called in any thread, and pickled to any process that sees `runs`.

    `sandboxes` is how many of them one attempt may have at once, when it is run again.
    """

    batch: Batch
    runs: Path
    sandboxes: int

    def __call__(self, slot: Slot) -> Filled:
        """Make attempts for one slot."""
        with destroyed_on_signals():
            order, bench = self.tools().orders[slot.task]
            return fill(Batches(self.runs), self.batch.batch_id, slot, order, bench)

    def clean_up(self) -> None:
        """Remove what of our sandboxes outlived a moment in which the engine was away, if it is there again."""
        with contextlib.suppress(SandboxUnavailableError, InfrastructureError):
            self.tools().bench.judge.sandbox.reap()

    def tools(self) -> _Tools:
        """What the calls use, made once in each process.

        Raises:
            ReproduceGymError: a task, an asset, the agent or the sandbox is not what it should be.
        """
        with _making:
            if self.batch.batch_id not in _tools:
                _tools[self.batch.batch_id] = self._made()
            return _tools[self.batch.batch_id]

    def _made(self) -> _Tools:
        batch = self.batch
        settings = wiring.config(None if batch.config is None else Path(batch.config))
        agent = wiring.agent(batch.agent, settings)
        found: list[tuple[PaperStore, Order]] = []
        for task in batch.tasks:
            store = PaperStore(self.runs, task.paper_id)
            order = read_order(store, task.claim_id, task.spec_hash)
            found.append((store, order))
        places = places_of_all(list(batch.assets), found)
        node: Sandbox | None = None
        if batch.node is not None:
            from reproducegym.cli.lending import lent

            there = lent(batch.node)
            agent, node = there.agent(agent, settings), there.sandbox(settings)
        judge = wiring.judge(SandboxChoice(batch.sandbox), settings, node=node)
        judge = replace(judge, executor=LocalExecutor(self.sandboxes))
        bench = Bench(agent, judge, settings.run, lambda: datetime.now(tz=UTC), _waited)
        ready = {}
        for task, (store, order), given in zip(batch.tasks, found, places, strict=True):
            worker = wiring.with_egress(agent, settings, store, order)
            ready[task] = (order, replace(bench, agent=worker, judge=with_assets(judge, given)))
        return _Tools(bench, ready)


def _waited(seconds: float) -> bool:
    """Wait so long; false as soon as no further attempt may begin.

    Raises:
        SystemExit: a signal is ending the program.
    """
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        if STOPPING.wait(min(left, _SLICE_S)):
            return False
        go_on_ending()
    return not STOPPING.is_set()
