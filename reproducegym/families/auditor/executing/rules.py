"""The rules of ml-audit as a measure: how often one finds something in the files of a project."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from ml_audit.audit import audit
from ml_audit.repository import Repository
from ml_audit.rules.catalogue import UNUSED

__all__ = ["all_found", "found_by"]


def found_by(rule: str, files: Mapping[str, str]) -> int:
    """How many findings of a rule there are in these files, whatever comments would silence."""
    return all_found(files)[rule]


def all_found(files: Mapping[str, str]) -> Counter[str]:
    """How many findings of each rule there are in these files. Comments that silence rules silence none here."""
    return _found(tuple(files.items()))


@lru_cache(maxsize=64)
def _found(files: tuple[tuple[str, str], ...]) -> Counter[str]:
    report = audit(Repository("", {path: text.encode() for path, text in files}))
    return Counter(one.rule for one in (*report.findings, *report.suppressed) if one.rule != UNUSED.id)
