"""From the events of a stream to the response: one rebuilder for each API, fed while the stream passes by."""

from dataclasses import dataclass
from typing import Protocol

from agent_trace.apis.anthropic import MessagesRebuilder
from agent_trace.apis.chat import ChatRebuilder
from agent_trace.apis.responses import ResponsesRebuilder
from agent_trace.record import Api
from agent_trace.sse import Event, EventParser
from agent_trace.tree import Json, Object, decoded

__all__ = ["Rebuilder", "Rebuilt", "StreamReader", "rebuilder"]


class Rebuilder(Protocol):
    """Takes the events of one stream."""

    def add(self, event: Object) -> bool:
        """Take one event; true when it carries some of the answer: text, reasoning or a tool call."""

    def response(self) -> Json:
        """The response as far as it came; null when nothing did."""

    @property
    def finished(self) -> bool:
        """Whether the stream said that it is at its end."""


@dataclass(frozen=True)
class Rebuilt:
    """What a stream amounts to: `finished` when it said its end itself; `malformed` counts events that were no JSON."""

    response: Json
    finished: bool
    malformed: int


class StreamReader:
    """Bytes of a stream in, a response out; what is malformed is counted and passed over.

    `answering` turns true with the first of the answer: text, reasoning or a tool call.
    """

    def __init__(self, api: Api, largest: int = 64 << 20) -> None:
        self._events = EventParser(largest)
        self._rebuilder = rebuilder(api)
        self.answering = False
        self._malformed = 0
        self._done = False

    def feed(self, chunk: bytes) -> None:
        """Take more bytes."""
        for event in self._events.feed(chunk):
            self._take(event)

    def end(self) -> Rebuilt:
        """What it all amounts to."""
        for event in self._events.end():
            self._take(event)
        finished = self._done or self._rebuilder.finished
        return Rebuilt(self._rebuilder.response(), finished, self._malformed + self._events.oversized)

    def _take(self, event: Event) -> None:
        if event.data.strip() == "[DONE]":
            self._done = True
            return
        try:
            value = decoded(event.data)
        except ValueError:
            self._malformed += 1
            return
        if not isinstance(value, dict):
            self._malformed += 1
        elif self._rebuilder.add(value):
            self.answering = True


def rebuilder(api: Api) -> Rebuilder:
    """An empty rebuilder for an API."""
    made: dict[Api, type[ChatRebuilder | ResponsesRebuilder | MessagesRebuilder]] = {
        "openai.chat": ChatRebuilder,
        "openai.responses": ResponsesRebuilder,
        "anthropic.messages": MessagesRebuilder,
    }
    return made[api]()
