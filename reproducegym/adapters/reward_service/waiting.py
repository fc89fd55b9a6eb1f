"""Lets requests wait for a verification's end without asking the disk again and again."""

import asyncio
import contextlib
import time

from fastapi.concurrency import run_in_threadpool

from reproducegym.adapters.reward_service.ledger import Job, Ledger

__all__ = ["Waiting"]


class Waiting:
    """Requests that wait, by verification; they live in the loop, verifications end in threads."""

    def __init__(self) -> None:
        """Nobody waits yet."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._events: dict[str, set[asyncio.Event]] = {}
        self._stopping = False

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on requests may wait in this loop."""
        self._loop = loop

    def stop(self) -> None:
        """Nobody waits any longer; who does is told where his verification stands now."""
        self._stopping = True
        for name in list(self._events):
            self._wake(name)

    def ended(self, name: str) -> None:
        """A verification is done; called in any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it everybody who waited
                self._loop.call_soon_threadsafe(self._wake, name)

    async def done(self, name: str, ledger: Ledger, wait_s: float) -> Job:
        """Where a verification stands: when it is done, or after so long.

        Raises:
            RefusedRequestError: there is none of that name.
        """
        event, end = asyncio.Event(), time.monotonic() + wait_s
        self._events.setdefault(name, set()).add(event)
        try:
            while True:
                event.clear()
                job = await run_in_threadpool(ledger.job, name)
                left = end - time.monotonic()
                if job.state == "done" or left <= 0 or self._stopping:
                    return job
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(event.wait(), left)
        finally:
            waiting = self._events[name]
            waiting.discard(event)
            if not waiting:
                del self._events[name]

    def _wake(self, name: str) -> None:
        for event in self._events.get(name, ()):
            event.set()
