"""Looks at running processes of this machine through /proc: who descends from whom, and how much memory they hold."""

import os
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Family", "family_of"]

_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Family:
    """All descendants of a process, and the bytes of memory that they hold together."""

    members: tuple[int, ...]
    resident: int


def family_of(ancestor: int) -> Family:
    """The living descendants of a process."""
    children: dict[int, list[int]] = {}
    resident: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            fields = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            shared = int((entry / "statm").read_text("utf-8").split()[2])
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
        children.setdefault(int(fields[1]), []).append(int(entry.name))
        resident[int(entry.name)] = (int(fields[21]) - shared) * _PAGE
    found: list[int] = []
    waiting = [ancestor]
    while waiting:
        born = children.get(waiting.pop(), [])
        found += born
        waiting += born
    return Family(tuple(found), sum(resident[member] for member in found))
