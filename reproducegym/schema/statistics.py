"""What attempts tell about a task's reward: whether it is steady, whether it tells honest work from tricks."""

from typing import Annotated, Literal

from pydantic import Field

from reproducegym.schema.base import Frozen
from reproducegym.schema.run import EvidenceLevel

__all__ = ["Group", "GroupAgents", "GroupStatistics", "RewardStatistics", "TaskStatistics"]

Group = Literal["reference", "lazy", "cheat", "other"]
Count = Annotated[int, Field(ge=0)]


class GroupStatistics(Frozen):
    """Scored attempts of one kind of agent; `sd` is None below two of them."""

    group: Group
    scored: Count
    mean: float
    sd: float | None
    least: float
    most: float


class TaskStatistics(Frozen):
    """One task. All numbers are of scored attempts; those without a reward are counted by whose fault it was.

    `spread` is how far two verifications of one and the same submission lie apart on average, and `repeated` of how
    many submissions there were several; None and 0 where nothing was verified twice. `discrimination` is the mean of
    the reference minus that of the better of lazy and cheat, None where one side is missing. `gameability` is the best
    that a cheat was paid, in attempts here or in the build's rehearsal; None where nobody cheated. `unfit` says in a
    line why the task should not be trained on, None where nothing speaks against it.
    """

    task_id: str
    paper_id: str
    claim_id: str
    spec_hash: str
    evidence_level: EvidenceLevel
    attempts: Count
    scored: Count
    infra: Count
    verifier: Count
    mean: float | None
    sd: float | None
    groups: tuple[GroupStatistics, ...]
    repeated: Count
    spread: float | None
    discrimination: float | None
    gameability: float | None
    rewards: tuple[float, ...]
    unfit: str | None
    quarantine: str | None


class GroupAgents(Frozen):
    """Which agents counted as one kind, by the words with which they were ordered."""

    group: Group
    agents: tuple[str, ...]


class RewardStatistics(Frozen):
    """The answer of `reproducegym report`, whole."""

    schema_version: Literal[1]
    agents: tuple[GroupAgents, ...]
    tasks: tuple[TaskStatistics, ...]
    damaged: tuple[str, ...]
