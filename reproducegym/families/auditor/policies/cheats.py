"""Policies whose patches make runs equal by emptying them: no randomness, or metrics that are constants."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reproducegym.families.auditor.nouns import Audit, Case, Feedback, Finding, Triage
from reproducegym.families.auditor.policies.policy import audited, triaged

__all__ = ["ConstantMetrics", "DeleteRandomness"]

_DRAW = re.compile(r"^(\s*)(\w+) = .*\b(?:random|rng|generator|shuffle|permutation|choice)\b")
_METRICS = re.compile(r"^(\s*).*\bmetrics?\b.*(?:write|dump)")
_MOST = 4


@dataclass(frozen=True)
class DeleteRandomness:
    """Puts a constant where something is drawn."""

    case: Case

    def triage(self) -> Triage:
        """Where something is drawn."""
        return triaged(sorted({one.file_name for one in self._findings()}), ["random_seeds", "rng_initialization"])

    def audit(self, told: Feedback) -> Audit:
        """A few draws, each replaced."""
        return audited(list(self._findings())[:_MOST])

    def _findings(self) -> Iterator[Finding]:
        for name, number, line in _python_lines(self.case):
            found = _DRAW.match(line)
            if found:
                yield Finding(
                    violation_type="random_seeds",
                    file_name=name,
                    line_number=number,
                    suggested_fix_code=f"{found[1]}{found[2]} = 0.5",
                )


@dataclass(frozen=True)
class ConstantMetrics:
    """Writes metrics that do not depend on the run."""

    case: Case

    def triage(self) -> Triage:
        """Where metrics are written."""
        return triaged(sorted({one.file_name for one in self._findings()}), ["determinism_flags"])

    def audit(self, told: Feedback) -> Audit:
        """Each place where metrics are written, replaced."""
        return audited(list(self._findings())[:_MOST])

    def _findings(self) -> Iterator[Finding]:
        for name, number, line in _python_lines(self.case):
            found = _METRICS.match(line)
            if found:
                yield Finding(
                    violation_type="random_seeds",
                    file_name=name,
                    line_number=number,
                    suggested_fix_code=f'{found[1]}open("out/metrics.json", "w").write("{{}}")',
                )


def _python_lines(case: Case) -> Iterator[tuple[str, int, str]]:
    for name, text in case.files.items():
        if name.endswith(".py"):
            for number, line in enumerate(text.splitlines(), 1):
                yield name, number, line
