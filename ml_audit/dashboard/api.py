"""The dashboard for programs: JSON in the names of `ml-audit --json`."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from ml_audit.comparison import Comparison, compare
from ml_audit.dashboard.auditing import Auditor
from ml_audit.dashboard.doors import Door
from ml_audit.dashboard.faults import MisuseError
from ml_audit.dashboard.kept import Audited, Known, Summary
from ml_audit.frozen import Frozen
from ml_audit.outputs import badge

__all__ = ["MOST_COMPARED", "Number", "api_routes"]

MOST_COMPARED = 12
"""Repositories side by side."""


Number = Annotated[int, Field(ge=1, le=2**62)]
"""The id of an audit."""


class Order(BaseModel):
    """What to audit."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    repository: str = Field(min_length=1, max_length=500)


class Repositories(Frozen):
    """All repositories, that of the latest audit first."""

    repositories: tuple[Known, ...]


class Audits(Frozen):
    """Audits without their reports, latest first."""

    audits: tuple[Summary, ...]


def api_routes(auditor: Auditor, door: Door) -> APIRouter:
    """The routes below `/api`, and the badges."""
    routes = APIRouter()
    history = auditor.history

    @routes.get("/api/repositories")
    def repositories() -> Repositories:
        return Repositories(repositories=history.repositories())

    @routes.get("/api/audits")
    def audits(repository: str | None = None, limit: Annotated[int, Query(ge=1, le=1_000)] = 200) -> Audits:
        return Audits(audits=history.audits(repository, limit))

    @routes.post("/api/audits", status_code=201)
    def order(order: Order, authorization: Annotated[str, Header()] = "") -> Audited:
        door.admit(authorization.removeprefix("Bearer ").strip())
        return auditor.audit(order.repository)

    @routes.get("/api/audits/{number}")
    def one(number: Number) -> Audited:
        return history.audit(number)

    @routes.get("/api/compare")
    def side_by_side(repository: Annotated[list[str], Query()]) -> Comparison:
        if not 2 <= len(set(repository)) <= MOST_COMPARED:
            raise MisuseError(f"compare 2 to {MOST_COMPARED} repositories: ?repository=KEY&repository=KEY")
        return compare([history.latest(key).report for key in dict.fromkeys(repository)])

    @routes.get("/badge/{key:path}.svg")
    def picture(key: str) -> Response:
        report = history.latest(key).report
        return Response(badge(report), media_type="image/svg+xml")

    return routes
