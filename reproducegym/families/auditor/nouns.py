"""What is said in an episode: the agent's triage and audit, and what it is told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol, get_args

from pydantic import Field

from reproducegym.schema.base import Frozen

__all__ = [
    "CATEGORIES",
    "LEVELS",
    "MAX_ACTION_BYTES",
    "MAX_FINDINGS",
    "NO_TRIAGE",
    "Answers",
    "Audit",
    "Case",
    "Category",
    "Claim",
    "Feedback",
    "Finding",
    "Level",
    "Malformed",
    "Scored",
    "Told",
    "Triage",
]

Category = Literal[
    "random_seeds",
    "dependency_pinning",
    "determinism_flags",
    "environment_config",
    "dataloader_reproducibility",
    "model_initialization",
    "configuration_management",
    "multiprocessing",
    "rng_initialization",
]
CATEGORIES: tuple[Category, ...] = get_args(Category)

Level = Literal["easy", "medium", "hard"]
LEVELS: tuple[Level, ...] = get_args(Level)

MAX_ACTION_BYTES = 262_144
MAX_FINDINGS = 200

Name = Annotated[str, Field(max_length=512)]
Words = Annotated[str, Field(max_length=65_536)]


class Triage(Frozen):
    """The first action: what looks suspicious, before anything is placed."""

    suspicious_files: Annotated[tuple[Name, ...], Field(max_length=MAX_FINDINGS)]
    suspected_categories: Annotated[tuple[Name, ...], Field(max_length=MAX_FINDINGS)]
    reasoning: Words = ""


class Finding(Frozen):
    """One violation as reported: what it is, where (lines count from 1), and code that would fix it."""

    violation_type: Name
    file_name: Name
    line_number: Annotated[int, Field(ge=0, le=10_000_000)] = 0
    suggested_fix_code: Words = ""


class Audit(Frozen):
    """The second action: all violations, and how reproducible the code is (1: fully)."""

    violations: Annotated[tuple[Finding, ...], Field(max_length=MAX_FINDINGS)]
    reproducibility_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
    explanation: Words = ""


NO_TRIAGE = Triage(suspicious_files=(), suspected_categories=())
"""What stands for a triage that could not be read."""


@dataclass(frozen=True)
class Malformed:
    """An action that could not be read, and in one line why."""

    reason: str


@dataclass(frozen=True)
class Claim:
    """One claim of a triage with its answer."""

    kind: Literal["file", "category"]
    name: str
    confirmed: bool


@dataclass(frozen=True)
class Feedback:
    """What the agent is told after its triage; `reason` says why one could not be read."""

    claims: tuple[Claim, ...] = ()
    reason: str | None = None

    def text(self) -> str:
        """The lines that follow the files in the second observation."""
        lines = [f"{'confirmed' if one.confirmed else 'rejected'}: {one.kind} {one.name}" for one in self.claims]
        if self.reason is not None:
            lines.append(f"your triage could not be read: {self.reason}")
        return "=== feedback ===\n" + "".join(f"{line}\n" for line in lines or ["no claim was checked"])


@dataclass(frozen=True)
class Told:
    """The answer to a triage: its reward in [0, 1], and feedback."""

    reward: float
    feedback: Feedback


@dataclass(frozen=True)
class Scored:
    """The answer to an audit: its reward in [0, 1], the parts that it is made of by name, and notes for people."""

    reward: float
    parts: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answers:
    """What earns everything in an episode."""

    triage: Triage
    audit: Audit


class Case(Protocol):
    """One drawn episode with its hidden truth; knows how to judge what is said about it."""

    @property
    def level(self) -> Level:
        """How hard it is."""
        ...

    @property
    def seed(self) -> int:
        """From what it was drawn."""
        ...

    @property
    def files(self) -> Mapping[str, str]:
        """What the agent sees: file name → text."""
        ...

    def triage(self, said: Triage) -> Told:
        """Judge the first action."""
        ...

    def audit(self, claimed: Triage, told: Feedback, said: Audit) -> Scored:
        """Judge the second action, given the first one and what the agent was told."""
        ...

    def answers(self) -> Answers:
        """Both actions of someone who knows the truth."""
        ...
