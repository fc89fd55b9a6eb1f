"""One request on the wire, worded as the endpoint understands it: what it refuses is learnt once and told in a line."""

import threading
import time
from collections.abc import Callable

import openai
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.completion_create_params import ResponseFormat

from reproducegym.adapters.llm.dialect import Dialect, narrowed
from reproducegym.adapters.llm.endpoint import Endpoint
from reproducegym.adapters.llm.exchange import AgainError, Call, Heard
from reproducegym.adapters.llm.failures import failure, is_about_length, words_of
from reproducegym.adapters.llm.messages import with_schema
from reproducegym.adapters.llm.streaming import BrokenStreamError, hear
from reproducegym.errors import ModelUnavailableError
from reproducegym.ports import Unanswered
from reproducegym.schema.config import LlmConfig

__all__ = ["Wire"]

_MAY_BE_WORDING = frozenset({400, 422})


class Wire:
    """The SDK's client, and what each model behind it was found to understand."""

    def __init__(self, endpoint: Endpoint, settings: LlmConfig, tell: Callable[[str], None]) -> None:
        self._endpoint, self._settings, self._tell = endpoint, settings, tell
        self._dialects: dict[str, Dialect] = {}
        self._lock = threading.Lock()
        self._client = openai.OpenAI(
            api_key=endpoint.key,
            base_url=endpoint.base_url,
            timeout=openai.Timeout(settings.stall_s, connect=settings.connect_s),
            max_retries=0,  # ours know when to stop, what to say meanwhile, and what a broken stream may have cost
            http_client=openai.DefaultHttpxClient(
                follow_redirects=False,  # the paper's text goes to one host only
                trust_env=not endpoint.is_loopback,  # proxies of the environment
            ),
        )

    def send(self, call: Call, seen: Callable[[int], None]) -> Heard | Unanswered:
        """One reply, as it was said; `seen` gets the size of each piece that arrives.

        Raises:
            AgainError: it failed and may go better.
            ModelUnavailableError: it will not go better.
        """
        ends = time.monotonic() + self._settings.call_s
        while True:
            dialect = self._dialects.get(call.model, Dialect())
            meant = self._tried(call, dialect, ends, seen)
            if isinstance(meant, AgainError | ModelUnavailableError):
                raise meant  # outside of any handler: no context, which would hold the request and its headers
            if meant is not None:
                return meant

    def _tried(
        self, call: Call, dialect: Dialect, ends: float, seen: Callable[[int], None]
    ) -> Heard | Unanswered | AgainError | ModelUnavailableError | None:
        """One request; None if it is to be worded otherwise."""
        streaming = False
        try:
            stream = self._opened(call, dialect)
            streaming = True
            return hear(stream, ends=ends, most_tokens=self._settings.max_reply_tokens, seen=seen)
        except (openai.OpenAIError, BrokenStreamError) as error:
            if isinstance(error, openai.APIStatusError) and self._learnt(call.model, dialect, error):
                return None
            return failure(error, self._endpoint, call.model, streaming=streaming)

    def _opened(self, call: Call, dialect: Dialect) -> openai.Stream[ChatCompletionChunk]:
        in_prompt = dialect.structure != "json_schema"
        limit = self._settings.max_reply_tokens
        return self._client.chat.completions.create(
            model=call.model,
            messages=with_schema(call.messages, call.schema) if in_prompt else list(call.messages),
            response_format=_response_format(call, dialect),
            max_completion_tokens=limit if dialect.limit == "max_completion_tokens" else openai.omit,
            max_tokens=limit if dialect.limit == "max_tokens" else openai.omit,
            temperature=self._settings.temperature if dialect.temperature else openai.omit,
            stream_options={"include_usage": True} if dialect.counted else openai.omit,
            stream=True,
        )

    def _learnt(self, model: str, used: Dialect, error: openai.APIStatusError) -> bool:
        """Whether the same request is to be sent in another wording; told once, however many calls find it out."""
        if error.status_code not in _MAY_BE_WORDING or is_about_length(error):
            return False
        with self._lock:
            if self._dialects.get(model, Dialect()) != used:
                return True
            found = narrowed(used, error.param, words_of(error))
            if found is None:
                return False
            self._dialects[model], how = found
            self._tell(f"{model} at {self._endpoint.host} {how}")
            return True


def _response_format(call: Call, dialect: Dialect) -> ResponseFormat | openai.Omit:
    if dialect.structure == "json_schema":
        return {
            "type": "json_schema",
            "json_schema": {"name": call.name, "strict": True, "schema": dict[str, object](call.schema)},
        }
    return {"type": "json_object"} if dialect.structure == "json_object" else openai.omit
