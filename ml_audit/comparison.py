"""Several reports side by side. Pure."""

from collections import Counter
from collections.abc import Iterable, Sequence

from ml_audit.frozen import Frozen
from ml_audit.report import SCHEMA_VERSION, Breakdown, Insight, Interval, Report
from ml_audit.scoring import Risk

__all__ = ["Compared", "Comparison", "Found", "compare"]


class Found(Frozen):
    """How many findings there are, by severity."""

    error: int
    warning: int
    info: int


class Compared(Frozen):
    """One repository of a comparison; `first` is what would win it most."""

    repository: str
    score: float
    score_interval: Interval
    risk: Risk
    badge: str
    score_breakdown: Breakdown
    found: Found
    first: Insight | None


class Comparison(Frozen):
    """Repositories by score, best first, and the answers in which they differ, one value for each of them."""

    schema_version: str = SCHEMA_VERSION
    repositories: tuple[Compared, ...]
    differing: dict[str, tuple[str, ...]]


def compare(reports: Iterable[Report]) -> Comparison:
    """Compare reports; repositories of one name get numbers."""
    ranked = sorted(reports, key=lambda r: -r.score)
    asked = list(dict.fromkeys(name for report in ranked for name in report.signals))
    values = {n: tuple(r.signals[n].value if n in r.signals else "unknown" for r in ranked) for n in asked}
    return Comparison(
        repositories=tuple(_compared(n, r) for n, r in zip(_names(ranked), ranked, strict=True)),
        differing={name: told for name, told in values.items() if len(set(told)) > 1},
    )


def _names(reports: Sequence[Report]) -> list[str]:
    seen: Counter[str] = Counter()
    names = []
    for report in reports:
        seen[report.repository] += 1
        number = seen[report.repository]
        names.append(report.repository if number == 1 else f"{report.repository} ({number})")
    return names


def _compared(name: str, report: Report) -> Compared:
    count = Counter(f.severity for f in report.findings)
    return Compared(
        repository=name,
        score=report.score,
        score_interval=report.score_interval,
        risk=report.risk,
        badge=report.badge,
        score_breakdown=report.score_breakdown,
        found=Found(error=count["error"], warning=count["warning"], info=count["info"]),
        first=report.improvements[0] if report.improvements else None,
    )
