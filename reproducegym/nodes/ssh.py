"""One connection to a node through the system's `ssh` client: commands and sockets share it, strictly checked."""

import contextlib
import os
import select
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import NodeError
from reproducegym.nodes.refusals import why_not
from reproducegym.schema.node import Node
from reproducegym.scratch import scratch_directory

__all__ = ["CONNECTIONS", "Answer", "Connection", "connected"]

CONNECTIONS = "node"
"""Purpose of the scratch directories that hold the sockets of connections."""

_CONTROL = "ctl"
_ENGINE = "engine"
_READY = b"reproducegym-ready"
# The far end lives as long as its standard input is open: when this process dies, in whatever way, the client ends.
_HOLD = f"echo {_READY.decode()}; exec cat >/dev/null"
_OPTIONS: Mapping[str, str] = {
    "BatchMode": "yes",
    "StrictHostKeyChecking": "yes",
    "GlobalKnownHostsFile": "none",
    "UpdateHostKeys": "no",
    "CheckHostIP": "no",
    "PreferredAuthentications": "publickey",
    "ForwardAgent": "no",
    "ForwardX11": "no",
    "PermitLocalCommand": "no",
    "ControlPersist": "no",
    "ServerAliveInterval": "5",
    "ServerAliveCountMax": "3",
    "StreamLocalBindUnlink": "yes",
    "ExitOnForwardFailure": "yes",
    "LogLevel": "ERROR",
}
# sshd's own default allows ten sessions over one connection.
_SESSIONS = 8


@dataclass(frozen=True)
class Answer:
    """How a command on a node ended, and what it said."""

    exit_code: int
    out: bytes
    err: bytes


class Connection:
    """A living connection; made by `connected`.

    `engine` is the path of a socket here that leads to the node's Docker engine, None where the node has none.
    """

    def __init__(self, node: Node, directory: Path, handle: int, connect_s: float) -> None:
        self.node = node
        self.connect_s = connect_s
        self.engine = None if node.engine is None else f"/proc/{os.getpid()}/fd/{handle}/{_ENGINE}"
        self._directory = directory
        self._sessions = threading.BoundedSemaphore(_SESSIONS)

    def run(self, command: str, given: bytes = b"", *, timeout_s: float) -> Answer:
        """Run a command line of the node's shell to its end.

        Raises:
            NodeError: the connection broke, or the command does not end in time.
        """
        line = [*_client(self.node), "-o", "ControlMaster=no", *_address(self.node), command]
        with self._sessions:
            try:
                done = subprocess.run(
                    line, input=given, capture_output=True, cwd=self._directory, timeout=timeout_s, check=False
                )
            except subprocess.TimeoutExpired as error:
                raise NodeError(f"{self.node.name}: no answer within {timeout_s:g} s") from error
        if done.returncode == 255:
            raise NodeError(why_not(self.node, done.stderr.decode("utf-8", "replace")))
        return Answer(done.returncode, done.stdout, done.stderr)


@contextlib.contextmanager
def connected(node: Node, *, timeout_s: float) -> Iterator[Connection]:
    """Connect to a node; the connection ends with the context, and with this process however that ends.

    Raises:
        NodeError: there is no `ssh` client, or the node is out of reach, not the one that it should be, or refuses us;
            the line says which.
    """
    if shutil.which("ssh") is None:
        raise NodeError("there is no ssh client here: install openssh-client")
    for file in (node.known_hosts, node.key, node.ssh_config):
        if file is not None and not Path(file).is_file():
            raise NodeError(f"{node.name}: {file} is no file; the inventory names it")
    with scratch_directory(CONNECTIONS) as directory, _opened(directory) as handle:
        forward = [] if node.engine is None else ["-L", f"./{_ENGINE}:{node.engine}"]
        line = [*_client(node), "-o", "ControlMaster=yes", *forward, *_address(node), _HOLD]
        began = time.monotonic()
        with (directory / "said").open("wb") as said:
            master = subprocess.Popen(
                line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, cwd=directory, start_new_session=True
            )
        with master:
            try:
                if not _ready(master, began + timeout_s):
                    told = (directory / "said").read_text("utf-8", "replace")
                    if master.poll() is None and not told:
                        told = f"Connection timed out: no answer within {timeout_s:g} s"
                    raise NodeError(why_not(node, told))
                yield Connection(node, directory, handle, time.monotonic() - began)
            finally:
                master.kill()


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


def _client(node: Node) -> list[str]:
    """The client with everything that holds for each of its calls; its directory is the connection's."""
    own = {"ControlPath": _CONTROL, "UserKnownHostsFile": _quoted(node.known_hosts), "Port": str(node.port)}
    if node.key is not None:
        own |= {"IdentityFile": _quoted(node.key), "IdentitiesOnly": "yes"}
    line = ["ssh", "-T", "-F", node.ssh_config or "none"]
    for name, value in {**_OPTIONS, **own}.items():
        line += ["-o", f"{name}={value}"]
    return line


def _address(node: Node) -> list[str]:
    return ["-l", node.user, "--", node.host]


def _quoted(path: str) -> str:
    """A path as the client's options want it: it expands percent signs, and takes spaces for ends."""
    return '"' + path.replace("%", "%%") + '"'
