"""Audits a machine-learning repository for reproducibility: files in, findings, answers and a score out.

`findings(repository)` and `audit(repository)` are pure functions; `local` reads a directory; other sources fit the
`Source` protocol. Knows nothing of papers, tasks or agents.
"""

from ml_audit.audit import audit, findings
from ml_audit.local import LocalDirectory
from ml_audit.report import Report
from ml_audit.repository import Repository, Source, SourceError
from ml_audit.rules.catalogue import RULES
from ml_audit.rules.rule import Finding, Rule

__all__ = [
    "RULES",
    "Finding",
    "LocalDirectory",
    "Report",
    "Repository",
    "Rule",
    "Source",
    "SourceError",
    "audit",
    "findings",
]
