"""What the scripted model says, and the bytes with which each API says it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Said:
    """One answer: text, reasoning and tool calls (name, arguments as JSON text), told in `pieces`, `gap_s` apart.

    `usage` is (prompt, completion, of the prompt cached). `cut_after`: the connection closes after so many events.
    """

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    thinking: str = ""
    usage: tuple[int, int, int] = (100, 10, 40)
    pieces: int = 4
    gap_s: float = 0.0
    cut_after: int | None = None
    encoding: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    split: tuple[str, ...] = ()

    def parts(self, text: str) -> list[str]:
        size = max(1, -(-len(text) // self.pieces))
        return [text[n : n + size] for n in range(0, len(text), size)]

    def texts(self) -> list[str]:
        return list(self.split) or self.parts(self.text)

    @property
    def whole_text(self) -> str:
        return "".join(self.split) or self.text


def call_id(number: int, at: int) -> str:
    return f"call_{number}_{at}"


def whole(api: str, said: Said, model: str, number: int) -> dict:
    return {"chat": _chat, "responses": _responses, "messages": _messages}[api](said, model, number)


def events(api: str, said: Said, model: str, number: int) -> Iterator[bytes]:
    made = {"chat": _chat_events, "responses": _responses_events, "messages": _messages_events}
    yield from made[api](said, model, number)


def event(value: dict | str, name: str | None = None) -> bytes:
    data = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    head = "" if name is None else f"event: {name}\n"
    return f"{head}data: {data}\n\n".encode()


def _chat_usage(said: Said) -> dict:
    prompt, completion, cached = said.usage
    return {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _chat(said: Said, model: str, number: int) -> dict:
    message: dict = {"role": "assistant", "content": said.whole_text or None, "refusal": None}
    if said.thinking:
        message["reasoning_content"] = said.thinking
    if said.calls:
        message["tool_calls"] = [
            {"id": call_id(number, at), "type": "function", "function": {"name": name, "arguments": arguments}}
            for at, (name, arguments) in enumerate(said.calls)
        ]
    finish = "tool_calls" if said.calls else "stop"
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
        "usage": _chat_usage(said),
    }


def _chat_events(said: Said, model: str, number: int) -> Iterator[bytes]:
    head = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 0, "model": model}

    def chunk(delta: dict, finish: str | None = None) -> bytes:
        return event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": finish, "logprobs": None}]})

    yield chunk({"role": "assistant", "content": None, "refusal": None})
    for piece in said.parts(said.thinking):
        yield chunk({"reasoning_content": piece})
    for piece in said.texts():
        yield chunk({"content": piece})
    for at, (name, arguments) in enumerate(said.calls):
        opened = {"name": name, "arguments": ""}
        yield chunk({"tool_calls": [{"index": at, "id": call_id(number, at), "type": "function", "function": opened}]})
        for piece in said.parts(arguments):
            yield chunk({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    yield chunk({}, "tool_calls" if said.calls else "stop")
    yield event({**head, "choices": [], "usage": _chat_usage(said)})
    yield event("[DONE]")


def _responses(said: Said, model: str, number: int) -> dict:
    output: list = []
    if said.thinking:
        summary = [{"type": "summary_text", "text": said.thinking}]
        output.append({"id": f"rs_{number}", "type": "reasoning", "summary": summary})
    if said.whole_text:
        content = [{"type": "output_text", "text": said.whole_text, "annotations": []}]
        output.append(
            {"id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": content}
        )
    for at, (name, arguments) in enumerate(said.calls):
        ids = {"id": f"fc_{number}_{at}", "call_id": call_id(number, at)}
        output.append({**ids, "type": "function_call", "name": name, "arguments": arguments, "status": "completed"})
    prompt, completion, cached = said.usage
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": model,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": cached},
            "output_tokens": completion,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt + completion,
        },
    }


def _responses_events(said: Said, model: str, number: int) -> Iterator[bytes]:
    done = _responses(said, model, number)
    order = 0

    def told(kind: str, **fields: object) -> bytes:
        nonlocal order
        order += 1
        return event({"type": kind, "sequence_number": order - 1, **fields}, kind)

    yield told("response.created", response={**done, "status": "in_progress", "output": [], "usage": None})
    for place, item in enumerate(done["output"]):
        place_of = {"output_index": place, "item_id": item["id"]}
        if item["type"] == "message":
            yield told("response.output_item.added", output_index=place, item={**item, "content": []})
            part = {"content_index": 0, "part": {"type": "output_text", "text": "", "annotations": []}}
            yield told("response.content_part.added", **place_of, **part)
            for piece in said.texts():
                yield told("response.output_text.delta", **place_of, content_index=0, delta=piece, logprobs=[])
            yield told("response.output_text.done", **place_of, content_index=0, text=said.whole_text, logprobs=[])
            yield told("response.content_part.done", **place_of, content_index=0, part=item["content"][0])
        elif item["type"] == "reasoning":
            yield told("response.output_item.added", output_index=place, item={**item, "summary": []})
            part = {"summary_index": 0, "part": {"type": "summary_text", "text": ""}}
            yield told("response.reasoning_summary_part.added", **place_of, **part)
            for piece in said.parts(said.thinking):
                yield told("response.reasoning_summary_text.delta", **place_of, summary_index=0, delta=piece)
        else:
            yield told("response.output_item.added", output_index=place, item={**item, "arguments": ""})
            for piece in said.parts(item["arguments"]):
                yield told("response.function_call_arguments.delta", **place_of, delta=piece)
            done_call = {"arguments": item["arguments"], "name": item["name"]}
            yield told("response.function_call_arguments.done", **place_of, **done_call)
        yield told("response.output_item.done", output_index=place, item=item)
    yield told("response.completed", response=done)


def _messages(said: Said, model: str, number: int) -> dict:
    content: list = []
    if said.thinking:
        content.append({"type": "thinking", "thinking": said.thinking, "signature": "c2ln"})
    if said.whole_text:
        content.append({"type": "text", "text": said.whole_text})
    for at, (name, arguments) in enumerate(said.calls):
        content.append({"type": "tool_use", "id": call_id(number, at), "name": name, "input": json.loads(arguments)})
    prompt, completion, cached = said.usage
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if said.calls else "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": prompt - cached,
            "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 0,
            "output_tokens": completion,
        },
    }


def _messages_events(said: Said, model: str, number: int) -> Iterator[bytes]:
    done = _messages(said, model, number)

    def told(kind: str, **fields: object) -> bytes:
        return event({"type": kind, **fields}, kind)

    usage = {**done["usage"], "output_tokens": 1}
    yield told("message_start", message={**done, "content": [], "stop_reason": None, "usage": usage})
    yield told("ping")
    for at, block in enumerate(done["content"]):
        empty = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}, "tool_use": {"input": {}}}
        yield told("content_block_start", index=at, content_block={**block, **empty[block["type"]]})
        if block["type"] == "text":
            for piece in said.texts():
                yield told("content_block_delta", index=at, delta={"type": "text_delta", "text": piece})
        elif block["type"] == "thinking":
            for piece in said.parts(said.thinking):
                yield told("content_block_delta", index=at, delta={"type": "thinking_delta", "thinking": piece})
            signature = {"type": "signature_delta", "signature": block["signature"]}
            yield told("content_block_delta", index=at, delta=signature)
        else:
            arguments = said.calls[at - len(done["content"]) + len(said.calls)][1]
            for piece in said.parts(arguments):
                yield told("content_block_delta", index=at, delta={"type": "input_json_delta", "partial_json": piece})
        yield told("content_block_stop", index=at)
    delta = {"stop_reason": done["stop_reason"], "stop_sequence": None}
    yield told("message_delta", delta=delta, usage={"output_tokens": said.usage[1]})
    yield told("message_stop")
