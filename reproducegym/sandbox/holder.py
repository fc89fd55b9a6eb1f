"""Holds a sized workspace in a mount namespace of its own: nowhere on the host, and gone with its holder."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import InfrastructureError
from reproducegym.sandbox.inner_root import TOOL_PATH, UID

__all__ = ["Holder", "held_workspace"]

_MAX_INODES = 262_144
# The holder lives as long as its standard input is open: when the driver dies, in whatever way, it ends by itself.
_HOLD = 'mount -t tmpfs -o "$1" tmpfs "$2" 2>&1 && echo held && exec cat >/dev/null'


@dataclass(frozen=True)
class Holder:
    """`enter` is the command that runs another one in the holder's namespaces; `workspace` an open directory."""

    enter: tuple[str, ...]
    workspace: int


@contextlib.contextmanager
def held_workspace(mount_point: Path, size_mib: int) -> Iterator[Holder]:
    """A tmpfs of a fixed size at `mount_point`, seen by those who enter the holder's namespaces only.

    Raises:
        InfrastructureError: this machine lets us make no namespace.
    """
    privileged = os.geteuid() == 0
    options = f"size={size_mib}m,nr_inodes={_MAX_INODES},mode=0755,nosuid,nodev"
    if privileged:
        options += f",uid={UID},gid={UID}"
    user = [] if privileged else ["--user", "--map-root-user"]
    line = ["unshare", *user, "--mount", "--", "sh", "-c", _HOLD, "holder", options, str(mount_point)]
    try:
        process = subprocess.Popen(
            line,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={"PATH": TOOL_PATH},
            start_new_session=True,  # Ctrl-C is the driver's to answer, not the holder's
        )
    except OSError as error:
        raise InfrastructureError(f"unshare (util-linux) cannot be run: {error}") from error
    with process:
        try:
            holder = _opened(process, mount_point, privileged=privileged)
            try:
                yield holder
            finally:
                os.close(holder.workspace)
        finally:
            process.kill()


def _opened(process: "subprocess.Popen[bytes]", mount_point: Path, *, privileged: bool) -> Holder:
    answer = b"" if process.stdout is None else process.stdout.readline()
    if answer != b"held\n":
        said = answer.decode("utf-8", "replace").strip()
        raise InfrastructureError(f"this machine does not let us make a namespace: {said or 'no answer'}")
    spaces = [f"--mount=/proc/{process.pid}/ns/mnt"]
    if not privileged:
        spaces += [f"--user=/proc/{process.pid}/ns/user", "--preserve-credentials"]
    place = f"/proc/{process.pid}/root{mount_point}"
    try:
        workspace = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise InfrastructureError(f"the workspace of a sandbox cannot be opened: {error}") from error
    return Holder(("nsenter", *spaces, "--"), workspace)
