"""The answers of an executed episode: every defect in its place, with the inverse of what planted it as a diff."""

from difflib import unified_diff

from reproducegym.families.auditor.nouns import Answers, Audit, Finding, Triage
from reproducegym.planting.edit import Texts, applied, lines_of
from reproducegym.planting.plant import Damaged

__all__ = ["answers_of", "diff_between"]


def answers_of(damaged: Damaged) -> Answers:
    """What earns everything."""
    planted, files = damaged.planted, damaged.files
    findings = tuple(
        Finding(
            violation_type=one.rule,
            file_name=one.file,
            line_number=one.first_line,
            suggested_fix_code=diff_between(files, applied(files, one.fix)),
        )
        for one in planted
    )
    return Answers(
        Triage(
            suspicious_files=tuple(sorted({one.file for one in planted})),
            suspected_categories=tuple(sorted({one.category for one in planted})),
        ),
        Audit(violations=findings, reproducibility_score=0.0 if planted else 1.0),
    )


def diff_between(before: Texts, after: Texts) -> str:
    """A unified diff of all files that differ."""
    diffs: list[str] = []
    for name in sorted({*before, *after}):
        old, new = before.get(name, ""), after.get(name, "")
        if old != new:
            source = f"a/{name}" if name in before else "/dev/null"
            lines = unified_diff(lines_of(old), lines_of(new), source, f"b/{name}", n=2)
            diffs += [line if line.endswith("\n") else f"{line}\n" for line in lines]
    return "".join(diffs)
