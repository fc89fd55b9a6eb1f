"""What a policy is, and how its actions become the text that an episode reads."""

from collections.abc import Callable, Iterable
from typing import Protocol

from reproducegym.families.auditor.nouns import Audit, Case, Feedback, Finding, Triage

__all__ = ["Maker", "Policy", "audit_text", "triage_text"]


class Policy(Protocol):
    """Plays one episode."""

    def triage(self) -> str:
        """The first action, as JSON."""
        ...

    def audit(self, told: Feedback) -> str:
        """The second action, as JSON."""
        ...


Maker = Callable[[Case], Policy]
"""Makes a policy for one episode; all but those that know the answers look at its files and seed alone."""


def triage_text(files: Iterable[str], categories: Iterable[str]) -> str:
    """A triage as JSON."""
    return Triage(suspicious_files=tuple(files), suspected_categories=tuple(categories)).to_json()


def audit_text(findings: Iterable[Finding], score: float = 0.0) -> str:
    """An audit as JSON."""
    return Audit(violations=tuple(findings), reproducibility_score=score).to_json()
