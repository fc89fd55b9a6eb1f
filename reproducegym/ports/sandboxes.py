"""What makes sandboxes, and one that lives."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from typing import Protocol

from reproducegym.ports.files import Files

__all__ = ["Availability", "CopyLimits", "Door", "ExecOutcome", "Sandbox", "SandboxBox", "SandboxSpec", "Standing"]


@dataclass(frozen=True)
class Availability:
    """Whether something works on this machine, and in one line why not and what would make it work."""

    works: bool
    detail: str


@dataclass(frozen=True)
class Door:
    """The host's end of the one way out of a sandbox: listening sockets, by name.

    Inside, `/door/NAME` is the other end. Every local user may knock, so whoever serves a socket asks for a token and
    decides what passes; the sandbox itself has no network. `relay` starts a command for which a port of loopback leads
    to a socket: the line is `(*relay, name, port, "--", *command)`.
    """

    sockets: Mapping[str, socket]
    relay: tuple[str, ...]


@dataclass(frozen=True)
class SandboxSpec:
    """What a sandbox is made of. Sizes in MiB.

    `run_id` labels everything the backend creates. `env` is the whole environment besides PATH, HOME and LANG.
    `read_only` maps absolute paths inside to host directories and files, mounted read-only; one may stand inside
    another where that has a file of its name.
    `door` names the sockets of the sandbox's door; a sandbox without any reaches nothing, as every run of the judge.
    """

    run_id: str
    image: str
    env: Mapping[str, str]
    read_only: Mapping[str, Path]
    memory_mib: int
    cpus: float
    pids: int
    workspace_mib: int
    file_mib: int
    door: tuple[str, ...] = ()


@dataclass(frozen=True)
class ExecOutcome:
    """How one command ended; `output` is stdout and stderr interleaved, cut at the limit (`truncated`)."""

    exit_code: int | None
    timed_out: bool
    out_of_memory: bool
    output: bytes
    truncated: bool
    seconds: float


@dataclass(frozen=True)
class CopyLimits:
    """Bounds on what is copied out; with `one_file` the path must be a plain file, and no directory."""

    max_files: int
    max_bytes: int
    max_file_bytes: int
    one_file: bool = False


class SandboxBox(Protocol):
    """One living sandbox: an own root, no network, an unprivileged uid, one writable directory `/workspace`.

    `door` is there exactly when the spec names sockets for it.
    """

    door: Door | None

    def put(self, files: Files, *, executable: Iterable[str] = (), directories: Iterable[str] = ()) -> None:
        """Write plain files (0644, or 0755 where listed) and directories below /workspace, owned by its user."""
        ...

    def exec(
        self,
        argv: list[str],
        *,
        cwd: str = "/workspace",
        env: Mapping[str, str] | None = None,
        timeout_s: float,
        output_bytes: int,
        on_output: Callable[[bytes], None] | None = None,
    ) -> ExecOutcome:
        """Run one command to its end or its time-out; a time-out kills everything that it started.

        Raises:
            InfrastructureError: the engine failed.
        """
        ...

    def stop_processes(self) -> None:
        """Kill everything inside; after it nothing of the sandbox runs, and its files can still be got."""
        ...

    def get(self, path: str, limits: CopyLimits) -> Files:
        """Plain files below an absolute path inside, copied out by a strict reader.

        Raises:
            RefusedFileError: a link, device, bad name, or a limit was met (`reproducegym.pipeline.judging.transfer`).
            InfrastructureError: the engine failed.
        """
        ...


@dataclass(frozen=True)
class Standing:
    """A thing of a sandbox that stands on this machine or engine: a container, a volume, a directory.

    `dead` says that its owner surely runs no more, `expired` that its time to live is over. Either makes it removable.
    """

    kind: str
    name: str
    run_id: str
    owner: str
    dead: bool
    expired: bool


class Sandbox(Protocol):
    """A backend that makes sandboxes."""

    name: str

    def availability(self) -> Availability:
        """Whether it works here, tried and not guessed."""
        ...

    def image_id(self, image: str) -> str:
        """The digest by which agent and re-run use the same image.

        Raises:
            SandboxUnavailableError: there is no such image; the message says how to get it.
        """
        ...

    def create(self, spec: SandboxSpec) -> AbstractContextManager[SandboxBox]:
        """Make a sandbox; leaving the context destroys it, also on Ctrl-C and errors."""
        ...

    def standing(self) -> tuple[Standing, ...]:
        """Everything of any sandbox of this backend that stands now, whosoever it is."""
        ...

    def reap(self) -> int:
        """Remove what dead owners left behind, and what has outlived its time; returns how many things."""
        ...
