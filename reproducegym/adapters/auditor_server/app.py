"""The whole application: OpenEnv's routes and sessions, with plain HTTP episodes in their place."""

from collections.abc import Awaitable, Callable

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reproducegym.adapters.auditor_server.environment import NAME, made_by
from reproducegym.adapters.auditor_server.episodes import Episodes, Limits
from reproducegym.adapters.auditor_server.errors import ServedError, TooLargeError
from reproducegym.adapters.auditor_server.messages import WholeMessages
from reproducegym.adapters.auditor_server.routes import http_routes
from reproducegym.adapters.auditor_server.wire import AuditorAction, AuditorObservation, AuditorState
from reproducegym.families.auditor.episode import Drawer

__all__ = ["MAX_BODY_BYTES", "auditor_app"]

MAX_BODY_BYTES = 1 << 20
_OURS = ("/reset", "/step", "/state")


def auditor_app(drawer: Drawer, episodes: Episodes, limits: Limits) -> FastAPI:
    """The application; `limits.capacity` bounds HTTP episodes and, apart from them, WebSocket sessions."""
    app = FastAPI(
        title=NAME, version="1.0.0", description="Finds what makes an experiment irreproducible, in two steps."
    )
    app.add_middleware(_Bounded)
    app.add_middleware(WholeMessages)
    app.add_exception_handler(ServedError, _told)
    server = HTTPEnvServer(
        made_by(drawer),
        AuditorAction,
        AuditorObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=limits.capacity, session_timeout=limits.idle_s),
        env_name=NAME,
        state_cls=AuditorState,
    )
    server.register_routes(app)
    _without_episodes(app)
    app.include_router(http_routes(episodes))
    return app


def _without_episodes(app: FastAPI) -> None:
    """Take out OpenEnv's own HTTP episodes, of which each step makes a new environment; ours stand in their place."""
    for route in list(app.router.routes):
        if isinstance(route, Route) and route.path in _OURS:
            app.router.routes.remove(route)


async def _told(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, ServedError):
        raise error
    return JSONResponse({"error": {"code": error.code, "message": str(error)}}, status_code=error.status)


class _Bounded:
    """Refuses bodies that are too large, whatever their headers say."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > MAX_BODY_BYTES:
                refused = TooLargeError(f"a request has at most {MAX_BODY_BYTES} bytes")
                await (await _told(Request(scope), refused))(scope, receive, send)
                return
            if message["type"] != "http.request" or not message.get("more_body", False):
                break
        await self._app(scope, _replayed(body, receive), send)


def _replayed(body: bytes, receive: Receive) -> Callable[[], Awaitable[Message]]:
    """A body that was read, given again whole."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again
