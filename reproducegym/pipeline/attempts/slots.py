"""The slots of a batch: one for each valid attempt that is wanted, and which of them are still empty."""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from reproducegym.schema.batch import AttemptLine, Batch, BatchTask

__all__ = ["Slot", "empty_slots", "filled_slots", "tries", "valid"]


class Slot(NamedTuple):
    """The place of one valid attempt at a task; numbers begin at 1."""

    task: BatchTask
    number: int


def empty_slots(batch: Batch, filled: Container[Slot]) -> tuple[Slot, ...]:
    """What is missing, the first attempt at each task before the second at any."""
    wanted = (Slot(task, number) for number in range(1, batch.attempts + 1) for task in batch.tasks)
    return tuple(slot for slot in wanted if slot not in filled)


def filled_slots(batch: Batch, paper_id: str, lines: Iterable[AttemptLine]) -> Iterator[Slot]:
    """The slots that attempts at tasks of a paper fill; `lines` are taken one at a time."""
    tasks = {(task.claim_id, task.spec_hash): task for task in batch.tasks if task.paper_id == paper_id}
    for line in lines:
        task = tasks.get((line.claim_id, line.spec_hash))
        if task is not None and line.batch_id == batch.batch_id and line.reward_valid and line.slot is not None:
            yield Slot(task, line.slot)


def valid(batch_id: str, task: BatchTask, lines: Iterable[AttemptLine]) -> tuple[AttemptLine, ...]:
    """The attempts of a batch at a task that count: scored, whatever they earned."""
    return tuple(line for line in _of(batch_id, task, lines) if line.reward_valid)


def tries(batch_id: str, slot: Slot, lines: Iterable[AttemptLine]) -> int:
    """How often a slot was tried to an end that was kept."""
    return sum(line.slot == slot.number for line in _of(batch_id, slot.task, lines))


def _of(batch_id: str, task: BatchTask, lines: Iterable[AttemptLine]) -> list[AttemptLine]:
    wanted = (batch_id, task.claim_id, task.spec_hash)
    return [line for line in lines if (line.batch_id, line.claim_id, line.spec_hash) == wanted]
