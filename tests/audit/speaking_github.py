"""A real HTTP server on loopback that speaks the part of GitHub's API that is asked, by a script; and made archives."""

import gzip
import hashlib
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

__all__ = ["COMMIT", "FILES", "GitHub", "Reply", "archive", "speaking"]

COMMIT = "c0ffee" + "0" * 34
FILES = {"README.md": b"# Work\n\n    python train.py\n", "train.py": b"import random\nprint(random.random())\n"}


@dataclass(frozen=True)
class Reply:
    """One answer; `cut` promises more bytes than it sends."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False


@dataclass
class GitHub:
    """Answers by path, several of one path in turn (the last stays); and all requests that came."""

    base: str
    replies: dict[str, list[Reply]] = field(default_factory=dict)
    seen: list[tuple[str, dict[str, str], int]] = field(default_factory=list)

    def say(self, path: str, *replies: Reply) -> None:
        self.replies[path] = list(replies)

    def holds(self, packed: bytes, name: str = "ann/work", prefix: str = "/api/v3", **about: object) -> None:
        """A whole repository with one commit on `main`, whose archive lies elsewhere on this server."""
        told = {"full_name": name, "default_branch": "main", "archived": False, **about}
        self.say(f"{prefix}/repos/{name}", tagged(json.dumps(told).encode()))
        self.say(f"{prefix}/repos/{name}/commits/main", tagged(COMMIT.encode()))
        self.say(
            f"{prefix}/repos/{name}/tarball/{COMMIT}", Reply(302, headers={"Location": "/_codeload/x?token=short"})
        )
        self.say("/_codeload/x?token=short", Reply(body=packed))

    def paths(self) -> list[str]:
        return [path for path, _, _ in self.seen]


def tagged(body: bytes) -> Reply:
    return Reply(body=body, headers={"ETag": f'"{hashlib.sha256(body).hexdigest()[:16]}"'})


def archive(files: dict[str, bytes | tarfile.TarInfo], top: str = "ann-work-c0ffee/") -> bytes:
    """A `.tar.gz` as GitHub packs it, all below one directory."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.PAX_FORMAT) as packed:
        for name, content in files.items():
            member = tarfile.TarInfo(top + name) if isinstance(content, bytes) else content
            member.size = len(content) if isinstance(content, bytes) else 0
            packed.addfile(member, io.BytesIO(content) if isinstance(content, bytes) else None)
    return gzip.compress(plain.getvalue(), mtime=0)


@contextmanager
def speaking() -> Iterator[GitHub]:
    """Serve until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            waiting = github.replies.get(self.path, [Reply(404, b'{"message": "Not Found"}')])
            reply = waiting.pop(0) if len(waiting) > 1 else waiting[0]
            known = self.headers.get("If-None-Match")
            if known is not None and known == reply.headers.get("ETag"):
                reply = Reply(304, headers=reply.headers)
            github.seen.append((self.path, {k.lower(): v for k, v in self.headers.items()}, reply.status))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body) + 1000 * reply.cut))
            self.end_headers()
            self.wfile.write(reply.body)
            self.close_connection = reply.cut

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: pytest shows the requests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    github = GitHub(f"http://127.0.0.1:{server.server_address[1]}")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield github
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
