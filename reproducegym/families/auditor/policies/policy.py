"""What a policy is: both actions for one episode."""

from collections.abc import Callable, Iterable
from typing import Protocol

from reproducegym.families.auditor.nouns import Audit, Case, Feedback, Finding, Triage

__all__ = ["Maker", "Policy", "audited", "triaged"]


class Policy(Protocol):
    """Plays one episode."""

    def triage(self) -> Triage:
        """The first action."""
        ...

    def audit(self, told: Feedback) -> Audit:
        """The second action, after the answers to the first."""
        ...


Maker = Callable[[Case], Policy]
"""Makes a policy for one episode; all but the oracle look at its files and its seed alone."""


def triaged(files: Iterable[str] = (), categories: Iterable[str] = ()) -> Triage:
    """A triage of these names."""
    return Triage(suspicious_files=tuple(files), suspected_categories=tuple(categories))


def audited(findings: Iterable[Finding], score: float = 0.0) -> Audit:
    """An audit of these findings."""
    return Audit(violations=tuple(findings), reproducibility_score=score)
