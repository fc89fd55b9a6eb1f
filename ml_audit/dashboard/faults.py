"""What a dashboard refuses or cannot do: a kind and a status for each, and an exit code where it cannot start."""

import re
from collections.abc import Mapping
from typing import ClassVar

from ml_audit.repository import SourceError

__all__ = [
    "BusyError",
    "DashboardError",
    "ForbiddenRequestError",
    "HistoryError",
    "MisuseError",
    "PlaceTakenError",
    "TokenNeededError",
    "UnknownAuditError",
    "kind_of",
    "status_of",
]


class DashboardError(Exception):
    """The message says what, where and what to do, in one line."""

    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 2


class MisuseError(DashboardError):
    """A request, or a flag, that makes no sense."""

    status = 422


class ForbiddenRequestError(DashboardError):
    """A request from the page of another site, or for a name that is not ours."""

    status = 403


class TokenNeededError(DashboardError):
    """Audits need the dashboard's token here, and this is not it."""

    status = 401


class UnknownAuditError(DashboardError):
    """Nothing of that name is in the history."""

    status = 404


class BusyError(DashboardError):
    """Too many audits wait already."""

    status = 503


class HistoryError(DashboardError):
    """The history cannot be read or written: damaged, locked, of another program, on a full disk."""

    status = 503
    exit_code = 14


class PlaceTakenError(DashboardError):
    """Nobody can be served at this host and port."""

    exit_code = 15


_STATUSES: Mapping[int, int] = {2: 422, 3: 404, 5: 404, 8: 503, 10: 422, 11: 451}
"""By the exit code of a source's fault; all others are faults of the server that we asked (502)."""


def status_of(fault: DashboardError | SourceError) -> int:
    """The HTTP status of a fault."""
    return fault.status if isinstance(fault, DashboardError) else _STATUSES.get(fault.exit_code, 502)


def kind_of(fault: DashboardError | SourceError) -> str:
    """Its stable word, such as `rate_limit` or `history`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(fault).__name__.removesuffix("Error")).lower()
