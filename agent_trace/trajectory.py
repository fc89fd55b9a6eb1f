"""A run as a tree of conversations: turns, branches, and what made each of them."""

from dataclasses import dataclass
from typing import Literal

from agent_trace.conversation import Message, Sampled, Tool
from agent_trace.record import Record

__all__ = ["Branch", "Kind", "Trajectory", "Turn"]

Kind = Literal["root", "fork", "edit", "compaction", "subagent", "separate"]
"""How a branch came about.

| kind | its prompt |
| --- | --- |
| `root` | is the first of the run |
| `fork` | begins as another does, and goes on differently: a turn sampled again, or taken back |
| `edit` | says again what was said before, with something in it changed |
| `compaction` | has a summary, or only the last part, in place of what was said before |
| `subagent` | is what a tool call of another branch handed over |
| `separate` | has to do with no other branch |
"""


@dataclass(frozen=True)
class Turn:
    """One message at its place. `records` are the completions that made it; none where it stands in prompts only."""

    message: Message
    records: tuple[str, ...]

    @property
    def generated(self) -> bool:
        """Whether a model said it in this run, at this place."""
        return bool(self.records)


@dataclass(frozen=True)
class Branch:
    """One conversation from its first message to its last.

    The first `shared` turns are those of `parent` and count as the parent's. `call_id` is the call of the parent that
    a subagent came from. `records` are the completions of its own turns, in order.
    """

    id: str
    kind: Kind
    parent: str | None
    shared: int
    call_id: str | None
    turns: tuple[Turn, ...]
    tools: tuple[Tool, ...]
    records: tuple[str, ...]

    @property
    def own(self) -> tuple[Turn, ...]:
        """The turns that are not the parent's."""
        return self.turns[self.shared :]


@dataclass(frozen=True)
class Trajectory:
    """All branches in the order in which they began.

    `without` are the records in which nothing was completed; `sampled` has the tokens of each of the others.
    """

    branches: tuple[Branch, ...]
    records: dict[str, Record]
    without: tuple[str, ...]
    sampled: dict[str, Sampled]

    def main(self) -> tuple[Branch, ...]:
        """The root and what goes on from it through compactions and edits: the run's own line."""
        line: dict[str, Branch] = {}
        for branch in self.branches:
            if not line or (branch.kind in ("compaction", "edit") and branch.parent in line):
                line[branch.id] = branch
        return tuple(line.values())
