"""A run's place on a node: its directory, its leased GPUs, its jobs and files, until the run ends."""

import contextlib
import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar

from pydantic import JsonValue

from reproducegym.errors import NodeError
from reproducegym.nodes.asking import ask, broken, command_line, question, read_reply
from reproducegym.nodes.ssh import Connection, LinkError
from reproducegym.owner import Owner
from reproducegym.schema.base import Frozen

__all__ = ["JobState", "Moved", "NodeRun", "node_run"]

T = TypeVar("T")
ReplyT = TypeVar("ReplyT", bound=Frozen)

_ANSWER_S = 60.0
_BEAT_S = 15.0
_AGAIN_S = 1.0


class JobState(Frozen):
    """How a job is: `ended` with an exit code, or by `why` (`timeout`, `stopped`); `lost` if its supervisor died."""

    state: Literal["running", "ended", "lost"]
    exit_code: int | None
    why: str
    seconds: float
    log_bytes: int
    dropped_bytes: int


class Moved(Frozen):
    """How many files went, and how many bytes."""

    files: int
    bytes: int


class _Opened(Frozen):
    work: str
    place: str


class _Gpus(Frozen):
    gpus: tuple[str, ...]


class _Started(Frozen):
    job: str
    started: bool


class _Removed(Frozen):
    removed: bool
    jobs: int


class NodeRun:
    """The directory `place` of a run on a node, with `work` for what the agent brings there; made by `node_run`.

    Every call goes on when the connection was lost and comes back within `patience_s`.
    """

    def __init__(self, connection: Connection, run_id: str, *, patience_s: float) -> None:
        self.connection = connection
        self.run_id = run_id
        self.gpus: tuple[str, ...] = ()
        self.place = self.work = ""
        self._patience_s = patience_s
        self._asked: dict[str, JsonValue] = {"workdir": connection.node.workdir, "run": run_id}

    def open(self, gpus: int) -> None:
        """Make its directory and take some GPUs of the inventory.

        Raises:
            NodeError: there is no room, or too few GPUs are free.
        """
        owner = Owner.this_process()
        opened = self._ask({"command": "open", "owner": owner.label(), "pid_namespace": owner.pid_namespace}, _Opened)
        self.place, self.work = opened.place, opened.work
        if gpus:
            self.lease(gpus)

    def lease(self, count: int) -> None:
        """Take some GPUs of the inventory.

        Raises:
            NodeError: too few are free.
        """
        listed: list[JsonValue] = list(self.connection.node.gpus)
        self.gpus = self._ask({"command": "lease", "gpus": listed, "count": count}, _Gpus).gpus

    def beat(self) -> None:
        """Say that the driver still lives."""
        self._ask({"command": "beat"}, _Gpus)

    def remove(self) -> int:
        """End its jobs and remove all that is of it; returns how many jobs still ran.

        A lost connection is not waited for.
        """
        return ask(self.connection, {**self._asked, "command": "remove"}, _Removed, timeout_s=_ANSWER_S).jobs

    def start(self, job: str, argv: list[str], *, cwd: str, timeout_s: float, log_bytes: int) -> None:
        """Start a job under a name of its own, detached; asked again under that name, nothing is started twice."""
        node = self.connection.node
        words: list[JsonValue] = list(argv)
        shown: list[JsonValue] = list(node.visible)
        self._ask(
            {
                "command": "start",
                "job": job,
                "argv": words,
                "cwd": cwd,
                "prelude": node.prelude,
                "confine": node.confine,
                "visible": shown,
                "timeout_s": timeout_s,
                "log_bytes": log_bytes,
            },
            _Started,
        )

    def poll(self, job: str) -> JobState:
        """How a job is now."""
        return self._ask({"command": "poll", "job": job}, JobState)

    def stop(self, job: str) -> JobState:
        """End a job with all that it started."""
        return self._ask({"command": "stop", "job": job}, JobState)

    def logs(self, job: str, offset: int, max_bytes: int, on_output: Callable[[bytes], None]) -> JobState:
        """A piece of a job's output from a byte on."""
        asked: dict[str, JsonValue] = {"command": "logs", "job": job, "max_bytes": max_bytes}
        return self._streamed(asked, offset, on_output, JobState)

    def follow(self, job: str, on_output: Callable[[bytes], None]) -> JobState:
        """A job's output from its beginning, as it comes, until it has ended; a lost connection is taken up again."""
        return self._streamed({"command": "follow", "job": job}, 0, on_output, JobState)

    def get(self, path: str, max_bytes: int, on_output: Callable[[bytes], None]) -> Moved:
        """A file or directory below `work`, as an archive.

        Raises:
            NodeError: it is not there, is a link, or is too large; or the connection broke, and part of it has come.
        """
        asked: dict[str, JsonValue] = {"command": "get", "path": path, "max_bytes": max_bytes}
        with self._talking({**self._asked, **asked}) as process:
            return _taken(self.connection, process, on_output, Moved)

    def put(self, path: str, max_bytes: int, archive: Iterator[bytes]) -> Moved:
        """Bring an archive of plain files into a directory below `work`.

        Raises:
            NodeError: there is no room, or the archive holds something else; what came before is there.
        """
        asked: dict[str, JsonValue] = {"command": "put", "path": path, "max_bytes": max_bytes}
        with self._talking({**self._asked, **asked}) as process:
            if process.stdin is not None:
                with contextlib.suppress(BrokenPipeError):  # it has refused, and says why
                    for piece in archive:
                        process.stdin.write(piece)
                    process.stdin.close()
            return _taken(self.connection, process, lambda _: None, Moved)

    def _ask(self, asked: dict[str, JsonValue], reply: type[ReplyT]) -> ReplyT:
        return self._patiently(lambda: ask(self.connection, {**self._asked, **asked}, reply, timeout_s=_ANSWER_S))

    def _streamed(
        self,
        asked: dict[str, JsonValue],
        offset: int,
        on_output: Callable[[bytes], None],
        reply: type[ReplyT],
    ) -> ReplyT:
        """Output from a byte on; where the connection breaks, the rest follows from the byte at which it broke."""
        at = offset

        def take(data: bytes) -> None:
            nonlocal at
            at += len(data)
            on_output(data)

        def once() -> ReplyT:
            with self._talking({**self._asked, **asked, "offset": at}) as process:
                if process.stdin is not None:
                    process.stdin.close()
                return _taken(self.connection, process, take, reply)

        return self._patiently(once)

    @contextlib.contextmanager
    def _talking(self, asked: dict[str, JsonValue]) -> Iterator["subprocess.Popen[bytes]"]:
        """A keeper that was asked and still talks. It ends by itself, or when the connection is found to be broken."""
        with self.connection.session(command_line(self.connection.node)) as process:
            if process.stdin is not None:
                with contextlib.suppress(BrokenPipeError):
                    process.stdin.write(question(asked))
                    process.stdin.flush()
            yield process

    def _patiently(self, act: Callable[[], T]) -> T:
        """Do it, again and again while the connection is lost, for as long as we are patient."""
        deadline = time.monotonic() + self._patience_s
        while True:
            try:
                return act()
            except LinkError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(_AGAIN_S)


def _taken(
    connection: Connection,
    process: "subprocess.Popen[bytes]",
    on_output: Callable[[bytes], None],
    reply: type[ReplyT],
) -> ReplyT:
    """What a keeper says: pieces of bytes, then one reply."""
    node = connection.node
    if process.stdout is None or process.stderr is None:
        raise LinkError(f"{node.name}: there is no connection")
    while line := process.stdout.readline():
        size = _size_of(line)
        if size is None:
            return read_reply(node, line, reply)
        data = process.stdout.read(size)
        if data:
            on_output(data)
        if len(data) < size:
            break
    said = process.stderr.read().decode("utf-8", "replace")
    process.wait()
    raise broken(node, process.returncode, said)


def _size_of(line: bytes) -> int | None:
    """How many bytes follow a line; None for a line that is the reply."""
    try:
        told = json.loads(line)
    except ValueError:
        return None
    return int(told["bytes"]) if isinstance(told, dict) and told.keys() == {"bytes"} else None


@contextlib.contextmanager
def node_run(connection: Connection, run_id: str, *, gpus: int, patience_s: float) -> Iterator[NodeRun]:
    """A place for a run on a node, beaten for until the context ends; then everything of it is removed.

    Raises:
        NodeError: it cannot be had, or the connection is lost for longer than `patience_s`.
    """
    run = NodeRun(connection, run_id, patience_s=patience_s)
    over = threading.Event()

    def beating() -> None:
        while not over.wait(_BEAT_S):
            with contextlib.suppress(NodeError):  # whoever works with the run meets the same, and says so
                run.beat()

    heart = threading.Thread(target=beating, daemon=True)
    try:
        run.open(gpus)
        heart.start()
        yield run
    finally:
        over.set()
        with contextlib.suppress(NodeError):  # what stays names its owner: `nodes clean` finds it
            run.remove()
