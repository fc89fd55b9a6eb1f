"""Policies that read nothing: silence, everything, chance, and words in abundance."""

from dataclasses import dataclass
from random import Random

from reproducegym.families.auditor.classic.drawing import KINDS
from reproducegym.families.auditor.nouns import CATEGORIES, MAX_FINDINGS, Audit, Case, Feedback, Finding, Triage
from reproducegym.families.auditor.policies.policy import audited, triaged

__all__ = ["Everything", "NoOp", "Oracle", "RandomNames", "SpamAll", "Stuffing"]


@dataclass(frozen=True)
class NoOp:
    """Says nothing."""

    case: Case

    def triage(self) -> Triage:
        """Nothing."""
        return triaged()

    def audit(self, told: Feedback) -> Audit:
        """Nothing, and full trust."""
        return audited((), 1.0)


@dataclass(frozen=True)
class Everything:
    """Names all files and all categories, then reports each file once."""

    case: Case

    def triage(self) -> Triage:
        """Everything."""
        return triaged(self.case.files, CATEGORIES)

    def audit(self, told: Feedback) -> Audit:
        """One finding a file, of the first category."""
        return audited(Finding(violation_type=CATEGORIES[0], file_name=name, line_number=1) for name in self.case.files)


@dataclass(frozen=True)
class SpamAll:
    """Reports every category in every file, as far as findings go."""

    case: Case

    def triage(self) -> Triage:
        """Everything."""
        return triaged(self.case.files, CATEGORIES)

    def audit(self, told: Feedback) -> Audit:
        """As many findings as are read."""
        pairs = [(category, name) for category in CATEGORIES for name in self.case.files]
        return audited(
            Finding(violation_type=category, file_name=name, line_number=1) for category, name in pairs[:MAX_FINDINGS]
        )


class RandomNames:
    """Names files, categories, places and lines at random, and copies other lines over them."""

    def __init__(self, case: Case) -> None:
        """Draw from the episode's seed."""
        self._files = case.files
        self._chance = Random(f"random policy/{case.level}/{case.seed}")  # noqa: S311 - no secret

    def triage(self) -> Triage:
        """Each name with a chance of one half."""
        toss = self._chance.random
        return triaged([name for name in self._files if toss() < 0.5], [name for name in CATEGORIES if toss() < 0.5])

    def audit(self, told: Feedback) -> Audit:
        """One to five findings."""
        return audited([self._finding() for _ in range(self._chance.randint(1, 5))], self._chance.random())

    def _finding(self) -> Finding:
        name = self._chance.choice(list(self._files))
        lines = self._files[name].splitlines() or [""]
        return Finding(
            violation_type=self._chance.choice(CATEGORIES),
            file_name=name,
            line_number=self._chance.randint(1, len(lines)),
            suggested_fix_code=self._chance.choice(lines),
        )


@dataclass(frozen=True)
class Stuffing:
    """Reports one finding a category in the longest file, its code a comment with every keyword."""

    case: Case

    def triage(self) -> Triage:
        """The longest file, all categories."""
        return triaged([self._longest()], CATEGORIES)

    def audit(self, told: Feedback) -> Audit:
        """The same comment again and again."""
        words = "# " + " ".join(word for kind in KINDS for word in kind.keywords)
        name = self._longest()
        return audited(
            Finding(violation_type=category, file_name=name, line_number=1, suggested_fix_code=words)
            for category in CATEGORIES
        )

    def _longest(self) -> str:
        return max(self.case.files, key=lambda name: (len(self.case.files[name]), name))


@dataclass(frozen=True)
class Oracle:
    """Knows the answers."""

    case: Case

    def triage(self) -> Triage:
        """The right one."""
        return self.case.answers().triage

    def audit(self, told: Feedback) -> Audit:
        """The right one."""
        return self.case.answers().audit
