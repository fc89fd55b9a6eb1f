"""A gateway for callers that are not asynchronous: it runs in a thread of its own."""

import asyncio
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from agent_trace.gateway.policy import Policy
from agent_trace.gateway.runs import Run
from agent_trace.gateway.server import Gateway, Loopback, UnixSocket
from agent_trace.gateway.settings import Settings
from agent_trace.gateway.spending import Budget

__all__ = ["ServingGateway", "serving"]

T = TypeVar("T")


class ServingGateway:
    """The gateway as seen from other threads."""

    def __init__(self, gateway: Gateway, loop: asyncio.AbstractEventLoop) -> None:
        self._gateway, self._loop = gateway, loop

    def listen(self, place: UnixSocket | Loopback | socket.socket) -> str:
        """As Gateway.listen."""
        return asyncio.run_coroutine_threadsafe(self._gateway.listen(place), self._loop).result()

    def admit(
        self,
        name: str,
        directory: Path,
        secrets: Iterable[tuple[str, str]] = (),
        budget: Budget | None = None,
        policy: Policy | None = None,
    ) -> Run:
        """As Gateway.admit."""
        return self._call(lambda: self._gateway.admit(name, directory, secrets, budget, policy))

    def dismiss(self, run: Run) -> None:
        """As Gateway.dismiss."""
        asyncio.run_coroutine_threadsafe(self._gateway.dismiss(run), self._loop).result()

    @property
    def unknown_tokens(self) -> int:
        """As Gateway.unknown_tokens."""
        return self._gateway.unknown_tokens

    def _call(self, work: Callable[[], T]) -> T:
        async def called() -> T:
            return work()

        return asyncio.run_coroutine_threadsafe(called(), self._loop).result()


@contextmanager
def serving(settings: Settings) -> Iterator[ServingGateway]:
    """A running gateway; when the context is left it lets what is under way end, and is gone."""
    ready: Future[tuple[Gateway, asyncio.AbstractEventLoop, asyncio.Event]] = Future()

    async def run() -> None:
        over = asyncio.Event()
        async with Gateway(settings) as gateway:
            ready.set_result((gateway, asyncio.get_running_loop(), over))
            await over.wait()

    def work() -> None:
        try:
            asyncio.run(run())
        except BaseException as error:
            if ready.done():
                raise
            ready.set_exception(error)

    thread = threading.Thread(target=work, name="agent-trace-gateway", daemon=True)
    thread.start()
    gateway, loop, over = ready.result()
    try:
        yield ServingGateway(gateway, loop)
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
