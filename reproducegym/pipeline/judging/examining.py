"""What is scored where nothing is run again: the table that an agent wrote, or what its findings are worth."""

from collections.abc import Iterable
from pathlib import Path

from reproducegym.examiner import findings
from reproducegym.pipeline.templates import fixed_text
from reproducegym.ports import Files
from reproducegym.schema.audit import Audit, Defect
from reproducegym.verifier.bundle import check_py

__all__ = ["MEASURED", "reward_files", "scored_table", "submitted"]

MEASURED = "output/metrics.csv"
_SCORES = f'check.py" --contract "$here/contract.json" --metrics "$here/../{MEASURED}"'
_EXAMINES = 'findings.py" "$here"'


def submitted(audit: Audit | None) -> str:
    """The file of the workspace that decides the reward."""
    return MEASURED if audit is None else findings.FINDINGS


def scored_table(submission: Files, audit: Audit | None) -> bytes | None:
    """The table that the verifier reads; of an audit it is made here, from the findings and what was to be found."""
    data = submission.get(submitted(audit))
    if audit is None or data is None:
        return data
    return findings.measured(data, audit.near, _told(audit.defects), _told(audit.excused))


def reward_files(contract_json: bytes, audit: Audit | None) -> dict[str, bytes]:
    """The hidden part of a task, by which its directory alone gives a reward."""
    script = fixed_text("reward.sh")
    files = {"reward/check.py": check_py(), "reward/contract.json": contract_json, "reward/reward.sh": script}
    if audit is None:
        return files
    script = script.replace(_SCORES.encode(), _EXAMINES.encode()).replace(MEASURED.encode(), findings.FINDINGS.encode())
    return {
        **files,
        "reward/audit.json": audit.to_json().encode(),
        "reward/findings.py": Path(findings.__file__).read_bytes(),
        "reward/reward.sh": script,
    }


def _told(defects: Iterable[Defect]) -> list[findings.Defect]:
    return [
        findings.Defect(one.rule, tuple(findings.Place(at.file, at.first_line, at.last_line) for at in one.places))
        for one in defects
    ]
