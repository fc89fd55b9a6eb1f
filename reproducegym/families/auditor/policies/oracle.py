"""Who knows all answers: names every defect in its place, and undoes it."""

from difflib import unified_diff

from reproducegym.families.auditor.nouns import Feedback, Finding
from reproducegym.families.auditor.policies.policy import audit_text, triage_text
from reproducegym.planting.edit import Texts, applied, lines_of
from reproducegym.planting.operator import Planted
from reproducegym.planting.plant import Damaged

__all__ = ["Oracle", "diff_between"]


class Oracle:
    """The oracle of one damaged project."""

    def __init__(self, damaged: Damaged) -> None:
        """Take the project with its truth."""
        self._damaged = damaged

    def triage(self) -> str:
        """Exactly the files and categories that are wrong."""
        planted = self._damaged.planted
        return triage_text(sorted({one.file for one in planted}), sorted({str(one.category) for one in planted}))

    def audit(self, told: Feedback | None = None) -> str:
        """Each defect with the inverse of what planted it."""
        findings = [self._finding(one) for one in self._damaged.planted]
        return audit_text(findings, 0.0 if findings else 1.0)

    def _finding(self, one: Planted) -> Finding:
        files = self._damaged.files
        return Finding(
            violation_type=one.rule,
            file_name=one.file,
            line_number=one.first_line,
            suggested_fix_code=diff_between(files, applied(files, one.fix)),
        )


def diff_between(before: Texts, after: Texts) -> str:
    """A unified diff of all files that differ."""
    diffs = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            source = f"a/{name}" if name in before else "/dev/null"
            diffs += [
                line if line.endswith("\n") else f"{line}\n"
                for line in unified_diff(lines_of(old), lines_of(new), source, f"b/{name}", n=2)
            ]
    return "".join(diffs)
