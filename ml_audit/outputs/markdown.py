"""The report as Markdown for a comment on a pull request or the summary of a job."""

import re
from collections.abc import Iterable

from ml_audit.comparison import Comparison
from ml_audit.outputs.number import tenths
from ml_audit.outputs.visible import visible
from ml_audit.report import Report
from ml_audit.rules.rule import Finding

__all__ = ["comparison_markdown", "markdown"]

MOST = 50
"""Findings listed for one repository: comments may be no longer than 65,536 characters."""

_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+\-!|~&$])")
_ACTIVE = re.compile(r"@|(?<=:)//|(?<=www)\.")
"""What services turn into mentions and links even in plain text."""


def markdown(reports: Iterable[Report]) -> str:
    """The reports one after another, each with its score, dimensions, findings and next steps."""
    return "\n".join(_one(report) for report in reports)


def comparison_markdown(comparison: Comparison) -> str:
    """Repositories as rows by score, and the answers in which they differ as columns of values."""
    told = comparison.repositories
    dimensions = list(told[0].score_breakdown.model_dump()) if told else []
    names = [_code(r.repository) for r in told]
    rows = [
        [
            name,
            f"**{tenths(r.score)}**",
            r.risk,
            r.badge,
            *map(tenths, r.score_breakdown.model_dump().values()),
            f"{r.found.error} / {r.found.warning} / {r.found.info}",
        ]
        for name, r in zip(names, told, strict=True)
    ]
    head = ["repository", "score", "risk", "badge", *(d.replace("_", " ") for d in dimensions)]
    parts = ["## Reproducibility of several repositories", "", _table([*head, "errors / warnings / notes"], rows), ""]
    if comparison.differing:
        answers = [[f"`{question}`", *map(_plain, values)] for question, values in comparison.differing.items()]
        parts += ["### Where they differ", "", _table(["question", *names], answers), ""]
    return "\n".join(parts)


def _one(report: Report) -> str:
    low, high = report.score_interval.low, report.score_interval.high
    between = f", between {tenths(low)} and {tenths(high)}" if low != high else ""
    at = f", at {_code(report.commit)}" if report.commit else ""
    parts = [
        f"## Reproducibility of {_code(report.repository)}: {tenths(report.score)}/10",
        "",
        f"Risk **{report.risk}**, badge **{report.badge}**{between}{at}.",
        "",
    ]
    if report.coverage.sampled:
        parts += [f"Sampled: {report.coverage.files_read} of {report.coverage.files_relevant} files read.", ""]
    if report.coverage.notes:
        parts += [*(f"- {_plain(note)}" for note in report.coverage.notes), ""]
    scores = report.score_breakdown.model_dump()
    parts += [_table([d.replace("_", " ") for d in scores], [list(map(tenths, scores.values()))]), ""]
    if report.improvements:
        parts += ["### Next", "", *(f"- {_plain(i.text)}" for i in report.improvements[:5]), ""]
    if report.findings:
        shown = [_row(f) for f in report.findings[:MOST]]
        heads = ["severity", "rule", "where", "what", "points"]
        parts += [f"### {len(report.findings)} findings", "", _table(heads, shown), ""]
        if len(report.findings) > MOST:
            parts += [f"… and {len(report.findings) - MOST} more.", ""]
    else:
        parts += ["Nothing was found.", ""]
    return "\n".join(parts)


def _row(finding: Finding) -> list[str]:
    place = f"{finding.file}:{finding.line}" if finding.line else finding.file
    where = "the repository" if place == "." else _code(place)
    what = f"{_plain(finding.message)}<br>**Do:** {_plain(finding.fix)}"
    code = f"<br>{_code(finding.code)}" if finding.code else ""
    return [finding.severity, f"`{finding.rule}`", where, what + code, f"−{finding.points:.2f}"]


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """Text that says what it says: no markup, no link, nobody mentioned."""
    return _ACTIVE.sub(lambda m: f"{m[0]}\u200b", _SPECIAL.sub(r"\\\1", visible(text)))


def _code(text: str) -> str:
    """A span of code that nothing in the text can close, in a table too."""
    shown = visible(text).strip() or " "
    if (
        "|" in shown
    ):  # ends a cell wherever it stands, unless escaped; and a backslash in a span of code escapes nothing
        return f"<code>{_plain(shown)}</code>"
    ticks = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"
