"""The client for code that awaits: many rewards at once in one loop."""

from types import TracebackType

import httpx
import tenacity
from pydantic import JsonValue

from reproducegym.adapters.reward_client.exchange import (
    RETRIED,
    TIMEOUT,
    Exchange,
    Pace,
    Patience,
    Request,
    Result,
    Reward,
    RewardRefusedError,
    Submission,
    gave_up,
    heard,
    listed,
    paced,
    verified,
)

__all__ = ["AsyncRewardClient"]


class AsyncRewardClient:
    """Asks one reward service; `token` is the service's own."""

    def __init__(self, url: str, token: str, *, patience: Patience = Patience(), connections: int = 64) -> None:  # noqa: B008
        """Nothing is sent yet."""
        self._patience = patience
        self._http = httpx.AsyncClient(
            base_url=url.rstrip("/"),
            headers={"Authorization": f"Bearer {token}"},
            timeout=TIMEOUT,
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
        pace = paced(self._patience)
        return await self._through(verified(task_id, submission, spec_hash, key, pace), pace)

    async def tasks(self) -> list[str]:
        """Ids of the tasks that the service verifies.

        Raises:
            RewardRefusedError: the token is wrong.
            RewardUnavailableError: it gave no answer within the client's patience.
        """
        return await self._through(listed(), paced(self._patience))

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

    async def _through(self, exchange: Exchange[Result], pace: Pace) -> Result:
        try:
            request = next(exchange)
            while True:
                try:
                    told = await self._answer(request, pace)
                except RewardRefusedError as error:
                    request = exchange.throw(error)
                else:
                    request = exchange.send(told)
        except StopIteration as ended:
            result: Result = ended.value
            return result

    async def _answer(self, request: Request, pace: Pace) -> dict[str, JsonValue]:
        """The answer to a request, which is sent until there is one.

        Raises:
            RewardRefusedError: the answer is no.
            RewardUnavailableError: there is no answer within the client's patience.
        """
        sent = self._http.build_request(
            request.method, request.path, params=request.params, headers=request.headers, content=request.body
        )
        try:
            async for attempt in tenacity.AsyncRetrying(retry=RETRIED, stop=pace.stop, wait=pace.wait):
                with attempt:
                    return heard(await self._http.send(sent))
        except tenacity.RetryError as error:
            last = error.last_attempt.exception()
            raise gave_up(self._patience, last) from last
        raise gave_up(self._patience, None)
