"""Reads one reply of a chat model, whatever the endpoint sends as one."""

import json
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, ValidationError

from reproducegym.adapters.agents.tool_loop.conversation import Completion, ToolCall

__all__ = ["UnreadableReplyError", "read_reply"]

_NOT_SENT_BACK = {"refusal", "annotations", "audio", "function_call"}


class UnreadableReplyError(Exception):
    """What came is no reply of the API; says where, and nothing of what it holds."""


def _count(value: object) -> int:
    """A count of tokens; 0 for anything else, since a reply is no worse for an endpoint that cannot count."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


class _Part(BaseModel):
    """What we read of a reply; endpoints add fields of their own."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class _Function(_Part):
    name: str
    arguments: str


class _Call(_Part):
    id: str
    type: str = "function"
    function: _Function | None = None


class _Message(_Part):
    """Goes back to the endpoint with all fields that it came with, for some want their own back."""

    model_config = ConfigDict(frozen=True, strict=True, extra="allow")
    __pydantic_extra__: dict[str, JsonValue]

    role: str = "assistant"
    content: str | None = None
    tool_calls: Annotated[tuple[_Call, ...] | None, Field(strict=False)] = None


class _Choice(_Part):
    message: _Message


class _Usage(_Part):
    total_tokens: Annotated[int, BeforeValidator(_count)] = 0


def _usage(value: object) -> object:
    return value if isinstance(value, dict) else {}


class _Reply(_Part):
    choices: Annotated[tuple[_Choice, ...], Field(strict=False, min_length=1)]
    usage: Annotated[_Usage, BeforeValidator(_usage)] = _Usage()


def read_reply(body: bytes) -> Completion:
    """The first choice of a reply.

    Raises:
        UnreadableReplyError: no JSON, nested too deep, without a choice, or with calls that name no function.
    """
    try:
        reply = _Reply.model_validate_json(body)
        message = reply.choices[0].message
        back = message.model_dump(mode="json", exclude_none=True, exclude=_NOT_SENT_BACK)
        json.dumps(back, allow_nan=False)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(str(step) for step in first["loc"]) or "as a whole"
        raise UnreadableReplyError(f"{where[:100]}: {_said(first['type'], first['msg'])}") from None
    except ValueError:
        raise UnreadableReplyError("a number that is none in JSON") from None
    text = message.content or ""
    calls = tuple(
        ToolCall(one.id, one.function.name, one.function.arguments)
        for one in message.tool_calls or ()
        if one.function is not None
    )
    return Completion({**back, "content": text}, text, calls, reply.usage.total_tokens)


def _said(kind: str, words: str) -> str:
    return "no JSON" if kind == "json_invalid" else words[:100]
