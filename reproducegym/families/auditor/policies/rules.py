"""The rules of ml-audit as a policy: they name and place, and fix nothing."""

from ml_audit.audit import findings
from ml_audit.repository import Repository
from reproducegym.families.auditor.nouns import Audit, Case, Feedback, Finding, Triage
from reproducegym.families.auditor.policies.policy import audited, triaged
from reproducegym.planting.plant import all_operators

__all__ = ["Rules"]


class Rules:
    """Reports what rules find that some operator breaks."""

    def __init__(self, case: Case) -> None:
        """Run the rules over the episode's files."""
        categories = {one.rule: one.category for one in all_operators()}
        found = findings(Repository("episode", {name: text.encode() for name, text in case.files.items()}))
        kept = [one for one in found if one.rule in categories]
        self._findings = tuple(
            Finding(violation_type=one.rule, file_name=one.file, line_number=one.line or 0) for one in kept
        )
        self._categories = sorted({categories[one.rule] for one in kept})

    def triage(self) -> Triage:
        """The files and categories of what they find."""
        return triaged(sorted({one.file_name for one in self._findings}), self._categories)

    def audit(self, told: Feedback) -> Audit:
        """What they find."""
        return audited(self._findings, 0.0 if self._findings else 1.0)
