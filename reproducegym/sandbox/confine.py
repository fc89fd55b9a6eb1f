"""The program that every namespace sandbox starts with: joins control groups, hides the kernel's keys, runs the rest.

It is run as a file by this Python alone, outside the sandbox: confine.py [--no-memory-files] GROUP... -- COMMAND...
Session keyrings pass to children and know nothing of namespaces, and bubblewrap and unshare leave them in place: what
starts here gets an empty one of its own, and a filter of system calls that refuses every use of keys from then on.
"""

import ctypes
import errno
import os
import signal
import struct
import sys
from pathlib import Path
from typing import NamedTuple

__all__ = ["command_line"]

_REFUSE_MEMORY_FILES = "--no-memory-files"
"""Refuse memory that hangs on no process and lies in no sized place: where no control group counts it, nothing does."""


class _Machine(NamedTuple):
    """What one kind of machine calls itself, and its numbers of system calls."""

    audit: int
    keys: tuple[int, ...]  # add_key, request_key, keyctl
    memory: tuple[int, ...]  # memfd_create, memfd_secret, shmget; with 32 bits ipc too


# By `uname -m`: the machine itself, then its programs of 32 bits.
_MACHINES = {
    "x86_64": (
        _Machine(0xC000003E, (248, 249, 250), (319, 447, 29)),
        _Machine(0x40000003, (286, 287, 288), (356, 447, 395, 117)),
    ),
    "aarch64": (
        _Machine(0xC00000B7, (217, 218, 219), (279, 447, 194)),
        _Machine(0x40000028, (309, 310, 311), (385, 447, 307, 117)),
    ),
}
_X32_BIT = 0x40000000  # programs of the x32 kind call by the same numbers with this bit
_LOAD, _AND, _EQUALS, _RETURN = 0x20, 0x54, 0x15, 0x06
_CALL, _ARCHITECTURE = 0, 4  # where the kernel puts them
_ALLOW, _FAIL, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_KEYCTL_JOIN_SESSION_KEYRING = 1
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def command_line(groups: list[str], command: list[str], *, memory_files: bool) -> list[str]:
    """The command line that runs `command` confined, in the control groups with these `cgroup.procs`."""
    options = [] if memory_files else [_REFUSE_MEMORY_FILES]
    return [sys.executable, "-I", "-S", str(Path(__file__).resolve()), *options, *groups, "--", *command]


def _program(machines: tuple[_Machine, ...], *, memory_files: bool) -> bytes:
    """The filter, as the kernel reads it: refuses the calls by error, and kills programs of another kind of machine."""
    steps = []
    for machine in machines:
        block = [(_LOAD, 0, 0, _CALL), (_AND, 0, 0, 0xFFFFFFFF & ~_X32_BIT)]
        refused = [(number, errno.EPERM) for number in machine.keys]
        refused += [] if memory_files else [(number, errno.ENOSYS) for number in machine.memory]
        for number, error in refused:
            block += [(_EQUALS, 0, 1, number), (_RETURN, 0, 0, _FAIL | error)]
        block.append((_RETURN, 0, 0, _ALLOW))
        steps += [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUALS, 0, len(block), machine.audit), *block]
    steps.append((_RETURN, 0, 0, _KILL))
    return b"".join(struct.pack("HBBI", *step) for step in steps)


def _confine(*, memory_files: bool) -> None:
    machines = _MACHINES.get(os.uname().machine)
    if machines is None:
        sys.exit(f"no namespace sandbox is known for {os.uname().machine}; there is one for {', '.join(_MACHINES)}")
    libc = ctypes.CDLL(None, use_errno=True)
    keyctl = ctypes.c_long(machines[0].keys[2])
    joined = libc.syscall(keyctl, ctypes.c_long(_KEYCTL_JOIN_SESSION_KEYRING), ctypes.c_void_p(None))
    # A kernel without keys, or a sandbox around us that refuses them, keeps them out of reach by itself.
    if joined < 0 and ctypes.get_errno() not in (errno.ENOSYS, errno.EPERM):
        sys.exit(f"no keyring of its own for the sandbox: {os.strerror(ctypes.get_errno())}")
    program = _program(machines, memory_files=memory_files)
    told = _Filter(len(program) // 8, program)
    no = ctypes.c_ulong(0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), no, no, no) or libc.prctl(
        _PR_SET_SECCOMP, ctypes.c_ulong(_SECCOMP_MODE_FILTER), ctypes.byref(told), no, no
    ):
        sys.exit(f"no filter of system calls for the sandbox: {os.strerror(ctypes.get_errno())}")


def _main(arguments: list[str]) -> None:
    cut = arguments.index("--")
    groups, command = arguments[:cut], arguments[cut + 1 :]
    memory_files = groups[:1] != [_REFUSE_MEMORY_FILES]
    for group in groups if memory_files else groups[1:]:
        Path(group).write_text(f"{os.getpid()}\n", "utf-8")
    _confine(memory_files=memory_files)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it, and what is ignored stays so in all programs
    os.execvp(command[0], command)  # noqa: S606 - PATH is the driver's fixed one


if __name__ == "__main__":
    _main(sys.argv[1:])
