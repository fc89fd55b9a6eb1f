"""The server: three routes on loopback, in a loop of its own thread; what a script says, it says."""

import asyncio
import contextlib
import gzip
import json
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

import brotli
from aiohttp import web

from speaking_upstream.said import Said, events, whole

KEY = "real-key-" + "9f2c7b1e64d8a350"
_APIS = {"/v1/chat/completions": "chat", "/v1/responses": "responses", "/v1/messages": "messages"}


@dataclass(frozen=True)
class Asked:
    """One request that came: its API, its body, the headers with lower names."""

    number: int
    api: str
    body: dict
    headers: Mapping[str, str]
    raw: bytes
    path: str


@dataclass(frozen=True)
class Raw:
    """Exactly these bytes, in these pieces; `broken` closes the connection instead of ending the response."""

    pieces: Sequence[bytes]
    status: int = 200
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)
    gap_s: float = 0.0
    broken: bool = False
    stall_s: float = 0.0


Script = Callable[[Asked], Said | Raw]


class Upstream:
    """What a test sees: set `script`, look at `asked`. `sent` is the bytes of each response body, by number."""

    def __init__(self) -> None:
        self.base_url = ""
        self.reset()

    def reset(self) -> None:
        """Forget what was asked and what to say."""
        self.script: Script = lambda asked: Said("hello")
        self.asked: list[Asked] = []
        self.sent: dict[int, bytes] = {}
        self.unwelcome = 0
        self.largest_body = 0
        self.left = 0

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        told = request.headers.get("x-api-key") or request.headers.get("Authorization", "").removeprefix("Bearer ")
        if told != KEY:
            self.unwelcome += 1
            return web.json_response({"error": {"message": "wrong key", "type": "auth", "code": "auth"}}, status=401)
        if request.path not in _APIS:
            return web.json_response({"object": "list", "data": [], "has_more": False})
        try:
            raw = b"".join([piece async for piece in request.content.iter_any()])
        except ConnectionError:
            self.left += 1
            return web.Response(status=400)
        self.largest_body = max(self.largest_body, len(raw))
        plain = gzip.decompress(raw) if request.headers.get("Content-Encoding") == "gzip" else raw
        body = json.loads(plain) if len(plain) < 1 << 24 else {}
        headers = {name.lower(): value for name, value in request.headers.items()}
        asked = Asked(len(self.asked) + 1, _APIS[request.path], body, headers, raw[: 1 << 16], request.path_qs)
        self.asked.append(asked)
        said = self.script(asked)
        if isinstance(said, Raw):
            return await self._raw(request, asked, said)
        return await self._said(request, asked, said)

    async def _said(self, request: web.BaseRequest, asked: Asked, said: Said) -> web.StreamResponse:
        model = asked.body.get("model", "a-model")
        if asked.body.get("stream") is not True:
            data = json.dumps(whole(asked.api, said, model, asked.number)).encode()
            pieces, kind = [data], "application/json"
        else:
            pieces, kind = list(events(asked.api, said, model, asked.number)), "text/event-stream"
        headers = {"x-request-id": f"req-{asked.number}", **said.headers}
        if said.encoding:
            pieces = encoded(pieces, said.encoding)
            headers["Content-Encoding"] = said.encoding
        cut = said.cut_after is not None
        raw = Raw(pieces[: said.cut_after], 200, kind, headers, said.gap_s, broken=cut)
        return await self._raw(request, asked, raw)

    async def _raw(self, request: web.BaseRequest, asked: Asked, raw: Raw) -> web.StreamResponse:
        response = web.StreamResponse(status=raw.status, headers={"Content-Type": raw.content_type, **raw.headers})
        if raw.content_type == "application/json" and not raw.broken:
            response.content_length = sum(map(len, raw.pieces))
        try:
            await response.prepare(request)
            sent = b""
            for piece in raw.pieces:
                await response.write(piece)
                sent += piece
                self.sent[asked.number] = sent
                if raw.gap_s:
                    await asyncio.sleep(raw.gap_s)
            if raw.stall_s:
                await asyncio.sleep(raw.stall_s)
            if raw.broken:
                request.transport.close()
            else:
                await response.write_eof()
        except ConnectionError:
            self.left += 1
        return response


def encoded(pieces: Sequence[bytes], encoding: str) -> list[bytes]:
    """Compressed, flushed after each piece as streaming servers do."""
    if encoding == "br":
        work = brotli.Compressor()
        return [*(work.process(piece) + work.flush() for piece in pieces), work.finish()]
    bits = {"gzip": 31, "deflate": 15}[encoding]
    packer = zlib.compressobj(wbits=bits)
    return [*(packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH) for piece in pieces), packer.flush()]


@contextlib.contextmanager
def speaking() -> Iterator[Upstream]:
    """A running upstream, gone when the context is left."""
    upstream = Upstream()
    ready: Future = Future()

    async def run() -> None:
        over = asyncio.Event()
        runner = web.ServerRunner(
            web.Server(upstream.answer, access_log=None, auto_decompress=False), shutdown_timeout=0.1
        )
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        upstream.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        ready.set_result((asyncio.get_running_loop(), over))
        await over.wait()
        await runner.cleanup()

    thread = threading.Thread(target=lambda: asyncio.run(run()), daemon=True)
    thread.start()
    loop, over = ready.result()
    try:
        yield upstream
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
