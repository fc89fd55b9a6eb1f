"""The directory of one paper: names that never leave it, and files that are read back checked."""

import re
from pathlib import Path
from typing import TypeVar

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.files import read_file
from reproducegym.pipeline.paper_id import check_paper_id
from reproducegym.schema.base import Frozen
from reproducegym.schema.reading import read_json

__all__ = ["REFRESH", "PaperFolder"]

M = TypeVar("M", bound=Frozen)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
REFRESH = "build again with --refresh"
"""What mends a broken product of the build."""


class PaperFolder:
    """`<out>/<paper_id>`, what all parts of the store stand on."""

    def __init__(self, out: Path, paper_id: str) -> None:
        """Name a store; nothing is touched yet.

        Raises:
            MisuseError: the id cannot name a directory.
        """
        self.paper_id = check_paper_id(paper_id)
        self.out = out
        self.root = out / paper_id

    def task_directory(self, claim_id: str, spec_hash: str) -> Path:
        """Where a task stands, or would."""
        return self._inside("03-task", claim_id, spec_hash)

    def task_place(self, claim_id: str, spec_hash: str) -> str:
        """The same, below the paper's directory."""
        return self.task_directory(claim_id, spec_hash).relative_to(self.root).as_posix()

    def _inside(self, *parts: str) -> Path:
        for part in parts:
            if _NAME.fullmatch(part) is None:
                raise NotFoundError(f"{part!r} cannot name anything of paper {self.paper_id}")
        return self.root.joinpath(*parts)

    def _lock(self, what: str) -> Path:
        return self.out / ".locks" / f"{self.paper_id}.{what}"

    def _bytes(self, name: str) -> bytes:
        data = read_file(self.root / name)
        if data is None:
            raise NotFoundError(
                f"{self.root / name} is not there; run the earlier stages of paper {self.paper_id} again"
            )
        return data

    def _json(self, model: type[M], name: str, advice: str) -> M:
        return read_json(model, self._bytes(name), str(self.root / name), advice=advice)
