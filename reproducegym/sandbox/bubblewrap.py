"""The bubblewrap way to enter a namespace sandbox."""

from collections.abc import Mapping
from pathlib import PurePosixPath

from reproducegym.sandbox.inner_root import (
    HIDDEN_PROC,
    TOOL_PATH,
    UID,
    InnerRoot,
    become_own_uid,
    command_chain,
    give_up_capabilities,
)

__all__ = ["bubblewrap_argv"]


def bubblewrap_argv(
    root: InnerRoot,
    argv: list[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    ready: int,
    pids: int,
    file_mib: int,
    data_mib: int | None,
) -> list[str]:
    """The command line that runs `argv` in the root, in namespaces of its own, and dies with its parent."""
    line = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    line += ["--die-with-parent", "--new-session", "--hostname", "sandbox"]
    line += ["--clearenv", "--setenv", "PATH", TOOL_PATH]
    if root.privileged:
        line += ["--cap-add", "ALL"]  # given up again by the chain, before the command
        become = become_own_uid()
    else:
        line += ["--unshare-user", "--uid", str(UID), "--gid", str(UID), "--cap-drop", "ALL"]
        line += ["--cap-add", "CAP_SYS_RESOURCE", "--cap-add", "CAP_SETPCAP"]  # given up by the chain too
        become = give_up_capabilities()
    for outside, inside in root.binds:
        line += _parents(inside)
        line += ["--ro-bind", str(outside), inside]
    for target, inside in root.links:
        line += ["--symlink", target, inside]
    line += ["--proc", "/proc", "--dev", "/dev"]
    line += ["--bind", "/proc/sys/user", "/proc/sys/user"]  # the one part of /proc/sys where the chain has to write
    for name in HIDDEN_PROC:
        line += ["--ro-bind-try", "/dev/null", name]
    line += ["--perms", "1777", "--size", str(root.shm_bytes), "--tmpfs", "/dev/shm"]  # noqa: S108 - inside
    line += ["--perms", "1777", "--size", str(root.tmp_bytes), "--tmpfs", "/tmp"]  # noqa: S108 - inside
    line += ["--bind", str(root.workspace), "/workspace", "--remount-ro", "/dev", "--remount-ro", "/", "--"]
    return line + command_chain(
        argv,
        cwd=cwd,
        env=env,
        ready=ready,
        become=become,
        pids=pids,
        file_mib=file_mib,
        data_mib=data_mib,
    )


def _parents(inside: str) -> list[str]:
    """Make the directories above a bind enterable for all; by itself bubblewrap makes some for the owner only."""
    above = [str(parent) for parent in reversed(PurePosixPath(inside).parents) if str(parent) != "/"]
    return [word for parent in above for word in ("--perms", "0755", "--dir", parent)]
