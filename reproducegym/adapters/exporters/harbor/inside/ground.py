"""The ground that runs stand on: closed to all users before the first of them, and laid anew for each."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

__all__ = ["SUBMISSION", "WORKSPACE", "close_doors", "emptied", "lay", "networks", "size_of"]

WORKSPACE = "/workspace"
SUBMISSION = "/submission"
_OWN = (WORKSPACE, "/tmp", "/dev/shm")  # noqa: S108 - places inside the container, emptied before each run
_NEVER = ("/proc", "/sys")
_FOR_OTHERS = stat.S_IWOTH


def networks() -> list[str]:
    """Interfaces that are up, besides loopback."""
    lines = Path("/proc/net/dev").read_text("utf-8").splitlines()[2:]
    return [name for name in (line.split(":")[0].strip() for line in lines) if name != "lo" and _is_up(name)]


def _is_up(name: str) -> bool:
    try:
        return bool(int(Path("/sys/class/net", name, "flags").read_text("ascii"), 16) & 1)
    except OSError:
        return True  # nothing says that it is down


def close_doors(hidden: Mapping[str, int]) -> None:
    """Leave nothing of the container's files that another user can write, nor read where it is `hidden`."""
    for place, mode in hidden.items():
        Path(place).chmod(mode)
    for folder, folders, files in os.walk("/"):
        folders[:] = [name for name in folders if str(Path(folder, name)) not in _NEVER]
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            told = path.lstat()
            if told.st_mode & _FOR_OTHERS and (stat.S_ISDIR(told.st_mode) or stat.S_ISREG(told.st_mode)):
                path.chmod(told.st_mode & 0o1775)


def lay(files: Mapping[str, bytes], given: Mapping[str, bytes], uid: int) -> None:
    """A fresh /submission of root's, and an empty /workspace, /tmp and /dev/shm of the run's with what it is given."""
    emptied(SUBMISSION)
    for place in _OWN:
        emptied(place)
        os.chown(place, uid, uid)
    _write(SUBMISSION, files, 0)
    _write(WORKSPACE, given, uid)


def _write(root: str, files: Mapping[str, bytes], uid: int) -> None:
    for name, content in files.items():
        path = Path(root, name)
        made = [above for above in path.parents if above.is_relative_to(root) and not above.exists()]
        for above in reversed(made):
            above.mkdir(0o755)
            os.chown(above, uid, uid)
        path.write_bytes(content)
        path.chmod(0o755 if uid == 0 else 0o644)
        os.chown(path, uid, uid)


def emptied(place: str) -> None:
    """A directory without anything in it, made where it was not there."""
    Path(place).mkdir(0o755, parents=True, exist_ok=True)
    Path(place).chmod(0o755)
    with os.scandir(place) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                Path(entry.path).unlink()


def size_of(most: int) -> int:
    """Bytes that a run's own places hold; counting ends where `most` is passed."""
    total = 0
    for place in _OWN:
        for size in _sizes(place):
            total += size
            if total > most:
                return total
    return total


def _sizes(place: str) -> Iterator[int]:
    for folder, _, files in os.walk(place):
        yield 4096
        for name in files:
            with contextlib.suppress(OSError):  # gone meanwhile
                yield 512 * Path(folder, name).lstat().st_blocks
