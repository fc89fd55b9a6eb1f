"""One living namespace sandbox: every command gets fresh namespaces over the same workspace; none outlives its exec."""

import contextlib
import os
import selectors
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Literal

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError, check_name, read_archive
from reproducegym.ports import CopyLimits, Door, ExecOutcome, Files, SandboxSpec
from reproducegym.sandbox.bubblewrap import bubblewrap_argv
from reproducegym.sandbox.byte_stream import byte_stream
from reproducegym.sandbox.cgroup import Cgroup
from reproducegym.sandbox.confine import command_line
from reproducegym.sandbox.holder import Holder
from reproducegym.sandbox.host_files import archive_below, write_below
from reproducegym.sandbox.inner_root import TOOL_PATH, UID, InnerRoot
from reproducegym.sandbox.output import OutputHead
from reproducegym.sandbox.processes import family_of, shared_memory
from reproducegym.sandbox.unshare import unshare_argv

__all__ = ["NamespacesBox", "Way"]

Way = Literal["bubblewrap", "unshare"]

_CHUNK = 65536
_KILL_S = 10.0
_WATCH_S = 0.1
_MIB = 2**20


class NamespacesBox:
    """A sandbox as `ports.SandboxBox`; made by `NamespacesSandbox.create`.

    Without a control group memory is watched instead, every tenth of a second: what each process holds and what they
    share. Memory that hangs on no process (memory files, segments of System V) cannot be made then.
    """

    def __init__(
        self,
        spec: SandboxSpec,
        *,
        way: Way,
        root: InnerRoot,
        mount_point: Path,
        holder: Holder,
        cgroup: Cgroup | None,
        door: Door | None,
        env: Mapping[str, str],
    ) -> None:
        self.door = door
        self._spec = spec
        self._way = way
        self._root = root
        self._mount_point = mount_point
        self._holder = holder
        self._cgroup = cgroup
        self._env = env
        self._running: set[subprocess.Popen[bytes]] = set()
        self._killed: set[int] = set()
        self._lock = threading.Lock()
        self._destroyed = False

    def put(self, files: Files, *, executable: Iterable[str] = (), directories: Iterable[str] = ()) -> None:
        """Write plain files and directories below /workspace."""
        owner = UID if self._root.privileged else None
        write_below(self._holder.workspace, files, directories, executable=executable, owner=owner)

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
        """Run one command; when it ends or its time is over, nothing that it started runs any more."""
        head = OutputHead(output_bytes, on_output)
        kills = 0 if self._cgroup is None else self._cgroup.oom_kills()
        began = time.monotonic()
        report, ready = os.pipe()
        try:
            try:
                process = self._start(self._line(argv, cwd, {**self._env, **(env or {})}, ready), ready)
            finally:
                os.close(ready)
            with self._tracked(process):
                watch = _MemoryWatch(process.pid, self._spec.memory_mib * _MIB, active=self._cgroup is None)
                timed_out = not _follow(process, head, watch, began + timeout_s)
                if timed_out or watch.exceeded:
                    self._kill(process)
                    _follow(process, head, watch, time.monotonic() + _KILL_S)
                code = process.wait(_KILL_S)
            stood = os.read(report, 1) == b"r"
        finally:
            os.close(report)
        if not stood and not timed_out:
            said = head.kept().decode("utf-8", "replace").strip()
            raise InfrastructureError(f"this machine did not let a sandbox start: {said or f'exit code {code}'}")
        seconds = time.monotonic() - began
        out_of_memory = watch.exceeded or (self._cgroup is not None and self._cgroup.oom_kills() > kills)
        # Nothing inside may signal the outermost program: a command that is killed leaves it an exit code.
        if code < 0 and not out_of_memory and process.pid not in self._killed:
            raise InfrastructureError(f"a sandbox was ended from outside, by signal {-code}")
        exit_code = None if timed_out else (code if code >= 0 else 128 - code)
        return ExecOutcome(exit_code, timed_out, out_of_memory, head.kept(), head.truncated, seconds)

    def stop_processes(self) -> None:
        """Kill what other threads still run here; a command that has ended has left nothing."""
        with self._lock:
            running = list(self._running)
        for process in running:
            self._kill(process)

    def get(self, path: str, limits: CopyLimits) -> Files:
        """Plain files below a path in /workspace, through the strict reader."""
        place = PurePosixPath(path)
        if not place.is_relative_to("/workspace"):
            raise RefusedFileError("absent", path, "only what is below /workspace is kept")
        name = "/".join(place.relative_to("/workspace").parts)
        if name:
            check_name(name)
        return read_archive(byte_stream(archive_below(self._holder.workspace, name)), limits, root=place.name)

    def destroy(self) -> None:
        """Kill everything and refuse further commands."""
        self._destroyed = True
        self.stop_processes()

    def _line(self, argv: list[str], cwd: str, env: Mapping[str, str], ready: int) -> list[str]:
        """The whole command line: join the groups, enter the holder's namespaces, make fresh ones, run the command."""
        spec = self._spec
        data_mib = None if self._cgroup is not None else 2 * spec.memory_mib
        if self._way == "bubblewrap":
            inner = bubblewrap_argv(
                self._root,
                argv,
                cwd=cwd,
                env=env,
                ready=ready,
                pids=spec.pids,
                file_mib=spec.file_mib,
                data_mib=data_mib,
            )
        else:
            inner = unshare_argv(
                self._root,
                argv,
                mount_point=self._mount_point,
                cwd=cwd,
                env=env,
                ready=ready,
                pids=spec.pids,
                file_mib=spec.file_mib,
                data_mib=data_mib,
            )
        groups = [] if self._cgroup is None else self._cgroup.entries()
        return command_line(groups, [*self._holder.enter, *inner], memory_files=self._cgroup is not None)

    def _start(self, line: list[str], ready: int) -> "subprocess.Popen[bytes]":
        with self._lock:
            if self._destroyed:
                raise InfrastructureError("the sandbox is destroyed")
            try:
                process = subprocess.Popen(
                    line,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    env={"PATH": TOOL_PATH},
                    pass_fds=(ready,),
                    start_new_session=True,
                )
            except OSError as error:
                raise InfrastructureError(f"this machine did not let a sandbox start: {error}") from error
            self._running.add(process)
            return process

    @contextlib.contextmanager
    def _tracked(self, process: "subprocess.Popen[bytes]") -> Iterator[None]:
        """Whatever happens within, the command is dead and gone afterwards."""
        try:
            with process:
                try:
                    yield
                finally:
                    if process.poll() is None:
                        self._kill(process)
        finally:
            with self._lock:
                self._running.discard(process)

    def _kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Kill the outermost program: the namespace's first process dies with it, and all others with that one."""
        self._killed.add(process.pid)
        members = family_of(process.pid).members
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        deadline = time.monotonic() + _KILL_S
        while any(_runs(member) for member in members):
            if time.monotonic() > deadline:
                raise InfrastructureError("the processes of a sandbox could not be killed")
            time.sleep(0.005)


class _MemoryWatch:
    """Looks from time to time whether a family of processes holds too much memory."""

    def __init__(self, ancestor: int, limit: int, *, active: bool) -> None:
        self._ancestor = ancestor
        self._limit = limit
        self._active = active
        self.exceeded = False

    def interval(self) -> float:
        """Seconds until the next look."""
        return _WATCH_S if self._active else _KILL_S

    def look(self) -> bool:
        """Whether the limit is exceeded."""
        if self._active:
            family = family_of(self._ancestor)
            self.exceeded = family.private + shared_memory(family.members) > self._limit
        return self.exceeded


def _follow(process: "subprocess.Popen[bytes]", head: OutputHead, watch: _MemoryWatch, deadline: float) -> bool:
    """Take output until the command has ended; False when the deadline came first. Stops when memory is exceeded."""
    if process.stdout is None:
        raise InfrastructureError("a command was started without output")
    killed = watch.exceeded
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        next_look = time.monotonic()
        while (left := deadline - time.monotonic()) > 0:
            if selector.select(min(left, watch.interval())):
                chunk = os.read(process.stdout.fileno(), _CHUNK)
                if not chunk:
                    return True
                head.feed(chunk)
            if not killed and time.monotonic() >= next_look:
                if watch.look():
                    return True
                next_look = time.monotonic() + watch.interval()
    return False


def _runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return line.rpartition(")")[2].split()[0] not in ("Z", "X")
