"""Matches findings to planted defects one to one, by type, file and lines."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment

from reproducegym.families.auditor.nouns import Finding
from reproducegym.planting.operator import Planted

__all__ = ["NEAR", "Matched", "credit", "in_order", "matched"]

NEAR = 2
"""Lines that a finding may be off."""
_WRONG_LINE = 0.5
_WITH_CODE = 1e-6  # of two findings that are as right, the one with code is taken


@dataclass(frozen=True)
class Matched:
    """Which finding stands for which defect, by their numbers, with its credit, and how many stand for none.

    A finding of what rightly follows from a defect (`Planted.implies`) neither earns nor costs anything.
    """

    pairs: tuple[tuple[int, int, float], ...]
    false: int


def in_order(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The same findings in an order that does not depend on the one in which they were reported."""
    return tuple(sorted(findings, key=lambda one: one.model_dump_json()))


def matched(findings: Sequence[Finding], planted: Sequence[Planted]) -> Matched:
    """The assignment with the greatest credit; each finding and each defect is used once."""
    gain = np.array([[credit(one, other) for other in planted] for one in findings]).reshape(
        len(findings), len(planted)
    )
    coded = np.array([_WITH_CODE * bool(one.suggested_fix_code.strip()) for one in findings])
    rows, columns = linear_sum_assignment(gain + coded[:, None] * (gain > 0), maximize=True)
    pairs = tuple(
        (int(row), int(column), float(gain[row, column]))
        for row, column in zip(rows, columns, strict=True)
        if gain[row, column] > 0
    )
    used = {row for row, _, _ in pairs}
    rest = [one for number, one in enumerate(findings) if number not in used]
    return Matched(pairs, sum(not _follows(one, planted) for one in rest))


def credit(finding: Finding, planted: Planted) -> float:
    """1 for the right type, file and lines; half for the right type and file; else 0."""
    if _word(finding.violation_type) not in {
        _word(name) for name in (planted.rule, planted.operator, planted.category)
    }:
        return 0.0
    places = [
        (planted.file, planted.first_line, planted.last_line),
        *((one.file, one.first_line, one.last_line) for one in planted.also),
    ]
    file = finding.file_name.removeprefix("./")
    lines = [(first, last) for name, first, last in places if name == file]
    if any(first - NEAR <= finding.line_number <= max(first, last) + NEAR for first, last in lines):
        return 1.0
    return _WRONG_LINE if lines else 0.0


def _follows(finding: Finding, planted: Sequence[Planted]) -> bool:
    implied: AbstractSet[str] = {_word(rule) for one in planted for rule in one.implies}
    return _word(finding.violation_type) in implied


def _word(name: str) -> str:
    return name.strip().lower().replace("_", "-").replace(" ", "-")
