"""An agent whose commands have the proxy's address in their environment; for the agent itself nothing else changes."""

import asyncio
import contextlib
import secrets
import threading
from collections.abc import Iterator
from dataclasses import replace
from socket import socket

from reproducegym.adapters.agents.at_hand import BoxAtHand
from reproducegym.adapters.egress.allowance import Allowance
from reproducegym.adapters.egress.log import Log
from reproducegym.adapters.egress.proxy import USER, Proxy, Resolve, resolve
from reproducegym.ports import Agent, AgentTask, SandboxBox
from reproducegym.schema.run import AgentRecord

__all__ = ["WithEgress", "serving", "with_egress"]

_DOOR = "egress"
_PORT = 8795
_NEAR = "127.0.0.1,localhost,::1"


def with_egress(agent: Agent, allowance: Allowance) -> Agent:
    """The agent with a way out to what is allowed; the agent as it is where nothing is."""
    return WithEgress(agent, allowance) if allowance.places else agent


class WithEgress:
    """Serves the door `egress` while an agent works, and counts what went through in its record."""

    def __init__(self, agent: Agent, allowance: Allowance, resolve: Resolve = resolve) -> None:
        self._agent, self._allowance, self._resolve = agent, allowance, resolve
        self.name, self.mounts = agent.name, agent.mounts
        self.door: tuple[str, ...] = (*agent.door, _DOOR)

    def run(self, task: AgentTask, box: SandboxBox) -> AgentRecord:
        """As the agent does.

        Raises:
            InfrastructureError: the engine failed.
        """
        if box.door is None:
            raise RuntimeError("a sandbox without a door was given to an agent that needs one")
        token, log = secrets.token_urlsafe(24), Log(task.trace)
        relay = (*box.door.relay, _DOOR, str(_PORT), "--")
        proxy = Proxy(self._allowance, token, log, self._resolve)
        try:
            with serving(box.door.sockets[_DOOR], proxy):
                record = self._agent.run(
                    replace(task, instructions=self._told(task)), BoxAtHand(box, self._env(token), relay)
                )
        finally:
            log.close()
            task.bill.egress = log.usage()
        return record.model_copy(update={"egress": log.usage()})

    def _told(self, task: AgentTask) -> str:
        reachable = sorted(str(place) for place in self._allowance.places if self._allowance.refusal(place) is None)
        listed = "\n".join(f"- {place}" for place in reachable)
        return (
            f"{task.instructions.rstrip()}\n\n## Network\n\nWhile you work, and never when reproduce.sh is run again, "
            f"these are reached through the proxy in `$https_proxy` and `$http_proxy`:\n\n{listed}\n"
        )

    def _env(self, token: str) -> dict[str, str]:
        address = f"http://{USER}:{token}@127.0.0.1:{_PORT}"
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        near = {"no_proxy": _NEAR, "NO_PROXY": _NEAR}
        return {**dict.fromkeys(names, address), **near, **self._allowance.limits.environment}


@contextlib.contextmanager
def serving(listening: socket, proxy: Proxy) -> Iterator[None]:
    """Answers what comes to the socket, in a thread of its own; when this is left, every connection is over."""
    loop = asyncio.new_event_loop()
    over, ready = asyncio.Event(), threading.Event()

    async def serve() -> None:
        answering: set[asyncio.Task[None]] = set()

        async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            if task is not None:
                answering.add(task)
                task.add_done_callback(answering.discard)
            with contextlib.suppress(asyncio.CancelledError):  # the run is over
                await proxy.answer(reader, writer)

        server = await asyncio.start_unix_server(answer, sock=listening)
        ready.set()
        await over.wait()
        server.close()
        for task in answering:
            task.cancel()
        await asyncio.gather(*answering, return_exceptions=True)

    def work() -> None:
        try:
            loop.run_until_complete(serve())
        finally:
            ready.set()
            loop.close()

    thread = threading.Thread(target=work, name="egress", daemon=True)
    thread.start()
    ready.wait()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
