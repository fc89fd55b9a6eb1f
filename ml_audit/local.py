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
            SourceError: there is no such directory, it cannot be listed, or it is no checkout.
        """
        if not self.root.is_dir():
            what = "a file, not a directory" if self.root.exists() else "no such directory"
            raise SourceError(f"{self.root}: {what}; name a checkout of a repository")
        if _bare(self.root):
            raise SourceError(f"{self.root}: git's own directory, without the files; clone it and name the clone")
        unlisted: list[str] = []
        listed = dict(sorted(_walk(self.root, unlisted)))
        if not listed:
            raise SourceError(f"{self.root}: holds no files; name a checkout of a repository")
        relevant = [path for path, size in listed.items() if readable(path) and size <= LONGEST_FILE]
        chosen = sampled(relevant, self.most_files)
        files: dict[str, bytes] = {}
        unread: list[str] = []
        room = self.most_bytes
        for path in chosen:
            if listed[path] > room or (self.root / path).is_symlink():
                continue
            content = _content(self.root / path)
            if content is None:
                unread.append(path)
                continue
            files[path] = content
            room -= len(content)
        coverage = Coverage(len(listed), len(relevant), len(files), sampled=len(files) < len(relevant))
        told = {
            _noted(unlisted, "directories", "be listed"): unlisted,
            _noted(unread, "files", "be read"): unread,
            f"none of its {len(listed):,} files is of a kind that is read": not relevant,
        }
        notes = tuple(note for note, holds in told.items() if holds)
        return Repository(self.root.resolve().name, dict(sorted(files.items())), listed, coverage, notes=notes)


def _bare(root: Path) -> bool:
    return (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()


def _noted(paths: list[str], kind: str, deed: str) -> str:
    return f"{len(paths):,} {kind} cannot {deed}: {', '.join(paths[:3])}{', …' if len(paths) > 3 else ''}"


def _walk(root: Path, unlisted: list[str]) -> Iterator[tuple[str, int]]:
    def refuse(error: OSError) -> None:
        if Path(error.filename or root) == root:
            raise SourceError(f"{root}: cannot be listed ({error.strerror})") from error
        unlisted.append(Path(error.filename).relative_to(root).as_posix())

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
    try:
        return path.read_bytes() if path.is_file() else None
    except OSError:
        return None
