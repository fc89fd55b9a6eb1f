"""Reads what comes out of a sandbox: a tar stream in, plain files out, everything else refused with a reason."""

import io
import tarfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePosixPath
from typing import BinaryIO

from reproducegym.errors import InfrastructureError, ReproduceGymError
from reproducegym.ports import CopyLimits, Files

__all__ = ["RefusedFileError", "archive_of", "check_apart", "check_name", "read_archive"]

_MAX_NAME_BYTES = 1024
_MAX_PART_BYTES = 255
_MAX_DEPTH = 64
_MAX_PADDING = 1 << 20
_SET_ID_BITS = 0o6000
_DIRECTORY_MODE = 0o755
_WRITTEN_AT = 946_684_800  # 2000-01-01: no clock in what a sandbox is given


class RefusedFileError(ReproduceGymError):
    """Something that may not leave a sandbox was met; always the fault of who worked inside.

    `reason` is a stable code (`link`, `device`, `set_id`, `name`, `sparse`, `duplicate`, `count`, `size`, `absent`,
    `directory`, `unreadable`, `destroyed`), `place` the name it was met at, printable in any case.
    """

    def __init__(self, reason: str, place: str, detail: str) -> None:
        self.reason = reason
        self.place = _printable(place)
        super().__init__(f"{self.place or repr('')}: {detail}")


def read_archive(archive: BinaryIO, limits: CopyLimits, *, root: str) -> Files:
    """Plain files of an uncompressed tar stream, by their names below `root` (`root` itself is the first entry).

    If `root` is a plain file, the result holds it alone, under its own name; `limits.one_file` asks for that. An
    empty `root` takes names as they stand, with or without `./` before them.

    Raises:
        RefusedFileError: an entry is a link, device, FIFO, set-id or sparse file, has a bad or repeated name, or a
            limit was met; nothing past it is read.
        InfrastructureError: the stream is cut off or no tar: whoever wrote it failed.
    """
    files: dict[str, bytes] = {}
    seen: set[str] = set()
    total = 0
    try:
        watched = _Watched(archive)
        with tarfile.open(fileobj=watched, mode="r|", encoding="utf-8", errors="surrogateescape") as tar:
            for member in tar:
                name = _name_below(member.name, root)
                _check_kind(member, name)
                if not name and member.isdir():
                    if limits.one_file:
                        raise RefusedFileError("directory", root, "a directory stands where a file was expected")
                    continue
                key = name or root
                check_name(key)
                if key in seen:
                    raise RefusedFileError("duplicate", key, "this name stands twice in the archive")
                seen.add(key)
                if len(seen) > limits.max_files:
                    raise RefusedFileError("count", key, f"there are more than {limits.max_files} files")
                if member.isdir():
                    continue
                total += member.size
                if member.size > limits.max_file_bytes:
                    raise RefusedFileError(
                        "size", key, f"{member.size} bytes; a file may have {limits.max_file_bytes} at most"
                    )
                if total > limits.max_bytes:
                    raise RefusedFileError("size", key, f"all files together exceed {limits.max_bytes} bytes")
                files[key] = _content(tar, member)
            watched.check_end(tar.offset)
        check_apart(files)
    except tarfile.TarError as error:
        raise InfrastructureError(f"the archive copied out of the sandbox is damaged: {error}") from error
    return files


def archive_of(files: Files, directories: Iterable[str] = (), *, executable: Iterable[str], uid: int) -> bytes:
    """A tar of plain files (0644, or 0755 where listed), their directories and others, all owned by `uid`.

    Raises:
        RefusedFileError: a name that could not be read back.
    """
    marked = frozenset(executable)
    buffer = io.BytesIO()
    check_apart(files)
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for directory in _directories(files, directories):
            check_name(directory)
            entry = tarfile.TarInfo(directory)
            entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, _DIRECTORY_MODE, _WRITTEN_AT
            entry.uid, entry.gid = uid, uid
            tar.addfile(entry)
        for name in sorted(files):
            check_name(name)
            entry = tarfile.TarInfo(name)
            entry.mode, entry.uid, entry.gid = (0o755 if name in marked else 0o644), uid, uid
            entry.size, entry.mtime = len(files[name]), _WRITTEN_AT
            tar.addfile(entry, io.BytesIO(files[name]))
    return buffer.getvalue()


def check_name(name: str) -> None:
    """Accept a clean relative POSIX name only.

    Raises:
        RefusedFileError: absolute, `.`, `..` or empty parts, control characters, not UTF-8, too deep, or the name or a
            part of it is longer than a file system takes.
    """
    try:
        encoded = name.encode("utf-8")
    except UnicodeEncodeError as error:
        raise RefusedFileError("name", name, "the name is not UTF-8") from error
    if len(encoded) > _MAX_NAME_BYTES:
        raise RefusedFileError("name", name, f"the name is longer than {_MAX_NAME_BYTES} bytes")
    if name.startswith("/"):
        raise RefusedFileError("name", name, "the name is absolute")
    parts = name.split("/")
    if len(parts) > _MAX_DEPTH:
        raise RefusedFileError("name", name, f"more than {_MAX_DEPTH} directories deep")
    if any(part in ("", ".", "..") for part in parts):
        raise RefusedFileError("name", name, "the name has an empty, `.` or `..` part")
    if any(len(part.encode("utf-8")) > _MAX_PART_BYTES for part in parts):
        raise RefusedFileError("name", name, f"a part of the name is longer than {_MAX_PART_BYTES} bytes")
    if any(ord(character) < 32 or ord(character) == 127 for character in name):
        raise RefusedFileError("name", name, "the name has a control character")


def check_apart(names: Collection[str]) -> None:
    """Accept names of files that can stand in one directory.

    Raises:
        RefusedFileError: one is a file and a directory at once.
    """
    for name in names:
        above, slash, _ = name.rpartition("/")
        while slash:
            if above in names:
                raise RefusedFileError("duplicate", above, "this name is a file and a directory at once")
            above, slash, _ = above.rpartition("/")


class _Watched(io.RawIOBase):
    """A stream that remembers the last bytes it gave: `tarfile` takes a broken archive for one that ends there."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._given = 0
        self._tail = b""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        chunk = self._stream.read(size)
        self._given += len(chunk)
        self._tail = (self._tail + chunk)[-2 * tarfile.RECORDSIZE :]
        return chunk

    def check_end(self, offset: int) -> None:
        """Only the two zero blocks that end an archive, and padding, may stand from `offset` on.

        Raises:
            InfrastructureError: something else, or nothing, stands there.
        """
        rest = self._tail[len(self._tail) - (self._given - offset) :] + self._stream.read(_MAX_PADDING)
        if len(rest) < 2 * tarfile.BLOCKSIZE or rest.strip(tarfile.NUL):
            raise InfrastructureError("the archive copied out of the sandbox is damaged or cut off")


def _name_below(member: str, root: str) -> str:
    """The member's name without `root/`; the empty text for root itself."""
    if not root:
        return "" if member == "." else member.removeprefix("./")
    if member == root:
        return ""
    if member.startswith(f"{root}/"):
        return member[len(root) + 1 :]
    raise RefusedFileError("name", member, f"the name does not stand below {root}")


def _check_kind(member: tarfile.TarInfo, name: str) -> None:
    """Only plain files and directories pass."""
    place = name or member.name
    if member.issym() or member.islnk():
        raise RefusedFileError("link", place, "links are not copied out")
    if member.issparse() or member.type == tarfile.GNUTYPE_SPARSE:
        raise RefusedFileError("sparse", place, "sparse files are not copied out")
    if not (member.isreg() or member.isdir()) or member.type == tarfile.CONTTYPE:
        raise RefusedFileError("device", place, "devices, pipes and sockets are not copied out")
    if member.mode & _SET_ID_BITS and not member.isdir():
        raise RefusedFileError("set_id", place, "set-uid and set-gid files are not copied out")


def _content(tar: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    """The whole content of a plain file."""
    stream = tar.extractfile(member)
    content = b"" if stream is None else stream.read()
    if len(content) != member.size:
        raise InfrastructureError("the archive copied out of the sandbox is cut off")
    return content


def _directories(files: Files, others: Iterable[str]) -> Iterator[str]:
    """Every directory that the names need, and these others, parents first."""
    found = set(others)
    names = [*files, *found]
    found |= {str(parent) for name in names for parent in PurePosixPath(name).parents}
    yield from sorted(found - {"", ".", "/"})


def _printable(text: str) -> str:
    """The text as it may stand in a message or a record: escaped where it is not clean UTF-8, and cut."""
    clean = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in clean)[:200]
