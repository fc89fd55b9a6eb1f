"""The gateway as a server: on a unix socket or a loopback port, until it is closed."""

import asyncio
import ipaddress
import logging
import socket
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import aiohttp
from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from agent_trace.gateway.forward import Forwarder
from agent_trace.gateway.ledger import Ledger
from agent_trace.gateway.policy import Policy
from agent_trace.gateway.runs import Run, Runs
from agent_trace.gateway.settings import Settings, SettingsError
from agent_trace.gateway.spending import Budget

__all__ = ["Gateway", "Loopback", "UnixSocket"]

_THREADS = 2
_BUFFER = 1 << 18
_LONGEST_HEAD = 1 << 16
_END_S = 30.0
_LOOK_S = 0.01


@dataclass(frozen=True)
class UnixSocket:
    """A socket in the file system. Who may reach its directory may ask, if `mode` lets them."""

    path: Path
    mode: int = 0o600


@dataclass(frozen=True)
class Loopback:
    """A port of this machine's loopback; 0 takes a free one."""

    port: int = 0
    host: str = "127.0.0.1"


class _Bounded(web.Server):
    """Drops connections above a number: they are files of this process, which other runs need too."""

    most = 128

    def connection_made(self, handler: RequestHandler, transport: asyncio.Transport) -> None:
        """Somebody knocked."""
        super().connection_made(handler, transport)
        if len(self.connections) > self.most:
            transport.abort()


class Gateway:
    """`async with Gateway(settings) as gateway`: listen somewhere, admit runs, dismiss them.

    Nothing about requests is logged: what was asked and answered stands in the records, and what was refused in counts.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._runs = Runs(settings)
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="agent-trace")
        self._sites: list[web.BaseSite] = []
        self._sockets: list[Path] = []
        self._admitted: list[Run] = []

    async def __aenter__(self) -> Self:
        limits = self._settings.limits
        timeout = aiohttp.ClientTimeout(total=None, connect=limits.connect_s, sock_read=limits.silence_s)
        self._client = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, ttl_dns_cache=60),
            timeout=timeout,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
            read_bufsize=_BUFFER,
            max_line_size=_LONGEST_HEAD,
            max_field_size=_LONGEST_HEAD,
        )
        forwarder = Forwarder(self._settings, self._runs, self._client, self._pool, Ledger(self._pool))
        silent = logging.Logger("agent_trace.gateway", logging.CRITICAL + 1)
        server = _Bounded(
            forwarder.answer,
            access_log=None,
            logger=silent,
            auto_decompress=False,
            max_line_size=_LONGEST_HEAD,
            max_field_size=_LONGEST_HEAD,
            read_bufsize=_BUFFER,
        )
        server.most = limits.connections
        self._runner = web.ServerRunner(server, handle_signals=False, shutdown_timeout=_END_S)
        await self._runner.setup()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop listening, let what is under way end (up to 30 s), and close the segments."""
        await self._runner.cleanup()
        await self._client.close()
        self._pool.shutdown(wait=True)
        for run in self._admitted:
            run.journal.close()
        for path in self._sockets:
            path.unlink(missing_ok=True)

    async def listen(self, place: UnixSocket | Loopback | socket.socket) -> str:
        """Take requests there too. Gives the socket's path, or the base address `http://host:port`.

        A socket that listens already, as those of a sandbox's door do, is closed with the gateway.

        Raises:
            SettingsError: the host is no loopback address.
            OSError: the place is taken or not writable.
        """
        if isinstance(place, socket.socket):
            await web.SockSite(self._runner, place).start()
            return str(place.getsockname())
        if isinstance(place, UnixSocket):
            await web.UnixSite(self._runner, str(place.path)).start()
            self._sockets.append(place.path)
            place.path.chmod(place.mode)
            return str(place.path)
        if not ipaddress.ip_address(place.host).is_loopback:
            raise SettingsError(f"{place.host} is no loopback address")
        site = web.TCPSite(self._runner, place.host, place.port)
        before = {tuple(address) for address in self._runner.addresses if not isinstance(address, str)}
        await site.start()
        added = [a for a in self._runner.addresses if not isinstance(a, str) and tuple(a) not in before]
        host, port = added[0][:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def admit(
        self,
        name: str,
        directory: Path,
        secrets: Iterable[tuple[str, str]] = (),
        budget: Budget | None = None,
        policy: Policy | None = None,
    ) -> Run:
        """Let a run pass; its records go to the directory, without these secrets, the keys and its token.

        Once its budget is used up, further completions are refused (403, `budget_exhausted`), and what its policy does
        not allow is at any time (403, `not_allowed`).
        """
        run = self._runs.admit(name, directory, secrets, budget, policy)
        self._admitted.append(run)
        return run

    async def dismiss(self, run: Run) -> None:
        """Let it pass no more, and return when what it had under way has ended and is recorded."""
        self._runs.dismiss(run)
        while run.under_way:
            await asyncio.sleep(_LOOK_S)

    @property
    def unknown_tokens(self) -> int:
        """Requests that came with no token, or with one of no run."""
        return self._runs.unknown
