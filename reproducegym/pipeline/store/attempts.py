"""`04-run/`: attempts at tasks, numbered, each kept whole."""

from collections.abc import Callable
from pathlib import Path

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.files import check_writable, locked, names, read_tree, sweep, write_file, write_tree
from reproducegym.pipeline.store.folder import PaperFolder
from reproducegym.ports import Files
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Result

__all__ = ["AttemptFiles"]


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

    def add_attempt(self, claim_id: str, spec_hash: str, files: Callable[[int], Files]) -> int:
        """Keep a finished attempt as one unit under the next number; `files` gets the number.

        Raises:
            StorageError: it cannot be written; then no attempt is there.
        """
        directory = self._inside("04-run", claim_id, spec_hash)
        with locked(self._lock("attempts"), f"attempts of {self.paper_id}", wait=True):
            sweep(directory)
            taken = self.attempts(claim_id, spec_hash)
            number = taken[-1] + 1 if taken else 1
            write_tree(directory / f"{number:03d}", files(number))
        return number

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
        """All files of an attempt.

        Raises:
            NotFoundError: there is no such attempt.
        """
        return read_tree(self.attempt_directory(claim_id, spec_hash, number))

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
