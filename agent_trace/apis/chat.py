"""OpenAI Chat Completions: chunks of `choices[].delta` become `choices[].message`."""

from agent_trace.apis.pieces import joined, merge
from agent_trace.tree import Json, Object, items, mapping

__all__ = ["ChatRebuilder"]

_ANSWER = ("content", "refusal", "reasoning_content", "reasoning", "tool_calls", "function_call", "audio")


class ChatRebuilder:
    """Grows a `chat.completion` from its chunks."""

    def __init__(self) -> None:
        self._head: Object = {}
        self._choices: dict[int, dict[str, object]] = {}
        self._messages: dict[int, dict[str, object]] = {}

    @property
    def finished(self) -> bool:
        """Whether each choice has its finish reason."""
        return bool(self._choices) and all(one.get("finish_reason") is not None for one in self._choices.values())

    def add(self, event: Object) -> bool:
        """Take one chunk; true when it carries some of the answer."""
        carries = False
        for key, value in event.items():
            if key != "choices" and (value is not None or key not in self._head):
                self._head[key] = value
        for choice in items(event.get("choices")):
            told = mapping(choice)
            index = told.get("index", 0)
            if not isinstance(index, int):
                continue
            delta = mapping(told.get("delta"))
            carries = carries or any(delta.get(key) for key in _ANSWER)
            merge(self._messages.setdefault(index, {}), delta)
            rest = {key: value for key, value in told.items() if key not in {"delta", "finish_reason"}}
            merge(self._choices.setdefault(index, {"index": index}), rest)
            if told.get("finish_reason") is not None:
                self._choices[index]["finish_reason"] = told["finish_reason"]
        return carries

    def response(self) -> Json:
        """The `chat.completion`, or what an error event said."""
        if not self._head and not self._choices:
            return None
        head = {**self._head, "object": "chat.completion"} if self._choices or "error" not in self._head else self._head
        choices: list[Json] = []
        for index in sorted(self._choices):
            choice = mapping(joined(self._choices[index]))
            message = mapping(joined(self._messages[index]))
            choices.append({**choice, "finish_reason": choice.get("finish_reason"), "message": _message(message)})
        return {**head, "choices": choices} if choices else head


def _message(message: Object) -> Object:
    calls: list[Json] = [
        {key: value for key, value in mapping(call).items() if key != "index"}
        for call in items(message.get("tool_calls"))
    ]
    whole = {"role": "assistant", "content": None, **message}
    return {**whole, "tool_calls": calls} if calls else whole
