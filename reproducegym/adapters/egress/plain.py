"""Forwards one request that is not a tunnel: to the host that its address names, whatever else it says."""

from collections.abc import Iterable
from urllib.parse import urlsplit

import h11

from reproducegym.adapters.egress.allowance import Place, place_of
from reproducegym.adapters.egress.traffic import CHUNK, Budget, Passed, Stream

__all__ = ["aim", "forward", "path_of"]

_HTTP_PORT = 80
_FOR_ONE_HOP = frozenset({b"connection", b"keep-alive", b"te", b"upgrade"})
_FOR_PROXIES = b"proxy-"


def aim(request: h11.Request) -> Place | None:
    """Where a request wants to go: `CONNECT host:port`, or an `http://` address without a user; None for all else."""
    target = request.target.decode("ascii", "replace")
    if request.method == b"CONNECT":
        return place_of(target.lower())
    try:
        parts = urlsplit(target)
        port = _HTTP_PORT if parts.port is None else parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or not parts.hostname or parts.username is not None:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return place_of(f"{host}:{port}")


def path_of(request: h11.Request) -> str:
    """The path of its address, without what may be private: for the log."""
    return urlsplit(request.target.decode("ascii", "replace")).path[:200]


async def forward(
    connection: h11.Connection, client: Stream, place: Stream, request: h11.Request, budget: Budget, passed: Passed
) -> None:
    """Send the request with its body, and give back the response; both connections carry no second one.

    Raises:
        h11.ProtocolError: a side does not speak HTTP.
        OverBytesError: the run may use no more.
        ConnectionError: a side broke off.
    """
    upstream = h11.Connection(h11.CLIENT)
    parts = urlsplit(request.target.decode("ascii"))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    aimed = aim(request)
    host = str(aimed).removesuffix(f":{_HTTP_PORT}")
    headers = [(b"host", host.encode()), *_passing(request.headers), (b"connection", b"close")]

    async def send(event: h11.Event) -> None:
        data = upstream.send(event) or b""
        budget.spend(len(data))
        passed.sent += len(data)
        await place.send(data)

    await send(h11.Request(method=request.method, target=target, headers=headers))
    while not isinstance(event := connection.next_event(), h11.EndOfMessage):
        if event is h11.NEED_DATA:
            connection.receive_data(await client.reader.read(CHUNK))
        elif isinstance(event, h11.Data):
            await send(h11.Data(data=event.data))
    await send(h11.EndOfMessage())
    while not isinstance(event := upstream.next_event(), h11.EndOfMessage):
        if event is h11.NEED_DATA:
            data = await place.reader.read(CHUNK)
            budget.spend(len(data))
            passed.received += len(data)
            upstream.receive_data(data)
        elif isinstance(event, h11.Response):
            kept = [*_passing(event.headers), (b"connection", b"close")]
            await _give(
                connection, client, h11.Response(status_code=event.status_code, headers=kept, reason=event.reason)
            )
        elif isinstance(event, h11.Data):
            await _give(connection, client, h11.Data(data=event.data))
    await _give(connection, client, h11.EndOfMessage())


async def _give(connection: h11.Connection, client: Stream, event: h11.Event) -> None:
    await client.send(connection.send(event) or b"")


def _passing(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Headers that are for both ends: not those for one hop, nor those that `Connection` lists."""
    headers = list(headers)
    listed = {word.strip().lower() for name, value in headers if name == b"connection" for word in value.split(b",")}
    left_out = _FOR_ONE_HOP | {b"host"} | listed
    return [(name, value) for name, value in headers if name not in left_out and not name.startswith(_FOR_PROXIES)]
