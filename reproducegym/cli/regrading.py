"""Regrades all stored attempts of many papers, several at once, and goes on where an earlier call was stopped."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from reproducegym.cli.places import AttemptPlace, TaskPlace
from reproducegym.cli.regrade_one import regraded
from reproducegym.errors import ReproduceGymError, SchemaError
from reproducegym.pipeline.files import read_file
from reproducegym.pipeline.judging.regrade import Regraded
from reproducegym.pipeline.lines import append_line
from reproducegym.pipeline.store import PaperStore
from reproducegym.ports import Executor
from reproducegym.schema.regrade import RegradeLine

__all__ = ["Piece", "RegradeWork", "all_pieces", "journalled", "regrade_all"]


class Piece(NamedTuple):
    """One attempt."""

    paper_id: str
    claim_id: str
    spec_hash: str
    attempt: int


@dataclass(frozen=True)
class RegradeWork:
    """Regrades one attempt; may be called in any thread, and pickled to any process that sees `runs`."""

    runs: Path
    write: bool

    def __call__(self, piece: Piece) -> RegradeLine:
        """What it earns now; whatever keeps it from being regraded is told in the line."""
        store = PaperStore(self.runs, piece.paper_id)
        place = AttemptPlace(TaskPlace(store, piece.claim_id, piece.spec_hash), piece.attempt)
        try:
            graded = regraded(place)
            if self.write and graded.changed:
                new = {"result.json": graded.after.to_json().encode()}
                store.update_attempt(piece.claim_id, piece.spec_hash, piece.attempt, new)
        except ReproduceGymError as error:
            return _line(piece, None, written=False, error=f"{type(error).__name__}: {error}")
        return _line(piece, graded, written=self.write and graded.changed, error=None)


def _line(piece: Piece, graded: Regraded | None, *, written: bool, error: str | None) -> RegradeLine:
    return RegradeLine(
        paper_id=piece.paper_id,
        claim_id=piece.claim_id,
        spec_hash=piece.spec_hash,
        attempt=piece.attempt,
        contract_hash=None if graded is None else graded.after.contract_hash,
        before=None if graded is None else graded.before.reward,
        after=None if graded is None else graded.after.reward,
        failure_kind=None if graded is None else graded.after.failure_kind,
        changed=graded is not None and graded.changed,
        written=written,
        error=error,
    )


def all_pieces(stores: Sequence[PaperStore]) -> Iterator[Piece]:
    """Every stored attempt of these papers, in order; nothing of them is read yet."""
    for store in stores:
        for claim in store.claims():
            for version in store.versions(claim):
                for number in store.attempts(claim, version):
                    yield Piece(store.paper_id, claim, version, number)


def journalled(journal: Path | None) -> dict[Piece, RegradeLine]:
    """What an earlier call did; a last line that was torn by a kill counts for nothing.

    Raises:
        SchemaError: the file is no journal.
    """
    data = None if journal is None else read_file(journal)
    found: dict[Piece, RegradeLine] = {}
    lines = (data or b"").splitlines(keepends=True)
    for number, line in enumerate(lines, 1):
        try:
            one = RegradeLine.from_json(line)
        except ValidationError as error:
            if number == len(lines) and not line.endswith(b"\n"):
                break
            raise SchemaError(f"{journal} line {number} is no line of a regrade; name another --journal") from error
        found[Piece(one.paper_id, one.claim_id, one.spec_hash, one.attempt)] = one
    return found


def regrade_all(
    pieces: Iterator[Piece], work: RegradeWork, executor: Executor, journal: Path | None
) -> Iterator[RegradeLine]:
    """Lines as they come, each in the journal before it is given."""
    with closing(executor.as_done(work, pieces)) as ended:
        for line in ended:
            if journal is not None:
                append_line(journal, line.model_dump_json())
            yield line
