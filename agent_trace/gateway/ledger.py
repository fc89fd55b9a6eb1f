"""Brings finished records to the disk: many that end together share one sync."""

import asyncio
from concurrent.futures import Executor

from agent_trace.journal import Journal

__all__ = ["Ledger"]


class Ledger:
    """Collects lines while the disk is busy and writes them together, each journal's in the order of their coming."""

    def __init__(self, pool: Executor) -> None:
        self._pool = pool
        self._waiting: list[tuple[Journal, bytes, asyncio.Future[None]]] = []
        self._work: asyncio.Task[None] | None = None

    async def commit(self, journal: Journal, line: bytes) -> None:
        """Return when the line is on the disk.

        Raises:
            OSError: it could not be written.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((journal, line, done))
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._write())
        await done

    async def _write(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            by_journal: dict[Journal, list[tuple[bytes, asyncio.Future[None]]]] = {}
            for journal, line, done in batch:
                by_journal.setdefault(journal, []).append((line, done))
            for journal, lines in by_journal.items():
                try:
                    await asyncio.get_running_loop().run_in_executor(
                        self._pool, journal.write, [line for line, _ in lines]
                    )
                except OSError as error:
                    _tell(lines, error)
                else:
                    _tell(lines, None)


def _tell(lines: list[tuple[bytes, "asyncio.Future[None]"]], error: OSError | None) -> None:
    for _, done in lines:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
