"""The client for code that awaits: many rewards at once in one loop."""

import time
from collections.abc import Callable, Coroutine
from types import TracebackType

import httpx
import tenacity
from pydantic import JsonValue

from reproducegym.adapters.reward_client.exchange import (
    RETRIED,
    ROUND_S,
    Asked,
    Pace,
    Patience,
    Reward,
    RewardRefusedError,
    Submission,
    asked,
    gave_up,
    heard,
    read_status,
)

__all__ = ["AsyncRewardClient"]

_TIMEOUT = httpx.Timeout(30.0, read=ROUND_S + 30.0)
_ORDERS = "/v1/verifications"


class AsyncRewardClient:
    """Asks one reward service; `token` is the service's own."""

    def __init__(self, url: str, token: str, *, patience: Patience = Patience(), connections: int = 64) -> None:  # noqa: B008
        """Nothing is sent yet."""
        self._patience = patience
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}"},
            timeout=_TIMEOUT,
            limits=httpx.Limits(max_connections=connections),
            trust_env=False,
        )

    async def verify(
        self, task_id: str, submission: Submission, *, spec_hash: str | None = None, key: str | None = None
    ) -> Reward:
        """The reward of a submission: files by relative path, or the directory that holds them.

        Asked twice with one `key` and the same files, it is verified once. A reward that is not `valid` is nobody's.

        Raises:
            RewardRefusedError: the service does not take it: unknown task, wrong token, bad or too large files.
            RewardUnavailableError: it gave no answer within the client's patience.
        """
        order = asked(task_id, submission, spec_hash, key)
        pace = Pace(self._patience, time.monotonic() + self._patience.total_s)
        found = await self._ended(order, pace)
        for _ in range(1, self._patience.unscored_tries):
            if found.valid:
                break
            found = await self._ended(order, pace)
        return found

    async def tasks(self) -> list[str]:
        """Ids of the tasks that the service verifies.

        Raises:
            RewardRefusedError: the token is wrong.
            RewardUnavailableError: it gave no answer within the client's patience.
        """
        pace = Pace(self._patience, time.monotonic() + self._patience.total_s)
        told = await self._patiently(pace, lambda: self._http.get("/v1/tasks"))
        listed = told["tasks"]
        return [str(one["task_id"]) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []

    async def aclose(self) -> None:
        """Close its connections."""
        await self._http.aclose()

    async def __aenter__(self) -> "AsyncRewardClient":
        """Use it as a context that closes it."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close its connections."""
        await self.aclose()

    async def _ended(self, order: Asked, pace: Pace) -> Reward:
        """Order a verification, and ask for it until it is done."""
        found: Reward | str = ""
        while isinstance(found, str):
            found = read_status(await self._asked_once(order, found, pace))
            if isinstance(found, str) and pace.end <= time.monotonic():
                raise gave_up(self._patience, None)
        return found

    async def _asked_once(self, order: Asked, name: str, pace: Pace) -> dict[str, JsonValue]:
        wait = str(round(max(0.0, min(ROUND_S, pace.end - time.monotonic())), 3))
        try:
            if name:
                return await self._patiently(pace, lambda: self._http.get(f"{_ORDERS}/{name}", params={"wait": wait}))
        except RewardRefusedError as error:
            if error.code != "unknown_verification":  # the service has lost its queue: order it again
                raise
        params = {**order.params, "wait": wait}
        return await self._patiently(
            pace,
            lambda: self._http.post(_ORDERS, params=params, headers=dict(order.headers), content=order.body),
        )

    async def _patiently(
        self, pace: Pace, send: Callable[[], Coroutine[None, None, httpx.Response]]
    ) -> dict[str, JsonValue]:
        """One request, sent until it is answered.

        Raises:
            RewardRefusedError: the answer is no.
            RewardUnavailableError: there is no answer within the client's patience.
        """
        retrying = tenacity.AsyncRetrying(retry=RETRIED, stop=pace.stop, wait=pace.wait)
        try:
            async for attempt in retrying:
                with attempt:
                    return heard(await send())
        except tenacity.RetryError as error:
            last = error.last_attempt.exception()
            raise gave_up(self._patience, last) from last
        raise gave_up(self._patience, None)
