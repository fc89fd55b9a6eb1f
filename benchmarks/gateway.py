"""The gateway: what it adds to each token's way, and whether 64 paced streams keep their pace, against going direct."""

import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass

import aiohttp

from benchmarks.timing import Row

__all__ = ["rows"]

_REQUESTS = 400
_STREAMS = 64
_TOKENS = 250
_PACE = 50
_KEY = "bench-key-0123456789"

# Sends each token with the time of its sending: the clock is one for all processes of a machine.
_UPSTREAM = """
import asyncio, json, time
async def answer(reader, writer):
    while head := await reader.readuntil(b"\\r\\n\\r\\n"):
        size = next(int(l.split(b":")[1]) for l in head.split(b"\\r\\n") if l.lower().startswith(b"content-length"))
        asked = json.loads(await reader.readexactly(size))
        writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n")
        writer.write(b"Transfer-Encoding: chunked\\r\\n\\r\\n")
        start = time.monotonic()
        for n in range(asked["n_tokens"]):
            if asked["pace"]:
                await asyncio.sleep(max(0, start + n / asked["pace"] - time.monotonic()))
            choice = {"index": 0, "delta": {"content": f" {time.monotonic():.6f}"}, "finish_reason": None}
            told = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
            send(writer, b"data: " + json.dumps(told).encode() + b"\\n\\n")
        send(writer, b"data: [DONE]\\n\\n")
        writer.write(b"0\\r\\n\\r\\n")
        await writer.drain()
def send(writer, data):
    writer.write(b"%x\\r\\n" % len(data) + data + b"\\r\\n")
async def quiet(reader, writer):
    try:
        await answer(reader, writer)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()
async def main():
    server = await asyncio.start_server(quiet, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


@dataclass(frozen=True)
class _Seen:
    """Of one way: seconds from each token's sending to its coming, and tokens a second of each stream."""

    delays: list[float]
    paces: list[float]

    def at(self, share: float) -> float:
        """The delay in milliseconds that this share of the tokens stays below."""
        ordered = sorted(self.delays)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def rows() -> list[Row]:
    """Rows for one stream and for 64; the peer is the same client without the gateway."""
    with _ends() as (direct, through, token):
        return asyncio.run(_measure((direct, _KEY), (through, token)))


async def _measure(direct: tuple[str, str], through: tuple[str, str]) -> list[Row]:
    seen: dict[str, list[_Seen]] = {"direct": [], "through": []}
    paced: dict[str, _Seen] = {}
    beside: dict[str, _Seen] = {}
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as client:
        for number in range(_REQUESTS):
            for name, way in (("direct", direct), ("through", through)):
                told = await _stream(client, way, tokens=1, pace=0)
                if number >= 20:
                    seen[name].append(told)
        for name, way in (("direct", direct), ("through", through)):
            await asyncio.gather(*(_stream(client, way, tokens=1, pace=0) for _ in range(_STREAMS)))
            busy = [_stream(client, way, tokens=_TOKENS, pace=_PACE) for _ in range(_STREAMS - 1)]
            others = asyncio.ensure_future(asyncio.gather(*busy))
            beside[name] = _joined([await _stream(client, way, tokens=1, pace=0) for _ in range(_REQUESTS // 2)])
            await others
            streams = [_stream(client, way, tokens=_TOKENS, pace=_PACE) for _ in range(_STREAMS)]
            paced[name] = _joined(await asyncio.gather(*streams))
    one = {name: _joined(many) for name, many in seen.items()}
    pace = statistics.median(paced["through"].paces) / statistics.median(paced["direct"].paces)
    slowest = min(paced["through"].paces), min(paced["direct"].paces)
    return [
        _delay_row(
            "1 stream, one token a request, request to token, bar 3 / 10 ms more", one["direct"], one["through"]
        ),
        _delay_row(
            f"{_STREAMS} streams of {_PACE} tokens/s, each token, bar 10 / 50 ms more",
            paced["direct"],
            paced["through"],
        ),
        _delay_row(f"one token a request beside {_STREAMS - 1} such streams", beside["direct"], beside["through"]),
        Row(
            f"gateway: pace of {_STREAMS} streams of {_PACE} tokens/s (against direct), slowest stream",
            f"{slowest[0]:.1f}/s",
            f"{slowest[1]:.1f}/s",
            f"{pace:.3f}",
        ),
    ]


def _delay_row(what: str, direct: _Seen, through: _Seen) -> Row:
    added = f"adds {through.at(0.5) - direct.at(0.5):.1f} / {through.at(0.99) - direct.at(0.99):.1f} ms"
    ours, peer = (f"{seen.at(0.5):.1f} / {seen.at(0.99):.1f} ms" for seen in (through, direct))
    return Row(f"gateway: {what}, p50 / p99 (against direct)", ours, peer, added)


def _joined(many: list[_Seen]) -> _Seen:
    return _Seen([one for seen in many for one in seen.delays], [one for seen in many for one in seen.paces])


async def _stream(client: aiohttp.ClientSession, way: tuple[str, str], *, tokens: int, pace: int) -> _Seen:
    """One streamed completion. With one token the delay counts from the request's sending, for the way there too."""
    began = time.monotonic()
    asked = {
        "model": "m",
        "stream": True,
        "n_tokens": tokens,
        "pace": pace,
        "messages": [{"role": "user", "content": "x"}],
    }
    delays: list[float] = []
    times: list[float] = []
    url, key = way
    async with client.post(f"{url}/v1/chat/completions", json=asked, headers={"Authorization": f"Bearer {key}"}) as got:
        assert got.status == 200, await got.text()
        async for line in got.content:
            if line.startswith(b"data: {"):
                now = time.monotonic()
                sent = float(json.loads(line[6:])["choices"][0]["delta"]["content"])
                delays.append(now - (began if tokens == 1 else sent))
                times.append(now)
    return _Seen(delays, [(len(times) - 1) / (times[-1] - times[0])] if tokens > 1 else [])


@contextlib.contextmanager
def _ends() -> Iterator[tuple[str, str, str]]:
    """The upstream's address, the gateway's, and a token; each is a process of its own."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with (
        tempfile.TemporaryDirectory() as records,
        subprocess.Popen([sys.executable, "-c", _UPSTREAM], **pipes) as upstream,
    ):
        assert upstream.stdout is not None
        base = f"http://127.0.0.1:{upstream.stdout.readline().strip()}"
        argv = [sys.executable, "-m", "agent_trace", "--records", records, "--openai", f"{base}/v1", "BENCH_KEY"]
        with subprocess.Popen(argv, env={**os.environ, "BENCH_KEY": _KEY}, **pipes) as gateway:
            assert gateway.stdout is not None
            told = json.loads(gateway.stdout.readline())
            yield base, told["address"], told["token"]
            gateway.terminate()
        upstream.terminate()


if __name__ == "__main__":
    for row in rows():
        sys.stdout.write(f"{row}\n")
