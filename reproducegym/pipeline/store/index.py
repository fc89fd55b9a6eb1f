"""`04-run/index.jsonl`: one line for each whole attempt, appended as it is kept, and made anew where it disagrees."""

from contextlib import AbstractContextManager
from pathlib import Path

from pydantic import ValidationError

from reproducegym.errors import SchemaError
from reproducegym.pipeline.files import append_line, locked, names, read_file, write_file
from reproducegym.pipeline.store.folder import PaperFolder
from reproducegym.schema.batch import AttemptLine, Origin
from reproducegym.schema.reading import read_json
from reproducegym.schema.run import Result

__all__ = ["LOST", "AttemptIndex"]

LOST = "lost"
"""The directory beside the claims that keeps what attempts of killed runs had said."""

_ORIGIN = "origin.json"


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

    def attempts_seen(self) -> tuple[AttemptLine, ...]:
        """The same by looking alone: nothing is locked or written.

        Raises:
            StorageError: the directories cannot be read.
        """
        lines, standing = self._listed(), self._standing()
        if lines is None or {_place(line) for line in lines} != set(standing):
            lines = [line for place in standing if (line := self._line(*place)) is not None]
        return tuple(sorted(lines, key=_place))

    def attempts_locked(self) -> AbstractContextManager[None]:
        """Own the attempts of this paper for a moment; waits for whoever has them."""
        return locked(self._lock("attempts"), f"attempts of {self.paper_id}", wait=True)

    def _list(self, claim_id: str, spec_hash: str, number: int) -> None:
        """Add the line of an attempt that was just kept; the caller holds the lock."""
        data = read_file(self._index)
        if data is not None and not data.endswith(b"\n"):
            self._rebuilt()
        elif (line := self._line(claim_id, spec_hash, number)) is not None:
            append_line(self._index, line.model_dump_json())

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
        lines = [line for place in sorted(self._standing()) if (line := self._line(*place)) is not None]
        if lines or self._index.exists():
            write_file(self._index, "".join(f"{line.model_dump_json()}\n" for line in lines).encode())
        return lines

    def _line(self, claim_id: str, spec_hash: str, number: int) -> AttemptLine | None:
        """The line of one attempt; None where its result cannot be read: it counts for nobody."""
        directory = self._inside("04-run", claim_id, spec_hash, f"{number:03d}")
        data, told = read_file(directory / "result.json"), read_file(directory / _ORIGIN)
        if data is None:
            return None
        try:
            result = read_json(Result, data, str(directory / "result.json"))
            origin = None if told is None else read_json(Origin, told, str(directory / _ORIGIN))
        except SchemaError:
            return None
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
