"""The findings as SARIF 2.1.0, the format of code-scanning services."""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import quote

from pydantic import JsonValue

from ml_audit.outputs.visible import visible
from ml_audit.report import Report
from ml_audit.rules.catalogue import BY_ID, RULES
from ml_audit.rules.rule import Edit, Finding, Rule

__all__ = ["sarif"]

Node = dict[str, JsonValue]

_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_INDEX = {rule.id: number for number, rule in enumerate(RULES)}
_ROOT = "%SRCROOT%"
FINGERPRINT = "mlAudit/v1"
"""Rule, file and code line, and how many of them came before; not the line's number."""


def sarif(reports: Iterable[Report]) -> Node:
    """A log with one run for each report. Places are relative to the root of the repository."""
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [_run(report) for report in reports],
    }


def _run(report: Report) -> Node:
    found, silent = report.findings, report.suppressed
    prints = _fingerprints((*found, *silent))
    results: list[JsonValue] = [_result(f, p, suppressed=False) for f, p in zip(found, prints, strict=False)]
    results += [_result(f, p, suppressed=True) for f, p in zip(silent, prints[len(found) :], strict=True)]
    told: Node = {
        "tool": {"driver": {"name": "ml-audit", "rules": [_rule(rule) for rule in RULES]}},
        "automationDetails": {"id": f"ml-audit/{visible(report.repository)}/"},
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The root of the repository."}}},
        "columnKind": "unicodeCodePoints",
        "results": results,
        "properties": {"score": report.score, "risk": report.risk, "badge": report.badge, "commit": report.commit},
    }
    if report.url is not None and report.commit is not None:
        told["versionControlProvenance"] = [
            {"repositoryUri": report.url, "revisionId": report.commit, "mappedTo": {"uriBaseId": _ROOT}}
        ]
    return told


def _rule(rule: Rule) -> Node:
    told = f"{rule.why}\n\nDo: {rule.fix}" + (f"\n\nVersions: {rule.versions}" if rule.versions else "")
    shown = "".join(
        f"\n\n{word}:\n\n" + "\n\n".join(_fenced(path, text) for path, text in example.items())
        for word, example in (("Bad", rule.bad), ("Good", rule.good))
    )
    return {
        "id": rule.id,
        "name": "".join(word.capitalize() for word in rule.id.split("-")),
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": told, "markdown": told.replace("Do:", "**Do:**", 1) + shown},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
        "properties": {"tags": list(dict.fromkeys(("reproducibility", rule.family, rule.dimension)))},
    }


def _fenced(path: str, text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return f"`{path}`\n\n{fence}\n{text.rstrip()}\n{fence}"


def _result(finding: Finding, fingerprint: str, *, suppressed: bool) -> Node:
    told: Node = {
        "ruleId": finding.rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": f"{visible(finding.message)}. Do: {visible(finding.fix)}"},
        "locations": [{"physicalLocation": _place(finding)}],
        "partialFingerprints": {FINGERPRINT: fingerprint},
        "properties": {"points": finding.points, "confidence": finding.confidence},
    }
    if finding.rule in BY_ID:
        told["ruleIndex"] = _INDEX[finding.rule]
    if finding.edit is not None:
        told["fixes"] = [_fix(finding.edit, finding.fix)]
    if suppressed:
        told["suppressions"] = [{"kind": "inSource"}]
    return told


def _artifact(path: str) -> Node:
    return {"uri": quote(os.fsencode(path)), "uriBaseId": _ROOT}


def _place(finding: Finding) -> Node:
    place: Node = {"artifactLocation": _artifact(finding.file)}
    if finding.line:
        region: Node = {"startLine": finding.line}
        if finding.code and not finding.file.endswith(".ipynb"):  # there it is not as in the file
            region["snippet"] = {"text": finding.code}
        place["region"] = region
    return place


def _fix(edit: Edit, what: str) -> Node:
    """A change of one whole line, its ending left as it is."""
    region: Node = {"startLine": edit.line, "startColumn": 1, "endColumn": len(edit.before) + 1}
    replacement: Node = {"deletedRegion": region, "insertedContent": {"text": edit.after}}
    change: Node = {"artifactLocation": _artifact(edit.file), "replacements": [replacement]}
    return {"description": {"text": visible(what)}, "artifactChanges": [change]}


def _fingerprints(findings: Sequence[Finding]) -> list[str]:
    """One for each finding: the same as long as its line of code is, wherever it moves to in its file."""
    seen: Counter[tuple[str, str, str]] = Counter()
    prints = [""] * len(findings)
    for at in sorted(range(len(findings)), key=lambda n: (findings[n].file, findings[n].line or 0)):
        finding = findings[at]
        key = (finding.rule, finding.file, " ".join(finding.code.split()))
        text = "\0".join((*key, str(seen[key])))
        seen[key] += 1
        prints[at] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return prints
