"""Reads one streamed reply to its end, within a time and a size, whatever the endpoint sends meanwhile."""

import time
from collections.abc import Callable, Iterator
from typing import Annotated

import httpx2
from openai import Stream
from openai.types.chat import ChatCompletionChunk
from pydantic import BaseModel, ConfigDict, Field

from reproducegym.adapters.llm.cost import Tokens
from reproducegym.adapters.llm.exchange import Heard

__all__ = ["BrokenStreamError", "hear"]

_MIB = 1 << 20
_KIB_PER_TOKEN = 1 << 10
Count = Annotated[int, Field(ge=0)]


class BrokenStreamError(Exception):
    """The stream is no whole reply; says how."""


class _Part(BaseModel):
    """What we read of an event; endpoints add fields of their own."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class _Delta(_Part):
    content: str | None = None
    refusal: str | None = None


class _Choice(_Part):
    delta: _Delta = _Delta()
    finish_reason: str | None = None


class _Usage(_Part):
    prompt_tokens: Count
    completion_tokens: Count


class _Event(_Part):
    choices: tuple[_Choice, ...] = ()
    usage: _Usage | None = None


class _Watched(httpx2.SyncByteStream):
    """The bytes of an answer, each piece told, until the time is over or too many came.

    The time has to be looked at here: an endpoint that keeps sending comments gives its reader no event to count.
    """

    def __init__(self, inner: httpx2.SyncByteStream, ends: float, most: int, seen: Callable[[int], None]) -> None:
        self._inner, self._ends, self._most, self._seen = inner, ends, most, seen

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        for piece in self._inner:
            received += len(piece)
            self._seen(len(piece))
            if time.monotonic() > self._ends:
                raise httpx2.ReadTimeout("the reply did not end in time")
            if received > self._most:
                raise httpx2.ReadError("the reply is too large")
            yield piece

    def close(self) -> None:
        self._inner.close()


def hear(stream: Stream[ChatCompletionChunk], *, ends: float, most_tokens: int, seen: Callable[[int], None]) -> Heard:
    """The whole reply; `ends` is a time of the monotonic clock, `seen` gets the size of each piece that arrives.

    Raises:
        BrokenStreamError: it ended early, or holds something that is no event of the API.
        openai.APIError: the connection failed, stalled, took too long, or the endpoint told an error in the stream.
    """
    with stream:
        answer = stream.response
        kind = answer.headers.get("content-type", "").split(";")[0].strip().lower()
        if kind != "text/event-stream":
            raise BrokenStreamError(f"answers with {kind[:60] or 'no content type'} where a stream was asked for")
        if isinstance(answer.stream, httpx2.SyncByteStream):
            most = _MIB + _KIB_PER_TOKEN * most_tokens
            answer.stream = _Watched(answer.stream, ends, most, seen)
        try:
            return _collected(stream)
        except (ValueError, RecursionError) as error:  # no UTF-8, no JSON, or other fields than those of the API
            raise BrokenStreamError("sends an event that is none of the API") from error


def _collected(stream: Stream[ChatCompletionChunk]) -> Heard:
    text: list[str] = []
    refusal: list[str] = []
    finish, usage = "", None
    for chunk in stream:
        if not isinstance(chunk, BaseModel):  # the SDK hands on any JSON that came as an event
            raise BrokenStreamError("sends an event that is none of the API")
        event = _Event.model_validate(chunk.to_dict(warnings=False))
        if event.usage is not None:
            usage = Tokens(event.usage.prompt_tokens, event.usage.completion_tokens)
        for choice in event.choices[:1]:
            text.append(choice.delta.content or "")
            refusal.append(choice.delta.refusal or "")
            finish = choice.finish_reason or finish
    if not finish:
        raise BrokenStreamError("broke off before the end of the reply")
    return Heard("".join(text), "".join(refusal), finish, usage)
