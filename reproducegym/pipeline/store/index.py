"""`04-run/index.jsonl`: one line for each whole attempt, appended as it is kept, and made anew where it disagrees."""

from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from reproducegym.errors import SchemaError
from reproducegym.pipeline.files import append_line, locked, names, read_file, write_file
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


class Counted(NamedTuple):
    """Attempts as their directories tell them, by claim, version and number, and a line on each that is damaged."""

    lines: tuple[AttemptLine, ...]
    damaged: tuple[str, ...]


class AttemptIndex(PaperFolder):
    """The list of all attempts at all tasks of a paper.

    The directories are the truth. A run that is killed between keeping an attempt and listing it, or in the middle of a
    line, leaves a list that disagrees with them; whoever reads it next makes it anew.
    """

    def attempt_lines(self) -> tuple[AttemptLine, ...]:
        """Every attempt, by claim, version and number.

        Raises:
            StorageError: the directories cannot be read, or the list cannot be written.
        """
        with self.attempts_locked():
            lines = self._listed()
            if lines is None or {_place(line) for line in lines} != set(self._standing()):
                lines = self._rebuilt()
        return tuple(sorted(lines, key=_place))

    def count_attempts(self) -> Counted:
        """Every attempt, each read; the list is made anew where it disagrees with what was read.

        Raises:
            StorageError: the directories cannot be read, or the list cannot be written.
        """
        with self.attempts_locked():
            counted, listed = self.attempts_seen(), self._listed()
            if listed is None or tuple(sorted(listed, key=_place)) != counted.lines:
                self._write(counted.lines)
        return counted

    def attempts_seen(self) -> Counted:
        """The same by looking alone: nothing is locked or written.

        Raises:
            StorageError: the directories cannot be read.
        """
        lines, damaged = [], []
        for place in sorted(self._standing()):
            try:
                lines.append(self._line(*place))
            except SchemaError as error:
                damaged.append(str(error))
        return Counted(tuple(lines), tuple(damaged))

    def attempts_locked(self) -> AbstractContextManager[None]:
        """Own the attempts of this paper for a moment; waits for whoever has them."""
        return locked(self._lock("attempts"), f"attempts of {self.paper_id}", wait=True)

    def _list(self, claim_id: str, spec_hash: str, number: int) -> None:
        """Add the line of an attempt that was just kept; the caller holds the lock."""
        data = read_file(self._index)
        if data is not None and not data.endswith(b"\n"):
            self._rebuilt()
        else:
            with suppress(SchemaError):  # whoever counts next tells it
                append_line(self._index, self._line(claim_id, spec_hash, number).model_dump_json())

    @property
    def _index(self) -> Path:
        return self.root / "04-run" / "index.jsonl"

    def _listed(self) -> list[AttemptLine] | None:
        """The lines as they stand; None where one is torn or of another version."""
        data = read_file(self._index)
        if data is None:
            return []
        if data and not data.endswith(b"\n"):
            return None
        try:
            return [AttemptLine.from_json(line) for line in data.splitlines()]
        except ValidationError:
            return None

    def _standing(self) -> list[tuple[str, str, int]]:
        """Claim, version and number of every whole attempt."""
        top = self.root / "04-run"
        return [
            (claim, version, int(number))
            for claim in names(top)
            if claim != LOST and (top / claim).is_dir()
            for version in names(top / claim)
            for number in names(top / claim / version)
            if number.isdigit()
        ]

    def _rebuilt(self) -> list[AttemptLine]:
        """Make the list anew from the directories; the caller holds the lock."""
        lines = self.attempts_seen().lines
        self._write(lines)
        return list(lines)

    def _write(self, lines: tuple[AttemptLine, ...]) -> None:
        if lines or self._index.exists():
            write_file(self._index, "".join(f"{line.model_dump_json()}\n" for line in lines).encode())

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
