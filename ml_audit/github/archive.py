"""Reads a `.tar.gz` of a repository without unpacking it: bounded in entries, bytes, ratio, depth; links are names."""

import gzip
import io
import re
import tarfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ml_audit.github.faults import ArchiveError
from ml_audit.repository import SKIPPED, readable
from ml_audit.sampling import LONGEST_FILE, MOST_BYTES, MOST_FILES, sampled

__all__ = ["Bounds", "Unpacked", "unpacked"]

_POINTER = b"version https://git-lfs.github.com/spec/"
_ODD = re.compile(r"[\x00-\x1f\x7f\\]|^/|^[A-Za-z]:")
_HEADERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an archive may hold: entries, bytes unpacked, bytes unpacked for each byte packed, directories in a path."""

    entries: int = 200_000
    unpacked: int = 4_000_000_000
    ratio: int = 150
    free: int = 50_000_000
    depth: int = 64
    name: int = 1024


@dataclass(slots=True)
class Unpacked:
    """What an archive holds: sizes of all files, bytes of those that are read, and what is not as it seems."""

    listed: dict[str, int] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    relevant: int = 0
    unsafe: int = 0
    pointers: int = 0
    kept_out: int = 0
    cut: str = ""


class _FullError(Exception):
    """The bound on entries or bytes is reached: what was read so far counts."""


class _Passing(tarfile.TarFile):
    """A stream of members; what it keeps of those that have passed can be emptied."""

    members: list[tarfile.TarInfo]
    pax_headers: dict[str, str]


class _Measured(io.RawIOBase):
    """Unpacked bytes, counted; headers that never end are refused."""

    def __init__(self, packed: gzip.GzipFile, bounds: Bounds, size: int) -> None:
        self.packed, self.bounds, self.size = packed, bounds, size
        self.passed, self.allowed = 0, _HEADERS
        self.tail = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        block = self.packed.read(size)
        self.passed += len(block)
        self.tail = block or self.tail
        if self.passed > self.bounds.free + self.bounds.ratio * self.size:
            raise ArchiveError(
                f"the archive unpacks to more than {self.bounds.ratio} times its size; refused as a bomb"
            )
        if self.passed > self.allowed:
            raise ArchiveError("the archive has a header without end; refused as a bomb")
        if self.passed > self.bounds.unpacked:
            raise _FullError(f"it unpacks to more than {self.bounds.unpacked // 1_000_000:,} MB")
        return block


def unpacked(path: Path, bounds: Bounds | None = None, most_files: int = MOST_FILES) -> Unpacked:
    """List an archive, choose what is read by names alone, and read that.

    Raises:
        ArchiveError: it is no archive, holds nothing that can be read, or is made to burst.
    """
    limits = bounds or Bounds()
    found = Unpacked()
    _visit(path, limits, found, frozenset())
    if not found.listed and found.cut:
        raise ArchiveError(f"the archive cannot be read: {found.cut}")
    fits = sorted(p for p, size in found.listed.items() if readable(p) and size <= LONGEST_FILE)
    found.relevant = len(fits)
    chosen: set[str] = set()
    room = MOST_BYTES
    for name in sampled(fits, most_files):
        if found.listed[name] <= room:
            chosen.add(name)
            room -= found.listed[name]
    again = Unpacked()
    _visit(path, limits, again, frozenset(chosen))
    found.files, found.pointers = dict(sorted(again.files.items())), again.pointers
    found.listed = dict(sorted(found.listed.items()))
    return found


def _visit(path: Path, bounds: Bounds, found: Unpacked, wanted: frozenset[str]) -> None:
    """List all regular files and links, and read those wanted; how it ended early stands in `cut`."""
    try:
        with path.open("rb") as packed, gzip.GzipFile(fileobj=packed) as plain:
            measured = _Measured(plain, bounds, path.stat().st_size)
            with _Passing.open(fileobj=measured, mode="r|") as archive:
                for name, member in _members(archive, measured, bounds, found):
                    found.listed[name] = member.size if member.isreg() else 0
                    if name == ".gitattributes" and member.size < LONGEST_FILE:
                        found.kept_out = _content(archive, member).count(b"export-ignore")
                    elif name in wanted and member.isreg():
                        _read(archive, member, name, found)
            while measured.read(1 << 16):  # to the end, where gzip's checksum is
                pass
            if not measured.tail.endswith(bytes(512)):
                found.cut = "it breaks off"
    except _FullError as stop:
        found.cut = str(stop)
    except (EOFError, zlib.error, OSError, tarfile.TarError) as error:
        strange = isinstance(error, gzip.BadGzipFile) and not found.listed
        found.cut = "it is no gzip archive" if strange else "it breaks off"


def _members(
    archive: "_Passing", measured: _Measured, bounds: Bounds, found: Unpacked
) -> Iterator[tuple[str, tarfile.TarInfo]]:
    entries = 0
    while (member := archive.next()) is not None:
        archive.members.clear()  # else each entry stays in memory, and each header for all
        archive.pax_headers.clear()
        entries += 1
        if entries > bounds.entries:
            raise _FullError(f"it has more than {bounds.entries:,} entries")
        if member.issparse():
            raise ArchiveError("the archive has files with holes, which no git archive has; refused")
        measured.allowed = measured.passed + max(0, member.size) + _HEADERS
        if not (member.isreg() or member.issym() or member.islnk()):
            continue
        name = _name(member.name, bounds)
        if name is None:
            found.unsafe += 1
        elif name and not SKIPPED & set(name.split("/")[:-1]) and name not in found.listed:
            yield name, member


def _name(text: str, bounds: Bounds) -> str | None:
    """The path below the archive's one directory; None if it leads elsewhere, is odd or too deep."""
    told = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    steps: Sequence[str] = told.split("/")
    if _ODD.search(told) or len(told) > bounds.name or len(steps) > bounds.depth or {"..", "."} & set(steps):
        return None
    return "/".join(step for step in steps[1:] if step)


def _read(archive: "_Passing", member: tarfile.TarInfo, name: str, found: Unpacked) -> None:
    content = _content(archive, member)
    if len(content) < 1024 and content.startswith(_POINTER):
        found.pointers += 1
    else:
        found.files[name] = content


def _content(archive: "_Passing", member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member) if member.isreg() else None
    return b"" if stream is None else stream.read(LONGEST_FILE)
