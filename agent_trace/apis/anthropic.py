"""Anthropic Messages: a message is started, its content blocks grow, its end is told."""

from agent_trace.apis.pieces import Growing, joined
from agent_trace.tree import Json, Object, decoded, integer, items, mapping, string

__all__ = ["MessagesRebuilder"]

_GROWS = {
    "text_delta": "text",
    "thinking_delta": "thinking",
    "signature_delta": "signature",
    "input_json_delta": "input",
}


class MessagesRebuilder:
    """Grows a `message` from its events."""

    def __init__(self) -> None:
        self._message: Object | None = None
        self._error: Object | None = None
        self._ended = False
        self._blocks: dict[int, Object] = {}
        self._grown: dict[tuple[int, str], Growing] = {}

    @property
    def finished(self) -> bool:
        """Whether `message_stop` came."""
        return self._ended

    def add(self, event: Object) -> bool:
        """Take one event; true when it carries some of the answer."""
        place = integer(event.get("index")) or 0
        match event.get("type"):
            case "message_start":
                self._message = dict(mapping(event.get("message")))
            case "content_block_start":
                self._blocks[place] = dict(mapping(event.get("content_block")))
                return self._blocks[place].get("type") not in ("text", "thinking")
            case "content_block_delta":
                return self._delta(place, mapping(event.get("delta")))
            case "message_delta":
                self._end(mapping(event.get("delta")), mapping(event.get("usage")))
            case "message_stop":
                self._ended = True
            case "error":
                self._error = event
            case _:
                pass
        return False

    def response(self) -> Json:
        """The message, or what an error event said; input of a tool that was cut stands in `partial_json`."""
        if self._message is None and not self._blocks:
            return self._error
        content: list[Json] = [self._block(place) for place in sorted(self._blocks)]
        whole = {**(self._message or {"type": "message", "role": "assistant"}), "content": content}
        return whole if self._error is None else {**whole, "error": self._error.get("error")}

    def _delta(self, place: int, delta: Object) -> bool:
        kind = string(delta.get("type"))
        block = self._blocks.setdefault(place, {})
        if kind == "citations_delta":
            block["citations"] = [*items(block.get("citations")), delta.get("citation")]
            return False
        if kind not in _GROWS:
            return False
        name = _GROWS[kind]
        told = string(delta.get("partial_json" if name == "input" else name))
        if (place, name) not in self._grown:
            self._grown[place, name] = Growing("" if name == "input" else string(block.get(name)))
        self._grown[place, name].pieces.append(told)
        return bool(told) and name != "signature"

    def _end(self, delta: Object, usage: Object) -> None:
        message = self._message if self._message is not None else {"type": "message", "role": "assistant"}
        counted = {key: value for key, value in usage.items() if value is not None}
        self._message = {**message, **delta, "usage": {**mapping(message.get("usage")), **counted}}

    def _block(self, place: int) -> Object:
        block = dict(self._blocks[place])
        for (at, name), grown in self._grown.items():
            if at != place:
                continue
            text = string(joined(grown))
            if name != "input":
                block[name] = text
            elif text:
                block.update(_input(text))
        return block


def _input(text: str) -> Object:
    try:
        return {"input": decoded(text)}
    except ValueError:
        return {"input": {}, "partial_json": text}
