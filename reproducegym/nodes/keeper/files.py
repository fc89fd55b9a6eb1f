"""Files of a run go in and come out as archives, by directory handles: a link that a command left is never followed."""

from __future__ import annotations

import contextlib
import io
import os
import stat
import sys
import tarfile
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING

from reproducegym.nodes.keeper.ground import Asked, Places, RefusedError, chunk, tell

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["get", "put"]

_ENTER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_CHUNK = 1 << 20


def put(asked: Asked) -> None:
    """Take an archive of plain files and directories into a directory of the run; each file is whole or not there."""
    work = Places(str(asked["workdir"])).run(asked) / "work"
    left, files = int(str(asked["max_bytes"])), 0
    top = os.open(work, _ENTER)
    try:
        with _entered(top, _parts(str(asked["path"]))) as place:
            archive = tarfile.open(fileobj=sys.stdin.buffer, mode="r|")  # noqa: SIM115 - it is a stream
            for member in archive:
                parts = _parts(member.name)
                if member.isdir():
                    with _entered(place, parts):
                        continue
                content = archive.extractfile(member) if member.isreg() and parts else None
                if content is None:
                    raise RefusedError(f"{member.name[:100]} is neither a file nor a directory")
                left -= member.size
                if left < 0:
                    raise RefusedError(f"more than {asked['max_bytes']} bytes; nothing more is taken")
                with _entered(place, parts[:-1]) as directory:
                    _write(directory, parts[-1], content, executable=bool(member.mode & stat.S_IXUSR))
                files += 1
    except tarfile.TarError as error:
        raise RefusedError(f"the archive broke off: {error}") from error
    finally:
        os.close(top)
    tell(files=files, bytes=int(str(asked["max_bytes"])) - left)


def get(asked: Asked) -> None:
    """Give a file, or a directory with all that is below it, as an archive."""
    work = Places(str(asked["workdir"])).run(asked) / "work"
    parts = _parts(str(asked["path"]))
    top = os.open(work, _ENTER)
    out = _Chunks(int(str(asked["max_bytes"])))
    files = 0
    try:
        archive = tarfile.open(fileobj=out, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - it is a stream
        with _found(top, parts[:-1]) as directory:
            for name, handle, status in _below(directory, parts[-1] if parts else ".", ""):
                entry = tarfile.TarInfo(name)
                entry.mode = 0o755 if status.st_mode & stat.S_IXUSR else 0o644
                if stat.S_ISDIR(status.st_mode):
                    entry.type = tarfile.DIRTYPE
                    archive.addfile(entry)
                else:
                    entry.size, files = status.st_size, files + 1
                    with os.fdopen(os.dup(handle), "rb") as file:
                        archive.addfile(entry, file)
        archive.close()
    finally:
        os.close(top)
    out.flush_rest()
    tell(files=files, bytes=out.sent)


def _parts(path: str) -> tuple[str, ...]:
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or any(ord(letter) < 32 for letter in path):
        raise RefusedError(f"{path[:100]!r} is not a path below the run's directory")
    return parts


@contextlib.contextmanager
def _entered(directory: int, parts: tuple[str, ...]) -> Iterator[int]:
    """A directory below another, made where it is not there."""
    with contextlib.ExitStack() as stack:
        for part in parts:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, 0o755, dir_fd=directory)
            directory = _open(directory, part, stack)
        yield directory


@contextlib.contextmanager
def _found(directory: int, parts: tuple[str, ...]) -> Iterator[int]:
    with contextlib.ExitStack() as stack:
        for part in parts:
            directory = _open(directory, part, stack)
        yield directory


def _open(directory: int, part: str, stack: contextlib.ExitStack) -> int:
    try:
        inner = os.open(part, _ENTER, dir_fd=directory)
    except FileNotFoundError as error:
        raise RefusedError(f"there is no {part[:100]} there") from error
    except OSError as error:
        raise RefusedError(f"{part[:100]} is a link or no directory") from error
    stack.callback(os.close, inner)
    return inner


def _write(directory: int, name: str, content: IO[bytes], *, executable: bool) -> None:
    made = f".put-{os.getpid()}"
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=directory)
    try:
        with os.fdopen(handle, "wb") as file:
            while data := content.read(_CHUNK):
                file.write(data)
            os.fchmod(handle, 0o755 if executable else 0o644)
        os.rename(made, name, src_dir_fd=directory, dst_dir_fd=directory)
    except (OSError, tarfile.TarError) as error:
        with contextlib.suppress(OSError):
            os.unlink(made, dir_fd=directory)
        if isinstance(error, IsADirectoryError):
            raise RefusedError(f"{name[:100]} is a directory there") from error
        raise


def _below(directory: int, name: str, place: str) -> Iterator[tuple[str, int, os.stat_result]]:
    """A plain file, or a directory and all below it: name in the archive, open handle, status."""
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=directory)
    except FileNotFoundError as error:
        raise RefusedError(f"there is no {name[:100]} there") from error
    except OSError as error:
        raise RefusedError(
            f"{(place or name)[:100]} cannot be read: {error.strerror}; links are not followed"
        ) from error
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            if place:
                yield place, handle, status
            for inner in sorted(entry.name for entry in os.scandir(handle)):
                yield from _below(handle, inner, f"{place}/{inner}" if place else inner)
        elif stat.S_ISREG(status.st_mode):
            yield place or name, handle, status
        else:
            raise RefusedError(f"{(place or name)[:100]} is neither a file nor a directory")
    finally:
        os.close(handle)


class _Chunks(io.RawIOBase):
    """A file for writing that goes out in pieces, up to a size."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._rest = bytearray()
        self.sent = 0

    def writable(self) -> bool:
        """It is made to be written."""
        return True

    def write(self, data: Buffer) -> int:
        """Take bytes of the archive.

        Raises:
            RefusedError: the archive is larger than it may be.
        """
        piece = bytes(data)
        self._rest += piece
        self.sent += len(piece)
        if self.sent > self._limit:
            raise RefusedError(f"it is larger than {self._limit} bytes, which is the most that comes back")
        if len(self._rest) >= _CHUNK:
            self.flush_rest()
        return len(piece)

    def flush_rest(self) -> None:
        """Send what is still here."""
        if self._rest:
            chunk(bytes(self._rest))
            self._rest.clear()
