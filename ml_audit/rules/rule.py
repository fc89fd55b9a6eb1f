"""What a rule is, what it reads and what it finds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ml_audit.code.project import Project
from ml_audit.frozen import Frozen
from ml_audit.rules.card import DIMENSIONS, Card, Dimension, Severity, card, examples
from ml_audit.rules.versions import Versions
from ml_audit.signals import Seeding, Signal, answers

__all__ = ["DIMENSIONS", "Check", "Dimension", "Edit", "Finding", "Hit", "Rule", "Severity", "Subject", "family"]

Confidence = Literal["high", "medium", "low"]


class Edit(Frozen):
    """A safe change of one line: the line as it is, and what it becomes."""

    file: str
    line: int
    before: str
    after: str


class Finding(Frozen):
    """One finding: which rule, where, what is wrong, what to do, and what it costs.

    `code` is the cited line, trimmed. `points` is what this finding costs of the ten; `lowers` names the answers (or
    the rule itself) that are worth less because of it. What an answer loses is shared by all findings that lower it.
    """

    rule: str
    severity: Severity
    file: str
    line: int | None
    message: str
    fix: str
    confidence: Confidence
    code: str = ""
    points: float = 0.0
    lowers: tuple[str, ...] = ()
    edit: Edit | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """What a check found: a place and a message; line 0 means the file or repository as a whole.

    `lowers` names answers that this hit lowers in place of the rule's own.
    """

    file: str
    line: int
    message: str
    confidence: Confidence = "high"
    edit: Edit | None = None
    lowers: tuple[str, ...] = ()


class Subject:
    """What checks read: the project, its seeding, the signals and the declared versions."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.seeding = Seeding(project)

    @cached_property
    def signals(self) -> dict[str, Signal]:
        """All 37 answers."""
        return answers(self.project, self.seeding)

    @cached_property
    def versions(self) -> Versions:
        """Versions of libraries as the environment files declare them."""
        return Versions(self.project.environments)

    def plain_line(self, path: str, line: int) -> str:
        """A line of a Python file as it stands; empty in notebooks, where no line can be edited safely."""
        module = self.project.modules.get(path)
        lines = module.text.splitlines() if module is not None and module.raw_lines is None else []
        return lines[line - 1] if 0 < line <= len(lines) else ""


Check = Callable[[Subject], Iterable[Hit]]


@dataclass(frozen=True)
class Rule:
    """A rule: its id, its family, what it says about itself, and its check."""

    id: str
    family: str
    card: Card
    check: Check

    @property
    def severity(self) -> Severity:
        """How bad a finding is."""
        return self.card.severity

    @property
    def dimension(self) -> Dimension:
        """The part of the score that a finding lowers."""
        return self.card.dimension

    @property
    def title(self) -> str:
        """What to do, in a few words."""
        return self.card.title

    @property
    def why(self) -> str:
        """Why it matters."""
        return self.card.why

    @property
    def fix(self) -> str:
        """What to write instead."""
        return self.card.fix

    @property
    def weight(self) -> float:
        """What it weighs in the score, if no answer speaks for it."""
        return self.card.weight

    @property
    def signal(self) -> str:
        """The answer that findings lower, if any."""
        return self.card.signal

    @property
    def versions(self) -> str:
        """For which versions of libraries it holds, in words."""
        return self.card.versions

    @property
    def bad(self) -> dict[str, str]:
        """A small repository (path → text) in which the rule finds something."""
        return examples(self.id)["bad"]

    @property
    def good(self) -> dict[str, str]:
        """A small repository (path → text) in which the rule finds nothing."""
        return examples(self.id)["good"]

    def applies(self, signals: Mapping[str, Signal]) -> bool:
        """Whether the repository has what the rule is about."""
        about = self.card.about
        return not about or signals[about].value not in ("no", "na", "0")


class family:  # noqa: N801  # read as a word: `seeds = family("seeds")`
    """A group of rules that is filled by decorating their checks with their ids."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rules: list[Rule] = []

    def __call__(self, id: str) -> Callable[[Check], Check]:
        """Make a rule of the check that follows and the card of that id."""

        def keep(check: Check) -> Check:
            self.rules.append(Rule(id, self.name, card(id), check))
            return check

        return keep
