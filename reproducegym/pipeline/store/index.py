"""`04-run/index.jsonl`: one line for each whole attempt, appended as it is kept, and made anew where it disagrees."""

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from reproducegym.errors import SchemaError
from reproducegym.pipeline.directories import names
from reproducegym.pipeline.files import read_file
from reproducegym.pipeline.lines import append_line, each_line, is_torn, write_lines
from reproducegym.pipeline.locks import locked
from reproducegym.pipeline.store.folder import PaperFolder
from reproducegym.schema.batch import AttemptLine, Origin
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Result

__all__ = ["DAMAGED", "LOST", "AttemptIndex", "Counted"]

LOST = "lost"
"""The directory beside the claims that keeps what attempts of killed runs had said."""

DAMAGED = "the attempt does not count: put the file back, or remove the attempt's directory"
"""What to do about one that was kept whole and is so no more."""
_ORIGIN = "origin.json"


_HEAD = re.compile(
    rb'\{"schema_version":1,"task_id":"[^"]*","claim_id":"([^"]*)","spec_hash":"([^"]*)","attempt":(\d+),'
    rb'"batch_id":(null|"[^"]*"),"slot":(null|\d+),.*\}\n'
)
"""How each line of the list begins: place, batch and slot of an attempt, read without the rest."""


class Counted(NamedTuple):
    """Attempts as their directories tell them, by claim, version and number, and a line on each that is damaged."""

    lines: tuple[AttemptLine, ...]
    damaged: tuple[str, ...]


class AttemptIndex(PaperFolder):
    """The list of all attempts at all tasks of a paper.

    The directories are the truth. A run that is killed between keeping an attempt and listing it, or in the middle of a
    line, leaves a list that disagrees with them; whoever reads it next makes it anew. Papers may have tens of thousands
    of attempts: what goes through all of them holds one at a time.
    """

    def attempt_lines(self) -> tuple[AttemptLine, ...]:
        """Every attempt, by claim, version and number.

        Raises:
            StorageError: the directories cannot be read, or the list cannot be written.
        """
        return self._lines_where(lambda _batch, _slot: True)

    def slot_lines(self, batch_id: str, slot: int) -> tuple[AttemptLine, ...]:
        """The attempts that were made for the slots of this number in a batch, at whichever task of the paper.

        Raises:
            StorageError: as `attempt_lines`.
        """
        wanted = (f'"{batch_id}"'.encode(), b"%d" % slot)
        return self._lines_where(lambda *origin: origin == wanted)

    def each_attempt(self, damaged: Callable[[str], None]) -> Iterator[AttemptLine]:
        """Every attempt, each read, one after the other; `damaged` hears of those that cannot be read.

        The attempts are owned from the first to the last, and then the list is made anew where it disagrees with what
        was read.

        Raises:
            StorageError: as `attempt_lines`.
        """
        with self.attempts_locked():
            read: set[bytes] = set()
            for line in self._read_each(damaged):
                read.add(_mark(_written(line)))
                yield line
            if read != self._listed_marks():
                self._rebuild()

    def attempts_seen(self) -> Counted:
        """Every attempt by looking alone: nothing is locked or written.

        Raises:
            StorageError: the directories cannot be read.
        """
        damaged: list[str] = []
        return Counted(tuple(self._read_each(damaged.append)), tuple(damaged))

    def attempts_locked(self) -> AbstractContextManager[None]:
        """Own the attempts of this paper for a moment; waits for whoever has them."""
        return locked(self._lock("attempts"), f"attempts of {self.paper_id}", wait=True)

    def _list(self, claim_id: str, spec_hash: str, number: int) -> None:
        """Add the line of an attempt that was just kept; the caller holds the lock."""
        if is_torn(self._index):
            self._rebuild()
            return
        with suppress(SchemaError):  # whoever counts next tells it
            append_line(self._index, self._line(claim_id, spec_hash, number).model_dump_json())

    @property
    def _index(self) -> Path:
        return self.root / "04-run" / "index.jsonl"

    def _lines_where(self, wanted: Callable[[bytes, bytes], bool]) -> tuple[AttemptLine, ...]:
        """The lines of the list whose batch and slot are wanted, after the list was made anew where it disagrees."""
        with self.attempts_locked():
            chosen = self._chosen(wanted)
            if chosen is None:
                self._rebuild()
                chosen = [line for line in each_line(self._index) if wanted(*_origin(line))]
        return tuple(sorted(map(AttemptLine.from_json, chosen), key=_place))

    def _chosen(self, wanted: Callable[[bytes, bytes], bool]) -> list[bytes] | None:
        """The lines as they stand; None where one is torn, or they are not those of the directories."""
        places: set[tuple[str, str, int]] = set()
        chosen: list[bytes] = []
        for line in each_line(self._index):
            head = _HEAD.fullmatch(line)
            if head is None:
                return None
            claim, version, number, batch, slot = head.groups()
            places.add((claim.decode(), version.decode(), int(number)))
            if wanted(batch, slot):
                chosen.append(line)
        return chosen if places == set(self._standing()) else None

    def _listed_marks(self) -> set[bytes] | None:
        """Marks of the lines as they stand; None where one stands twice."""
        marks = [_mark(line) for line in each_line(self._index)]
        return set(marks) if len(set(marks)) == len(marks) else None

    def _standing(self) -> Iterator[tuple[str, str, int]]:
        """Claim, version and number of every whole attempt."""
        top = self.root / "04-run"
        for claim in names(top):
            if claim != LOST and (top / claim).is_dir():
                for version in names(top / claim):
                    for number in names(top / claim / version):
                        if number.isdigit():
                            yield claim, version, int(number)

    def _read_each(self, damaged: Callable[[str], None]) -> Iterator[AttemptLine]:
        for place in sorted(self._standing()):
            try:
                yield self._line(*place)
            except SchemaError as error:
                damaged(str(error))

    def _rebuild(self) -> None:
        """Make the list anew from the directories; the caller holds the lock."""
        lines = map(_written, self._read_each(lambda _line: None))
        first = next(lines, None)
        if first is not None or self._index.exists():
            write_lines(self._index, () if first is None else chain((first,), lines))

    def _line(self, claim_id: str, spec_hash: str, number: int) -> AttemptLine:
        """The line of one attempt.

        Raises:
            SchemaError: what it left is missing or damaged, or is another attempt's.
        """
        directory = self._inside("04-run", claim_id, spec_hash, f"{number:03d}")
        place, told = directory / "result.json", read_file(directory / _ORIGIN)
        data = read_file(place)
        if data is None:
            raise SchemaError(f"{place} is missing; {DAMAGED}")
        result = read_json(Result, data, str(place), advice=DAMAGED, sealed=True)
        if (result.claim_id, result.spec_hash, result.attempt) != (claim_id, spec_hash, number):
            whose = f"attempt {result.attempt} at {result.claim_id} {result.spec_hash}"
            raise SchemaError(f"{place} is of {whose}; {DAMAGED}")
        file = str(directory / _ORIGIN)
        origin = None if told is None else read_json(Origin, told, file, advice=DAMAGED, sealed=True)
        return _line_of(result, origin)


def _written(line: AttemptLine) -> bytes:
    return f"{line.model_dump_json()}\n".encode()


def _origin(line: bytes) -> tuple[bytes, bytes]:
    """Batch and slot of a line that was just written."""
    head = _HEAD.fullmatch(line)
    return (b"null", b"null") if head is None else (head[4], head[5])


def _mark(line: bytes) -> bytes:
    """What tells one line from any other, in sixteen bytes."""
    return blake2b(line, digest_size=16).digest()


def _place(line: AttemptLine) -> tuple[str, str, int]:
    return line.claim_id, line.spec_hash, line.attempt


def _line_of(result: Result, origin: Origin | None) -> AttemptLine:
    usage = result.agent.usage
    return AttemptLine(
        schema_version=1,
        task_id=result.task_id,
        claim_id=result.claim_id,
        spec_hash=result.spec_hash,
        attempt=result.attempt,
        batch_id=None if origin is None else origin.batch_id,
        slot=None if origin is None else origin.slot,
        tried=None if origin is None else origin.tried,
        begun=None if origin is None else origin.begun,
        agent=result.agent.agent,
        outcome=result.agent.outcome,
        reward=result.reward,
        reward_valid=result.reward_valid,
        failure_kind=result.failure_kind,
        verdict=result.verdict,
        sandbox=result.sandbox,
        agent_s=result.timings.agent_s,
        verify_s=result.timings.verify_s,
        total_s=result.timings.total_s,
        tokens=None if usage is None else usage.prompt_tokens + usage.completion_tokens,
        dollars=None if usage is None else usage.dollars,
    )
