"""`04-run/`: attempts at tasks, numbered, each kept whole."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.files import (
    check_writable,
    locked,
    names,
    new_directory,
    publish_tree,
    read_tree,
    remove_empty,
    remove_tree,
    sweep,
    write_file,
)
from reproducegym.pipeline.store.folder import PaperFolder
from reproducegym.ports import Files
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Result

__all__ = ["AttemptFiles", "Begun"]

_RUNNING = ".running-"
_TRACE = "trace"


@dataclass(frozen=True)
class Begun:
    """An attempt that is being made, in a directory that reads as none yet; `trace` is where its agent's trace goes."""

    claim_id: str
    spec_hash: str
    directory: Path

    @property
    def trace(self) -> Path:
        """An empty private directory at first."""
        return self.directory / _TRACE


class AttemptFiles(PaperFolder):
    """What was tried on a task."""

    def attempts(self, claim_id: str, spec_hash: str) -> tuple[int, ...]:
        """Numbers of the whole attempts at a task, in order."""
        found = names(self._inside("04-run", claim_id, spec_hash))
        return tuple(sorted(int(name) for name in found if name.isdigit()))

    def check_attempts_writable(self, claim_id: str, spec_hash: str) -> None:
        """Nothing, when an attempt could be kept; a StorageError names what cannot be written."""
        check_writable(self._inside("04-run", claim_id, spec_hash))
        check_writable(self._lock("attempts").parent)

    @contextlib.contextmanager
    def begin_attempt(self, claim_id: str, spec_hash: str) -> Iterator[Begun]:
        """A place for an attempt in the making; what was not added when the context is left is gone.

        Raises:
            StorageError: it cannot be made.
        """
        task = self._inside("04-run", claim_id, spec_hash)
        with self._attempts_locked():
            begun = Begun(claim_id, spec_hash, new_directory(task, _RUNNING, _TRACE))
        try:
            yield begun
        finally:
            with self._attempts_locked():
                remove_tree(begun.directory)
                remove_empty(task, task.parent, task.parent.parent)

    def add_attempt(self, begun: Begun, files: Callable[[int], Files]) -> int:
        """Keep a finished attempt as one unit under the next number, with its trace; `files` gets the number.

        Raises:
            StorageError: it cannot be written; then no attempt is there.
        """
        directory = begun.directory.parent
        with self._attempts_locked():
            sweep(directory)
            taken = self.attempts(begun.claim_id, begun.spec_hash)
            number = taken[-1] + 1 if taken else 1
            publish_tree(begun.directory, directory / f"{number:03d}", files(number))
        return number

    def _attempts_locked(self) -> contextlib.AbstractContextManager[None]:
        return locked(self._lock("attempts"), f"attempts of {self.paper_id}", wait=True)

    def attempt_directory(self, claim_id: str, spec_hash: str, number: int) -> Path:
        """Where an attempt stands.

        Raises:
            NotFoundError: there is no such attempt.
        """
        directory = self._inside("04-run", claim_id, spec_hash, f"{number:03d}")
        if not directory.is_dir():
            there = ", ".join(str(one) for one in self.attempts(claim_id, spec_hash)) or "none"
            raise NotFoundError(f"no attempt {number} at {claim_id} {spec_hash}; there are: {there}")
        return directory

    def read_attempt(self, claim_id: str, spec_hash: str, number: int) -> dict[str, bytes]:
        """All files of an attempt but its trace, which may be large.

        Raises:
            NotFoundError: there is no such attempt.
        """
        return read_tree(self.attempt_directory(claim_id, spec_hash, number), without=_TRACE)

    def read_result(self, claim_id: str, spec_hash: str, number: int) -> Result:
        """The result of an attempt.

        Raises:
            NotFoundError: there is no such attempt.
            SchemaError: it does not fit.
        """
        path = self.attempt_directory(claim_id, spec_hash, number) / "result.json"
        return read_json(Result, self._bytes(path.relative_to(self.root).as_posix()), str(path))

    def update_attempt(self, claim_id: str, spec_hash: str, number: int, files: Files) -> None:
        """Replace single files of an attempt, each whole (a regrade)."""
        directory = self.attempt_directory(claim_id, spec_hash, number)
        for name, data in files.items():
            write_file(directory / name, data)
