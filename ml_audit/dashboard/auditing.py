"""Audits for a dashboard: one at a time, few waiting, each kept in the history."""

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ml_audit.audit import audit
from ml_audit.dashboard.faults import BusyError
from ml_audit.dashboard.grounds import Grounds
from ml_audit.dashboard.history import History
from ml_audit.dashboard.kept import Audited
from ml_audit.report import Report

__all__ = ["Auditor"]

MOST_WAITING = 8
"""Audits in progress and waiting; one more is refused."""


@dataclass(frozen=True, slots=True)
class Auditor:
    """What may be audited, and where its reports go."""

    grounds: Grounds
    history: History
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _room: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(MOST_WAITING))
    _turn: threading.Lock = field(default_factory=threading.Lock)

    def audit(self, named: str) -> Audited:
        """Read a repository, audit it, keep the report.

        Raises:
            DashboardError: it may not be audited, too many wait, or the history fails.
            SourceError: it cannot be read.
        """
        place = self.grounds.place(named)
        if not self._room.acquire(blocking=False):
            raise BusyError(f"{MOST_WAITING} audits are waiting already; try again in a minute")
        try:
            with self._turn:
                report = audit(place.source.read())
        finally:
            self._room.release()
        report = _tellable(report)
        at = self.now().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return self.history.add(place.key(report), at, report)


def _tellable(report: Report) -> Report:
    """The report with what stands in file names and is no character written as its code."""
    text = json.dumps(report.model_dump(mode="json"), ensure_ascii=False)
    told = re.sub("[\ud800-\udfff]", lambda found: f"\\\\u{ord(found[0]):04x}", text)
    return report if told == text else Report.model_validate_json(told)
