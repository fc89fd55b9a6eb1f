"""Makes a host directory or file readable for the sandbox's user before it is mounted, by a copy where need be."""

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from reproducegym.errors import NotFoundError, StorageError
from reproducegym.scratch import scratch_directory

__all__ = ["MOUNT_COPY", "readable_by_all"]

MOUNT_COPY = "mount"
"""Purpose of the scratch directories that hold readable copies."""


@contextlib.contextmanager
def readable_by_all(place: Path) -> Iterator[Path]:
    """The directory or file itself if everybody may read all of it, else a readable copy, gone with the context.

    Raises:
        NotFoundError: there is neither.
        StorageError: it cannot be read or copied.
    """
    place = place.resolve()
    if not (place.is_dir() or place.is_file()):
        raise NotFoundError(f"{place} is neither a directory nor a file; a sandbox can mount nothing else")
    try:
        if _open_to_all(place):
            yield place
            return
        with scratch_directory(MOUNT_COPY) as made:
            copy = made / "copy"
            if place.is_dir():
                shutil.copytree(place, copy, symlinks=True)
            else:
                shutil.copy2(place, copy)
            _open_up(copy)
            made.chmod(0o755)
            yield copy
    except PermissionError as error:
        raise StorageError(f"{error.filename} cannot be read for mounting: {error.strerror}") from error
    except shutil.Error as error:
        name, _, why = error.args[0][0]
        line = f"{name} cannot be copied for mounting: {why}; it must be readable, and TMPDIR must have room"
        raise StorageError(line) from error


def _open_to_all(place: Path) -> bool:
    """Whether others may read every file and enter every directory; large packages are looked at for each run."""
    if not _for_others(place.lstat().st_mode):
        return False
    waiting = [str(place)] if place.is_dir() else []
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if not _for_others(entry.stat(follow_symlinks=False).st_mode):
                    return False
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return True


def _for_others(mode: int) -> bool:
    wanted = stat.S_IROTH | stat.S_IXOTH if stat.S_ISDIR(mode) else stat.S_IROTH
    return stat.S_ISLNK(mode) or mode & wanted == wanted


def _open_up(place: Path) -> None:
    for path in (place, *place.rglob("*")):
        mode = path.lstat().st_mode
        if stat.S_ISDIR(mode):
            path.chmod(0o755)
        elif stat.S_ISREG(mode):
            path.chmod(0o755 if mode & stat.S_IXUSR else 0o644)
