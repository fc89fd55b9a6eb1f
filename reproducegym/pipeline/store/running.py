"""Attempts while they are made: a directory with an owner and a trace; the next run finds what a killed one left."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reproducegym.errors import SchemaError
from reproducegym.owner import Owner, host_name
from reproducegym.pipeline.files import (
    fill_tree,
    move_tree,
    new_directory,
    read_file,
    read_tree,
    remove_empty,
    remove_tree,
    two_floors_below,
    write_file,
)
from reproducegym.pipeline.store.index import LOST, AttemptIndex
from reproducegym.schema.batch import BatchId, InProgress
from reproducegym.schema.reading import read_json

__all__ = ["OWNER", "TRACE", "Begun", "RunningAttempts", "owned"]

OWNER = "owner.json"
TRACE = "trace"
_RUNNING = ".running-"


@dataclass(frozen=True)
class Begun:
    """An attempt that is being made, in a directory that reads as none yet; `trace` is where its agent's trace goes."""

    claim_id: str
    spec_hash: str
    directory: Path

    @property
    def trace(self) -> Path:
        """An empty private directory at first."""
        return self.directory / TRACE


def owned(begun: datetime, expires: datetime, batch_id: BatchId | None, slot: int | None) -> InProgress:
    """The note of an attempt that this process makes."""
    owner = Owner.this_process()
    return InProgress(
        schema_version=1,
        owner=owner.label(),
        pid_namespace=owner.pid_namespace,
        host=host_name(),
        begun=begun,
        expires=expires,
        batch_id=batch_id,
        slot=slot,
    )


class RunningAttempts(AttemptIndex):
    """What is being tried on the tasks of a paper."""

    @contextmanager
    def begin_attempt(self, claim_id: str, spec_hash: str, owner: InProgress | None = None) -> Iterator[Begun]:
        """A place for an attempt in the making; what was not added when the context is left is gone.

        Only a run that is killed leaves one, and the next run keeps its trace below `04-run/lost/`. Without an owner it
        is anybody's to remove.

        Raises:
            StorageError: it cannot be made.
        """
        task = self._inside("04-run", claim_id, spec_hash)
        with self.attempts_locked():
            begun = Begun(claim_id, spec_hash, new_directory(task, _RUNNING, TRACE))
            if owner is not None:
                fill_tree(begun.directory, {OWNER: owner.to_json().encode()})
        try:
            yield begun
        finally:
            with self.attempts_locked():
                remove_tree(begun.directory)
                remove_empty(task, task.parent, task.parent.parent)

    def lost_attempts(self, now: datetime) -> tuple[Path, ...]:
        """Attempts in progress of dead runs; those whose owner nobody here can ask about count when they expire."""
        return tuple(one for one in two_floors_below(self.root / "04-run", _RUNNING) if _is_lost(one, now))

    def clear_lost(self, now: datetime) -> int:
        """Remove them, but keep the trace of each, where it has one; returns how many there were.

        Raises:
            StorageError: something cannot be moved or removed.
        """
        if not self.lost_attempts(now):
            return 0
        with self.attempts_locked():
            lost = self.lost_attempts(now)
            for directory in lost:
                self._clear(directory)
        return len(lost)

    def _clear(self, running: Path) -> None:
        """Keep the owner and the trace of an attempt of a dead run as evidence, if it has said anything."""
        owner = read_file(running / OWNER)
        if read_tree(running / TRACE):
            claim, version = running.parts[-3:-1]
            kept = self.root / "04-run" / LOST / claim / version / running.name.removeprefix(_RUNNING)
            if owner is not None:
                write_file(kept / OWNER, owner)
            move_tree(running / TRACE, kept / TRACE)
        remove_tree(running)
        remove_empty(running.parent, running.parent.parent)


def _is_lost(running: Path, now: datetime) -> bool:
    """Whether the owner is surely dead, or can't be asked and has had its time."""
    data = read_file(running / OWNER)
    if data is None:
        return running.exists()
    try:
        note = read_json(InProgress, data, str(running / OWNER))
    except SchemaError:
        return True
    owner = Owner.parse(note.owner, note.pid_namespace)
    if owner is None or owner.is_dead(same_machine=note.host == host_name()):
        return True
    return not owner.is_here() and note.expires < now
