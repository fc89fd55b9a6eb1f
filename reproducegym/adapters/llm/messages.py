"""The words of one call: question, images, schema where it has to stand in the prompt, and the error of a bad reply."""

import base64
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pydantic import JsonValue, ValidationError

from reproducegym.ports import Question, ReplyT

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionContentPartParam, ChatCompletionMessageParam

__all__ = ["corrected", "faults_of", "first_messages", "read_reply", "with_schema"]

_SHOWN_FAULTS = 8
_LONGEST_FAULT = 240
_LONGEST_BAD_REPLY = 20_000


def first_messages(question: Question) -> "list[ChatCompletionMessageParam]":
    """System and user message; images go along as data URLs."""
    if not question.images:
        return [{"role": "system", "content": question.system}, {"role": "user", "content": question.user}]
    parts: list[ChatCompletionContentPartParam] = [{"type": "text", "text": question.user}]
    for image in question.images:
        url = f"data:image/png;base64,{base64.b64encode(image).decode('ascii')}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return [{"role": "system", "content": question.system}, {"role": "user", "content": parts}]


def with_schema(
    messages: "Sequence[ChatCompletionMessageParam]", schema: Mapping[str, JsonValue]
) -> "list[ChatCompletionMessageParam]":
    """The same for an endpoint that takes no schema: it stands at the end of the system message."""
    first = messages[0]
    told = f"{first.get('content')}\n\n{_wanted(schema)}"
    return [{"role": "system", "content": told}, *messages[1:]]


def corrected(
    messages: "Sequence[ChatCompletionMessageParam]", bad: str, faults: str, schema: Mapping[str, JsonValue]
) -> "list[ChatCompletionMessageParam]":
    """The conversation after a reply that does not fit: the reply itself and what is wrong with it."""
    said = f"This reply cannot be used:\n{faults}\n\nAnswer the same question again. {_wanted(schema)}"
    shown = bad if bad.strip() else "(an empty reply)"
    return [
        *messages,
        {"role": "assistant", "content": shown[:_LONGEST_BAD_REPLY]},
        {"role": "user", "content": said},
    ]


def _wanted(schema: Mapping[str, JsonValue]) -> str:
    return (
        "Reply with one JSON object and nothing else. It must fit this JSON Schema:\n"
        f"{json.dumps(schema, ensure_ascii=False)}"
    )


def read_reply(text: str, reply: type[ReplyT]) -> ReplyT:
    """The reply as its model; a code fence around the object is taken off.

    Raises:
        ValidationError: it is no JSON, or does not fit.
    """
    bare = text.strip()
    if bare.startswith("```") and bare.endswith("```") and "\n" in bare:
        bare = bare[bare.index("\n") : -3]
    return reply.from_json(bare)


def faults_of(error: ValidationError) -> str:
    """What is wrong with a reply, a line a fault; only the first few."""
    lines = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False)[:_SHOWN_FAULTS]:
        place = ".".join(str(part) for part in fault["loc"])
        lines.append(f"- {place}: {fault['msg']}"[:_LONGEST_FAULT] if place else f"- {fault['msg']}"[:_LONGEST_FAULT])
    left = error.error_count() - len(lines)
    return "\n".join([*lines, f"- and {left} more"] if left > 0 else lines)
