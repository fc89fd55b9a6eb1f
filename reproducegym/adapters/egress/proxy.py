"""The proxy behind the door `egress`: asks for the run's token, decides, resolves names itself, and passes bytes."""

import asyncio
import base64
import contextlib
import hmac
import ipaddress
import socket
import time
from collections.abc import Awaitable, Callable, Iterator

import h11

from reproducegym.adapters.egress.allowance import Allowance, Place
from reproducegym.adapters.egress.hello import HelloError, asked_name
from reproducegym.adapters.egress.log import Log
from reproducegym.adapters.egress.plain import aim, forward, path_of
from reproducegym.adapters.egress.traffic import CHUNK, Budget, OverBytesError, Passed, Stream, pass_both_ways

__all__ = ["USER", "Proxy", "Resolve", "is_own", "resolve"]

USER = "run"
"""The name that goes with the token."""

Resolve = Callable[[Place], Awaitable[tuple[str, ...]]]
"""The addresses of a place, in the order to be tried. Raises OSError where there are none."""

_STATUS = {"malformed": 400, "wrong_token": 407, "too_many": 503, "no_such_host": 502, "unreachable": 502}
_KNOCKING = 4
_FAILED = frozenset({"no_such_host", "unreachable"})


async def resolve(place: Place) -> tuple[str, ...]:
    """As this machine's resolver says."""
    found = await asyncio.get_running_loop().getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def is_own(address: str) -> bool:
    """Whether it is this machine's own, though public: packets to it would leave from that very address."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asking, contextlib.suppress(OSError):
        asking.connect((address, 9))
        return bool(asking.getsockname()[0] == address)
    return False


class _Refusal(Exception):  # noqa: N818 - what a client is told, no fault of ours
    """A request that gets no further; its text is the reason. `told`: the client waits for an answer."""

    def __init__(self, reason: str, *, told: bool = True) -> None:
        super().__init__(reason)
        self.told = told


class Proxy:
    """Answers the connections of one run."""

    def __init__(self, allowance: Allowance, token: str, log: Log, resolve: Resolve = resolve) -> None:
        self._allowance, self._limits, self._log, self._resolve = allowance, allowance.limits, log, resolve
        self._secret = base64.b64encode(f"{USER}:{token}".encode())
        self._budget = Budget(allowance.limits.max_mib * 2**20)
        self._under_way = 0

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, which carries one request; when this returns it is over and in the log."""
        self._under_way += 1
        if self._under_way > _KNOCKING * self._limits.connections:  # most of them never said a word
            self._under_way -= 1
            self._log.write("refused", "-", None, reason="too_many")
            writer.transport.abort()
            return
        client, connection = Stream(reader, writer), h11.Connection(h11.SERVER, max_incomplete_event_size=CHUNK)
        method, place = "-", None
        try:
            request = await self._request(connection, client)
            if request is not None:
                method, place = request.method.decode("ascii", "replace")[:20], aim(request)
                await self._carry(connection, client, request, self._checked(request, place))
        except _Refusal as refused:
            reason = str(refused)
            self._log.write("failed" if reason in _FAILED else "refused", method, place, reason=reason)
            if refused.told:
                await _say(connection, client, reason)
        except ConnectionError:
            self._log.write("failed", method, place, reason="client_gone")
        finally:
            self._under_way -= 1
            await client.close()

    async def _request(self, connection: h11.Connection, client: Stream) -> h11.Request | None:
        """What the client asks for; None where it leaves without a word."""
        try:
            async with asyncio.timeout(self._limits.connect_s):
                while (event := connection.next_event()) is h11.NEED_DATA:
                    connection.receive_data(await client.reader.read(CHUNK))
        except (h11.RemoteProtocolError, TimeoutError) as error:
            raise _Refusal("malformed") from error
        return event if isinstance(event, h11.Request) else None

    def _checked(self, request: h11.Request, place: Place | None) -> Place:
        """The place, if this run may go there; nothing has been looked up by then."""
        given = next((value for name, value in request.headers if name == b"proxy-authorization"), b"")
        kind, _, secret = given.partition(b" ")
        if kind.lower() != b"basic" or not hmac.compare_digest(secret.strip(), self._secret):
            raise _Refusal("wrong_token")
        if place is None:
            raise _Refusal("malformed")
        why = self._allowance.refusal(place)
        if why is not None:
            raise _Refusal(why)
        if self._under_way > self._limits.connections:
            raise _Refusal("too_many")
        if self._budget.left <= 0:
            raise _Refusal("over_bytes")
        return place

    async def _carry(self, connection: h11.Connection, client: Stream, request: h11.Request, place: Place) -> None:
        upstream, address = await self._reached(place)
        method, passed = request.method.decode("ascii"), Passed()
        try:
            if method == "CONNECT":
                first = await self._hello(connection, client, place)
                with self._logged(method, place, passed, address=address):
                    async with asyncio.timeout(self._limits.connection_s):
                        await pass_both_ways(client, upstream, first, self._budget, passed)
            else:
                with self._logged(method, place, passed, address=address, path=path_of(request)):
                    async with asyncio.timeout(self._limits.connection_s):
                        await forward(connection, client, upstream, request, self._budget, passed)
        finally:
            await upstream.close()

    @contextlib.contextmanager
    def _logged(self, method: str, place: Place, passed: Passed, **told: str) -> Iterator[None]:
        """A line at the start of a connection and one at its end, however it ends."""
        self._log.write("opened", method, place, **told)
        began, reason = time.monotonic(), "done"
        try:
            yield
        except OverBytesError:
            reason = "over_bytes"
        except TimeoutError:
            reason = "over_time"
        except h11.ProtocolError:
            reason = "no_http"
        except ConnectionError:
            reason = "broken_off"
        except asyncio.CancelledError:
            reason = "run_over"
            raise
        finally:
            counts = {"sent": passed.sent, "received": passed.received, "seconds": round(time.monotonic() - began, 3)}
            self._log.write("closed", method, place, reason=reason, **counts)

    async def _reached(self, place: Place) -> tuple[Stream, str]:
        """A connection to an address of the place that was looked at: its name is resolved once and never again."""
        try:
            async with asyncio.timeout(self._limits.connect_s):
                addresses = await self._resolve(place)
        except (OSError, UnicodeError, TimeoutError) as error:
            raise _Refusal("no_such_host") from error
        allowed = [one for one in addresses if self._allowance.address_refusal(one, own=is_own(one)) is None]
        if addresses and not allowed:
            raise _Refusal("private_address")
        for address in allowed:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(self._limits.connect_s):
                    return Stream(*await asyncio.open_connection(address, place.port)), address
        raise _Refusal("unreachable")

    async def _hello(self, connection: h11.Connection, client: Stream, place: Place) -> bytes:
        """A tunnel's first bytes: TLS for the name that was asked for, so that no other name gets round the list."""
        connection.next_event()  # the end of a request that has no body
        data = connection.trailing_data[0]
        await client.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            async with asyncio.timeout(self._limits.connect_s):
                while (name := asked_name(data)) is None:
                    more = await client.reader.read(CHUNK)
                    if not more or len(data) > CHUNK:
                        raise _Refusal("no_tls", told=False)
                    data += more
        except (HelloError, TimeoutError) as error:
            raise _Refusal("no_tls", told=False) from error
        if name != ("" if _is_address(place.host) else place.host):
            raise _Refusal("other_name", told=False)
        return data


def _is_address(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return False


async def _say(connection: h11.Connection, client: Stream, reason: str) -> None:
    """Tell a client in HTTP why it gets nothing; that it is gone already is no matter."""
    body = f"egress: {reason}\n".encode()
    headers = [("content-type", "text/plain"), ("content-length", str(len(body))), ("connection", "close")]
    if reason == "wrong_token":
        headers.append(("proxy-authenticate", 'Basic realm="egress"'))
    answer = h11.Response(status_code=_STATUS.get(reason, 403), headers=headers)
    with contextlib.suppress(ConnectionError, h11.LocalProtocolError):
        for event in (answer, h11.Data(data=body), h11.EndOfMessage()):
            await client.send(connection.send(event) or b"")
