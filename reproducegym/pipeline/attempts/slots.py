"""The slots of a batch: one for each valid attempt that is wanted, and which of them are still empty."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from reproducegym.schema.batch import AttemptLine, Batch, BatchTask

__all__ = ["Slot", "empty_slots", "tries", "valid"]


class Slot(NamedTuple):
    """The place of one valid attempt at a task; numbers begin at 1."""

    task: BatchTask
    number: int


def empty_slots(batch: Batch, lines: Mapping[BatchTask, Iterable[AttemptLine]]) -> tuple[Slot, ...]:
    """What is missing, the first attempt at each task before the second at any; `lines` are those of its paper."""
    filled = {(task, line.slot) for task, of_paper in lines.items() for line in valid(batch.batch_id, task, of_paper)}
    return tuple(
        Slot(task, number)
        for number in range(1, batch.attempts + 1)
        for task in batch.tasks
        if (task, number) not in filled
    )


def valid(batch_id: str, task: BatchTask, lines: Iterable[AttemptLine]) -> tuple[AttemptLine, ...]:
    """The attempts of a batch at a task that count: scored, whatever they earned."""
    return tuple(line for line in _of(batch_id, task, lines) if line.reward_valid)


def tries(batch_id: str, slot: Slot, lines: Iterable[AttemptLine]) -> int:
    """How often a slot was tried to an end that was kept."""
    return sum(line.slot == slot.number for line in _of(batch_id, slot.task, lines))


def _of(batch_id: str, task: BatchTask, lines: Iterable[AttemptLine]) -> list[AttemptLine]:
    wanted = (batch_id, task.claim_id, task.spec_hash)
    return [line for line in lines if (line.batch_id, line.claim_id, line.spec_hash) == wanted]
