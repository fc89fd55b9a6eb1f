"""One connection to a node through the system's `ssh` client: commands and sockets share it, strictly checked."""

import contextlib
import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import NodeError
from reproducegym.nodes.client_line import address, client, local_files
from reproducegym.nodes.refusals import why_not
from reproducegym.schema.node import Node
from reproducegym.scratch import scratch_directory

__all__ = ["CONNECTIONS", "Answer", "Connection", "LinkError", "connected"]

CONNECTIONS = "node"
"""Purpose of the scratch directories that hold the sockets of connections."""

_ENGINE = "engine"
_READY = b"reproducegym-ready"
# The far end lives as long as its standard input is open: when this process dies, in whatever way, the client ends.
_HOLD = f"echo {_READY.decode()}; exec cat >/dev/null"
# sshd's own default allows ten sessions over one connection, of which the far end of the connection itself is one.
_SESSIONS = 8
_BROKEN = 255


class LinkError(NodeError):
    """The connection broke or does not come about: it may be there again in a while."""


@dataclass(frozen=True)
class Answer:
    """How a command on a node ended, and what it said."""

    exit_code: int
    out: bytes
    err: bytes


class Connection:
    """A connection that is made again when it broke; made by `connected`.

    `engine` is the path of a socket here that leads to the node's Docker engine, None where the node has none.
    """

    def __init__(self, node: Node, directory: Path, handle: int, *, timeout_s: float, alive_s: int) -> None:
        self.node = node
        self.connect_s = 0.0
        self.directory = directory
        self.engine = None if node.engine is None else f"/proc/{os.getpid()}/fd/{handle}/{_ENGINE}"
        self._timeout_s = timeout_s
        self._alive_s = alive_s
        self._sessions = threading.BoundedSemaphore(_SESSIONS)
        self._lock = threading.Lock()
        self._master: subprocess.Popen[bytes] | None = None

    def run(self, command: str, given: bytes = b"", *, timeout_s: float) -> Answer:
        """Run a command line of the node's shell to its end.

        Raises:
            LinkError: the connection broke and cannot be made again now, or the command does not end in time.
            NodeError: the node is not the one that it should be, or refuses us.
        """
        with self.session(command) as process:
            try:
                out, err = process.communicate(given, timeout=timeout_s)
            except subprocess.TimeoutExpired as error:
                raise LinkError(f"{self.node.name}: no answer within {timeout_s:g} s") from error
        if process.returncode == _BROKEN:
            raise LinkError(why_not(self.node, err.decode("utf-8", "replace")))
        return Answer(process.returncode, out, err)

    @contextlib.contextmanager
    def session(self, command: str) -> Iterator["subprocess.Popen[bytes]"]:
        """A command line of the node's shell that runs, with pipes; it is killed at the end of the context.

        Raises:
            NodeError: there is no connection and none can be made.
        """
        with self._sessions:
            self.ensure()
            line = [*client(self.node, self._alive_s), "-o", "ControlMaster=no", *address(self.node), command]
            with subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.directory,
                start_new_session=True,  # Ctrl-C is for us: what is in progress may have to be finished
            ) as process:
                try:
                    yield process
                finally:
                    process.kill()

    def forward(self, remote: str, local: str) -> None:
        """Let a socket of the node lead to one in `directory`, by its name there.

        Raises:
            NodeError: the node does not let us, or the connection broke.
        """
        self.ensure()
        line = [*client(self.node, self._alive_s), "-O", "forward", "-R", f"{remote}:./{local}", *address(self.node)]
        done = self._tell_master(line)
        if done.returncode != 0:
            said = " ".join(done.stderr.decode("utf-8", "replace").split())
            raise NodeError(f"{self.node.name}: no socket can be made at {remote}: {said or 'it said nothing'}")

    def forget(self, remote: str, local: str) -> None:
        """End a forwarded socket; nothing, if it ended with the connection."""
        line = [*client(self.node, self._alive_s), "-O", "cancel", "-R", f"{remote}:./{local}", *address(self.node)]
        self._tell_master(line)

    def ensure(self) -> None:
        """A connection that is there: the one that was, or a new one.

        Raises:
            NodeError: none can be made; the line says why.
        """
        with self._lock:
            if self._master is not None and self._master.poll() is None:
                return
            self._connect()

    def _tell_master(self, line: list[str]) -> "subprocess.CompletedProcess[bytes]":
        """What the client that holds the connection answers to another one."""
        null = subprocess.DEVNULL
        return subprocess.run(
            line,
            stdin=null,
            capture_output=True,
            cwd=self.directory,
            timeout=self._timeout_s,
            check=False,
            start_new_session=True,
        )

    def close(self) -> None:
        """End it."""
        with self._lock:
            if self._master is not None:
                self._master.kill()
                self._master.communicate()

    def _connect(self) -> None:
        node = self.node
        forward = [] if node.engine is None else ["-L", f"./{_ENGINE}:{node.engine}"]
        line = [*client(node, self._alive_s), "-o", "ControlMaster=yes", *forward, *address(node), _HOLD]
        for left in ("ctl", _ENGINE):
            (self.directory / left).unlink(missing_ok=True)
        began = time.monotonic()
        with (self.directory / "said").open("wb") as said:
            master = subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
                cwd=self.directory,
                start_new_session=True,
            )
        if not _ready(master, began + self._timeout_s):
            told = (self.directory / "said").read_text("utf-8", "replace")
            if master.poll() is None and not told:
                told = f"Connection timed out: no answer within {self._timeout_s:g} s"
            master.kill()
            master.communicate()
            line_of = why_not(node, told)
            raise LinkError(line_of) if "cannot be reached" in line_of else NodeError(line_of)
        self._master = master
        self.connect_s = time.monotonic() - began


@contextlib.contextmanager
def connected(node: Node, *, timeout_s: float, alive_s: int = 5) -> Iterator[Connection]:
    """Connect to a node; the connection ends with the context, and with this process however that ends.

    A node that is silent for three times `alive_s` seconds is taken for gone.

    Raises:
        NodeError: there is no `ssh` client, or the node is out of reach, not the one that it should be, or refuses us;
            the line says which.
    """
    if shutil.which("ssh") is None:
        raise NodeError("there is no ssh client here: install openssh-client")
    for file in local_files(node):
        if not file.is_file():
            raise NodeError(f"{node.name}: {file} is no file; the inventory names it")
    with scratch_directory(CONNECTIONS) as directory, _opened(directory) as handle:
        connection = Connection(node, directory, handle, timeout_s=timeout_s, alive_s=alive_s)
        connection.ensure()
        try:
            yield connection
        finally:
            connection.close()


@contextlib.contextmanager
def _opened(directory: Path) -> Iterator[int]:
    """A handle by which the directory has a short name: the kernel takes no socket path of more than 107 bytes."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield handle
    finally:
        os.close(handle)


def _ready(master: "subprocess.Popen[bytes]", deadline: float) -> bool:
    """Whether the far end has said that it is there; what a login shell prints before does not matter."""
    if master.stdout is None:
        return False
    seen = b""
    while (left := deadline - time.monotonic()) > 0:
        if not select.select([master.stdout], [], [], left)[0]:
            return False
        chunk = os.read(master.stdout.fileno(), 65536)
        if not chunk:
            master.wait()
            return False
        seen = (seen + chunk)[-65536:]
        if _READY in seen:
            return True
    return False
