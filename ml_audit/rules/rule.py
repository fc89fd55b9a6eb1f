"""What a rule is, what it reads and what it finds."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Literal

from ml_audit.code.project import Project
from ml_audit.frozen import Frozen
from ml_audit.rules.versions import Versions
from ml_audit.signals import Seeding, Signal, answers

__all__ = ["DIMENSIONS", "Check", "Dimension", "Edit", "Finding", "Hit", "Rule", "Severity", "Subject", "family"]

Severity = Literal["error", "warning", "info"]
Confidence = Literal["high", "medium", "low"]
Dimension = Literal[
    "environment_setup",
    "determinism",
    "documentation",
    "testing",
    "ci_cd",
    "benchmarking",
    "dataset_reproducibility",
    "configuration_driven_experiments",
]
DIMENSIONS: tuple[Dimension, ...] = (
    "environment_setup",
    "determinism",
    "documentation",
    "testing",
    "ci_cd",
    "benchmarking",
    "dataset_reproducibility",
    "configuration_driven_experiments",
)


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


Check = Callable[[Subject], Iterable[Hit]]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its documentation; `signal` names the answer that its findings lower, if any.

    `versions` says for which library versions it holds, in words. Its examples are two small repositories.
    """

    id: str
    severity: Severity
    dimension: Dimension
    title: str
    why: str
    fix: str
    check: Check
    weight: float = 0.25
    signal: str = ""
    versions: str = ""
    family: str = field(default="")
    about: str = ""
    """The answer that must not be `no`, `na` or `0` for the rule to apply; empty: it always applies."""

    @property
    def bad(self) -> dict[str, str]:
        """A small repository (path → text) in which the rule finds something."""
        return _example(self.id)["bad"]

    @property
    def good(self) -> dict[str, str]:
        """A small repository (path → text) in which the rule finds nothing."""
        return _example(self.id)["good"]

    def applies(self, signals: Mapping[str, Signal]) -> bool:
        """Whether the repository has what the rule is about."""
        return not self.about or signals[self.about].value not in ("no", "na", "0")


@cache
def _example(rule: str) -> dict[str, dict[str, str]]:
    """The files of a rule's examples, kept beside the rules in one text each."""
    text = (files("ml_audit.rules") / "examples" / f"{rule}.txt").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {"bad": {}, "good": {}}
    for part in text.split("=== ")[1:]:
        head, _, body = part.partition("\n")
        word, _, path = head.partition(" ")
        found[word][path] = body
    return found


class family:  # noqa: N801  # read as a word: `seeds = family("seeds")`
    """A group of rules that is filled by decorating their checks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rules: list[Rule] = []

    def __call__(
        self,
        id: str,
        severity: Severity,
        dimension: Dimension,
        title: str,
        *,
        why: str,
        fix: str,
        weight: float = 0.25,
        signal: str = "",
        versions: str = "",
        about: str = "",
    ) -> Callable[[Check], Check]:
        """Make a rule of the check that follows."""

        def keep(check: Check) -> Check:
            self.rules.append(
                Rule(
                    id,
                    severity,
                    dimension,
                    title,
                    why,
                    fix,
                    check,
                    weight,
                    signal,
                    versions,
                    self.name,
                    about,
                )
            )
            return check

        return keep
