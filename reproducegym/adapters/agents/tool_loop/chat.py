"""A chat model with tools, through the vendor's SDK at an OpenAI-compatible endpoint."""

import contextlib
import time
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from functools import partial
from typing import TYPE_CHECKING, cast

from pydantic import JsonValue

from reproducegym.adapters.agents.tool_loop.conversation import Completion, GoOn, Message, OutOfTimeError, TooLongError
from reproducegym.adapters.agents.tool_loop.reply import UnreadableReplyError, read_reply
from reproducegym.adapters.llm import Endpoint
from reproducegym.adapters.llm.exchange import AgainError
from reproducegym.errors import InfrastructureError, ModelUnavailableError
from reproducegym.ports import Unanswered
from reproducegym.schema.config import LlmConfig

if TYPE_CHECKING:
    import openai
    from anyio.from_thread import BlockingPortal
    from openai._legacy_response import LegacyAPIResponse
    from openai.types.chat import ChatCompletion, ChatCompletionMessageParam, ChatCompletionToolParam

__all__ = ["ChatModel", "chat_model"]

_LOOK_S = 0.2


@contextlib.contextmanager
def chat_model(address: str, token: str, model: str, endpoint: Endpoint, settings: LlmConfig) -> Iterator["ChatModel"]:
    """A model that is asked at an address with a token; `endpoint` is what its failures are told of.

    Its calls run in a loop of their own thread, so that one that is no longer wanted can be given up. A redirect is not
    followed: it would lead past the gateway.
    """
    import openai
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        client = openai.AsyncOpenAI(
            base_url=address,
            api_key=token,
            max_retries=0,
            http_client=openai.DefaultAsyncHttpxClient(trust_env=False, follow_redirects=False),
        )
        try:
            yield ChatModel(client, portal, model, endpoint, settings)
        finally:
            portal.call(client.close)


class ChatModel:
    """Asks one model, again where that may help, as `[llm]` of the configuration says; never past the time it is given.

    Temperature and length of replies are left to the endpoint.
    """

    def __init__(
        self,
        client: "openai.AsyncOpenAI",
        portal: "BlockingPortal",
        model: str,
        endpoint: Endpoint,
        settings: LlmConfig,
    ) -> None:
        self._client, self._portal = client, portal
        self._model, self._endpoint, self._settings = model, endpoint, settings

    def complete(
        self, messages: list[Message], tools: list[dict[str, JsonValue]], *, within_s: float, go_on: GoOn
    ) -> Completion:
        """One reply, not streamed; `tools` may be empty."""
        deadline = time.monotonic() + within_s
        wait_s = self._settings.first_wait_s
        for left in reversed(range(self._settings.attempts)):
            told = self._ask(messages, tools, deadline - time.monotonic(), go_on)
            if not isinstance(told, AgainError):
                return told
            pause = wait_s if told.wait_s is None else told.wait_s
            if time.monotonic() + pause >= deadline:
                raise OutOfTimeError(f"the model {self._model} {told}")
            if left == 0 or pause > self._settings.longest_wait_s:
                raise InfrastructureError(f"the model {self._model} {told}, {self._settings.attempts - left} times")
            _pause(pause, go_on)
            wait_s = min(2 * wait_s, self._settings.longest_wait_s)
        raise AssertionError("attempts is at least 1")

    def _ask(
        self, messages: list[Message], tools: list[dict[str, JsonValue]], left_s: float, go_on: GoOn
    ) -> Completion | AgainError:
        import openai

        from reproducegym.adapters.llm.failures import failure, is_about_length, words_of

        asked = cast("list[ChatCompletionMessageParam]", messages)
        given = cast("list[ChatCompletionToolParam]", tools) if tools else openai.omit
        timeout = max(1.0, min(self._settings.call_s, left_s))
        try:
            create = partial(
                self._client.chat.completions.with_raw_response.create,
                model=self._model,
                messages=asked,
                tools=given,
                stream=False,
                timeout=timeout,
            )
            return read_reply(_awaited(self._portal.start_task_soon(create), go_on).content)
        except UnreadableReplyError as error:
            return AgainError(f"sent a reply that cannot be read ({error})", charged=True)
        except openai.OpenAIError as error:
            if isinstance(error, openai.APIStatusError) and is_about_length(error):
                raise TooLongError(self._endpoint.redacted(words_of(error))[:200]) from None
            told = failure(error, self._endpoint, self._model, streaming=False)
        if isinstance(told, AgainError):
            return told
        if isinstance(told, Unanswered):
            raise InfrastructureError(f"the model {self._model} does not answer: {told.detail}")
        raise ModelUnavailableError(str(told))


def _awaited(reply: "Future[LegacyAPIResponse[ChatCompletion]]", go_on: GoOn) -> "LegacyAPIResponse[ChatCompletion]":
    """The reply, unless it is no longer wanted or we are interrupted: then the connection is closed."""
    try:
        while True:
            go_on()
            with contextlib.suppress(NotYet):
                return reply.result(_LOOK_S)
    finally:
        reply.cancel()


def _pause(seconds: float, go_on: GoOn) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        go_on()
        time.sleep(min(left, _LOOK_S))
