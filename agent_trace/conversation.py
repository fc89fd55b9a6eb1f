"""What was said, in one form for all three APIs: messages of parts, tools, and the message that completes them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from agent_trace.tree import Json, Object, canonical

__all__ = [
    "Conversation",
    "Image",
    "Message",
    "Other",
    "Part",
    "Reasoning",
    "Role",
    "Sampled",
    "Text",
    "Tool",
    "ToolCall",
    "ToolResult",
    "plain_text",
]

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True)
class Image:
    """A picture: its kind, and base64 data or an address."""

    media_type: str
    data: str = ""
    url: str = ""


@dataclass(frozen=True)
class Reasoning:
    """What a model thought before it answered, as far as it is told."""

    text: str


@dataclass(frozen=True)
class ToolCall:
    """A call of a tool. `arguments` is the text that the model wrote; `value` is its JSON, null where it is none."""

    id: str
    name: str
    arguments: str
    value: Json = field(compare=False, default=None)


@dataclass(frozen=True)
class ToolResult:
    """What a tool gave back for a call."""

    call_id: str
    parts: tuple["Text | Image | Other", ...]
    is_error: bool = False


@dataclass(frozen=True)
class Other:
    """A part of a kind that nothing here reads, as canonical JSON."""

    kind: str
    json: str


Part = Text | Image | Reasoning | ToolCall | ToolResult | Other


@dataclass(frozen=True)
class Message:
    """One message; a message of role `tool` holds one result."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tools that it calls."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall))

    @property
    def results(self) -> tuple[ToolResult, ...]:
        """The results that it brings."""
        return tuple(part for part in self.parts if isinstance(part, ToolResult))

    @property
    def text(self) -> str:
        """Its words, without reasoning and results."""
        return plain_text(self.parts)

    @property
    def reasoning(self) -> str:
        """What was thought."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Reasoning))

    @property
    def key(self) -> str:
        """Equal for messages that say the same, however a client wrote them down again.

        Reasoning (which is often not sent back), identifiers of calls, the order of keys in arguments, and space around
        texts make no difference.
        """
        told: list[Json] = [self.role, self.text.strip()]
        for part in self.parts:
            if isinstance(part, ToolCall):
                told.append(["call", part.name, canonical(part.value) if part.value is not None else part.arguments])
            elif isinstance(part, ToolResult):
                told.append(["result", plain_text(part.parts).strip(), *(_other(one) for one in part.parts)])
            elif isinstance(part, Image | Other):
                told.append(_other(part))
        return hashlib.sha256(canonical(told).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class Tool:
    """A tool that the model was offered."""

    name: str
    description: str
    parameters: Object = field(hash=False)


@dataclass(frozen=True)
class Conversation:
    """One request: what was said before, and what the model may use.

    `after` names a response that it goes on from; `instructions` then stand before all of it, in place of earlier ones.
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...]
    instructions: tuple[Message, ...] = ()
    after: str | None = None


@dataclass(frozen=True)
class Sampled:
    """Tokens of a completion, where the endpoint told them: log probabilities, and identifiers as vLLM gives them."""

    logprobs: tuple[float, ...] = ()
    token_ids: tuple[int, ...] = ()
    prompt_token_ids: tuple[int, ...] = ()


def plain_text(parts: Sequence[Part]) -> str:
    """The words of these parts, one after the other."""
    return "\n".join(part.text for part in parts if isinstance(part, Text) and part.text)


def _other(part: Part) -> Json:
    if isinstance(part, Image):
        return ["image", part.url or hashlib.sha256(part.data.encode()).hexdigest()]
    return ["other", part.json] if isinstance(part, Other) else None
