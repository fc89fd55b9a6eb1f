"""Proves an audit's contract: what is right earns all, what is lazy, loud or malformed earns nothing."""

from collections.abc import Iterator

from reproducegym.examiner.findings import FINDINGS
from reproducegym.pipeline.judging.examining import scored_table
from reproducegym.pipeline.proving.synthetic import csv_bytes
from reproducegym.schema.audit import Audit, Defect
from reproducegym.schema.base import canonical_json
from reproducegym.schema.contract import Contract
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_artifact

__all__ = ["audit_checks", "findings_csv"]

_LOUD = 40
"""So many wrong findings for each right one."""
Row = tuple[str, str, int]


def findings_csv(rows: list[Row]) -> bytes:
    """A findings file."""
    return csv_bytes([["rule", "file", "line"], *[[rule, file, str(line)] for rule, file, line in rows]])


def audit_checks(contract: Contract, audit: Audit) -> Iterator[CheckResult]:
    """The self-tests of an audit, on submissions that are made from what is to be found."""
    judge = load_contract(canonical_json(contract))
    right = [_pointed(defect) for defect in audit.defects]
    loud = [(f"wrong-{number}", "nowhere.py", number) for number in range(1, _LOUD * max(1, len(right)))]

    def earned(data: bytes) -> float:
        return score_artifact(judge, scored_table({FINDINGS: data}, audit)).reward

    reward = {
        "all_found": earned(findings_csv(right)),
        "no_file": score_artifact(judge, None).reward,
        "nothing_found": earned(findings_csv([])),
        "everything_named": earned(findings_csv([*right, *loud])),
        "named_twice": earned(findings_csv(right * 2)),
        "other_lines": earned(findings_csv([_beside(defect, audit) for defect in audit.defects])),
        "malformed": earned(b"rule,file,line\nx,y,nan\n"),
    }
    clean = not audit.defects
    wanted = {
        "all_found": (1.0, 1.0),
        "no_file": (0.0, 0.0),
        "nothing_found": (float(clean), float(clean)),
        "everything_named": (0.0, 0.0),
        "named_twice": (float(clean), float(clean)),
        "other_lines": (float(clean), 1.0 if clean else 0.5),
        "malformed": (0.0, 0.0),
    }
    for name, (low, high) in wanted.items():
        passed = low <= reward[name] <= high
        detail = "" if passed else f"earns {reward[name]}, wanted is {low} to {high}"
        yield CheckResult(name=name, passed=passed, detail=detail)


def _pointed(defect: Defect) -> Row:
    first = defect.places[0]
    return defect.rule, first.file, first.first_line


def _beside(defect: Defect, audit: Audit) -> Row:
    """The right file, and a line that is surely wrong."""
    lowest = max(place.last_line for place in defect.places) + audit.near + 1
    return defect.rule, defect.places[0].file, lowest
