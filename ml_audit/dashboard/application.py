"""The dashboard as one ASGI application."""

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ml_audit.dashboard.api import api_routes
from ml_audit.dashboard.auditing import Auditor
from ml_audit.dashboard.doors import HEADERS, Door
from ml_audit.dashboard.faults import DashboardError, kind_of, status_of
from ml_audit.dashboard.pages import page_routes, shown
from ml_audit.outputs.visible import visible
from ml_audit.repository import SourceError

__all__ = ["application"]


def application(auditor: Auditor, door: Door, *, suggest: bool = False) -> FastAPI:
    """The routes for people and programs behind one door; `suggest` shows names of local directories."""
    app = FastAPI(title="ml-audit", docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.include_router(api_routes(auditor, door))
    app.include_router(page_routes(auditor, door, suggest=suggest))

    @app.middleware("http")
    async def guard(request: Request, call: Callable[[Request], Awaitable[Response]]) -> Response:
        try:
            door.check(request.method, request.headers)
            response = await call(request)
        except DashboardError as fault:
            response = _refused(request, status_of(fault), kind_of(fault), str(fault))
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    @app.exception_handler(DashboardError)
    def refuse(request: Request, fault: DashboardError) -> Response:
        return _refused(request, status_of(fault), kind_of(fault), str(fault))

    @app.exception_handler(SourceError)
    def unread(request: Request, fault: SourceError) -> Response:
        return _refused(request, status_of(fault), kind_of(fault), str(fault))

    @app.exception_handler(RequestValidationError)
    def misused(request: Request, fault: RequestValidationError) -> Response:
        first = fault.errors()[0]
        where = ".".join(str(step) for step in first["loc"][1:]) or "the request"
        return _refused(request, 422, "misuse", f"{where}: {first['msg']}")

    @app.exception_handler(HTTPException)
    def absent(request: Request, fault: HTTPException) -> Response:
        return _refused(request, fault.status_code, "unknown", str(fault.detail))

    return app


def _refused(request: Request, status: int, kind: str, message: str) -> Response:
    told = visible(message)
    if request.url.path.startswith(("/api/", "/badge/")):
        return JSONResponse({"error": {"kind": kind, "message": told}}, status)
    return shown("refused.html.j2", status, message=told)
