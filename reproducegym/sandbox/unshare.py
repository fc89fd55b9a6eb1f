"""The util-linux way to enter a namespace sandbox, for machines without bubblewrap."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

from reproducegym.sandbox.inner_root import HIDDEN_PROC, InnerRoot, become_mapped_uid, become_own_uid, command_chain

__all__ = ["unshare_argv"]

# Loopback is down in a new network namespace; bubblewrap takes it up too, and so does Docker.
_LOOPBACK = """
import fcntl, socket, struct
with socket.socket() as any:
    fcntl.ioctl(any, 0x8914, struct.pack("16sh14x", b"lo", 1))  # SIOCSIFFLAGS, IFF_UP
"""
_DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
_OPENING = r"""
set -eu
exec 2>&1
"$PYTHON" -I -S -c "$LOOPBACK"
mount -t tmpfs -o size=4m,mode=0755,nosuid,nodev tmpfs "$ROOT"
place() {
  # A file that stands there already belongs to the host, below a directory that was bound before: never write to it.
  if [ -d "$1" ]; then mkdir -p "$ROOT$2"; return; fi
  if [ ! -e "$ROOT$2" ]; then mkdir -p "$(dirname "$ROOT$2")"; : >"$ROOT$2"; fi
}
seal() { # make all that is mounted at or below a place read-only, keeping the flags that may not be taken away
  mounted="$(cat /proc/self/mountinfo)"
  while read -r _ _ _ _ point options _; do
    case "$point" in *\\*) point="$(printf '%b' "$(printf '%s' "$point" | sed 's/\\\([0-7]\)/\\0\1/g')")" ;; esac
    case "$point" in
      "$ROOT") ;;
      "$1" | "$1"/*) mount -o "remount,bind,ro,nosuid,nodev,${options#r[wo],}" "$point" ;;
    esac
  done <<END
$mounted
END
}
bind() { place "$1" "$2"; mount --rbind "$1" "$ROOT$2"; }
"""
_CLOSING = r"""
cd "$ROOT"
mkdir .host
pivot_root . .host
umount -l /.host
rmdir /.host
mount -o remount,bind,ro,nosuid,nodev /
cd /
set +e
# This shell stays as the first process: it takes up orphans, and all ends with it.
"$@" &
wait $!
exit $?
"""


def unshare_argv(
    root: InnerRoot,
    argv: list[str],
    *,
    mount_point: Path,
    cwd: str,
    env: Mapping[str, str],
    ready: int,
    pids: int,
    file_mib: int,
    data_mib: int | None,
) -> list[str]:
    """The command line that builds the root at an empty directory, runs `argv` in it, and dies with its parent."""
    line = ["setpriv", "--pdeathsig=KILL", "unshare"]
    if not root.privileged:
        line += ["--user", "--map-root-user"]
    line += ["--mount", "--pid", "--net", "--ipc", "--uts", "--cgroup", "--fork", "--kill-child=KILL", "--"]
    chain = command_chain(
        argv,
        cwd=cwd,
        env=env,
        ready=ready,
        become=become_own_uid() if root.privileged else become_mapped_uid(),
        pids=pids,
        file_mib=file_mib,
        data_mib=data_mib,
    )
    return [*line, "sh", "-c", _script(root, mount_point), "sandbox", *chain]


def _script(root: InnerRoot, mount_point: Path) -> str:
    """The shell script that mounts everything and changes into it."""
    quote = shlex.quote
    steps = [f"ROOT={quote(str(mount_point))}", f"PYTHON={quote(sys.executable)}", f"LOOPBACK={quote(_LOOPBACK)}"]
    steps.append(_OPENING)
    steps += [f"bind {quote(str(outside))} {quote(inside)}" for outside, inside in root.binds]
    steps.append('seal "$ROOT"')
    steps += [f'ln -s {quote(target)} "$ROOT"{quote(inside)}' for target, inside in root.links]
    steps += [
        'mkdir -p "$ROOT/proc" "$ROOT/dev" "$ROOT/tmp" "$ROOT/workspace"',
        f'mount -t tmpfs -o size={root.tmp_bytes},mode=1777,nosuid,nodev tmpfs "$ROOT/tmp"',
        'mount -t tmpfs -o size=64k,mode=0755,nosuid tmpfs "$ROOT/dev"',
    ]
    for device in _DEVICES:
        steps.append(f': >"$ROOT/dev/{device}"; mount --bind /dev/{device} "$ROOT/dev/{device}"')
    for target, name in (("fd", "fd"), ("fd/0", "stdin"), ("fd/1", "stdout"), ("fd/2", "stderr")):
        steps.append(f'ln -s /proc/self/{target} "$ROOT/dev/{name}"')
    steps += [
        'mkdir "$ROOT/dev/shm" "$ROOT/dev/pts"',
        f'mount -t tmpfs -o size={root.shm_bytes},mode=1777,nosuid,nodev tmpfs "$ROOT/dev/shm"',
        'mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,nosuid,noexec devpts "$ROOT/dev/pts"',
        'ln -s pts/ptmx "$ROOT/dev/ptmx"',
        'mount -o remount,bind,ro,nosuid "$ROOT/dev"',
        'mount -t proc -o nosuid,nodev,noexec proc "$ROOT/proc"',
        'for name in sys sysrq-trigger irq bus; do [ ! -e "$ROOT/proc/$name" ] || {',
        '  mount --bind "$ROOT/proc/$name" "$ROOT/proc/$name"; seal "$ROOT/proc/$name"; }; done',
        'mount --bind /proc/sys/user "$ROOT/proc/sys/user"',  # the one part where the chain has to write
        *(f'[ ! -e "$ROOT{name}" ] || mount --bind /dev/null "$ROOT{name}"' for name in HIDDEN_PROC),
        f'mount --bind {quote(str(root.workspace))} "$ROOT/workspace"',
        "hostname sandbox",
        _CLOSING,
    ]
    return "\n".join(steps)
