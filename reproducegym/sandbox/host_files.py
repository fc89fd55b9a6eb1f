"""Writes and reads a sandbox's workspace from the host by directory handles, never following a link that lies in it."""

import contextlib
import errno
import os
import stat
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from reproducegym.errors import InfrastructureError
from reproducegym.pipeline.judging.transfer import RefusedFileError, check_name
from reproducegym.ports import Files

__all__ = ["archive_below", "write_below"]

_CHUNK = 1 << 20
_ENTER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_below(
    workspace: int, files: Files, directories: Iterable[str], *, executable: Iterable[str], owner: int | None
) -> None:
    """Write directories and plain files (0644, or 0755 where listed) below an open one, for another owner if given.

    Raises:
        RefusedFileError: a bad name, or something stands in the way that is no directory.
        InfrastructureError: no room, or another fault of the host.
    """
    marked = frozenset(executable)
    for name in directories:
        with _writing(name):
            os.close(_made(workspace, PurePosixPath(name).parts, owner))
    for name in sorted(files):
        with _writing(name):
            _write(workspace, name, files[name], mode=0o755 if name in marked else 0o644, owner=owner)


def archive_below(workspace: int, name: str) -> Iterator[bytes]:
    """The tar stream of what is below `name` (the empty text: all), under its last part or `workspace`.

    Links, devices and the like are put in as what they are, for the strict reader to refuse.

    Raises:
        RefusedFileError: there is nothing of that name, or it cannot be read.
    """
    root = PurePosixPath(name).name or "workspace"
    directory = os.dup(workspace)
    try:
        _refuse_unreadable(os.fstat(directory), "workspace")
        parts = PurePosixPath(name).parts
        for part in parts[:-1]:
            inner = _enter(directory, part, name)
            os.close(directory)
            directory = inner
            _refuse_unreadable(os.fstat(directory), name)
        if parts:
            yield from _entry(directory, parts[-1], root)
        else:
            yield _header(tarfile.DIRTYPE, root, 0o755, 0)
            yield from _listing(directory, root)
    finally:
        os.close(directory)
    yield tarfile.NUL * (2 * tarfile.BLOCKSIZE)


@contextlib.contextmanager
def _writing(name: str) -> Iterator[None]:
    check_name(name)
    try:
        yield
    except (NotADirectoryError, IsADirectoryError) as error:
        raise RefusedFileError("name", name, "something else stands at this name") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise RefusedFileError("link", name, "a link stands at this name") from error
        raise InfrastructureError(f"could not write {name} into the sandbox: {error}") from error


def _made(workspace: int, parts: Iterable[str], owner: int | None) -> int:
    """The last of these directories, each in the one before it, opened; those that are missing are made."""
    directory = os.dup(workspace)
    try:
        for part in parts:
            try:
                os.mkdir(part, 0o755, dir_fd=directory)
                made = True
            except FileExistsError:
                made = False
            inner = os.open(part, _ENTER, dir_fd=directory)
            os.close(directory)
            directory = inner
            if made and owner is not None:
                os.fchown(directory, owner, owner)
    except OSError:
        os.close(directory)
        raise
    return directory


def _write(workspace: int, name: str, content: bytes, *, mode: int, owner: int | None) -> None:
    *above, last = PurePosixPath(name).parts
    directory = _made(workspace, above, owner)
    try:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(last, dir_fd=directory)
        handle = os.open(last, _CREATE, mode, dir_fd=directory)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(handle, mode)
            if owner is not None:
                os.fchown(handle, owner, owner)
    finally:
        os.close(directory)


def _enter(directory: int, part: str, place: str) -> int:
    try:
        return os.open(part, _ENTER, dir_fd=directory)
    except FileNotFoundError as error:
        raise RefusedFileError("absent", place, "there is no such file or directory") from error
    except PermissionError as error:
        raise RefusedFileError("unreadable", place, "the directory cannot be read") from error
    except OSError as error:  # a link or a file stands where a directory was expected
        raise RefusedFileError("link", place, "the path leads through a link or a special file") from error


def _listing(directory: int, prefix: str) -> Iterator[bytes]:
    """Everything in an open directory, in the order of names."""
    for name in sorted(os.listdir(directory)):
        yield from _entry(directory, name, f"{prefix}/{name}")


def _entry(directory: int, name: str, place: str) -> Iterator[bytes]:
    """One thing in an open directory, and all below it."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError as error:
        raise RefusedFileError("absent", place, "there is no such file or directory") from error
    except PermissionError as error:
        raise RefusedFileError("unreadable", place, "it cannot be read") from error
    _refuse_unreadable(status, place)
    mode = stat.S_IMODE(status.st_mode)
    if stat.S_ISDIR(status.st_mode):
        yield _header(tarfile.DIRTYPE, place, mode, 0)
        inner = _enter(directory, name, place)
        try:
            yield from _listing(inner, place)
        finally:
            os.close(inner)
    elif stat.S_ISREG(status.st_mode) and status.st_nlink == 1:
        yield _header(tarfile.REGTYPE, place, mode, status.st_size)
        yield from _content(directory, name, place, status.st_size)
    else:
        yield _header(_kind(status.st_mode), place, mode, 0)


def _refuse_unreadable(status: os.stat_result, place: str) -> None:
    """Refuse what the sandbox's user, who owns all there, may not read, whatever the driver may."""
    wanted = {stat.S_IFDIR: stat.S_IRUSR | stat.S_IXUSR, stat.S_IFREG: stat.S_IRUSR}.get(stat.S_IFMT(status.st_mode), 0)
    if status.st_mode & wanted != wanted:
        raise RefusedFileError("unreadable", place, "the sandbox's own user cannot read it")


def _kind(mode: int) -> bytes:
    """The tar type of what is no directory and no plain file with one name only."""
    if stat.S_ISREG(mode):
        return tarfile.LNKTYPE
    return tarfile.SYMTYPE if stat.S_ISLNK(mode) else tarfile.FIFOTYPE


def _content(directory: int, name: str, place: str, size: int) -> Iterator[bytes]:
    try:
        handle = os.open(name, _READ, dir_fd=directory)
    except OSError as error:
        raise RefusedFileError("unreadable", place, "the file cannot be read") from error
    with os.fdopen(handle, "rb") as file:
        left = size
        while left:
            chunk = file.read(min(left, _CHUNK))
            if not chunk:
                raise RefusedFileError("unreadable", place, "the file shrank while it was copied")
            left -= len(chunk)
            yield chunk
    yield tarfile.NUL * (-size % tarfile.BLOCKSIZE)


def _header(kind: bytes, name: str, mode: int, size: int) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.type, entry.mode, entry.size = kind, mode, size
    if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE):
        entry.linkname = "elsewhere"
    return entry.tobuf(tarfile.PAX_FORMAT, "utf-8", "surrogateescape")
