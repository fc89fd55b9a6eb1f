"""The HTTP application: who may ask, what is taken, and what is told."""

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Protocol

from fastapi import Depends, FastAPI, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from reproducegym.adapters.reward_service.ledger import Job, Ledger, Order
from reproducegym.adapters.reward_service.measures import Measures
from reproducegym.adapters.reward_service.refusals import RefusedRequestError
from reproducegym.adapters.reward_service.submissions import read_submission
from reproducegym.adapters.reward_service.waiting import Waiting
from reproducegym.adapters.reward_service.wire import Answer, Problem, ProblemAnswer
from reproducegym.adapters.reward_service.workers import Scorer, Trying, Workers
from reproducegym.errors import StorageError
from reproducegym.pipeline.judging.transfer import archive_of
from reproducegym.pipeline.judging.verify import submission_digest
from reproducegym.ports import CopyLimits

__all__ = ["Limits", "Service", "Tasks", "reward_app"]

_LONGEST_WAIT_S = 60.0
_UNKEPT = RefusedRequestError(503, "storage_away", "the queue cannot be written now; try again later", 10)
_CODES: Mapping[int, str] = {404: "not_found", 405: "bad_request"}


class Tasks(Protocol):
    """The tasks that a service verifies."""

    def find(self, task_id: str, spec_hash: str | None) -> tuple[str, str]:
        """Task id and version of a task.

        Raises:
            RefusedRequestError: there is none, or it is in quarantine.
        """
        ...

    def listed(self) -> list[dict[str, str]]:
        """What clients may ask for: `task_id`, `spec_hash` and `evidence_level` of each."""
        ...


@dataclass(frozen=True)
class Limits:
    """Bounds of a service. A body is `body_bytes` at most, what is in it as `files` says."""

    body_bytes: int
    files: CopyLimits
    patience_s: float = 30.0


@dataclass(frozen=True)
class Service:
    """What an application is made of. `engine`: can sandboxes be made? `details`: tell operators' words."""

    token: str
    tasks: Tasks
    ledger: Ledger
    scorer: Scorer
    trying: Trying
    limits: Limits
    engine: Callable[[], bool]
    details: bool = False
    measures: Measures = field(default_factory=Measures)


def reward_app(service: Service) -> tuple[FastAPI, Workers]:
    """The application and its workers, which begin and end with it.

    What they had not done when its patience was over they put back as soon as their sandboxes are destroyed.
    """
    waiting = Waiting()
    workers = Workers(service.ledger, service.scorer, service.trying, service.measures, service.engine, waiting.ended)

    @contextlib.asynccontextmanager
    async def living(_app: FastAPI) -> AsyncIterator[None]:
        waiting.begin(asyncio.get_running_loop())
        workers.start()
        yield
        waiting.stop()
        await run_in_threadpool(workers.stop, service.limits.patience_s)

    app = FastAPI(
        title="reproducegym rewards", version="1", lifespan=living, docs_url=None, redoc_url=None, openapi_url=None
    )
    for kind, told in (
        (RefusedRequestError, _refused),
        (StorageError, _unkept),
        (RequestValidationError, _misread),
        (HTTPException, _other),
    ):
        app.add_exception_handler(kind, told)
    service.measures.show("queue_length", "Verifications that wait.", lambda: service.ledger.count("queued"))
    service.measures.show("running", "Verifications that are made now.", lambda: service.ledger.count("running"))
    service.measures.show("queue_works", "Whether the queue can be written.", lambda: float(service.ledger.works))
    service.measures.show("engine_works", "Whether sandboxes can be made.", lambda: float(workers.engine_works))
    _add_routes(app, service, workers, waiting)
    return app, workers


def _add_routes(app: FastAPI, service: Service, workers: Workers, waiting: Waiting) -> None:
    known = [Depends(_known(service.token))]

    @app.post("/v1/verifications", response_model=None, dependencies=known)
    async def submit(
        request: Request,
        task_id: Annotated[str, Query(max_length=400)],
        spec_hash: Annotated[str | None, Query(max_length=64)] = None,
        wait: Annotated[float, Query(ge=0, le=_LONGEST_WAIT_S)] = 0.0,
        idempotency_key: Annotated[str | None, Header(min_length=1, max_length=200)] = None,
    ) -> Response:
        try:
            found = service.tasks.find(task_id, spec_hash)
            if not workers.engine_works:
                raise RefusedRequestError(503, "engine_away", "no sandbox can be made now; try again later", 10)
            body = await _body(request, service.limits.body_bytes)
            form = request.headers.get("content-type", "")
            order = await run_in_threadpool(_order, body, form, found, idempotency_key, service.limits.files)
            job, new = await run_in_threadpool(service.ledger.add, order)
        except RefusedRequestError as refused:
            service.measures.submitted(refused.code)
            raise
        except StorageError:
            service.measures.submitted(_UNKEPT.code)
            raise
        service.measures.submitted("new" if new else "repeated")
        workers.wake()
        return _told(await waiting.done(job.id, service.ledger, wait), service)

    @app.get("/v1/verifications/{name}", response_model=None, dependencies=known)
    async def verification(name: str, wait: Annotated[float, Query(ge=0, le=_LONGEST_WAIT_S)] = 0.0) -> Response:
        return _told(await waiting.done(name, service.ledger, wait), service)

    @app.get("/v1/tasks", response_model=None, dependencies=known)
    async def tasks() -> Response:
        return JSONResponse({"tasks": await run_in_threadpool(service.tasks.listed)})

    @app.get("/metrics", response_model=None, dependencies=known)
    async def metrics() -> Response:
        text = await run_in_threadpool(service.measures.text)
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    @app.get("/healthz", response_model=None)
    async def health() -> Response:
        away = "" if service.ledger.works else _UNKEPT.code
        away = away if workers.engine_works else "engine_away"
        told = {"status": away or "ok", "waiting": service.ledger.count("queued")}
        return JSONResponse(told, status_code=503 if away else 200)


def _known(token: str) -> Callable[[Request], None]:
    expected = f"Bearer {token}".encode()

    def check(request: Request) -> None:
        given = request.headers.get("authorization", "").encode("latin-1", "replace")
        if not hmac.compare_digest(given, expected):
            raise RefusedRequestError(401, "unauthorized", "send Authorization: Bearer TOKEN with the service's token")

    return check


async def _body(request: Request, most: int) -> bytes:
    """The body, refused as soon as it is too large, whatever its headers say."""
    refused = RefusedRequestError(413, "too_large", f"a submission has {most} bytes at most")
    length = request.headers.get("content-length", "0")
    if not length.isdecimal() or int(length) > most:
        raise refused
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > most:
                raise refused
    except ClientDisconnect as error:  # nobody hears this; it is counted, and no defect of ours in the log
        raise RefusedRequestError(400, "bad_request", "the body was cut off") from error
    return bytes(body)


def _order(body: bytes, form: str, found: tuple[str, str], key: str | None, limits: CopyLimits) -> Order:
    files = read_submission(body, form, limits)
    return Order(*found, submission_digest(files), archive_of(files, executable=(), uid=0), key)


def _told(job: Job, service: Service) -> Response:
    scored = job.scored
    answer = Answer(
        id=job.id,
        task_id=job.task_id,
        spec_hash=job.spec_hash,
        state=job.state,
        reward=None if scored is None else scored.reward,
        reward_valid=None if scored is None else scored.reward is not None,
        failure_kind=None if scored is None else scored.failure_kind,
        evidence_level=None if scored is None else scored.evidence_level,
        tries=job.tries,
        details=scored.details if scored is not None and service.details else None,
    )
    return Response(answer.model_dump_json(), status_code=200 if scored else 202, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    if not isinstance(error, RefusedRequestError):
        raise error
    told = ProblemAnswer(error=Problem(code=error.code, message=str(error)))
    headers = {} if error.retry_after_s is None else {"Retry-After": str(error.retry_after_s)}
    if request.method == "POST":
        headers["Connection"] = "close"  # whoever is still sending must not be listened to
    return Response(told.model_dump_json(), error.status, headers, "application/json")


async def _unkept(request: Request, _error: Exception) -> Response:
    return await _refused(request, _UNKEPT)


async def _misread(request: Request, error: Exception) -> Response:
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": "unreadable"}
    place = ".".join(map(str, first["loc"])) or "the request"
    return await _refused(request, RefusedRequestError(400, "bad_request", f"{place}: {first['msg']}"))


async def _other(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return await _refused(request, RefusedRequestError(status, _CODES.get(status, "bad_request"), str(error)))
