"""What a scripted model may do with one request: answer, refuse, fail, stall, break off, or send nonsense."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]


@dataclass(frozen=True)
class Answer:
    """A whole reply, streamed in pieces. `content` is the text, or a value that is sent as its JSON.

    `usage` is (prompt tokens, completion tokens), None for an endpoint that does not count; `wait_s` is slept first.
    """

    content: Json
    finish: str = "stop"
    usage: tuple[int, int] | None = (1000, 100)
    pieces: int = 4
    wait_s: float = 0.0

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else json.dumps(self.content, ensure_ascii=False)


@dataclass(frozen=True)
class Refusal:
    """The model declines, in the field that the API has for it."""

    text: str = "I cannot help with that."
    usage: tuple[int, int] | None = (1000, 10)


@dataclass(frozen=True)
class Status:
    """An error status with the API's error object, and headers of its own."""

    code: int
    message: str = "The server had an error while processing your request."
    kind: str = "server_error"
    error_code: str | None = None
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True)
class Stall:
    """Some of the text, then nothing, with the connection open; `comments` keeps sending SSE comments instead."""

    text: str = '{"wo'
    comments: bool = False


@dataclass(frozen=True)
class Hang:
    """Not even a status line."""


@dataclass(frozen=True)
class Broken:
    """Some of the text, then the connection is closed in the middle of the stream."""

    text: str = '{"wo'


@dataclass(frozen=True)
class Bytes:
    """A status 200 whose body is exactly this, whatever it is."""

    body: bytes
    content_type: str = "text/event-stream"


Reply = Answer | Refusal | Status | Stall | Hang | Broken | Bytes


def cut(text: str) -> Answer:
    """A reply that ends at its length limit."""
    return Answer(text, finish="length")


def rate_limited(retry_after: str | None) -> Status:
    """429, with `Retry-After` where it is not None."""
    headers = {} if retry_after is None else {"Retry-After": retry_after}
    return Status(429, "Rate limit reached", "requests", "rate_limit_exceeded", headers=headers)


def echo_of_secrets(code: int, headers: Mapping[str, str]) -> Status:
    """An endpoint that tells the caller's own headers in its error, as careless proxies do."""
    told = "; ".join(f"{name}: {value}" for name, value in headers.items())
    key = headers.get("authorization", "").removeprefix("Bearer ")
    return Status(code, f"bad request with {told}; key {key[:8]}...{key[-4:]}", "invalid_request_error")
