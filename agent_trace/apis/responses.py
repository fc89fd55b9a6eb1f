"""OpenAI Responses: the stream ends with the whole response; where it breaks off, its items are put together."""

from agent_trace.apis.pieces import Growing, joined
from agent_trace.tree import Json, Object, integer, items, mapping, string

__all__ = ["ResponsesRebuilder"]

_ENDS = frozenset({"response.completed", "response.incomplete", "response.failed", "response.cancelled"})
_PARTS = {
    "response.output_text.delta": ("content", "output_text", "text"),
    "response.refusal.delta": ("content", "refusal", "refusal"),
    "response.reasoning_text.delta": ("content", "reasoning_text", "text"),
    "response.reasoning_summary_text.delta": ("summary", "summary_text", "text"),
}
_WHOLE = {
    "response.function_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
    "response.mcp_call_arguments.delta": "arguments",
}


class ResponsesRebuilder:
    """Keeps the response as the last event told it, and the items that grew since."""

    def __init__(self) -> None:
        self._response: Object | None = None
        self._error: Object | None = None
        self._ended = False
        self._items: dict[int, Object] = {}
        self._done: set[int] = set()
        self._parts: dict[tuple[int, str, int], tuple[str, str, Growing]] = {}
        self._fields: dict[tuple[int, str], Growing] = {}

    @property
    def finished(self) -> bool:
        """Whether the whole response was told."""
        return self._ended

    def add(self, event: Object) -> bool:
        """Take one event; true when it carries some of the answer."""
        kind = string(event.get("type"))
        place = integer(event.get("output_index")) or 0
        if kind == "error":
            self._error = event
        elif isinstance(whole := event.get("response"), dict):
            self._response, self._ended = whole, kind in _ENDS
        elif kind in ("response.output_item.added", "response.output_item.done"):
            self._items[place] = mapping(event.get("item"))
            if kind.endswith("done"):
                self._done.add(place)
            return self._items[place].get("type") not in ("message", "reasoning")
        elif kind in _PARTS:
            field, part, text = _PARTS[kind]
            number = integer(event.get("content_index" if field == "content" else "summary_index")) or 0
            self._grow_part((place, field, number), part, text, string(event.get("delta")))
            return True
        elif kind in _WHOLE:
            grown = self._fields.setdefault((place, _WHOLE[kind]), Growing(""))
            grown.pieces.append(string(event.get("delta")))
            return True
        return False

    def response(self) -> Json:
        """The response; a cut one has the status `in_progress` that it was last told to have."""
        if self._response is None and not self._items:
            return self._error
        if self._ended:
            return self._response
        whole: Object = dict(self._response or {})
        if self._items or not items(whole.get("output")):
            whole["output"] = [self._item(place) for place in sorted(self._items)]
        return whole if self._error is None else {**whole, "error": self._error}

    def _grow_part(self, key: tuple[int, str, int], part: str, text: str, delta: str) -> None:
        self._parts.setdefault(key, (part, text, Growing("")))[2].pieces.append(delta)

    def _item(self, place: int) -> Object:
        item = dict(self._items[place])
        if place in self._done:
            return item
        for (at, field), grown in self._fields.items():
            if at == place:
                item[field] = joined(grown)
        for field in ("content", "summary"):
            parts: list[Json] = [
                {"type": part, text: joined(grown)}
                for (at, name, _), (part, text, grown) in sorted(self._parts.items(), key=lambda one: one[0])
                if (at, name) == (place, field)
            ]
            if parts:
                item[field] = parts
        return item
