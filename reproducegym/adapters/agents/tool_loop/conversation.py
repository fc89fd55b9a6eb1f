"""What the model has been told so far, and how it is made shorter when it no longer fits."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from pydantic import JsonValue

from reproducegym.pipeline.templates import front_matter, render

__all__ = ["Completion", "Conversation", "GoOn", "Message", "Model", "OutOfTimeError", "TooLongError", "ToolCall"]

Message = dict[str, JsonValue]
"""One message as the chat API takes it."""

GoOn = Callable[[], None]
"""Raises what ends a wait: called several times a second while a reply is waited for."""

_KEPT = 200
_LATEST = 4


class TooLongError(Exception):
    """The endpoint says that the conversation does not fit the model's context."""


class OutOfTimeError(Exception):
    """No reply came within the time that was given."""


@dataclass(frozen=True)
class ToolCall:
    """A call that the model made; `arguments` is JSON by its own word only."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Completion:
    """One reply: the message to be put back into the conversation, its text, its calls.

    `tokens` are those of the whole conversation with it, as the endpoint counts them; 0 where it does not.
    """

    message: Message
    text: str
    calls: tuple[ToolCall, ...]
    tokens: int


class Model(Protocol):
    """A chat model that can call tools."""

    def complete(
        self, messages: list[Message], tools: list[dict[str, JsonValue]], *, within_s: float, go_on: GoOn
    ) -> Completion:
        """One reply.

        Raises:
            TooLongError: the conversation does not fit.
            OutOfTimeError: none came within the time.
            InfrastructureError: the endpoint is out of reach or fails again and again.
            ModelUnavailableError: it refuses us.
        """
        ...


@dataclass
class Conversation:
    """Begins with who the model is and what the task is; both stay when the rest is made shorter.

    `poll_s` is how often it is told to look at a run in the background.
    """

    instructions: str
    budget: str
    poll_s: int
    _later: list[Message] = field(default_factory=list)

    def messages(self) -> list[Message]:
        """All of it, as it is sent."""
        system = str(front_matter("agent/tool_loop.md")["system"])
        told = {"instructions": self.instructions, "budget": self.budget, "poll_s": self.poll_s}
        task = render("agent/tool_loop.md", told)
        return [{"role": "system", "content": system.strip()}, {"role": "user", "content": task.strip()}, *self._later]

    def add(self, message: Message) -> None:
        """One more message."""
        self._later.append(message)

    def say(self, text: str) -> None:
        """One more message of the user."""
        self.add({"role": "user", "content": text})

    def tell(self, call: ToolCall, text: str) -> None:
        """What came of a call."""
        self.add({"role": "tool", "tool_call_id": call.id, "content": text})

    def asking_for_summary(self) -> list[Message]:
        """All of it, and the wish for a summary that can stand for it."""
        return [*self.messages(), {"role": "user", "content": render("agent/compact.md", {}).strip()}]

    def replace_by(self, summary: str) -> None:
        """Go on from a summary alone."""
        self._later = [{"role": "user", "content": render("agent/compacted.md", {"summary": summary}).strip()}]

    def shorten(self) -> bool:
        """Cut what tools said earlier down to its beginning; False when nothing was left to cut."""
        cut = False
        for message in self._later[:-_LATEST]:
            content = message.get("content")
            if message["role"] == "tool" and isinstance(content, str) and len(content) > _KEPT + 50:
                message["content"] = f"{content[:_KEPT]}\n[… the rest was left out …]"
                cut = True
        return cut
