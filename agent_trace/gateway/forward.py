"""One request through the gateway: let in, sent on, its response passed back piece by piece, and recorded."""

import asyncio
import secrets
from concurrent.futures import Executor
from datetime import UTC, datetime

import aiohttp
from aiohttp import web

from agent_trace.gateway.headers import token_of
from agent_trace.gateway.ledger import Ledger
from agent_trace.gateway.passage import Copies, Passage
from agent_trace.gateway.recording import Ending, Recording
from agent_trace.gateway.returning import pass_back
from agent_trace.gateway.routes import Route, error_body, route_of
from agent_trace.gateway.runs import Run, Runs
from agent_trace.gateway.sending import NotAllowedError, RequestCutError, TooLargeError, send
from agent_trace.gateway.settings import Settings, Vendor
from agent_trace.gateway.spending import Limit
from agent_trace.gateway.tee import Tee
from agent_trace.record import End

__all__ = ["Forwarder"]

_LOOK_S = 0.25
_COUNTED_S, _COUNT_LOOK_S = 2.0, 0.01
_BROKEN = frozenset({"upstream_cut", "upstream_unreachable"})
_LATER = frozenset({408, 409, 425, 429})
_RETRY_COUNT = "x-stainless-retry-count"


class Forwarder:
    """Answers every request that comes to the gateway."""

    def __init__(
        self, settings: Settings, runs: Runs, client: aiohttp.ClientSession, pool: Executor, ledger: Ledger
    ) -> None:
        self._settings, self._runs, self._client, self._pool, self._ledger = settings, runs, client, pool, ledger

    async def answer(self, request: web.BaseRequest) -> web.StreamResponse:
        """The response to one request."""
        anthropic = "anthropic-version" in request.headers
        vendor: Vendor = "anthropic" if anthropic else "openai"
        token = token_of(request.headers.items())
        run = self._runs.find(token)
        if run is None or token is None:
            return _refusal(401, vendor, "authentication_error", "this gateway does not know the token")
        path = request.raw_path.partition("?")[0]
        route = route_of(request.method, path, anthropic=anthropic)
        if route is None or route.vendor not in self._settings.upstreams:
            run.refuse(request.method, path)
            return _refusal(404, vendor, "not_found_error", "this gateway has no such route")
        if route.api is not None and (limit := await _limit_met(run)) is not None:
            run.counts["over_budget"] += 1
            return _refusal(403, vendor, "budget_exhausted", f"the budget of this run is used up: {limit}")
        run.counts["forwarded"] += 1
        run.under_way += 1
        try:
            return await self._exchange(request, self._begin(request, run, token, route))
        finally:
            run.under_way -= 1

    def _begin(self, request: web.BaseRequest, run: Run, token: str, route: Route) -> Passage:
        wall, start = datetime.now(UTC), asyncio.get_running_loop().time()
        told = request.headers.get(_RETRY_COUNT, "")
        copies = None
        if route.api is not None:
            identity = f"{wall:%Y%m%dT%H%M%S%f}-{secrets.token_hex(4)}"
            recording = Recording(run, route.api, identity, self._settings.limits, (wall, start))
            recording.begin_request(request.headers.get("Content-Encoding", ""))
            sinks = Tee(recording.take_request, self._pool), Tee(recording.take_response, self._pool)
            copies = Copies(recording, *sinks)
        return Passage(
            run=run,
            token=token,
            route=route,
            upstream=self._settings.upstreams[route.vendor],
            wall=wall,
            start=start,
            copies=copies,
            told_retries=int(told) if told.isdecimal() and len(told) < 4 else 0,
        )

    async def _exchange(self, request: web.BaseRequest, passage: Passage) -> web.StreamResponse:
        """Carry it through; whatever happens it is recorded, once."""
        written = False

        async def recorded() -> None:
            nonlocal written
            if not written:
                written = True
                await asyncio.shield(self._record(passage))

        try:
            async with asyncio.timeout(None) as deadline:
                watch = asyncio.create_task(self._watch(request, passage, deadline))
                try:
                    upstream = await send(self._client, request, passage, self._settings.limits)
                    async with upstream:
                        if 300 <= upstream.status < 400:
                            why = f"the model's endpoint sends its clients elsewhere (status {upstream.status})"
                            return _own(passage, "upstream_unreachable", 502, "api_error", why)
                        return await pass_back(request, upstream, passage, recorded)
                finally:
                    watch.cancel()
        except NotAllowedError as error:
            written = True
            await self._forget(passage)
            passage.run.refuse(request.method, passage.route.path, str(error))
            return _refusal(403, passage.route.vendor, "not_allowed", str(error))
        except TooLargeError:
            return _own(passage, "too_large", 413, "request_too_large", "the request is over the gateway's limit")
        except RequestCutError:
            return _own(passage, "request_cut", 400, "invalid_request_error", "the request broke off")
        except TimeoutError:
            why = "the model's endpoint did not answer in time"
            if not passage.gone:
                return _own(passage, "upstream_unreachable", 504, "timeout_error", why)
            passage.end = "client_gone"
            return _refusal(504, passage.route.vendor, "timeout_error", why)
        except (aiohttp.ClientError, OSError) as error:
            why = f"the model's endpoint is out of reach ({type(error).__name__})"
            return _own(passage, "upstream_unreachable", 502, "api_error", why)
        finally:
            await recorded()

    async def _watch(self, request: web.BaseRequest, passage: Passage, deadline: asyncio.Timeout) -> None:
        """Notice a client that left, also while nothing is sent to it; its upstream has some time to finish."""
        while not passage.gone and request.transport is not None and not request.transport.is_closing():
            await asyncio.sleep(_LOOK_S)
        passage.gone = True
        deadline.reschedule(asyncio.get_running_loop().time() + self._settings.limits.drain_s)

    async def _forget(self, passage: Passage) -> None:
        """Leave no record of what was not sent."""
        if passage.copies is not None:
            await passage.copies.request.settle()
            await passage.copies.response.settle()
            passage.copies.recording.discard()

    async def _record(self, passage: Passage) -> None:
        """Bring the exchange to the disk. A disk that refuses costs the record, never the answer; it is counted."""
        run, copies = passage.run, passage.copies
        if copies is None:
            return
        loop = asyncio.get_running_loop()
        try:
            await copies.request.settle()
            await copies.response.settle()
            digest = copies.recording.digest
            ending = passage.ending(loop.time(), run.failures_before(digest))
            line = await self._line(copies, ending)
            run.last_status = ending.status
            run.endpoint_failing = _is_endpoints_fault(ending)
            run.spent.trace_bytes += copies.recording.kept_bytes
            if copies.recording.took is not None:
                run.spent.add(copies.recording.took)
            await self._ledger.commit(run.journal, line)
        except OSError:
            copies.recording.discard()
            run.counts["unrecorded"] += 1
        else:
            run.note(digest, failed=ending.end != "complete" or ending.status is None or ending.status >= 400)
            run.counts["recorded"] += 1

    async def _line(self, copies: Copies, ending: Ending) -> bytes:
        """The record's line. What cannot be read, by a defect of ours, costs the bodies and is named in the record.

        Raises:
            OSError: a file could not be written.
        """
        recording, loop = copies.recording, asyncio.get_running_loop()
        failed = copies.request.failed or copies.response.failed
        if failed is None:
            try:
                return await loop.run_in_executor(self._pool, recording.line, ending, self._settings.prices)
            except Exception as error:  # noqa: BLE001 - told below, in the record
                failed = error
        if isinstance(failed, OSError):
            raise failed
        return recording.bare_line(ending, type(failed).__name__)


async def _limit_met(run: Run) -> Limit | None:
    """Which part of its budget is used up.

    SDKs leave with a stream's last event and ask again at once: near the end of a budget what is under way gets a
    moment to be counted.
    """
    loop = asyncio.get_running_loop()
    until = loop.time() + _COUNTED_S
    while run.may_be_over() and loop.time() < until:
        await asyncio.sleep(_COUNT_LOOK_S)
    return run.over()


def _is_endpoints_fault(ending: Ending) -> bool:
    status = ending.status
    return ending.end in _BROKEN or (status is not None and (status >= 500 or status in _LATER))


def _own(passage: Passage, end: End, status: int, kind: str, message: str) -> web.Response:
    """The gateway's own answer, where the upstream gave none."""
    passage.end, passage.status = end, status
    passage.last_byte = asyncio.get_running_loop().time()
    return _refusal(status, passage.route.vendor, kind, message)


def _refusal(status: int, vendor: Vendor, kind: str, message: str) -> web.Response:
    return web.json_response(error_body(vendor, kind, message), status=status)
