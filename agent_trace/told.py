"""Reads requests and responses of the three APIs into conversations. What is not understood is kept as it is."""

from agent_trace.conversation import (
    Conversation,
    Image,
    Message,
    Other,
    Part,
    Reasoning,
    Role,
    Sampled,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)
from agent_trace.record import Api
from agent_trace.tree import Json, Object, canonical, decoded, items, mapping, string

__all__ = ["asked", "completed", "response_id", "sampled"]

_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


def asked(api: Api, request: Json) -> Conversation:
    """What a request says. A tool's results become messages of role `tool`, one for each."""
    body = mapping(request)
    if api == "openai.responses":
        told = body.get("input")
        listed: list[Json] = [{"role": "user", "content": told}] if isinstance(told, str) else items(told)
        instructions = string(body.get("instructions"))
        first = (Message("system", (Text(instructions),)),) if instructions else ()
        after = string(body.get("previous_response_id")) or None
        return Conversation(tuple(_items(listed)), _tools(body), first, after)
    messages: list[Message] = []
    if api == "anthropic.messages" and body.get("system"):
        messages.append(Message("system", _parts(body.get("system"))))
    for one in items(body.get("messages")):
        messages += _divided(_message(mapping(one)))
    return Conversation(tuple(messages), _tools(body))


def completed(api: Api, response: Json) -> tuple[Message, ...]:
    """The messages that a response holds: one, or one for each of several choices; none where it is an error."""
    body = mapping(response)
    if api == "openai.chat":
        return tuple(_message(mapping(mapping(one).get("message"))) for one in items(body.get("choices")))
    if api == "anthropic.messages":
        return (_message(body),) if body.get("content") else ()
    return tuple(_items(items(body.get("output"))))[:1]


def response_id(response: Json) -> str | None:
    """The identifier by which a later request may go on from this response."""
    return string(mapping(response).get("id")) or None


def sampled(response: Json) -> Sampled:
    """The tokens of a chat completion's first choice, as far as they are told."""
    body = mapping(response)
    choice = mapping(next(iter(items(body.get("choices"))), None))
    told = [mapping(one).get("logprob") for one in items(mapping(choice.get("logprobs")).get("content"))]
    return Sampled(
        tuple(float(one) for one in told if isinstance(one, int | float)),
        tuple(one for one in items(choice.get("token_ids")) if isinstance(one, int)),
        tuple(one for one in items(body.get("prompt_token_ids")) if isinstance(one, int)),
    )


def _message(one: Object) -> Message:
    role = _ROLES.get(string(one.get("role")), "user")
    if role == "tool":
        return Message("tool", (_result(string(one.get("tool_call_id")), one.get("content")),))
    parts: list[Part] = []
    thought = string(one.get("reasoning_content")) or string(one.get("reasoning"))
    if thought:
        parts.append(Reasoning(thought))
    parts += _parts(one.get("content"))
    if string(one.get("refusal")):
        parts.append(Text(string(one.get("refusal"))))
    for call in items(one.get("tool_calls")):
        function = mapping(mapping(call).get("function"))
        parts.append(_call(string(mapping(call).get("id")), function.get("name"), function.get("arguments")))
    return Message(role, tuple(parts))


def _divided(message: Message) -> list[Message]:
    """A user's message with results becomes its results, then what else it says."""
    if message.role != "user" or not message.results:
        return [message]
    rest = tuple(part for part in message.parts if not isinstance(part, ToolResult))
    found = [Message("tool", (result,)) for result in message.results]
    return [*found, Message("user", rest)] if rest else found


def _items(listed: list[Json]) -> list[Message]:
    """Items of the Responses API. What a model said in a row (reasoning, text, calls) is one message."""
    found: list[Message] = []
    for one in listed:
        message = _item(mapping(one))
        if found and message.role == "assistant" and found[-1].role == "assistant":
            found[-1] = Message("assistant", found[-1].parts + message.parts)
        else:
            found.append(message)
    return found


def _item(one: Object) -> Message:
    kind = string(one.get("type")) or "message"
    if kind == "message":
        return _message(one)
    if kind in ("function_call", "custom_tool_call"):
        told = one.get("arguments" if kind == "function_call" else "input")
        return Message("assistant", (_call(string(one.get("call_id")), one.get("name"), told),))
    if kind in ("function_call_output", "custom_tool_call_output"):
        return Message("tool", (_result(string(one.get("call_id")), one.get("output")),))
    if kind == "reasoning":
        told = "\n".join(
            string(mapping(part).get("text")) for field in ("summary", "content") for part in items(one.get(field))
        )
        return Message("assistant", (Reasoning(told),) if told else ())
    return Message("assistant", (Other(kind, canonical(one)),))


def _parts(content: Json) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Text(content),) if content else ()
    return tuple(_part(mapping(one)) for one in items(content))


def _part(one: Object) -> Part:
    kind = string(one.get("type"))
    if kind in ("text", "input_text", "output_text"):
        return Text(string(one.get("text")))
    if kind == "refusal":
        return Text(string(one.get("refusal")))
    if kind == "thinking":
        return Reasoning(string(one.get("thinking")))
    if kind == "tool_use":
        value = one.get("input")
        text = string(one.get("partial_json")) or canonical(value)
        return ToolCall(string(one.get("id")), string(one.get("name")), text, value)
    if kind == "tool_result":
        return _result(string(one.get("tool_use_id")), one.get("content"), is_error=one.get("is_error") is True)
    if kind in ("image", "image_url", "input_image"):
        return _image(one) or Other(kind, canonical(one))
    return Other(kind, canonical({key: value for key, value in one.items() if key != "cache_control"}))


def _image(one: Object) -> Image | None:
    source = mapping(one.get("source"))
    if source.get("type") == "base64":
        return Image(string(source.get("media_type")), data=string(source.get("data")))
    told = one.get("image_url")
    url = string(source.get("url")) or string(told) or string(mapping(told).get("url"))
    head, comma, data = url.partition(";base64,")
    if comma and head.startswith("data:"):
        return Image(head.removeprefix("data:"), data=data)
    return Image("", url=url) if url else None


def _call(identity: str, name: Json, arguments: Json) -> ToolCall:
    text = arguments if isinstance(arguments, str) else canonical(arguments)
    try:
        value = decoded(text)
    except ValueError:
        value = None
    return ToolCall(identity, string(name), text, value)


def _result(call_id: str, content: Json, *, is_error: bool = False) -> ToolResult:
    told = content if isinstance(content, str | list) or content is None else canonical(content)
    parts = tuple(part for part in _parts(told) if isinstance(part, Text | Image | Other))
    return ToolResult(call_id, parts, is_error)


def _tools(body: Object) -> tuple[Tool, ...]:
    found = []
    for one in items(body.get("tools")):
        told = mapping(one)
        inner = mapping(told.get("function")) or told
        name = string(inner.get("name")) or string(told.get("type"))
        parameters = mapping(inner.get("parameters")) or mapping(inner.get("input_schema"))
        found.append(Tool(name, string(inner.get("description")), parameters))
    return tuple(found)
