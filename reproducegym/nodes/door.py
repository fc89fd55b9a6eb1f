"""Serves the socket `node` of a sandbox's door: what the agent asks goes to the run's place there, and is logged."""

import contextlib
import errno
import hmac
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import BufferedRWPair
from pathlib import Path
from typing import Literal

from pydantic import JsonValue, ValidationError

from reproducegym.errors import NodeError
from reproducegym.nodes.run import JobState, NodeRun
from reproducegym.schema.base import Frozen

__all__ = ["DOOR_NAME", "NodeLimits", "served"]

DOOR_NAME = "node"
"""The name of the socket."""

_LINE = 1 << 18
_CHUNK = 1 << 16
_AT_ONCE = 16
_WAKE_S = 0.2
_SILENT_S = 600.0
_SHOWN, _WORDS = 500, 50
_LINES = 10_000
"""More are not written: whoever asks in a loop fills no disk."""


@dataclass(frozen=True)
class NodeLimits:
    """What one run may do on a node: bytes of one `put` or `get`, of one job's output, and how many jobs in all."""

    moved_bytes: int
    log_bytes: int
    jobs: int


class _Asked(Frozen):
    """A question from inside; which fields are there depends on `op`."""

    token: str
    op: Literal["exec", "start", "poll", "logs", "stop", "put", "get", "gpus"]
    argv: tuple[str, ...] = ()
    cwd: str = "."
    timeout_s: float | None = None
    job: str = ""
    offset: int = 0
    max_bytes: int = 0
    path: str = "."


class _Piece(Frozen):
    bytes: int


class _RefusalError(Exception):
    """What the host says no to."""


@contextlib.contextmanager
def served(
    listening: socket.socket, run: NodeRun, token: str, log: Path, limits: NodeLimits, deadline: float
) -> Iterator[None]:
    """Serve a socket until the context ends; `deadline` (monotonic) is when the agent's time is over.

    Raises:
        OSError: the log cannot be written.
    """
    with log.open("a", encoding="utf-8") as file:
        service = _Service(run, token, file.write, file.flush, limits, deadline)
        over = threading.Event()
        listening.settimeout(_WAKE_S)
        thread = threading.Thread(target=_accept, args=(listening, service, over), daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            service.close()


def _accept(listening: socket.socket, service: "_Service", over: threading.Event) -> None:
    """Take connections while there is room; others wait outside, so that nobody fills this machine with threads."""
    while not over.is_set():
        if not service.room.acquire(timeout=_WAKE_S):
            continue
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            service.room.release()
            continue
        except OSError as error:
            service.room.release()
            if error.errno in (errno.EBADF, errno.EINVAL):  # the door was closed
                return
            over.wait(_WAKE_S)  # this machine has no file to spare just now
            continue
        threading.Thread(target=service.converse, args=(connection,), daemon=True).start()


class _Service:
    """One run's answers; each connection asks one question."""

    def __init__(
        self,
        run: NodeRun,
        token: str,
        write: Callable[[str], object],
        flush: Callable[[], object],
        limits: NodeLimits,
        deadline: float,
    ) -> None:
        self._run, self._token, self._limits, self._deadline = run, token, limits, deadline
        self._write, self._flush = write, flush
        self._lock = threading.Lock()
        self.room = threading.BoundedSemaphore(_AT_ONCE)
        self._open: set[socket.socket] = set()
        self._jobs = self._lines = 0
        self._closed = False

    def close(self) -> None:
        """Nothing is answered or written any more."""
        with self._lock:
            self._closed = True
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)

    def converse(self, connection: socket.socket) -> None:
        """Hear one question and answer it; gives the room back that the connection was taken with."""
        connection.settimeout(_SILENT_S)
        with self._lock:
            over = self._closed
            self._open.add(connection)
        try:
            if not over:
                with contextlib.suppress(OSError), connection.makefile("rwb") as file:
                    self._answer(_Talk(file))
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()
            self.room.release()

    def _answer(self, talk: "_Talk") -> None:
        began = time.monotonic()
        told: dict[str, JsonValue] = {"at": round(time.time(), 3)}
        try:
            asked = self._heard(talk)
            told |= {"op": asked.op}
            if asked.argv:
                told["argv"] = [self._shown(word) for word in asked.argv[:_WORDS]]
            named = (("job", asked.job), ("path", asked.path), ("cwd", asked.cwd))
            told |= {name: self._shown(value) for name, value in named if value not in ("", ".")}
            done = self._do(asked, talk, told)
            talk.line(done=done)
            told |= {"answer": done}
        except (_RefusalError, NodeError) as error:
            told |= {"refused": str(error)}
            with contextlib.suppress(OSError):
                talk.line(refused=str(error))
        finally:
            self._note({**told, "out": talk.out, "in": talk.taken, "seconds": round(time.monotonic() - began, 3)})

    def _shown(self, word: str) -> str:
        return word.replace(self._token, "[token]")[:_SHOWN]

    def _heard(self, talk: "_Talk") -> _Asked:
        try:
            asked = _Asked.from_json(talk.file.readline(_LINE))
        except ValidationError as error:
            raise _RefusalError(f"the question cannot be read: {error.errors()[0]['msg']}") from error
        if not hmac.compare_digest(asked.token.encode(), self._token.encode()):
            raise _RefusalError("the token is not this run's")
        return asked

    def _do(self, asked: _Asked, talk: "_Talk", told: dict[str, JsonValue]) -> dict[str, JsonValue]:
        run = self._run
        match asked.op:
            case "exec":
                name = self._started(asked, "x")
                told["job"] = name
                return _told(run.follow(name, talk.piece))
            case "start":
                return {"job": self._started(asked, "j")}
            case "poll":
                return _told(run.poll(asked.job))
            case "logs":
                size = max(0, min(asked.max_bytes, self._limits.log_bytes))
                return _told(run.logs(asked.job, max(0, asked.offset), size, talk.piece))
            case "stop":
                return _told(run.stop(asked.job))
            case "gpus":
                return {"gpus": list(run.gpus)}
            case "put":
                return dict(run.put(asked.path, self._limits.moved_bytes, talk.pieces()).model_dump())
            case "get":
                return dict(run.get(asked.path, self._limits.moved_bytes, talk.piece).model_dump())

    def _started(self, asked: _Asked, kind: str) -> str:
        """Start a job under the next name; it ends with the agent's time at the latest."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise _RefusalError("the agent's time is over")
        if asked.timeout_s is not None and not 0 < asked.timeout_s < 1e9:
            raise _RefusalError(f"{asked.timeout_s:g} s is no time")
        with self._lock:
            self._jobs += 1
            name = f"{kind}{self._jobs}"
            if self._jobs > self._limits.jobs:
                raise _RefusalError(f"{self._limits.jobs} commands were started, which is the most in one run")
        timeout_s = left if asked.timeout_s is None else min(left, asked.timeout_s)
        self._run.start(name, list(asked.argv), cwd=asked.cwd, timeout_s=timeout_s, log_bytes=self._limits.log_bytes)
        return name

    def _note(self, line: Mapping[str, JsonValue]) -> None:
        with self._lock:
            self._lines += 1
            if not self._closed and self._lines <= _LINES:
                self._write(json.dumps(line, ensure_ascii=False) + "\n")
                self._flush()


class _Talk:
    """Lines and counted pieces of bytes, in both directions."""

    def __init__(self, file: BufferedRWPair) -> None:
        self.file = file
        self.out = self.taken = 0

    def line(self, **words: JsonValue) -> None:
        """Say one line."""
        self.file.write(json.dumps(words).encode() + b"\n")
        self.file.flush()

    def piece(self, data: bytes) -> None:
        """Hand on some bytes."""
        self.file.write(json.dumps({"bytes": len(data)}).encode() + b"\n" + data)
        self.file.flush()
        self.out += len(data)

    def pieces(self) -> Iterator[bytes]:
        """What comes from inside until it says that this was all; at a broken end the archive is cut off too."""
        while line := self.file.readline(_LINE):
            try:
                left = _Piece.from_json(line).bytes
            except ValidationError:
                return
            while left > 0 and (data := self.file.read(min(left, _CHUNK))):
                self.taken += len(data)
                left -= len(data)
                yield data


def _told(state: JobState) -> dict[str, JsonValue]:
    return dict(state.model_dump())
