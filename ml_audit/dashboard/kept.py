"""What a history holds, in the names of `ml-audit --json`."""

from ml_audit.frozen import Frozen
from ml_audit.report import Interval, Report
from ml_audit.scoring import Risk

__all__ = ["Audited", "Known", "Summary"]


class Summary(Frozen):
    """One audit without its report. `key` is the name by which the dashboard audits it again; `at` is in UTC."""

    id: int
    key: str
    at: str
    repository: str
    commit: str | None
    score: float
    score_interval: Interval
    risk: Risk
    badge: str
    findings: int


class Audited(Frozen):
    """One audit with its report."""

    id: int
    key: str
    at: str
    report: Report


class Known(Frozen):
    """One repository: its latest audit, and its latest scores, oldest first."""

    key: str
    audits: int
    latest: Summary
    scores: tuple[float, ...]
