"""What the root of a namespace sandbox is made of, and the chain of programs that leads from it to the command."""

import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "HIDDEN_PROC",
    "TOOL_PATH",
    "UID",
    "InnerRoot",
    "become_mapped_uid",
    "become_own_uid",
    "command_chain",
    "give_up_capabilities",
    "interpreter",
    "lay_out",
    "search_path",
]

UID = 12345
TOOL_PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
"""Where the programs that make a sandbox are looked for; never in the caller's PATH."""

HIDDEN_PROC = ("/proc/keys", "/proc/key-users")
"""What /proc shows beyond all namespaces: whose keys there are, and how they are named."""

_MIB = 2**20
_SHM_BYTES = 64 * _MIB
_OPEN_FILES = 4096
_TOP = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d")
_ALTERNATIVES = "alternatives"
_MADE_ETC = {
    "passwd": f"root:x:0:0:root:/root:/bin/sh\nsandbox:x:{UID}:{UID}:sandbox:/workspace:/bin/bash\n",
    "group": f"root:x:0:\nsandbox:x:{UID}:\n",
    "hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
_DROP = ("setpriv", "--ambient-caps=-all", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs")
_NO_MORE = 'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"'
# Says that the sandbox stands, closes that door, and becomes the command with its own environment and no other. Where
# nobody listens, the driver died before the programs on the way were bound to its death, and the command never begins.
# When memory runs out, the kernel takes the command before what holds the sandbox together, and before the driver.
_ENTER = (
    'printf r >&"$1" || exit 125; fd=$1; exec {fd}>&-; echo 1000 >/proc/self/oom_score_adj; '
    'cd -- "$2" || exit 126; shift 2; exec env -i "$@"'
)


@dataclass(frozen=True)
class InnerRoot:
    """Read-only binds (host path, path inside), symbolic links (target, path inside), and the sized places.

    `privileged` says that the driver is root, so that the command can run under a host uid of its own.
    """

    binds: tuple[tuple[Path, str], ...]
    links: tuple[tuple[str, str], ...]
    workspace: Path
    tmp_bytes: int
    shm_bytes: int
    privileged: bool


def lay_out(etc: Path, workspace: Path, extra: Mapping[str, Path], tmp_mib: int) -> InnerRoot:
    """The root: /usr and its links, a few bits of /etc, the interpreter, and the extra read-only directories and files.

    What /etc holds inside is copied or written to the host directory `etc`, but for hundreds of links, which are bound.
    """
    binds: list[tuple[Path, str]] = [(Path("/usr"), "/usr")]
    links: list[tuple[str, str]] = []
    for name in _TOP:
        path = Path("/") / name
        if path.is_symlink():
            links.append((str(path.readlink()), f"/{name}"))
        elif path.is_dir():
            binds.append((path, f"/{name}"))
    _fill_etc(etc)
    binds.append((etc, "/etc"))
    if (etc / _ALTERNATIVES).is_dir():
        binds.append((Path("/etc") / _ALTERNATIVES, f"/etc/{_ALTERNATIVES}"))
    python = interpreter()
    if python is not None:
        binds.append((python, str(python)))
    binds += [(outside, inside) for inside, outside in sorted(extra.items())]  # what is inside another comes after it
    return InnerRoot(tuple(binds), tuple(links), workspace, tmp_mib * _MIB, _SHM_BYTES, os.geteuid() == 0)


def _fill_etc(etc: Path) -> None:
    for name in _ETC:
        path = Path("/etc") / name
        if path.is_dir():
            shutil.copytree(path, etc / name, symlinks=True)
        elif path.is_file():
            shutil.copy(path, etc / name)
    if (Path("/etc") / _ALTERNATIVES).is_dir():
        (etc / _ALTERNATIVES).mkdir()
    for name, text in _MADE_ETC.items():
        (etc / name).write_text(text, "utf-8")
        (etc / name).chmod(0o644)
    etc.chmod(0o755)


def interpreter() -> Path | None:
    """The installation of the running Python if it lies outside /usr and we may enter it; None otherwise."""
    prefix = Path(sys.base_prefix).resolve()
    if prefix.is_relative_to("/usr") or prefix in (Path("/"), Path.home()):
        return None
    return prefix if os.access(prefix / "bin", os.R_OK | os.X_OK) else None


def search_path() -> str:
    """PATH inside: the system's programs first, then the running Python."""
    python = interpreter()
    return "/usr/local/bin:/usr/bin:/bin" + ("" if python is None else f":{python}/bin")


def command_chain(
    argv: list[str],
    *,
    cwd: str,
    env: Mapping[str, str],
    ready: int,
    become: tuple[str, ...],
    pids: int,
    file_mib: int,
    data_mib: int | None,
) -> list[str]:
    """The programs to run inside the root: give up privileges, set hard limits, report on fd `ready`, run the command.

    The limit on processes counts those of a fresh user namespace, hence it is set inside it.
    """
    limits = [f"--nproc={pids}", f"--fsize={file_mib * _MIB}", "--core=0", f"--nofile={_OPEN_FILES}"]
    if data_mib is not None:
        limits.append(f"--data={data_mib * _MIB}")
    pairs = [f"{name}={value}" for name, value in env.items()]
    enter = ["bash", "--noprofile", "--norc", "-c", _ENTER, "sandbox", str(ready), cwd, *pairs, *argv]
    return [*become, "prlimit", *limits, "--", *enter]


def become_own_uid() -> tuple[str, ...]:
    """For a driver that is root: take the host uid UID, then a user namespace of its own without any capability."""
    ids = (f"--reuid={UID}", f"--regid={UID}", "--clear-groups")
    own = ("unshare", "--user", "--map-current-user", "--keep-caps")
    return ("setpriv", *ids, *_DROP[1:], *own, *give_up_capabilities())


def become_mapped_uid() -> tuple[str, ...]:
    """For an ordinary driver: its own uid, seen as UID from a nested user namespace without any capability."""
    own = ("unshare", "--user", f"--map-user={UID}", f"--map-group={UID}", "--keep-caps")
    return (*own, *give_up_capabilities())


def give_up_capabilities() -> tuple[str, ...]:
    """In the command's own user namespace: forbid user namespaces below it, in which it would have all capabilities."""
    return ("sh", "-c", _NO_MORE, "sh", *_DROP)
