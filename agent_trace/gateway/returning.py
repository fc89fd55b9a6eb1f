"""The way back to the client: each piece as it comes, untouched; only the end waits for the record."""

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
from aiohttp import web

from agent_trace.gateway.headers import for_client
from agent_trace.gateway.passage import Passage

__all__ = ["pass_back"]

_GONE = (ConnectionResetError, aiohttp.ClientConnectionError)
_LONGEST_ERROR = 1 << 20
_IDENTIFIERS = ("x-request-id", "request-id")

Recorded = Callable[[], Awaitable[None]]


async def pass_back(
    request: web.BaseRequest, upstream: aiohttp.ClientResponse, passage: Passage, recorded: Recorded
) -> web.StreamResponse:
    """Pass a response on and have it recorded; a client that is answered to the end finds it on the disk.

    Events pass at once, and only their end-of-stream waits for the record. Of any other body the last piece waits.
    A client that leaves stops nothing: what the upstream still sends is read for the record. One that leaves with the
    last event, as SDKs do, had all of it.
    """
    passage.first_byte = asyncio.get_running_loop().time()
    passage.status = upstream.status
    passage.retry_after = upstream.headers.get("Retry-After")
    passage.request_id = next((upstream.headers[name] for name in _IDENTIFIERS if name in upstream.headers), None)
    stream = upstream.status == 200 and upstream.content_type == "text/event-stream"
    if passage.copies is not None:
        passage.copies.recording.begin_response(upstream.headers.get("Content-Encoding", ""), stream=stream)
    client = _Client(request, upstream, passage)
    try:
        if upstream.status >= 400:
            await _pass_error(upstream, passage, client)
        else:
            await _pass_pieces(upstream, passage, client, keep_last=not stream)
    except (aiohttp.ClientError, TimeoutError):
        passage.end = "client_gone" if passage.gone else "upstream_cut"
    await recorded()
    return await client.end()


class _Client:
    """The client's side: takes pieces until it has left."""

    def __init__(self, request: web.BaseRequest, upstream: aiohttp.ClientResponse, passage: Passage) -> None:
        self.kept = b""
        self._request, self._passage = request, passage
        self._response = web.StreamResponse(status=upstream.status, reason=upstream.reason)
        for name, value in for_client(upstream.headers.items(), passage.upstream.key):
            self._response.headers.add(name, value)

    def replace(self, body: bytes) -> None:
        """Answer with another body than the upstream's."""
        for name in ("Content-Encoding", "Content-Length"):
            self._response.headers.pop(name, None)
        self.kept = body

    async def write(self, piece: bytes) -> None:
        if self._passage.gone:
            self._passage.missed = self._passage.missed or bool(piece)
            return
        try:
            if not self._response.prepared:
                await self._response.prepare(self._request)
            if piece:
                await self._response.write(piece)
        except _GONE:
            self._passage.gone = True
            self._passage.missed = self._passage.missed or bool(piece)

    async def end(self) -> web.StreamResponse:
        """The last piece, and the end; a response that the upstream broke off is broken off here too."""
        await self.write(self.kept)
        transport = self._request.transport
        if self._passage.end == "upstream_cut" and transport is not None:
            transport.close()
            self._passage.gone = True
        if not self._passage.gone:
            try:
                await self._response.write_eof()
            except _GONE:
                self._passage.gone = True
        return self._response


async def _pass_pieces(upstream: aiohttp.ClientResponse, passage: Passage, client: _Client, *, keep_last: bool) -> None:
    await client.write(b"")
    while piece := await upstream.content.readany():
        await _copy(piece, passage)
        if keep_last:
            piece, client.kept = client.kept, piece
        if piece:
            await client.write(piece)


async def _pass_error(upstream: aiohttp.ClientResponse, passage: Passage, client: _Client) -> None:
    """An error is read whole: where it tells the real key, as careless endpoints do, the client gets it without."""
    while piece := await upstream.content.readany():
        await _copy(piece, passage)
        client.kept += piece
        if len(client.kept) > _LONGEST_ERROR:
            piece, client.kept = client.kept, b""
            await client.write(piece)
    clean = passage.run.key_redactor.redacted(client.kept)
    if clean != client.kept:
        client.replace(clean)


async def _copy(piece: bytes, passage: Passage) -> None:
    passage.response_bytes += len(piece)
    now = passage.last_byte = asyncio.get_running_loop().time()
    if passage.copies is not None:
        await passage.copies.response.take(piece, now)
