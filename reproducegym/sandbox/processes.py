"""Looks at running processes of this machine through /proc: who descends from whom, and how much memory they hold."""

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Family", "family_of", "shared_memory"]

_PAGE = os.sysconf("SC_PAGE_SIZE")
_BLOCK = 512
_ANONYMOUS = b" /dev/zero (deleted)"


@dataclass(frozen=True)
class Family:
    """All descendants of a process, and the bytes of memory that they hold, each for itself."""

    members: tuple[int, ...]
    private: int


def family_of(ancestor: int) -> Family:
    """The living descendants of a process."""
    children: dict[int, list[int]] = {}
    private: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            fields = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            shared = int((entry / "statm").read_text("utf-8").split()[2])
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
        children.setdefault(int(fields[1]), []).append(int(entry.name))
        private[int(entry.name)] = (int(fields[21]) - shared) * _PAGE
    found: list[int] = []
    waiting = [ancestor]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += born
        waiting += born
    return Family(tuple(found), sum(private[member] for member in found))


def shared_memory(members: tuple[int, ...]) -> int:
    """The bytes of memory that these processes share by anonymous mappings, whoever of them has touched it.

    Such memory stays when its pages are given back, so that no count of a process shows it. Exact where we may look
    into mappings (as root), else their whole length.
    """
    pieces: dict[str, int] = {}
    for member in members:
        process = Path(f"/proc/{member}")
        try:
            lines = (process / "maps").read_bytes().splitlines()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue  # it ended while we looked, or is a program on the way that has not become the sandbox's user yet
        found: dict[str, int] = {}
        for line in lines:
            if line.endswith(_ANONYMOUS):
                span, _, _, device, inode, *_ = line.decode("utf-8", "replace").split()
                piece = f"{device} {inode}"
                start, end = (int(place, 16) for place in span.split("-"))
                try:
                    found[piece] = (process / "map_files" / f"{start:x}-{end:x}").stat().st_blocks * _BLOCK
                except OSError:
                    found[piece] = found.get(piece, 0) + end - start
        for piece, held in found.items():
            pieces[piece] = max(pieces.get(piece, 0), held)
    return sum(pieces.values())
