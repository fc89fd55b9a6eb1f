"""A real web server on the loopback address that answers each path as a list of acts says, well or badly."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from reproducegym.parsing.sources import Manners

Act = Callable[[BaseHTTPRequestHandler], None]
PDF = b"%PDF-1.7\n" + b"".join(b"%04d not much of a paper\n" % n for n in range(2000))


@dataclass
class Site:
    """What it answers by path (the last act of a list stays), and what it was asked."""

    base: str
    acts: dict[str, list[Act]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def on(self, path: str, *acts: Act) -> str:
        """Say how a path is answered, in turn; gives its address."""
        self.acts[path] = list(acts)
        return self.base + path

    def paths(self) -> list[str]:
        """The paths asked for, in order."""
        return [path for path, _ in self.asked]


@contextmanager
def running_site() -> Iterator[Site]:
    """A site that answers until the context is left."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 20

        def do_GET(self) -> None:
            site.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
            acts = site.acts.get(self.path, [status(404)])
            self.close_connection = True
            (acts.pop(0) if len(acts) > 1 else acts[0])(self)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    site = Site(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


@dataclass
class Patient:
    """Manners that write down the waits instead of waiting."""

    waits: list[float] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def manners(self, **changes: object) -> Manners:
        """Manners with these changes."""
        values: dict[str, object] = {"sleep": self.waits.append, "tell": self.told.append, **changes}
        return Manners(**values)


def send(
    body: bytes, kind: str = "application/pdf", *, code: int = 200, length: int | None = None, **headers: str
) -> Act:
    """Send a body with its length, or a wrong one; header names are written with underscores."""

    def act(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(body)

    return act


def status(code: int, **headers: str) -> Act:
    """An error, or a redirect with its `Location`."""
    return send(b"no", "text/plain", code=code, **headers)


def break_off(body: bytes, after: int, **headers: str) -> Act:
    """Promise the whole body and close the connection after some bytes of it."""
    return send(body[:after], length=len(body), **headers)


def resume(body: bytes, **headers: str) -> Act:
    """Send the part that a Range asks for."""

    def act(handler: BaseHTTPRequestHandler) -> None:
        start = int(handler.headers["Range"].removeprefix("bytes=").removesuffix("-"))
        span = f"bytes {start}-{len(body) - 1}/{len(body)}"
        send(body[start:], code=206, **{"Content_Range": span, **headers})(handler)

    return act


def endless(handler: BaseHTTPRequestHandler) -> None:
    """Chunks without an end."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/pdf")
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    chunk = b"%x\r\n%s\r\n" % (1 << 16, b"x" * (1 << 16))
    try:
        while True:
            handler.wfile.write(chunk)
    except OSError:
        pass


def trickle(handler: BaseHTTPRequestHandler) -> None:
    """A byte now and then, always in time for a reader that waits for the next one only."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/pdf")
    handler.send_header("Content-Length", "1000000")
    handler.end_headers()
    try:
        for _ in range(200):
            handler.wfile.write(b"x")
            time.sleep(0.05)
    except OSError:
        pass


def silent(handler: BaseHTTPRequestHandler) -> None:
    """No answer for longer than the tests wait."""
    time.sleep(1.0)


def garbage(handler: BaseHTTPRequestHandler) -> None:
    """Bytes that are no HTTP."""
    handler.wfile.write(b"\x00\xff this is not HTTP\r\n\r\n")


def bomb(size: int) -> Act:
    """A small body that unpacks to so many zeros."""
    return send(gzip.compress(b"\0" * size), Content_Encoding="gzip")
