"""The application: OpenEnv's own routes and sessions around the environment of paper tasks."""

from collections.abc import Callable, Mapping

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig

from reproducegym.adapters.tasks_server.environment import NAME, Offered, RequestError, made_of
from reproducegym.adapters.tasks_server.wire import TaskAction, TaskObservation, TaskState
from reproducegym.adapters.trainers import UnscoredError, Verifier
from reproducegym.ports import CopyLimits

__all__ = ["tasks_app"]

_LATER = 503


def tasks_app(tasks: Mapping[str, Offered], verifier: Verifier, limits: CopyLimits, *, sessions: int) -> FastAPI:
    """The application; `sessions` bounds how many WebSocket sessions are open at once."""
    app = FastAPI(title=NAME, version="1.0.0", description="Reproduce claims of papers; a reward for each submission.")
    server = HTTPEnvServer(
        made_of(tasks, verifier, limits),
        TaskAction,
        TaskObservation,
        concurrency_config=ConcurrencyConfig(max_concurrent_envs=sessions),
        env_name=NAME,
        state_cls=TaskState,
    )
    server.register_routes(app)
    app.add_exception_handler(RequestError, _told(400))
    app.add_exception_handler(UnscoredError, _told(_LATER))
    return app


def _told(status: int) -> Callable[[Request, Exception], JSONResponse]:
    """In a line what is wrong, as the framework tells what it refuses itself."""

    def tell(_request: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, status, {"Retry-After": "1"} if status == _LATER else None)

    return tell
