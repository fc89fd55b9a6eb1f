"""The dashboard for people: pages made here, without scripts."""

from collections.abc import Callable
from itertools import pairwise
from typing import Annotated
from urllib.parse import parse_qsl, quote

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from ml_audit.comparison import compare
from ml_audit.dashboard.api import MOST_COMPARED, Number
from ml_audit.dashboard.auditing import Auditor
from ml_audit.dashboard.charts import history_chart, moment, sparkline
from ml_audit.dashboard.doors import Door
from ml_audit.dashboard.faults import UnknownAuditError
from ml_audit.outputs.page import MOST_FINDINGS, MOST_PLACES, templates

__all__ = ["page_routes", "shown"]

Page = Callable[..., HTMLResponse]


def shown(name: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page from its template."""
    environment = templates("ml_audit.dashboard")
    environment.filters |= {"moment": moment, "sparkline": sparkline, "key": lambda key: quote(key, safe="/@")}
    limits = {"most_findings": MOST_FINDINGS, "most_places": MOST_PLACES, "most_compared": MOST_COMPARED}
    return HTMLResponse(environment.get_template(name).render(**limits, **values), status)


async def _fields(request: Request) -> dict[str, str]:
    """The fields of a form that was sent in the plain way."""
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


def page_routes(auditor: Auditor, door: Door, *, suggest: bool) -> APIRouter:
    """All pages; `suggest` lists names of local directories in the form."""
    routes = APIRouter(include_in_schema=False)
    history = auditor.history

    @routes.get("/")
    def home() -> HTMLResponse:
        suggestions = auditor.grounds.suggestions() if suggest else []
        return shown(
            "home.html.j2",
            known=history.repositories(),
            suggestions=suggestions,
            roots=auditor.grounds.roots,
            token=door.token is not None,
        )

    @routes.post("/audits")
    def order(fields: Annotated[dict[str, str], Depends(_fields)]) -> Response:
        door.admit(fields.get("token", ""))
        made = auditor.audit(fields.get("repository", ""))
        return RedirectResponse(f"/repositories/{quote(made.key, safe='/@')}", 303)

    @routes.get("/repositories/{key:path}")
    def repository(key: str, audit: Number | None = None) -> HTMLResponse:
        audits = history.audits(key)
        told = history.latest(key) if audit is None else history.audit(audit)
        if told.key != key:
            raise UnknownAuditError(f"audit {audit} is not of {key}")
        changes = {later.id: later.score - earlier.score for later, earlier in pairwise(audits)}
        return shown(
            "repository.html.j2",
            told=told,
            report=told.report,
            audits=audits,
            changes=changes,
            chart=history_chart(audits[::-1]),
            token=door.token is not None,
        )

    @routes.get("/compare")
    def side_by_side(repository: Annotated[list[str], Query()] = []) -> HTMLResponse:  # noqa: B006 -- FastAPI's way
        keys = list(dict.fromkeys(repository))[:MOST_COMPARED]
        told = sorted((history.latest(key) for key in keys), key=lambda one: -one.report.score)
        comparison = compare([one.report for one in told]) if len(told) > 1 else None
        return shown("compare.html.j2", known=history.repositories(), keys=keys, told=told, comparison=comparison)

    @routes.get("/style.css")
    def style() -> Response:
        environment = templates("ml_audit.dashboard")
        text = "\n".join(environment.get_template(name).render() for name in ("page.css", "dashboard.css"))
        return Response(text, media_type="text/css", headers={"Cache-Control": "max-age=300"})

    @routes.get("/icon.svg")
    def icon() -> Response:
        text = templates("ml_audit.dashboard").get_template("icon.svg").render()
        return Response(text, media_type="image/svg+xml", headers={"Cache-Control": "max-age=86400"})

    return routes
