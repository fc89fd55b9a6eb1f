"""Unpacks the archive of a LaTeX source in memory, strictly: nothing odd, nothing without bound."""

import io
import lzma
import stat
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.sources.beside import shown
from reproducegym.parsing.sources.gathered import MAX_BYTES, MAX_FILES, MAX_TOTAL_BYTES

__all__ = ["ArchiveLimits", "gunzip", "is_archive", "unpack"]

_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_NAME_LENGTH = 300
_STEP = 1 << 20
_TAR_OVERHEAD = 4096
_LEFT_OVER = frozenset({"__MACOSX", ".DS_Store", ".git", ".svn"})


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """The most that is unpacked: files, bytes of one and bytes of all."""

    files: int = MAX_FILES
    one: int = MAX_BYTES
    total: int = MAX_TOTAL_BYTES


def is_archive(content: bytes) -> bool:
    """Whether the first bytes are those of gzip, zip or tar."""
    return content.startswith((_GZIP, *_ZIP)) or _is_tar(content)


def unpack(content: bytes, origin: str, limits: ArchiveLimits = ArchiveLimits()) -> dict[str, bytes]:
    """The plain files of a `.tar.gz`, `.tar` or `.zip`, by their relative names.

    One file that was only gzipped, as arXiv does it, is called `main.tex`.

    Raises:
        UnreadablePaperError: damaged, encrypted, too large, or it holds a link, a device, or a name that leads out.
    """
    if content.startswith(_ZIP):
        return _unzip(content, origin, limits)
    room = limits.total + limits.files * _TAR_OVERHEAD
    plain = gunzip(content, origin, room) if content.startswith(_GZIP) else content
    if _is_tar(plain):
        return _untar(plain, origin, limits)
    if plain is content:
        raise UnreadablePaperError(f"{origin} is no archive that can be read; give a .tar.gz, .tar or .zip")
    return {"main.tex": plain}


def gunzip(content: bytes, origin: str, limit: int) -> bytes:
    """The content of gzip data, all members of it, up to a limit in bytes.

    Raises:
        UnreadablePaperError: damaged, truncated, or more than the limit.
    """
    out = bytearray()
    left = content
    try:
        while left:
            inflate = zlib.decompressobj(wbits=31)
            while not inflate.eof:
                piece = inflate.decompress(left, _STEP)
                left = inflate.unconsumed_tail
                out += piece
                if len(out) > limit:
                    raise UnreadablePaperError(f"{origin} unpacks to more than {limit} bytes; is it a paper?")
                if not piece and not left and not inflate.eof:
                    raise UnreadablePaperError(f"{origin} is truncated (its gzip data ends early); get it again")
            left = inflate.unused_data
            if not left.startswith(_GZIP):
                break  # padding after the last member, which gzip ignores too
    except zlib.error as error:
        raise UnreadablePaperError(f"{origin} is damaged ({error}); get it again") from error
    return bytes(out)


def _is_tar(content: bytes) -> bool:
    return content[257:262] == b"ustar"


def _untar(content: bytes, origin: str, limits: ArchiveLimits) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    room = _Room(origin, limits)
    try:
        with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as tar:
            for member in tar:
                if member.isdir():
                    room.count()
                    continue
                if not member.isreg() or member.issparse():
                    raise UnreadablePaperError(
                        f"{origin} holds {shown(member.name)}, which is no plain file; pack it without links"
                    )
                name = room.admit(member.name, member.size, files)
                if name is None:
                    continue
                stream = tar.extractfile(member)
                files[name] = stream.read() if stream is not None else b""
    except (tarfile.TarError, EOFError, ValueError, OverflowError, OSError, zlib.error) as error:
        raise UnreadablePaperError(f"{origin} is damaged ({_line(error)}); get it again") from error
    return files


def _unzip(content: bytes, origin: str, limits: ArchiveLimits) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    room = _Room(origin, limits)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as packed:
            for entry in packed.infolist():
                mode = entry.external_attr >> 16
                if entry.filename.endswith("/"):  # is_dir() fails on a damaged entry without a name
                    room.count()
                    continue
                if entry.flag_bits & 1:
                    raise UnreadablePaperError(f"{origin} is encrypted; pack it without a password")
                if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
                    raise UnreadablePaperError(
                        f"{origin} holds {shown(entry.filename)}, which is no plain file; pack it without links"
                    )
                name = room.admit(entry.filename, entry.file_size, files)
                if name is not None:
                    with packed.open(entry) as stream:  # reads no more than the declared size, and checks its sum
                        files[name] = stream.read()
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError) as error:
        raise UnreadablePaperError(f"{origin} is damaged ({_line(error)}); get it again") from error
    except (NotImplementedError, RuntimeError, EOFError, ValueError, OverflowError, OSError) as error:
        raise UnreadablePaperError(f"{origin} cannot be unpacked ({_line(error)}); pack it again") from error
    return files


@dataclass(slots=True)
class _Room:
    """Keeps the books while an archive is unpacked."""

    origin: str
    limits: ArchiveLimits
    entries: int = 0
    total: int = 0

    def count(self) -> None:
        """One entry more, be it a file or a directory."""
        self.entries += 1
        if self.entries > self.limits.files:
            raise UnreadablePaperError(f"{self.origin} holds more than {self.limits.files} files; is it a paper?")

    def admit(self, name: str, size: int, files: dict[str, bytes]) -> str | None:
        """The name under which a file is kept; None for what an operating system or version control left there."""
        self.count()
        clean = _relative(name)
        if not name:
            raise UnreadablePaperError(f"{self.origin} holds a file without a name; pack it again")
        if clean is None:
            raise UnreadablePaperError(f"{self.origin} holds a file named {shown(name)!r}, which leads out of it")
        if _LEFT_OVER.intersection(clean.split("/")) or PurePosixPath(clean).name.startswith("._"):
            return None
        self.total += size
        if size > self.limits.one or self.total > self.limits.total:
            raise UnreadablePaperError(
                f"{self.origin} unpacks to more than the limits ({self.limits.one} bytes a file, "
                f"{self.limits.total} in all); is it a paper?"
            )
        if clean in files:
            raise UnreadablePaperError(f"{self.origin} holds {shown(clean)} twice; pack it again")
        return clean


def _relative(name: str) -> str | None:
    """The name without `./`, or None when it is absolute, climbs, or holds what no file of a paper has in its name."""
    parts = name.split("/")
    odd = not name or len(name) > _NAME_LENGTH or not name.isprintable() or "\\" in name or name[1:2] == ":"
    if odd or name.startswith("/") or ".." in parts:
        return None
    return "/".join(part for part in parts if part not in ("", ".")) or None


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
