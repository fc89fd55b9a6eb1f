"""`04-run/`: attempts at tasks, numbered, each kept whole."""

from collections.abc import Callable
from pathlib import Path

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.directories import fill_tree, names, publish_tree, read_tree, sweep
from reproducegym.pipeline.files import check_writable, remove_file, write_file
from reproducegym.pipeline.store.index import DAMAGED
from reproducegym.pipeline.store.running import OWNER, TRACE, Begun, RunningAttempts
from reproducegym.ports import Files
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Result

__all__ = ["AttemptFiles"]


class AttemptFiles(RunningAttempts):
    """What was tried on a task."""

    def attempts(self, claim_id: str, spec_hash: str) -> tuple[int, ...]:
        """Numbers of the whole attempts at a task, in order."""
        found = names(self._inside("04-run", claim_id, spec_hash))
        return tuple(sorted(int(name) for name in found if name.isdigit()))

    def check_attempts_writable(self, claim_id: str, spec_hash: str) -> None:
        """Nothing, when an attempt could be kept; a StorageError names what cannot be written."""
        check_writable(self._inside("04-run", claim_id, spec_hash))
        check_writable(self._lock("attempts").parent)

    def add_attempt(self, begun: Begun, files: Callable[[int], Files]) -> int:
        """Keep a finished attempt as one unit under the next number, with its trace; `files` gets the number.

        What does not tell the number is written before others have to wait for the lock.

        Raises:
            StorageError: it cannot be written; then no attempt is there.
        """
        directory = begun.directory.parent
        unnumbered = files(0)
        fill_tree(begun.directory, unnumbered)
        with self.attempts_locked():
            sweep(directory)
            taken = self.attempts(begun.claim_id, begun.spec_hash)
            number = taken[-1] + 1 if taken else 1
            last = {name: data for name, data in files(number).items() if unnumbered[name] != data}
            remove_file(begun.directory / OWNER)
            publish_tree(begun.directory, directory / f"{number:03d}", last)
            self._list(begun.claim_id, begun.spec_hash, number)
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

    def attempt_directories(self) -> tuple[Path, ...]:
        """Every whole attempt at any task of the paper, in order."""
        return tuple(self.attempt_directory(*place) for place in sorted(self._standing()))

    def read_attempt(self, claim_id: str, spec_hash: str, number: int) -> dict[str, bytes]:
        """All files of an attempt but its trace, which may be large.

        Raises:
            NotFoundError: there is no such attempt.
        """
        return read_tree(self.attempt_directory(claim_id, spec_hash, number), without=TRACE)

    def read_result(self, claim_id: str, spec_hash: str, number: int) -> Result:
        """The result of an attempt.

        Raises:
            NotFoundError: there is no such attempt.
            SchemaError: it does not fit.
        """
        path = self.attempt_directory(claim_id, spec_hash, number) / "result.json"
        return read_json(Result, self._bytes(path.relative_to(self.root).as_posix()), str(path), advice=DAMAGED)

    def update_attempt(self, claim_id: str, spec_hash: str, number: int, files: Files) -> None:
        """Replace single files of an attempt, each whole (a regrade), and list the attempts anew."""
        directory = self.attempt_directory(claim_id, spec_hash, number)
        with self.attempts_locked():
            for name, data in files.items():
                write_file(directory / name, data)
            self._rebuild()
