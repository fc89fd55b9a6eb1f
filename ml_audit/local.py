"""A source that reads a directory: bounded, deterministic, and never outside of it."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ml_audit.repository import SKIPPED, Coverage, Repository, SourceError, readable
from ml_audit.sampling import LONGEST_FILE, MOST_BYTES, MOST_FILES, sampled

__all__ = ["LocalDirectory"]


@dataclass(frozen=True, slots=True)
class LocalDirectory:
    """A checkout on this machine."""

    root: Path
    most_files: int = MOST_FILES
    most_bytes: int = MOST_BYTES

    def read(self) -> Repository:
        """Read the directory; links are listed as empty files and never followed.

        Raises:
            SourceError: there is no such directory, or it cannot be listed.
        """
        if not self.root.is_dir():
            raise SourceError(f"{self.root}: no such directory; name a checkout of a repository")
        listed = dict(sorted(_walk(self.root)))
        if not listed:
            raise SourceError(f"{self.root}: holds no files; name a checkout of a repository")
        relevant = [path for path, size in listed.items() if readable(path) and size <= LONGEST_FILE]
        chosen = sampled(relevant, self.most_files)
        files: dict[str, bytes] = {}
        room = self.most_bytes
        for path in chosen:
            if listed[path] <= room and (content := _content(self.root / path)) is not None:
                files[path] = content
                room -= len(content)
        coverage = Coverage(len(listed), len(relevant), len(files), sampled=len(files) < len(relevant))
        return Repository(self.root.resolve().name, dict(sorted(files.items())), listed, coverage)


def _walk(root: Path) -> Iterator[tuple[str, int]]:
    def refuse(error: OSError) -> None:
        if Path(error.filename or root) == root:
            raise SourceError(f"{root}: cannot be listed ({error.strerror})") from error

    for directory, names, files in os.walk(root, onerror=refuse):
        here = Path(directory)
        names[:] = sorted(n for n in names if n not in SKIPPED and not (here / n).is_symlink())
        for name in files:
            path = here / name
            try:
                size = 0 if path.is_symlink() else path.stat().st_size
            except OSError:
                size = 0
            yield path.relative_to(root).as_posix(), size


def _content(path: Path) -> bytes | None:
    if path.is_symlink() or not path.is_file():
        return None
    try:
        return path.read_bytes()
    except OSError:
        return None
