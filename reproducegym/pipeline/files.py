"""Whole files or none: every write goes to a temporary name in the same directory, is synced, and then renamed."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from reproducegym.errors import StorageError

__all__ = [
    "TEMPORARY",
    "check_writable",
    "is_file",
    "opened",
    "read_file",
    "remove_file",
    "replacing",
    "storage",
    "sync_directory",
    "write_alike",
    "write_file",
    "write_synced",
    "writing",
]

TEMPORARY = ".tmp-"
_READING = frozenset({"read", "list"})
_ADVICE = MappingProxyType(
    {
        errno.ENOSPC: "the disk is full; free some space and run again",
        errno.EDQUOT: "the disk quota is used up; free some space and run again",
        errno.EFBIG: "the file would pass the size limit of this process",
        errno.EACCES: "no permission; change its permissions or choose another place",
        errno.EPERM: "no permission; change its permissions or choose another place",
        errno.EROFS: "the file system is read-only; choose another place",
        errno.ENOTDIR: "a file stands where a directory is needed; choose another --out",
        errno.EEXIST: "a file stands where a directory is needed; choose another --out",
    }
)


def read_file(path: Path) -> bytes | None:
    """The bytes of a file, None when there is none.

    Raises:
        StorageError: it is there but cannot be read.
    """
    with storage("read", path):
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file to read from piece by piece.

    Raises:
        StorageError: it is not there or cannot be read.
    """
    with storage("read", path), path.open("rb") as stream:
        yield stream


def is_file(path: Path) -> bool:
    """Whether a file stands there.

    Raises:
        StorageError: that cannot be seen.
    """
    with storage("read", path):
        return path.is_file()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Let somebody else's code write a file in a directory in the making.

    Raises:
        StorageError: it cannot be written.
    """
    with storage("write", path):
        yield


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Let somebody else's code write a whole file under another name beside `path`, whose place it then takes.

    Raises:
        StorageError: it cannot be written; what stood there stands there still, and nothing beside it.
    """
    temporary = path.with_name(TEMPORARY + path.name)
    with storage("write", path):
        try:
            yield temporary
            with temporary.open("rb") as stream:
                os.fsync(stream.fileno())
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


def check_writable(path: Path) -> None:
    """Nothing, when a file or directory could be made at `path`, which need not exist yet.

    Raises:
        StorageError: the nearest directory above it that exists may not be written.
    """
    with storage("write", path):
        place = next(one for one in (path, *path.resolve().parents) if one.exists())
        if not os.access(place, os.W_OK | os.X_OK):
            read_only = os.statvfs(place).f_flag & os.ST_RDONLY
            number = errno.EROFS if read_only else errno.EACCES
            raise OSError(number, os.strerror(number), str(place))


def write_file(path: Path, data: bytes) -> None:
    """Put a whole file in place; after a crash at any point the old content or the new one stands there.

    A file that already holds these bytes is left alone.

    Raises:
        StorageError: it cannot be written; nothing is left behind.
    """
    with storage("write", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file() and path.read_bytes() == data:
            return
        temporary = path.with_name(TEMPORARY + path.name)
        try:
            write_synced(temporary, data)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        sync_directory(path.parent)


def write_alike(path: Path, data: bytes, original: Path) -> None:
    """Put bytes at a path whose directory may not exist yet, readable for all, with the times of another file.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    path.write_bytes(data)
    path.chmod(0o644)
    times = original.stat()
    os.utime(path, ns=(times.st_mtime_ns, times.st_mtime_ns))


def remove_file(path: Path) -> None:
    """Remove a file, if it is there.

    Raises:
        StorageError: it cannot be removed.
    """
    with storage("remove", path):
        path.unlink(missing_ok=True)


@contextmanager
def storage(verb: str, path: Path) -> Iterator[None]:
    """Tell what the system says of a path in one line, with what to do.

    Raises:
        StorageError: in place of any OSError inside.
    """
    try:
        yield
    except OSError as error:
        number = error.errno if error.errno is not None else 0
        advice = _ADVICE[number] if number in _ADVICE else (error.strerror or str(error))
        if verb in _READING and number in (errno.EACCES, errno.EPERM):
            advice = "no permission; change its permissions"
        raise StorageError(f"cannot {verb} {path}: {advice}") from error


def write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    path.chmod(0o755 if path.suffix == ".sh" else 0o644)


def sync_directory(path: Path) -> None:
    """Have the names in a directory on the disk, as its files' contents are."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
