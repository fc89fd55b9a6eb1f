"""Who made a thing, so that what a dead process left behind can be told from what a living one uses."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

__all__ = ["Owner", "host_name"]


@dataclass(frozen=True)
class Owner:
    """A process, told apart from any later one of the same number: `pid:starttime:bootid`, and its pid namespace."""

    pid: int
    started: int
    boot_id: str
    pid_namespace: str

    @classmethod
    def this_process(cls) -> Self:
        """The running process."""
        pid = os.getpid()
        started = _start_time(pid)
        return cls(pid, 0 if started is None else started, _boot_id(), _pid_namespace())

    @classmethod
    def parse(cls, text: str, pid_namespace: str) -> Self | None:
        """The owner that a label names; None if it is no owner label."""
        pid, _, rest = text.partition(":")
        started, _, boot_id = rest.partition(":")
        if not (pid.isdecimal() and started.isdecimal() and boot_id):
            return None
        return cls(int(pid), int(started), boot_id, pid_namespace)

    def label(self) -> str:
        """`pid:starttime:bootid`."""
        return f"{self.pid}:{self.started}:{self.boot_id}"

    def is_here(self) -> bool:
        """Whether this process could see it: the same machine since it was started, the same pid namespace."""
        return self.boot_id == _boot_id() and self.pid_namespace == _pid_namespace()

    def is_dead(self, *, same_machine: bool) -> bool:
        """Whether it surely runs no more: doubt (another machine, another pid namespace) counts as living.

        `same_machine` says that only processes of this machine can own the thing, so that another boot id is a
        machine that was started anew.
        """
        if self.boot_id != _boot_id():
            return same_machine
        if self.pid_namespace != _pid_namespace():
            return False
        return _start_time(self.pid) != self.started


def host_name() -> str:
    """What this machine calls itself."""
    return os.uname().nodename


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()


def _pid_namespace() -> str:
    return Path("/proc/self/ns/pid").readlink().name


def _start_time(pid: int) -> int | None:
    """Clock ticks from boot to the start of a process (field 22 of its stat line); None if there is none."""
    try:
        line = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = line.rpartition(")")[2].split()
    return None if fields[0] == "Z" else int(fields[19])
