"""A real server on loopback that stands for hosts of the internet, and a door in front of the proxy."""

import asyncio
import base64
import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from reproducegym.adapters.egress.agent import serving
from reproducegym.adapters.egress.allowance import Allowance, Place, allowance_of
from reproducegym.adapters.egress.log import FILE, Log
from reproducegym.adapters.egress.proxy import Proxy
from reproducegym.pipeline.config_file import load_config

CERTIFICATE = Path(__file__).with_name("files_example.pem")
TOKEN = "a-token-of-this-run"
LOOPBACK = ("127.0.0.0/8", "::1/128")


class Site(BaseHTTPRequestHandler):
    """Says what it was asked; `/long` sends 3 MiB, `/slow` waits, `/cut` breaks off."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        said = f"{self.command} {self.path} host={self.headers['Host']} body={len(self.rfile.read(size))}".encode()
        said += b" proxied" if any(name.lower().startswith("proxy-") for name in self.headers) else b""
        body = b"x" * (3 << 20) if self.path == "/long" else said
        if self.path == "/slow":
            threading.Event().wait(3)
        self.send_response(200)
        self.send_header("Content-Length", str(len(body) + (9 if self.path == "/cut" else 0)))
        self.end_headers()
        self.wfile.write(body)
        self.close_connection |= self.path == "/cut"

    do_POST = do_GET

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    def handle_error(self, *_: object) -> None:
        """Clients that leave are part of the tests."""


@contextlib.contextmanager
def site(*, tls: bool = False) -> Iterator[int]:
    """The port of a running server."""
    server = Server(("127.0.0.1", 0), Site)
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def allowed(*places: str, networks: tuple[str, ...] = LOOPBACK, named: tuple[str, ...] = (), **limits) -> Allowance:
    config = load_config(None).egress.model_copy(update={"allow": places, "networks": networks, **limits})
    return allowance_of(config, (), named)


async def at_home(place: Place) -> tuple[str, ...]:
    """Every name stands on this machine."""
    return ("127.0.0.1",)


@dataclass(frozen=True)
class Stage:
    """A proxy behind a socket, as a relay finds it."""

    path: Path
    log: Log
    trace: Path

    def connect(self) -> socket.socket:
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(20)
        client.connect(str(self.path))
        return client

    def send(self, head: str, *, token: str = TOKEN, body: bytes = b"") -> socket.socket:
        """Send a request with the token."""
        client = self.connect()
        secret = base64.b64encode(f"run:{token}".encode()).decode()
        client.sendall(f"{head}\r\nProxy-Authorization: Basic {secret}\r\n\r\n".encode() + body)
        return client

    def ask(self, head: str, *, token: str = TOKEN, body: bytes = b"") -> tuple[socket.socket, bytes]:
        """The same, with all that came until the connection ended or a tunnel stood."""
        client = self.send(head, token=token, body=body)
        got = b""
        while b"established\r\n\r\n" not in got and (more := client.recv(65536)):
            got += more
        return client, got

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in (self.trace / FILE).read_text().splitlines()]

    def told(self, *events: str) -> list[tuple]:
        """Events with their reasons, in order."""
        return [(one["event"], one.get("reason")) for one in self.lines() if one["event"] in events or not events]


@contextlib.contextmanager
def stage(
    tmp_path: Path, allowance: Allowance, resolve: Callable[[Place], Awaitable[tuple[str, ...]]] = at_home
) -> Iterator[Stage]:
    trace = tmp_path / "trace"
    trace.mkdir()
    log = Log(trace)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(tmp_path / "egress"))
    listening.listen(16)
    with serving(listening, Proxy(allowance, TOKEN, log, resolve)):
        yield Stage(tmp_path / "egress", log, trace)
    log.close()


async def never(place: Place) -> tuple[str, ...]:
    await asyncio.sleep(0)
    raise OSError("no such name")
