"""What a process needs to work on a batch, made from the batch alone: a driver does as a remote worker does.

What travels to another process is the batch, never an agent with its keys: each process chooses its own.
"""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path

from reproducegym.adapters.executors.local import LocalExecutor
from reproducegym.cli import wiring
from reproducegym.cli.assets import assets_of, places_of_all, with_assets
from reproducegym.cli.options import SandboxChoice
from reproducegym.errors import InfrastructureError, MisuseError, SandboxUnavailableError
from reproducegym.pipeline.assets.card import read_places
from reproducegym.pipeline.attempts.filling import Bench, Filled, fill
from reproducegym.pipeline.attempts.slots import Slot
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.run import read_order
from reproducegym.pipeline.store import PaperStore
from reproducegym.pipeline.store.batches import Batches
from reproducegym.ports import Agent
from reproducegym.sandbox.living import destroyed_on_signals, go_on_ending
from reproducegym.schema.batch import Batch, BatchTask
from reproducegym.schema.config import Config

__all__ = ["STOPPING", "SlotWork"]

STOPPING = threading.Event()
"""Set when no further attempt may begin in this process."""


@dataclass(frozen=True)
class _Tools:
    bench: Bench
    ready: Callable[[BatchTask], tuple[Order, Bench]]


_SLICE_S = 0.5
_KEPT_ORDERS = 32
"""Tasks that a process holds at once: a batch may have thousands, each with its own copy of its paper."""
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
            order, bench = self.tools().ready(slot.task)
            return fill(Batches(self.runs), self.batch.batch_id, slot, order, bench)

    @property
    def again(self) -> str:
        """What finishes it after a stop, in words."""
        return f"finish it with: reproducegym run --resume {self.batch.batch_id}"

    def check(self) -> None:
        """Find out before the first attempt what would be wrong with any.

        Raises:
            ReproduceGymError: a task, an asset, the agent or the sandbox is not what it should be.
        """
        found = (self._found(task) for task in self.batch.tasks)
        for _ in places_of_all(self.batch.assets, found):
            continue
        self.tools()

    def clean_up(self) -> None:
        """Remove what of our sandboxes outlived a moment in which the engine was away, if it is there again."""
        with contextlib.suppress(SandboxUnavailableError, InfrastructureError):
            self.tools().bench.judge.sandbox.reap()

    def tools(self) -> _Tools:
        """What the calls use, made once in each process.

        Raises:
            ReproduceGymError: the agent or the sandbox is not what it should be.
        """
        with _making:
            if self.batch.batch_id not in _tools:
                _tools[self.batch.batch_id] = self._made()
            return _tools[self.batch.batch_id]

    def settings(self) -> Config:
        """The configuration that the batch names."""
        return wiring.config(None if self.batch.config is None else Path(self.batch.config))

    def workers(self, settings: Config) -> tuple[Agent, Judge]:
        """Who works, and who judges."""
        batch = self.batch
        if batch.sandbox not in tuple(SandboxChoice):
            raise MisuseError(f"batch {batch.batch_id} is a {batch.sandbox} one: go on with reproducegym simulate")
        agent = wiring.agent(batch.agent, settings)
        if batch.node is None:
            return agent, wiring.judge(SandboxChoice(batch.sandbox), settings)
        from reproducegym.cli.lending import lent

        there = lent(batch.node)
        agent = there.agent(agent, settings)
        return agent, wiring.judge(SandboxChoice(batch.sandbox), settings, node=there.sandbox(settings))

    def _made(self) -> _Tools:
        settings = self.settings()
        agent, judge = self.workers(settings)
        judge = replace(judge, executor=LocalExecutor(self.sandboxes))
        bench = Bench(agent, judge, settings.run, lambda: datetime.now(tz=UTC), _waited)
        named = read_places(self.batch.assets)

        @lru_cache(_KEPT_ORDERS)
        def ready(task: BatchTask) -> tuple[Order, Bench]:
            store, order = self._found(task)
            worker = wiring.with_egress(agent, settings, store, order)
            return order, replace(bench, agent=worker, judge=with_assets(judge, assets_of(named, store, order)))

        return _Tools(bench, ready)

    def _found(self, task: BatchTask) -> tuple[PaperStore, Order]:
        store = PaperStore(self.runs, task.paper_id)
        return store, read_order(store, task.claim_id, task.spec_hash)


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
