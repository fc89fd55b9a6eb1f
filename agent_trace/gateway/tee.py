"""The copy of what passes by: collected in the loop, worked on in threads, in order and in bounded memory."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor

__all__ = ["Arrival", "Tee"]

Arrival = tuple[float, bytes]
"""When a piece came (seconds of the loop's clock), and the piece."""

_BATCH = 1 << 18


class Tee:
    """Hands pieces to a sink, a batch at a time. A sink that fails is asked no more; `failed` says why.

    A stream waits for its own copy only when that is a whole batch behind; other streams never do.
    """

    def __init__(self, sink: Callable[[Sequence[Arrival]], None], pool: Executor) -> None:
        self.failed: Exception | None = None
        self.size = 0
        self._sink, self._pool = sink, pool
        self._batch: list[Arrival] = []
        self._waiting = 0
        self._work: asyncio.Future[None] | None = None

    async def take(self, piece: bytes, now: float) -> None:
        """Take a copy of a piece that came now."""
        self.size += len(piece)
        if self.failed is not None:
            return
        self._batch.append((now, piece))
        self._waiting += len(piece)
        if self._waiting >= _BATCH:
            await self._hand_over()

    async def settle(self) -> None:
        """Return when the sink has everything."""
        if self._batch and self.failed is None:
            await self._hand_over()
        await self._finish_work()

    async def _hand_over(self) -> None:
        await self._finish_work()
        batch, self._batch, self._waiting = self._batch, [], 0
        if self.failed is None:
            self._work = asyncio.get_running_loop().run_in_executor(self._pool, self._sink, batch)

    async def _finish_work(self) -> None:
        work, self._work = self._work, None
        if work is not None:
            try:
                await asyncio.shield(work)
            except Exception as error:  # noqa: BLE001 - a copy that fails, even by a defect, fails no stream
                self.failed = error
                self._batch = []
