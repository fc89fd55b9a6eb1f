"""Reads what an agent left, as plain files; what may not leave a sandbox is refused as it is on our own machines."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Limits", "RefusedError", "read_plain", "read_submission"]

_MAX_NAME_BYTES = 1024
_MAX_DEPTH = 64


class RefusedError(Exception):
    """A submission that is not read; the message says what stands where."""


@dataclass(frozen=True)
class Limits:
    """How many files a submission may have, and how many bytes together."""

    files: int
    size: int


def read_submission(root: str, limits: Limits) -> dict[str, bytes]:
    """Every plain file below `root` by its relative name.

    Raises:
        RefusedError: a link, device, set-id file or bad name, or too much.
    """
    files: dict[str, bytes] = {}
    total = seen = 0
    for name, entry in _entries(root, ""):
        seen += 1
        if seen > limits.files:
            raise RefusedError(f"{name!r}: there are more than {limits.files} files")
        told = entry.stat(follow_symlinks=False)
        _check(name, told)
        if stat.S_ISDIR(told.st_mode):
            continue
        total += told.st_size
        if total > limits.size:
            raise RefusedError(f"{name!r}: all files together exceed {limits.size} bytes")
        content = read_plain(entry.path, limits.size)
        if content is None:
            raise RefusedError(f"{name!r}: the file has several names or cannot be read")
        files[name] = content
    return files


def _entries(root: str, below: str) -> Iterator[tuple[str, "os.DirEntry[str]"]]:
    """Everything below a directory, directories before what is in them, links never followed."""
    with os.scandir(root) as found:
        for entry in sorted(found, key=lambda one: one.name):
            name = f"{below}{entry.name}"
            yield name, entry
            if entry.is_dir(follow_symlinks=False):
                yield from _entries(entry.path, f"{name}/")


def _check(name: str, told: os.stat_result) -> None:
    try:
        long = len(name.encode("utf-8")) > _MAX_NAME_BYTES
    except UnicodeEncodeError:
        raise RefusedError(f"{name!r}: the name is not UTF-8") from None
    if long or name.count("/") >= _MAX_DEPTH or not name.isprintable():
        raise RefusedError(f"{name!r}: the name is too long or too deep, or has control characters")
    if stat.S_ISLNK(told.st_mode):
        raise RefusedError(f"{name!r}: links are not copied out")
    if not (stat.S_ISREG(told.st_mode) or stat.S_ISDIR(told.st_mode)):
        raise RefusedError(f"{name!r}: devices, pipes and sockets are not copied out")
    if stat.S_ISREG(told.st_mode) and told.st_mode & (stat.S_ISUID | stat.S_ISGID):
        raise RefusedError(f"{name!r}: set-uid and set-gid files are not copied out")


def read_plain(path: str, most: int) -> bytes | None:
    """A plain file with one name, reached through no link in its last two steps; None for anything else.

    Raises:
        RefusedError: it is larger than `most` bytes.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    above, name = os.path.split(path)
    try:
        folder = os.open(above, flags | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        with os.fdopen(os.open(name, flags, dir_fd=folder), "rb") as file:
            told = os.fstat(file.fileno())
            if not stat.S_ISREG(told.st_mode) or told.st_nlink != 1:
                return None
            content = file.read(most + 1)
    except OSError:
        return None
    finally:
        os.close(folder)
    if len(content) > most:
        raise RefusedError(f"{name!r}: more than {most} bytes")
    return content
