"""Batches of attempts at the tasks of the papers below one directory, by their ids."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reproducegym.errors import NotFoundError
from reproducegym.pipeline.directories import names, remove_tree
from reproducegym.pipeline.files import read_file, write_file
from reproducegym.pipeline.locks import locked
from reproducegym.schema.batch import Batch, BatchTask
from reproducegym.schema.reading import read_json

__all__ = ["Batches"]

_DIRECTORY = ".batches"


class Batches:
    """`<runs>/.batches/`: what was ordered. What became of it stands in the papers' own directories."""

    def __init__(self, runs: Path) -> None:
        self.runs = runs

    def write(self, batch: Batch) -> None:
        """Keep a batch, before its first attempt.

        Raises:
            StorageError: it cannot be written.
        """
        write_file(self._file(batch.batch_id), batch.to_json().encode())

    def read(self, batch_id: str) -> Batch:
        """The batch of this id; `last` is the one that was begun last.

        Raises:
            NotFoundError: there is none; the message lists what there is.
            SchemaError: it does not fit.
        """
        known = self.ids()
        if batch_id == "last" and known:
            return max((self._read(one) for one in known), key=lambda batch: batch.begun)
        if batch_id not in known:
            raise NotFoundError(f"no batch {batch_id!r} below {self.runs}; there are: {', '.join(known) or 'none'}")
        return self._read(batch_id)

    def ids(self) -> tuple[str, ...]:
        """Ids of all batches."""
        return tuple(name.removesuffix(".json") for name in names(self.runs / _DIRECTORY) if name.endswith(".json"))

    @contextmanager
    def working(self, batch: Batch) -> Iterator[None]:
        """Own a batch: one process at a time works on it.

        Raises:
            BusyError: another one does.
        """
        with locked(self._locks(batch.batch_id) / "batch", f"batch {batch.batch_id}", wait=False):
            yield

    @contextmanager
    def filling(self, batch_id: str, task: BatchTask, slot: int) -> Iterator[None]:
        """Own one slot of a batch; waits for whoever has it, as a worker that has not noticed its driver's death."""
        told = f"{task.paper_id}/{task.claim_id}/{task.spec_hash}/{slot}"
        name = hashlib.sha256(told.encode()).hexdigest()[:32]
        with locked(self._locks(batch_id) / name, f"slot {slot} of {task.claim_id}", wait=True):
            yield

    def forget_locks(self, batch: Batch) -> None:
        """Remove the lock files of a batch that is done: whoever still waits for one finds its slot filled."""
        remove_tree(self._locks(batch.batch_id))

    def _read(self, batch_id: str) -> Batch:
        path = self._file(batch_id)
        data = read_file(path)
        if data is None:
            raise NotFoundError(f"{path} is not there")
        return read_json(Batch, data, str(path), advice="remove the file, or resume another batch by its id")

    def _file(self, batch_id: str) -> Path:
        return self.runs / _DIRECTORY / f"{batch_id}.json"

    def _locks(self, batch_id: str) -> Path:
        return self.runs / ".locks" / f"batch.{batch_id}"
