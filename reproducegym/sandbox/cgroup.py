"""A control group for one sandbox, v1 or v2, where this process may make one: memory, processes and CPU in all."""

import contextlib
import errno
import os
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cgroup", "make_cgroup", "remove_cgroups"]

_MOUNT = Path("/sys/fs/cgroup")
_PERIOD_US = 100_000
_CHAIN_PIDS = 16  # the programs that lead to the command
_EMPTY_S = 10.0


@dataclass(frozen=True)
class Cgroup:
    """The directories of one group: three with v1 (memory, pids, cpu), one with v2."""

    directories: tuple[Path, ...]

    def entries(self) -> list[str]:
        """The files to which a process writes its number to join."""
        return [str(directory / "cgroup.procs") for directory in self.directories]

    def oom_kills(self) -> int:
        """How often the kernel killed a process of the group for memory."""
        for name in ("memory.events", "memory.oom_control"):
            path = self.directories[0] / name
            if path.exists():
                pairs = [line.split() for line in path.read_text("utf-8").splitlines()]
                return sum(int(value) for key, value in pairs if key == "oom_kill")
        return 0

    def kill(self) -> bool:
        """Kill every process and wait until none is left; False if some would not die."""
        deadline = time.monotonic() + _EMPTY_S
        while time.monotonic() < deadline:
            try:
                numbers = (self.directories[0] / "cgroup.procs").read_text("utf-8").split()
            except FileNotFoundError:  # a reaper was faster
                return True
            if not numbers:
                return True
            for number in numbers:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(number), signal.SIGKILL)
            time.sleep(0.005)
        return False

    def remove(self) -> None:
        """Kill what runs and remove the group."""
        self.kill()
        for directory in self.directories:
            _remove(directory)


def make_cgroup(name: str, *, memory: int, pids: int, cpus: float) -> Cgroup | None:
    """A group with limits (bytes, number, cores); None where this process may not make one."""
    made: list[Path] = []
    try:
        make = _make_v2 if (_MOUNT / "cgroup.controllers").exists() else _make_v1
        for directory in make(name, memory, pids, cpus):
            made.append(directory)
    except OSError:
        for directory in made:
            directory.rmdir()
        return None
    return Cgroup(tuple(made))


def remove_cgroups(name: str) -> None:
    """Remove what a dead process left of its group."""
    parents = [_MOUNT] if (_MOUNT / "cgroup.controllers").exists() else [_parent(c) for c in ("memory", "pids", "cpu")]
    found = tuple(parent / name for parent in parents if (parent / name).is_dir())
    if found:
        Cgroup(found).remove()


def _make_v2(name: str, memory: int, pids: int, cpus: float) -> Iterator[Path]:
    (_MOUNT / "cgroup.subtree_control").write_text("+memory +pids +cpu", "utf-8")
    group = _MOUNT / name
    group.mkdir()
    yield group
    _write(group, "memory.max", memory)
    _write(group, "memory.swap.max", 0, optional=True)
    _write(group, "pids.max", pids + _CHAIN_PIDS)
    (group / "cpu.max").write_text(f"{int(cpus * _PERIOD_US)} {_PERIOD_US}", "utf-8")


def _make_v1(name: str, memory: int, pids: int, cpus: float) -> Iterator[Path]:
    settings: dict[str, list[tuple[str, int, bool]]] = {
        "memory": [("memory.limit_in_bytes", memory, False), ("memory.memsw.limit_in_bytes", memory, True)],
        "pids": [("pids.max", pids + _CHAIN_PIDS, False)],
        "cpu": [("cpu.cfs_period_us", _PERIOD_US, False), ("cpu.cfs_quota_us", int(cpus * _PERIOD_US), False)],
    }
    for controller, values in settings.items():
        group = _parent(controller) / name
        group.mkdir()
        yield group
        for file, value, optional in values:
            _write(group, file, value, optional=optional)


def _parent(controller: str) -> Path:
    """This process's own group of a v1 controller where it can be seen, so that outer limits hold; else the top."""
    top = _MOUNT / controller
    for line in Path("/proc/self/cgroup").read_text("utf-8").splitlines():
        _, names, path = line.split(":", 2)
        if controller in names.split(",") and (top / path.lstrip("/")).is_dir():
            return top / path.lstrip("/")
    return top


def _remove(directory: Path) -> None:
    """Remove a group; the kernel may hold it for a moment after its last process is gone."""
    deadline = time.monotonic() + _EMPTY_S
    while True:
        try:
            directory.rmdir()
            return
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno != errno.EBUSY or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


def _write(group: Path, file: str, value: int, *, optional: bool = False) -> None:
    if optional and not (group / file).exists():
        return
    (group / file).write_text(str(value), "utf-8")
