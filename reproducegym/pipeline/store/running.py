"""Attempts while they are made: a directory with an owner and a trace; the next run finds what a killed one left."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reproducegym.errors import SchemaError
from reproducegym.heartbeat import beating, silent_s
from reproducegym.owner import Owner, host_name
from reproducegym.pipeline.directories import (
    fill_tree,
    move_tree,
    new_directory,
    read_tree,
    remove_empty,
    remove_tree,
    two_floors_below,
)
from reproducegym.pipeline.files import is_file, read_file
from reproducegym.pipeline.store.index import LOST, AttemptIndex
from reproducegym.schema.batch import BatchId, InProgress
from reproducegym.schema.reading import read_json

__all__ = ["OWNER", "TRACE", "Begun", "RunningAttempts", "owned"]

OWNER = "owner.json"
TRACE = "trace"
_RUNNING = ".running-"
_BEAT_S, _MISSED = 30.0, 10
"""How often an owner says that it lives, and how many times it may be missed by those who cannot ask it."""


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
        beat_s=_BEAT_S,
    )


class RunningAttempts(AttemptIndex):
    """What is being tried on the tasks of a paper."""

    @contextmanager
    def begin_attempt(self, claim_id: str, spec_hash: str, owner: InProgress | None = None) -> Iterator[Begun]:
        """A place for an attempt in the making; what was not added when the context is left is gone.

        But the trace of one that an error breaks off is kept below `04-run/lost/`. Only a run that is killed leaves one
        in the making, and the next run keeps its trace there. Without an owner it is anybody's to remove; with one, the
        file that names it is touched again and again while the context is open.

        Raises:
            StorageError: it cannot be made.
        """
        task = self._inside("04-run", claim_id, spec_hash)
        with self.attempts_locked():
            begun = Begun(claim_id, spec_hash, new_directory(task, _RUNNING, TRACE))
            if owner is not None:
                fill_tree(begun.directory, {OWNER: owner.to_json().encode()})
        beats = None if owner is None else owner.beat_s
        try:
            with nullcontext() if beats is None else beating(begun.directory / OWNER, beats):
                yield begun
        except Exception:
            with self.attempts_locked():
                self._clear(begun.directory)
            raise
        finally:
            with self.attempts_locked():
                remove_tree(begun.directory)
                remove_empty(task, task.parent, task.parent.parent)

    def lost_attempts(self, now: datetime) -> tuple[Path, ...]:
        """Attempts in progress of dead runs; of owners that nobody here can ask, those that expired or are silent."""
        clock = self._lock("attempts")
        return tuple(one for one in two_floors_below(self.root / "04-run", _RUNNING) if _is_lost(one, clock, now))

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
        """Keep the owner and the trace of an attempt that came to nothing as evidence, if it has said anything."""
        if read_tree(running / TRACE):
            claim, version = running.parts[-3:-1]
            kept = self.root / "04-run" / LOST / claim / version / running.name.removeprefix(_RUNNING)
            move_tree(running / TRACE, kept / TRACE)
            if is_file(running / OWNER):
                move_tree(running / OWNER, kept / OWNER)
        remove_tree(running)
        remove_empty(running.parent, running.parent.parent)


def _is_lost(running: Path, clock: Path, now: datetime) -> bool:
    """Whether the owner is surely dead, or can't be asked and has had its time or said nothing for long."""
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
    if owner.is_here():
        return False
    silent = note.beat_s is not None and silent_s(running / OWNER, clock, now) > _MISSED * note.beat_s
    return silent or note.expires < now
