"""The way to the upstream: the client's request with the real key in it, its body streamed or sent whole."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import aiohttp
from aiohttp import web
from yarl import URL

from agent_trace.gateway.headers import for_upstream
from agent_trace.gateway.passage import Passage
from agent_trace.gateway.policy import refusal
from agent_trace.gateway.settings import Limits

__all__ = ["NotAllowedError", "RequestCutError", "TooLargeError", "send"]

_AT_ONCE = 1 << 16
"""A body of up to so many bytes is looked at without a thread."""


class RequestCutError(Exception):
    """The client left before its request was whole."""


class TooLargeError(Exception):
    """The request is over the gateway's limit."""


class NotAllowedError(Exception):
    """The policy of the run refuses the request; the message says why."""


async def send(
    client: aiohttp.ClientSession, request: web.BaseRequest, passage: Passage, limits: Limits
) -> aiohttp.ClientResponse:
    """Send the request on and return the response's head.

    A body of up to `inline_bytes` is read whole first, so that it can be sent once more where a kept connection turns
    out to be closed; a larger one is streamed, unless the run has a policy, which looks at the whole.

    Raises:
        RequestCutError, TooLargeError, NotAllowedError: the client's doing.
        TimeoutError, aiohttp.ClientError: the upstream's.
    """
    incoming = _Incoming(request, passage, limits)
    pieces: list[bytes] = []
    async for piece in incoming:
        pieces.append(piece)
        if passage.request_bytes > limits.inline_bytes and not _policed(passage):
            try:
                return await _request(client, request, passage, _chained(pieces, incoming))
            except aiohttp.ClientError as error:
                raise (incoming.fault or error) from error
    whole = b"".join(pieces)
    await _check(whole, request.headers.get("Content-Encoding", ""), passage, limits)
    try:
        return await _request(client, request, passage, whole)
    except aiohttp.ServerDisconnectedError:
        return await _request(client, request, passage, whole)


def _policed(passage: Passage) -> bool:
    return passage.run.policy is not None and passage.route.api is not None


async def _check(body: bytes, encoding: str, passage: Passage, limits: Limits) -> None:
    if passage.run.policy is None or passage.route.api is None:
        return
    asked = (passage.run.policy, body, encoding, limits.request_bytes)
    why = refusal(*asked) if len(body) <= _AT_ONCE and not encoding else await asyncio.to_thread(refusal, *asked)
    if why is not None:
        raise NotAllowedError(why)


class _Incoming:
    """The client's body, copied as it comes. `fault` stays, as a failure below the HTTP client loses its name."""

    def __init__(self, request: web.BaseRequest, passage: Passage, limits: Limits) -> None:
        self.fault: RequestCutError | TooLargeError | None = None
        self._request, self._passage, self._limits = request, passage, limits

    async def __aiter__(self) -> AsyncIterator[bytes]:
        passage = self._passage
        try:
            while piece := await self._request.content.readany():
                passage.request_bytes += len(piece)
                if passage.request_bytes > self._limits.request_bytes:
                    self.fault = TooLargeError()
                    raise self.fault
                if passage.copies is not None:
                    await passage.copies.request.take(piece, asyncio.get_running_loop().time())
                yield piece
        except (aiohttp.ClientError, ConnectionResetError, web.RequestPayloadError) as error:
            self.fault = RequestCutError()
            raise self.fault from error


async def _chained(first: Sequence[bytes], rest: _Incoming) -> AsyncIterator[bytes]:
    for piece in first:
        yield piece
    async for piece in rest:
        yield piece


async def _request(
    client: aiohttp.ClientSession, request: web.BaseRequest, passage: Passage, body: bytes | AsyncIterator[bytes]
) -> aiohttp.ClientResponse:
    upstream = passage.upstream
    headers = list(for_upstream(request.headers.items(), passage.route.vendor, upstream, passage.token))
    if not isinstance(body, bytes) and "Content-Length" in request.headers:
        headers.append(("Content-Length", request.headers["Content-Length"]))
    query = request.raw_path.partition("?")[2]
    url = URL(f"{upstream.base_url}{passage.route.path}{'?' + query if query else ''}", encoded=True)
    return await client.request(request.method, url, headers=headers, data=body or None, allow_redirects=False)
