"""Whole files or none: every write goes to a temporary name in the same directory, is synced, and then renamed."""

import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO

from reproducegym.errors import BusyError, StorageError
from reproducegym.ports import Files

__all__ = [
    "TEMPORARY",
    "check_writable",
    "fill_tree",
    "is_file",
    "locked",
    "make_directory",
    "move_tree",
    "names",
    "new_directory",
    "opened",
    "publish_tree",
    "read_file",
    "read_tree",
    "remove_empty",
    "remove_file",
    "remove_tree",
    "replacing",
    "storage",
    "sweep",
    "sync_directory",
    "two_floors_below",
    "write_alike",
    "write_file",
    "write_tree",
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
            _write_synced(temporary, data)
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


def write_tree(path: Path, files: Files) -> None:
    """Put a whole directory in place of whatever stands there, with exactly these files; `*.sh` become executable.

    A directory that already holds exactly these files is left alone.

    Raises:
        StorageError: it cannot be written; nothing is left behind.
    """
    with storage("write", path):
        fresh = not path.parent.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir() and read_tree(path) == files:
            return
        temporary, old = path.with_name(TEMPORARY + path.name), path.with_name(f"{TEMPORARY}old-{path.name}")
        try:
            _remove(temporary)
            temporary.mkdir()
            _fill(temporary, files)
            if path.exists():
                _remove(old)
                path.rename(old)
            temporary.rename(path)
            _remove(old)
        except BaseException:
            _remove(temporary)
            if fresh:
                path.parent.rmdir()
            raise
        sync_directory(path.parent)


def make_directory(path: Path) -> None:
    """Make a directory, if it is not there, for this user alone.

    Raises:
        StorageError: it cannot be made.
    """
    with storage("write", path):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)


def new_directory(parent: Path, name: str, *rooms: str) -> Path:
    """A new private directory whose name begins so, with private directories of these names in it.

    Raises:
        StorageError: it cannot be made.
    """
    with storage("write", parent):
        parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=name, dir=parent))
        for room in rooms:
            (made / room).mkdir(mode=0o700)
        return made


def fill_tree(path: Path, files: Files) -> None:
    """Put files into a directory in the making.

    Raises:
        StorageError: one cannot be written.
    """
    with storage("write", path):
        _fill(path, files)


def move_tree(path: Path, to: Path) -> None:
    """Give a directory, or a file, another name, at which nothing stands, in one step.

    Raises:
        StorageError: it cannot be moved.
    """
    with storage("write", to):
        to.parent.mkdir(parents=True, exist_ok=True)
        path.rename(to)
        sync_directory(to.parent)


def publish_tree(begun: Path, path: Path, files: Files) -> None:
    """Give a directory in the making its last files and its name, at which nothing stands; `*.sh` become executable.

    Raises:
        StorageError: it cannot be written; then nothing stands at `path`.
    """
    with storage("write", path):
        _fill(begun, files)
        begun.chmod(0o755)
        begun.rename(path)
        sync_directory(path.parent)


def read_tree(path: Path, *, without: str | None = None) -> dict[str, bytes]:
    """All files below a directory by relative POSIX path, in order of names; links count as what they point at.

    `without` names a directory right in it that is passed over.

    Raises:
        StorageError: something there cannot be read.
    """
    with storage("read", path):
        found = sorted(child.relative_to(path).as_posix() for child in path.rglob("*") if child.is_file())
        found = [name for name in found if without is None or not name.startswith(f"{without}/")]
        return {name: (path / name).read_bytes() for name in found}


def names(path: Path) -> tuple[str, ...]:
    """Names of the whole entries of a directory, sorted; empty when there is no such directory.

    Raises:
        StorageError: it cannot be listed.
    """
    with storage("list", path):
        if not path.is_dir():
            return ()
        return tuple(sorted(child.name for child in path.iterdir() if not child.name.startswith(".")))


def two_floors_below(path: Path, prefix: str) -> tuple[Path, ...]:
    """What stands two floors below a directory and has a name that begins so, sorted.

    Raises:
        StorageError: it cannot be listed.
    """
    with storage("list", path):
        return tuple(sorted(path.glob(f"*/*/{prefix}*")))


def sweep(path: Path) -> int:
    """Remove what killed runs left right in a directory; returns how many things. The caller holds the lock.

    Raises:
        StorageError: something cannot be removed.
    """
    with storage("clean", path):
        leftovers = sorted(path.glob(f"{TEMPORARY}*")) if path.is_dir() else []
        for leftover in leftovers:
            _remove(leftover)
        return len(leftovers)


def remove_file(path: Path) -> None:
    """Remove a file, if it is there.

    Raises:
        StorageError: it cannot be removed.
    """
    with storage("remove", path):
        path.unlink(missing_ok=True)


def remove_empty(*directories: Path) -> None:
    """Remove each of these directories in turn that is there and holds nothing.

    Raises:
        StorageError: it cannot be removed.
    """
    for path in directories:
        with storage("remove", path):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()


def remove_tree(path: Path) -> None:
    """Remove a directory with all that is in it, if it is there.

    Raises:
        StorageError: it cannot be removed.
    """
    with storage("remove", path):
        _remove(path)


@contextmanager
def locked(path: Path, what: str, *, wait: bool) -> Iterator[None]:
    """Own a lock file; the kernel frees it however the owner ends.

    Raises:
        BusyError: somebody else owns it and `wait` is false.
        StorageError: the lock file cannot be made.
    """
    with storage("lock", path):
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError(f"another process is working on {what}; wait for it to end and run again") from error
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)  # a child that was forked meanwhile holds it too, until it ends
        os.close(descriptor)


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


def _fill(path: Path, files: Files) -> None:
    for name in sorted(files):
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        _write_synced(target, files[name])


def _write_synced(path: Path, data: bytes) -> None:
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


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
