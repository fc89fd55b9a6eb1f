"""Looks for an audit's answers in what its agent sees: places beside rules, and digests over hidden values."""

import re

from reproducegym.ports import Files
from reproducegym.schema.audit import Audit
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import LeakFinding

__all__ = ["scan_audit"]

_CONTEXT = 60


def scan_audit(files: Files, spec: ClaimSpec, audit: Audit) -> tuple[LeakFinding, ...]:
    """Every line that names a rule which is broken together with the file or line where it is, and every digest.

    Names of files count too. What cannot be read as text is a finding, since nothing can be said about it.
    """
    found: list[LeakFinding] = []
    for name in sorted(files):
        try:
            text = files[name].decode()
        except UnicodeDecodeError:
            found.append(LeakFinding(file=name, spelling="", context="not text", blocking=True))
            continue
        for line in (name, *text.splitlines()):
            for spelling in _told(line, spec, audit):
                found.append(LeakFinding(file=name, spelling=spelling, context=line[:_CONTEXT], blocking=True))
    return tuple(dict.fromkeys(found))


def _told(line: str, spec: ClaimSpec, audit: Audit) -> list[str]:
    told = [digest for digest in (spec.spec_hash, spec.contract_hash) if digest in line]
    for defect in audit.defects:
        if defect.rule in line:
            places = [one.file for one in defect.places if one.file != "."]
            numbers = [rf"\b{one.first_line}\b" for one in defect.places if one.first_line]
            if any(file in line for file in places) or any(re.search(number, line) for number in numbers):
                told.append(defect.rule)
    return told
