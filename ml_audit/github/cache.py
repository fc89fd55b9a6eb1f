"""Answers and archives kept on disk: what has not changed costs no request of the limit. Private to its owner."""

import hashlib
import os
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from ml_audit.frozen import Frozen

__all__ = ["Cache", "Kept"]

MOST_KEPT = 1_000_000_000
"""Bytes of archives kept; the oldest go first."""


class Kept(Frozen):
    """An answer and the tag by which the server knows it."""

    url: str
    etag: str
    body: str


@dataclass(frozen=True, slots=True)
class Cache:
    """A directory of kept answers; None keeps nothing. What cannot be read or written there is as if never kept."""

    root: Path | None

    def known(self, url: str) -> Kept | None:
        """The last answer of an address, if it is kept whole."""
        if self.root is None:
            return None
        try:
            kept = Kept.model_validate_json(self._path(url, "json").read_bytes())
        except (OSError, ValidationError):
            return None
        return kept if kept.url == url else None

    def keep(self, kept: Kept) -> None:
        """Keep an answer, whole or not at all."""
        if self.root is None:
            return
        try:
            _place(self._path(kept.url, "json"), [kept.model_dump_json().encode()])
        except OSError:
            return

    def archive(self, url: str) -> Path | None:
        """The archive of an address, if it is kept."""
        path = None if self.root is None else self._path(url, "tar.gz")
        return path if path is not None and path.is_file() else None

    def keep_archive(self, url: str, whole: Path) -> Path:
        """Move a whole archive here, make room for it, and say where it is now."""
        if self.root is None:
            return whole
        try:
            kept = self._path(url, "tar.gz")
            with whole.open("rb") as source:
                _place(kept, iter(lambda: source.read(1 << 20), b""))
            self._make_room()
        except OSError:
            return whole
        return kept if kept.is_file() else whole

    def _make_room(self) -> None:
        assert self.root is not None
        kept = sorted(self.root.glob("*.tar.gz"), key=lambda p: p.stat().st_mtime, reverse=True)
        used = 0
        for path in kept:
            used += path.stat().st_size
            if used > MOST_KEPT:
                path.unlink(missing_ok=True)

    def _path(self, url: str, suffix: str) -> Path:
        assert self.root is not None
        return self.root / f"{hashlib.sha256(url.encode()).hexdigest()[:40]}.{suffix}"


def _place(path: Path, blocks: Iterable[bytes]) -> None:
    """Write a file whole or not at all; only its owner may read it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(blocks)
        Path(name).replace(path)
    finally:
        Path(name).unlink(missing_ok=True)
