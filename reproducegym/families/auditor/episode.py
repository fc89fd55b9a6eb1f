"""The two steps of an episode, the same for every face: triage, feedback, audit, done."""

from dataclasses import dataclass, field
from typing import Literal, Protocol

from reproducegym.families.auditor.nouns import (
    LEVELS,
    NO_TRIAGE,
    Case,
    Feedback,
    Level,
    Malformed,
    Scored,
    Triage,
)
from reproducegym.families.auditor.reading import read_audit, read_triage

__all__ = ["Drawer", "Episode", "EpisodeOverError", "Phase", "Step", "files_text", "level_of"]

Phase = Literal["triage", "audit", "done"]


class Drawer(Protocol):
    """Draws episodes: the same level and seed give the same bytes in every process. `name` is the reward's name."""

    name: str

    def draw(self, level: Level, seed: int) -> Case:
        """One episode."""
        ...


class EpisodeOverError(Exception):
    """A step after the episode is done."""


@dataclass(frozen=True)
class Step:
    """What a step gives back."""

    text: str
    phase: Phase
    reward: float
    scored: Scored | None = None
    feedback: Feedback | None = None
    reason: str | None = None

    @property
    def done(self) -> bool:
        """Whether the episode has ended."""
        return self.phase == "done"


@dataclass
class Episode:
    """One episode in progress."""

    case: Case
    phase: Phase = "triage"
    claimed: Triage = NO_TRIAGE
    feedback: Feedback = field(default_factory=Feedback)
    steps: int = 0

    @property
    def text(self) -> str:
        """What the agent sees now."""
        shown = files_text(self.case)
        return shown if self.phase == "triage" else f"{shown}\n{self.feedback.text()}"

    def step(self, action: object) -> Step:
        """Take one action as JSON text; one that cannot be read earns 0 and says why, and the episode goes on.

        Raises:
            EpisodeOverError: the episode is done.
            InfrastructureError: fixes could not be run; the episode stands where it stood.
        """
        if self.phase == "done":
            raise EpisodeOverError("the episode is done; reset begins another one")
        step = self._triage(action) if self.phase == "triage" else self._audit(action)
        self.steps += 1
        return step

    def _triage(self, action: object) -> Step:
        said, reward = read_triage(action), 0.0
        if isinstance(said, Malformed):
            self.feedback = Feedback(reason=said.reason)
        else:
            told = self.case.triage(said)
            self.claimed, self.feedback, reward = said, told.feedback, told.reward
        self.phase = "audit"
        return Step(self.text, "audit", reward, feedback=self.feedback, reason=self.feedback.reason)

    def _audit(self, action: object) -> Step:
        said = read_audit(action)
        if isinstance(said, Malformed):
            self.phase = "done"
            scored = Scored(0.0, notes=(said.reason,))
            return Step(self.text, "done", 0.0, scored, self.feedback, said.reason)
        scored = self.case.audit(self.claimed, self.feedback, said)
        self.phase = "done"
        return Step(self.text, "done", scored.reward, scored, self.feedback)


def files_text(case: Case) -> str:
    """All files of an episode, one after the other, each below its name."""
    return "\n".join(f"=== {name} ===\n{content}" for name, content in case.files.items())


def level_of(task: str) -> Level | None:
    """The level of that name."""
    return next((level for level in LEVELS if level == task), None)
