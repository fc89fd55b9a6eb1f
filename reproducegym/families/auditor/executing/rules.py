"""The rules of ml-audit as a measure: how often one finds something in the files of a project."""

from collections.abc import Mapping

from ml_audit.audit import findings
from ml_audit.repository import Repository
from reproducegym.planting.project import BaseProject

__all__ = ["found_by"]


def found_by(project: BaseProject, rule: str, files: Mapping[str, str]) -> int:
    """How many findings of a rule there are in these files."""
    repository = Repository(project.name, {name: text.encode() for name, text in files.items()})
    return sum(finding.rule == rule for finding in findings(repository))
