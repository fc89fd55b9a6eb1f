"""Episodes of HTTP clients, in one SQLite file that all workers of a server share.

An episode is a function of its task, its seed and its triage, so that is all that is kept; whichever worker gets a step
makes the rest again. A step is claimed before it is taken: of two at once one is refused.
"""

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from reproducegym.adapters.auditor_server.errors import (
    BusyEpisodeError,
    CapacityError,
    EngineError,
    FinishedEpisodeError,
    UnknownEpisodeError,
)
from reproducegym.errors import InfrastructureError
from reproducegym.families.auditor.episode import Drawer, Episode, EpisodeOverError, Phase, Step
from reproducegym.families.auditor.nouns import Level

__all__ = ["Episodes", "Limits", "Standing", "new_episode_id"]

_SCHEMA = """CREATE TABLE IF NOT EXISTS episodes (
    id TEXT PRIMARY KEY, level TEXT NOT NULL, seed INTEGER NOT NULL, phase TEXT NOT NULL, steps INTEGER NOT NULL,
    triage BLOB, claimed REAL NOT NULL, touched REAL NOT NULL)"""
_WAIT_S = 30.0


@dataclass(frozen=True)
class Limits:
    """What a server takes: episodes in progress, seconds that one may be idle, seconds that a step may take."""

    capacity: int = 1024
    idle_s: float = 1800.0
    step_s: float = 600.0


@dataclass(frozen=True)
class Standing:
    """Where an episode stands."""

    episode_id: str
    level: Level
    seed: int
    phase: Phase
    steps: int
    triage: bytes | None


def new_episode_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_hex(16)


class Episodes:
    """All episodes of HTTP clients; safe in threads and in several processes on one file."""

    def __init__(self, file: Path, drawer: Drawer, limits: Limits, clock: Callable[[], float] = time.time) -> None:
        """Open or make the file."""
        self._drawer, self._limits, self._clock = drawer, limits, clock
        self._lock = threading.Lock()
        self._base = sqlite3.connect(file, timeout=_WAIT_S, isolation_level=None, check_same_thread=False)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=OFF")
        self._base.execute(_SCHEMA)

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def count(self) -> int:
        """How many episodes are in progress."""
        with self._writing() as base:
            self._expire(base)
            found: tuple[int] = base.execute("SELECT COUNT(*) FROM episodes WHERE phase != 'done'").fetchone()
            return found[0]

    def begin(self, episode_id: str, level: Level, seed: int) -> Episode:
        """A new episode.

        Raises:
            CapacityError: no more are taken.
            BusyEpisodeError: an episode of that id is in progress.
        """
        now = self._clock()
        with self._writing() as base:
            self._expire(base)
            if base.execute("SELECT 1 FROM episodes WHERE id = ? AND phase != 'done'", (episode_id,)).fetchone():
                raise BusyEpisodeError(f"episode {episode_id} is in progress; choose another id, or send none")
            (standing,) = base.execute("SELECT COUNT(*) FROM episodes WHERE phase != 'done'").fetchone()
            if standing >= self._limits.capacity:
                raise CapacityError(f"{standing} episodes are in progress, and no more are taken; try again later")
            base.execute(
                "INSERT OR REPLACE INTO episodes VALUES (?, ?, ?, 'triage', 0, NULL, 0, ?)",
                (episode_id, level, seed, now),
            )
        return Episode(self._drawer.draw(level, seed))

    def standing(self, episode_id: str) -> Standing:
        """Where an episode stands.

        Raises:
            UnknownEpisodeError: there is none of that id.
        """
        with self._writing() as base:
            self._expire(base)
            return self._row(base, episode_id)

    def step(self, episode_id: str, action: bytes) -> tuple[Standing, Step]:
        """Take one step; where it stands afterwards, and what the step gives back.

        Raises:
            UnknownEpisodeError: there is no episode of that id.
            FinishedEpisodeError: it is done.
            BusyEpisodeError: another step of it is in progress.
            EngineError: fixes could not be run; the episode stands where it stood.
        """
        before = self._claim(episode_id)
        kept, phase, steps = before.triage, before.phase, before.steps
        try:
            episode = Episode(self._drawer.draw(before.level, before.seed))
            if before.triage is not None:
                episode.step(before.triage)
            step = episode.step(action)
            kept = action if before.phase == "triage" else None
            phase, steps = step.phase, before.steps + 1
        except InfrastructureError as error:
            raise EngineError(str(error)) from error
        except EpisodeOverError as error:
            raise FinishedEpisodeError(str(error)) from error
        finally:
            self._release(episode_id, phase, steps, kept)
        return Standing(episode_id, before.level, before.seed, phase, steps, kept), step

    def _claim(self, episode_id: str) -> Standing:
        now = self._clock()
        with self._writing() as base:
            self._expire(base)
            standing = self._row(base, episode_id)
            if standing.phase == "done":
                raise FinishedEpisodeError(f"episode {episode_id} is done; POST /reset begins another one")
            taken = base.execute(
                "UPDATE episodes SET claimed = ?, touched = ? WHERE id = ? AND claimed < ?",
                (now, now, episode_id, now - self._limits.step_s),
            ).rowcount
            if not taken:
                raise BusyEpisodeError(f"another step of episode {episode_id} is in progress")
            return standing

    def _release(self, episode_id: str, phase: Phase, steps: int, triage: bytes | None) -> None:
        with self._writing() as base:
            base.execute(
                "UPDATE episodes SET claimed = 0, touched = ?, phase = ?, steps = ?, triage = ? WHERE id = ?",
                (self._clock(), phase, steps, triage, episode_id),
            )

    def _expire(self, base: sqlite3.Connection) -> None:
        now = self._clock()
        base.execute(
            "DELETE FROM episodes WHERE touched < ? AND claimed < ?",
            (now - self._limits.idle_s, now - self._limits.step_s),
        )

    def _row(self, base: sqlite3.Connection, episode_id: str) -> Standing:
        row = base.execute(
            "SELECT id, level, seed, phase, steps, triage FROM episodes WHERE id = ?", (episode_id,)
        ).fetchone()
        if row is None:
            raise UnknownEpisodeError(f"no episode {episode_id[:64]!r}; it never began, or was idle for too long")
        return Standing(*row)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, seen whole or not at all by other workers."""
        with self._lock:
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield self._base
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")
