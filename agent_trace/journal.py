"""Writes records so that a killed process loses only what it was writing: whole lines, appended, synced to the disk."""

import os
from collections.abc import Sequence
from pathlib import Path

__all__ = ["BODIES", "SEGMENT", "Journal"]

SEGMENT = "records-*.jsonl"
BODIES = "bodies"
_LARGEST = 64 << 20


class Journal:
    """The records of one run: segments `records-000001.jsonl`, … in a directory, large bodies in `bodies/` beside them.

    Each journal begins a segment of its own and never touches another: what a killed process left stays as it is.
    One thread at a time may write.
    """

    def __init__(self, directory: Path, largest: int = _LARGEST) -> None:
        self.directory = directory
        self._largest = largest
        self._file: int | None = None
        self._size = 0

    def write(self, lines: Sequence[bytes]) -> None:
        """Append lines, each ending in a newline; they are on the disk when this returns.

        Raises:
            OSError: the disk is full or the directory is not writable. What was written in part is cut off again.
        """
        if self._file is None or self._size >= self._largest:
            self._begin_segment()
        assert self._file is not None
        data = b"".join(lines)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._file, left) :]
            os.fdatasync(self._file)
        except OSError:
            os.ftruncate(self._file, self._size)
            raise
        self._size += len(data)

    def close(self) -> None:
        """End the segment; a later write begins a new one."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _begin_segment(self) -> None:
        self.close()
        self.directory.mkdir(parents=True, exist_ok=True)
        number = max((_number(path) for path in self.directory.glob(SEGMENT)), default=0)
        while self._file is None:
            number += 1
            path = self.directory / f"records-{number:06}.jsonl"
            try:
                self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
            except FileExistsError:
                continue
        self._size = 0
        directory = os.open(self.directory, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def _number(path: Path) -> int:
    digits = path.stem.removeprefix("records-")
    return int(digits) if digits.isdecimal() else 0
