"""The report as one page of HTML that needs nothing else."""

from collections.abc import Sequence
from functools import cache

import jinja2

from ml_audit.comparison import Comparison
from ml_audit.outputs.number import tenths
from ml_audit.outputs.visible import visible
from ml_audit.report import Report
from ml_audit.scoring import BAD_IF_YES, risk_of

__all__ = ["MOST_FINDINGS", "MOST_PLACES", "page", "templates"]

MOST_FINDINGS = 1_000
"""Findings shown for one repository; the JSON report has all."""

MOST_PLACES = 8
"""Places shown for one answer."""

_GOOD = frozenset({"yes", "all"})
_BAD = frozenset({"no", "none", "absent"})
_NEUTRAL = frozenset({"training_loop", "notebooks"})


def page(reports: Sequence[Report], comparison: Comparison | None = None) -> str:
    """The reports, folded up below their comparison if there is one.

    The page has no script and its policy forbids every request. All text of a repository is escaped by the template.
    """
    shown = sorted(reports, key=lambda r: -r.score) if comparison else reports  # in the order of the comparison
    return (
        templates()
        .get_template("page.html.j2")
        .render(reports=shown, comparison=comparison, most_findings=MOST_FINDINGS, most_places=MOST_PLACES)
    )


@cache
def templates(*packages: str) -> jinja2.Environment:
    """The templates of some packages and of this one, in which every text of a repository is escaped and visible."""
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([jinja2.PackageLoader(name) for name in (*packages, "ml_audit.outputs")]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    environment.filters |= {"words": _words, "tone": _tone, "tenths": tenths, "band": _band}
    return environment


def _words(name: str) -> str:
    return name.replace("ci_cd", "CI/CD").replace("_", " ")


def _band(score: float) -> str:
    """How good a score is, as a class of the style sheet."""
    return {"LOW": "good", "MEDIUM": "mid", "HIGH": "bad"}[risk_of(score)]


def _tone(value: str, question: str) -> str:
    """Whether an answer is good, bad, in between, or neither."""
    if question.startswith("uses_") or question in _NEUTRAL:
        return ""
    if value in ("partial", "some"):
        return "mid"
    if value in _GOOD:
        return "bad" if question in BAD_IF_YES else "good"
    if value in _BAD:
        return "good" if question in BAD_IF_YES else "bad"
    return ""
