"""The rules of ml-audit as policies: they name and place, and fix nothing, or hide what was found."""

from ml_audit.audit import findings
from ml_audit.repository import Repository
from reproducegym.families.auditor.nouns import Audit, Case, Feedback, Finding, Triage
from reproducegym.families.auditor.policies.policy import audited, triaged
from reproducegym.planting.plant import all_operators

__all__ = ["Rules", "Silencing", "TakingAway"]


_TAKEN_RIGHTLY = "requirement-not-installable"
"""A line that names what no index has: of the standard library."""


class Rules:
    """Reports what rules find that some operator breaks."""

    def __init__(self, case: Case) -> None:
        """Run the rules over the episode's files."""
        categories = {one.rule: one.category for one in all_operators()}
        found = findings(Repository("episode", {name: text.encode() for name, text in case.files.items()}))
        kept = [one for one in found if one.rule in categories]
        self._findings = tuple(
            Finding(
                violation_type=one.rule,
                file_name=one.file,
                line_number=one.line or 0,
                suggested_fix_code=self._fix(one.rule, one.file, _line(case, one.file, one.line or 0)),
            )
            for one in kept
        )
        self._categories = sorted({categories[one.rule] for one in kept})

    def triage(self) -> Triage:
        """The files and categories of what they find."""
        return triaged(sorted({one.file_name for one in self._findings}), self._categories)

    def audit(self, told: Feedback) -> Audit:
        """What they find."""
        return audited(self._findings, 0.0 if self._findings else 1.0)

    def _fix(self, rule: str, file: str, line: str) -> str:
        """The code that is handed in for a finding in a line; none."""
        return ""


class Silencing(Rules):
    """Has a comment silence each rule where it finds something."""

    def _fix(self, rule: str, file: str, line: str) -> str:
        return _replaced(file, line, f"{line}  # ml-audit: ignore[{rule}] it is meant so")


class TakingAway(Rules):
    """Takes away each line in which something is found, where no program would miss it and it would not be right."""

    def _fix(self, rule: str, file: str, line: str) -> str:
        return "" if file.endswith(".py") or rule == _TAKEN_RIGHTLY else _replaced(file, line, "")


def _line(case: Case, file: str, number: int) -> str:
    lines = case.files.get(file, "").split("\n")
    return lines[number - 1] if 0 < number <= len(lines) else ""


def _replaced(file: str, line: str, by: str) -> str:
    """The edit that puts another line in the place of one, or nothing."""
    new = f"{by}\n" if by else ""
    return f"<<<<<<< SEARCH {file}\n{line}\n=======\n{new}>>>>>>> REPLACE" if line else ""
