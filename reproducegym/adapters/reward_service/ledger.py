"""The queue on disk: every verification that was ordered, its submission until it is done, and its outcome after.

One SQLite file, written through before anything is answered: what a client was told survives a kill.
"""

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reproducegym.adapters.reward_service.refusals import RefusedRequestError
from reproducegym.adapters.reward_service.wire import Scored, State
from reproducegym.errors import StorageError

__all__ = ["Job", "Ledger", "Order"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL, key TEXT UNIQUE, task_id TEXT NOT NULL,
    spec_hash TEXT NOT NULL, digest TEXT NOT NULL, submission BLOB, state TEXT NOT NULL, tries INTEGER NOT NULL,
    not_before REAL NOT NULL, ended REAL, scored TEXT);
CREATE INDEX IF NOT EXISTS waiting ON jobs (number) WHERE state = 'queued';
"""
_COLUMNS = "id, task_id, spec_hash, state, tries, scored"
_WAIT_S = 30.0


@dataclass(frozen=True)
class Order:
    """A verification that is asked for; `digest` is of the submission's files, `key` the client's own name for it."""

    task_id: str
    spec_hash: str
    digest: str
    submission: bytes
    key: str | None


@dataclass(frozen=True)
class Job:
    """Where a verification stands; `scored` is there once it is done."""

    id: str
    task_id: str
    spec_hash: str
    state: State
    tries: int
    scored: Scored | None


class Ledger:
    """All verifications of a service; safe in threads.

    Every call raises StorageError where the disk does not keep what it is given; nothing is half-kept then, and the
    next call may do better. `works` tells whether the last write was kept.
    """

    def __init__(self, file: Path, most_waiting: int, clock: Callable[[], float] = time.time) -> None:
        """Open or make the file; what a killed service had begun is put back into the queue.

        Raises:
            StorageError: it cannot be used.
        """
        self._most, self._clock, self._lock, self._file = most_waiting, clock, threading.Lock(), file
        self.works = True
        try:
            self._base = sqlite3.connect(file, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode=WAL")
            self._base.execute("PRAGMA synchronous=FULL")
            self._base.executescript(_SCHEMA)
            self._base.execute("UPDATE jobs SET state = 'queued', not_before = 0 WHERE state = 'running'")
        except sqlite3.Error as error:
            raise StorageError(f"{file} cannot be used for the queue: {error}") from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._base.close()

    def add(self, order: Order) -> tuple[Job, bool]:
        """The verification that is asked for, and whether it is a new one.

        The same key with the same submission is the same verification; one that ended without a reward begins again.

        Raises:
            RefusedRequestError: the key stands for another submission, or the queue is full.
        """
        with self._writing() as base:
            standing = self._of_key(base, order)
            if standing is not None and not (standing.state == "done" and _unscored(standing)):
                return standing, False
            (waiting,) = base.execute("SELECT COUNT(*) FROM jobs WHERE state = 'queued'").fetchone()
            if waiting >= self._most:
                raise RefusedRequestError(429, "queue_full", f"{waiting} verifications wait; try again later", 1)
            if standing is not None:
                base.execute(
                    "UPDATE jobs SET state = 'queued', tries = 0, not_before = 0, scored = NULL, submission = ? "
                    "WHERE id = ?",
                    (order.submission, standing.id),
                )
                return self._job(base, standing.id), True
            name = secrets.token_hex(16)
            base.execute(
                "INSERT INTO jobs (id, key, task_id, spec_hash, digest, submission, state, tries, not_before) "
                "VALUES (?, ?, ?, ?, ?, ?, 'queued', 0, 0)",
                (name, order.key, order.task_id, order.spec_hash, order.digest, order.submission),
            )
            return self._job(base, name), True

    def job(self, name: str) -> Job:
        """Where a verification stands.

        Raises:
            RefusedRequestError: there is none of that id.
        """
        with self._reading() as base:
            return self._job(base, name)

    def take(self) -> tuple[Job, bytes] | None:
        """The next verification to make, with its submission, now `running`; None where none is due."""
        with self._writing() as base:
            row = base.execute(
                "SELECT id, submission FROM jobs WHERE state = 'queued' AND not_before <= ? ORDER BY number LIMIT 1",
                (self._clock(),),
            ).fetchone()
            if row is None:
                return None
            base.execute("UPDATE jobs SET state = 'running', tries = tries + 1 WHERE id = ?", (row[0],))
            return self._job(base, row[0]), bytes(row[1])

    def end(self, name: str, scored: Scored) -> None:
        """Keep the outcome of a verification; its submission is not needed any more."""
        with self._writing() as base:
            base.execute(
                "UPDATE jobs SET state = 'done', scored = ?, ended = ?, submission = NULL WHERE id = ?",
                (scored.model_dump_json(), self._clock(), name),
            )

    def put_back(self, name: str, after_s: float, *, counted: bool = True) -> None:
        """Let a verification wait for its next try; a try that was only broken off is not counted."""
        with self._writing() as base:
            base.execute(
                "UPDATE jobs SET state = 'queued', not_before = ?, tries = tries - ? WHERE id = ?",
                (self._clock() + after_s, 0 if counted else 1, name),
            )

    def count(self, state: Literal["queued", "running"]) -> int:
        """How many verifications wait or are made now."""
        with self._reading() as base:
            found: tuple[int] = base.execute("SELECT COUNT(*) FROM jobs WHERE state = ?", (state,)).fetchone()
            return found[0]

    def try_again(self) -> None:
        """Write something that changes nothing: whether the disk takes it stands in `works`."""
        with self._writing() as base:
            base.execute("CREATE TABLE IF NOT EXISTS tried (at REAL)")
            base.execute("DELETE FROM tried")
            base.execute("INSERT INTO tried VALUES (?)", (self._clock(),))

    def forget(self, older_than_s: float) -> int:
        """Remove what ended so long ago, with its key; returns how many."""
        with self._writing() as base:
            before = self._clock() - older_than_s
            return base.execute("DELETE FROM jobs WHERE state = 'done' AND ended < ?", (before,)).rowcount

    def _of_key(self, base: sqlite3.Connection, order: Order) -> Job | None:
        if order.key is None:
            return None
        row = base.execute("SELECT id, task_id, spec_hash, digest FROM jobs WHERE key = ?", (order.key,)).fetchone()
        if row is None:
            return None
        if tuple(row[1:]) != (order.task_id, order.spec_hash, order.digest):
            raise RefusedRequestError(
                409, "key_reused", "this Idempotency-Key stands for another submission; choose a new one"
            )
        return self._job(base, row[0])

    def _job(self, base: sqlite3.Connection, name: str) -> Job:
        row = base.execute(f"SELECT {_COLUMNS} FROM jobs WHERE id = ?", (name,)).fetchone()  # noqa: S608 - no input
        if row is None:
            raise RefusedRequestError(404, "unknown_verification", "there is no such verification")
        found, task_id, spec_hash, state, tries, scored = row
        return Job(found, task_id, spec_hash, state, tries, None if scored is None else Scored.from_json(scored))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            yield self._base

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._told():
            before = self._base.total_changes
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:  # a full disk ends some by itself
                    self._base.execute("ROLLBACK")
                raise
            self.works = self.works or self._base.total_changes > before

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            self.works = False
            raise StorageError(f"the queue {self._file} cannot be used: {error}") from error


def _unscored(job: Job) -> bool:
    return job.scored is not None and job.scored.reward is None
