"""The application: OpenEnv's own routes and sessions around the environment of paper tasks."""

from collections.abc import Mapping

from fastapi import FastAPI
from openenv.core.env_server.http_server import HTTPEnvServer
from openenv.core.env_server.types import ConcurrencyConfig

from reproducegym.adapters.tasks_server.environment import NAME, Offered, made_of
from reproducegym.adapters.tasks_server.wire import TaskAction, TaskObservation, TaskState
from reproducegym.adapters.trainers import Verifier
from reproducegym.ports import CopyLimits

__all__ = ["tasks_app"]


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
    return app
