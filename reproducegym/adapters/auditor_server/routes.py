"""The plain HTTP routes: two-step episodes for clients that keep nothing but an episode's id."""

import json
from collections.abc import Mapping

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from pydantic import JsonValue

from reproducegym.adapters.auditor_server.environment import NAME, TASKS, drawn_seed, level_named
from reproducegym.adapters.auditor_server.episodes import Episodes, new_episode_id
from reproducegym.adapters.auditor_server.errors import BadRequestError
from reproducegym.adapters.auditor_server.messages import json_object
from reproducegym.adapters.auditor_server.wire import (
    AuditorObservation,
    AuditorState,
    Reset,
    asked_for,
    begun,
    stepped,
)
from reproducegym.families.auditor.nouns import CATEGORIES, LEVELS, Audit, Triage
from reproducegym.schema.base import Frozen

__all__ = ["HEADER", "http_routes"]

HEADER = "X-Episode-Id"
_COOKIE = "episode_id"
_ROUTES = (
    "POST /reset",
    "POST /step",
    "GET /state",
    "GET /tasks",
    "GET /health",
    "GET /schema",
    "GET /metadata",
    "WS /ws",
)


class ObservationBody(Frozen):
    """What POST /reset and POST /step answer."""

    observation: Mapping[str, JsonValue]
    reward: float | None
    done: bool
    episode_id: str


def http_routes(episodes: Episodes) -> APIRouter:
    """POST /reset and /step, GET /state and /tasks.

    An episode's id is taken from the field `episode_id`, the header `X-Episode-Id`, the query, or the cookie that
    /reset has set, in this order.
    """
    router = APIRouter(tags=["Episodes"])
    reset_body = {"requestBody": {"content": {"application/json": {"schema": Reset.model_json_schema()}}}}
    step_schema = {
        "type": "object",
        "properties": {
            "episode_id": {"type": "string"},
            "action": {"oneOf": [Triage.model_json_schema(), Audit.model_json_schema()]},
        },
        "required": ["action"],
    }
    step_body = {"requestBody": {"content": {"application/json": {"schema": step_schema}}}}

    @router.get("/")
    async def first() -> dict[str, JsonValue]:
        """What this is and where to go on, for someone who opens the address."""
        return {"name": NAME, "tasks": [*LEVELS], "routes": [*_ROUTES], "docs": "/docs"}

    @router.post("/reset", openapi_extra=reset_body, response_model=ObservationBody)
    async def reset(request: Request, response: Response) -> JSONResponse:
        """Begin an episode."""
        asked = asked_for(Reset, json_object(await request.body()))
        level, seed = level_named(asked.task or LEVELS[0]), drawn_seed(asked.seed)
        episode_id = asked.episode_id or new_episode_id()
        episode = await run_in_threadpool(episodes.begin, episode_id, level, seed)
        answer = _answer(begun(episode, episode_id))
        answer.set_cookie(_COOKIE, episode_id, httponly=True, samesite="strict")
        return answer

    @router.post("/step", openapi_extra=step_body, response_model=ObservationBody)
    async def step(request: Request) -> JSONResponse:
        """Take an action: a triage first, an audit second."""
        body = json_object(await request.body())
        episode_id = _episode_id(request, body.get("episode_id"))
        content = json.dumps(_action(body)).encode("utf-8", "surrogatepass")
        standing, taken = await run_in_threadpool(episodes.step, episode_id, content)
        return _answer(stepped(taken, standing.level, episode_id))

    @router.get("/state")
    async def state(request: Request) -> AuditorState:
        """Where an episode stands."""
        standing = await run_in_threadpool(episodes.standing, _episode_id(request, None))
        return AuditorState(
            episode_id=standing.episode_id, step_count=standing.steps, task=standing.level, phase=standing.phase
        )

    @router.get("/tasks")
    async def tasks() -> dict[str, JsonValue]:
        """The tasks, the categories, and what both actions look like."""
        return {
            "tasks": [{"id": level, "listed_seeds": TASKS, "steps": ["triage", "audit"]} for level in LEVELS],
            "categories": [*CATEGORIES],
            "triage": Triage.model_json_schema(),
            "audit": Audit.model_json_schema(),
        }

    return router


def _answer(observation: AuditorObservation) -> JSONResponse:
    told = observation.model_dump(mode="json", exclude={"reward", "done", "metadata"})
    body = {
        "observation": told,
        "reward": observation.reward,
        "done": observation.done,
        "episode_id": observation.episode_id,
    }
    return JSONResponse(body, headers={HEADER: observation.episode_id})


def _action(body: Mapping[str, JsonValue]) -> JsonValue:
    """What stands as `action`, or the fields beside the id; one that is there is the episode's to read."""
    fields = {name: value for name, value in body.items() if name != "episode_id"}
    if not fields:
        raise BadRequestError("no action is sent: send it as the field action, or its own fields beside episode_id")
    return fields.get("action", fields)


def _episode_id(request: Request, field: JsonValue) -> str:
    found = field or request.headers.get(HEADER) or request.query_params.get("episode_id")
    found = found or request.cookies.get(_COOKIE)
    if not isinstance(found, str) or not found:
        raise BadRequestError(
            f"no episode is named: send episode_id (in the body, the query or the header {HEADER}) as /reset gave it"
        )
    return found
