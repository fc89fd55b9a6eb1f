"""The rules of ml-audit as a measure: how often one finds something in the files of a project."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from ml_audit.audit import findings
from ml_audit.repository import Repository
from reproducegym.planting.project import BaseProject

__all__ = ["found_by"]


def found_by(project: BaseProject, rule: str, files: Mapping[str, str]) -> int:
    """How many findings of a rule there are in these files."""
    return _found(project.name, tuple(files.items()))[rule]


@lru_cache(maxsize=64)
def _found(name: str, files: tuple[tuple[str, str], ...]) -> Counter[str]:
    """All findings by rule: the fixes of an episode ask for several rules of the same files."""
    repository = Repository(name, {path: text.encode() for path, text in files})
    return Counter(finding.rule for finding in findings(repository))
