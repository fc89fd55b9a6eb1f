"""Fills one slot of a batch: attempts until one is valid, as often as the configuration allows, and never once more."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import count

from reproducegym.errors import InfrastructureError, ReproduceGymError, SandboxUnavailableError
from reproducegym.owner import host_name
from reproducegym.pipeline.attempts.slots import Slot, tries, valid
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.judging.verify import Order
from reproducegym.pipeline.run import Stored, run_attempt
from reproducegym.pipeline.store.batches import Batches
from reproducegym.pipeline.store.paper import PaperStore
from reproducegym.pipeline.store.running import owned
from reproducegym.ports import Agent
from reproducegym.schema.batch import Origin
from reproducegym.schema.config import RunConfig
from reproducegym.schema.run import Result

__all__ = ["Bench", "Filled", "fill"]


@dataclass(frozen=True)
class Filled:
    """What was done for a slot: the attempts that were kept, and why none of them counts, if none does."""

    slot: Slot
    stored: tuple[Stored, ...]
    failure: ReproduceGymError | None


@dataclass(frozen=True)
class Bench:
    """Who works and how long: agent, judge, patience, the clock, and a wait that a stop may cut short (false then)."""

    agent: Agent
    judge: Judge
    config: RunConfig
    now: Callable[[], datetime]
    wait: Callable[[float], bool]

    def may_go_on(self, again: int) -> bool:
        """Whether to try once more after so many further tries; waits first, twice as long each time."""
        return again < self.config.retries and self.wait(self.config.retry_wait_s * 2.0**again)


def fill(batches: Batches, batch_id: str, slot: Slot, order: Order, bench: Bench) -> Filled:
    """Make attempts at a task until one of them is valid; nothing, where the slot was filled meanwhile.

    Only faults of the engine and of the judge are met with another try: what an agent earns, even nothing, stands.
    Where they come after the agent has ended, what it left is judged again and the agent does not work again.
    """
    with batches.filling(batch_id, slot.task, slot.number):
        store = PaperStore(batches.runs, slot.task.paper_id)
        store.clear_lost(bench.now())
        lines = store.slot_lines(batch_id, slot.number)
        if any(line.slot == slot.number for line in valid(batch_id, slot.task, lines)):
            return Filled(slot, (), None)
        made: list[Stored] = []
        first = tries(batch_id, slot, lines) + 1
        for tried in count(first):
            failure: ReproduceGymError | None = None
            try:
                made.append(_one(store, batch_id, slot, tried, order, bench))
            except (InfrastructureError, SandboxUnavailableError) as error:
                failure = error
            except ReproduceGymError as error:
                return Filled(slot, tuple(made), error)
            if failure is None and made[-1].refused is not None:
                return Filled(slot, tuple(made), made[-1].refused)
            if failure is None and _is_settled(made[-1].result):
                return Filled(slot, tuple(made), None)
            if not bench.may_go_on(tried - first):
                return Filled(slot, tuple(made), failure)
    raise AssertionError("a slot is left by a return")


def _one(store: PaperStore, batch_id: str, slot: Slot, tried: int, order: Order, bench: Bench) -> Stored:
    """One attempt for a slot, labelled with its run and with the time by which all of it must be gone."""
    begun = bench.now()
    run_id = f"{batch_id}.{slot.task.spec_hash}.{slot.number}.{tried}"
    origin = Origin(
        schema_version=1,
        batch_id=batch_id,
        slot=slot.number,
        tried=tried,
        run_id=run_id,
        host=host_name(),
        begun=begun,
    )
    owner = owned(begun, begun + timedelta(seconds=bench.config.longest_attempt_s), batch_id, slot.number)
    return run_attempt(store, order, bench.agent, replace(bench.judge, run_id=run_id), owner, origin, bench.may_go_on)


def _is_settled(result: Result) -> bool:
    """Whether the agent need not work again now: it was scored, or was judged again and again without an outcome."""
    return result.reward_valid or result.agent.outcome != "infra"
