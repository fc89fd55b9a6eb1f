"""What one model behind one endpoint understands of the API: found out from its refusals, each thing once."""

from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["Dialect", "narrowed"]

Structure = Literal["json_schema", "json_object", "text"]


@dataclass(frozen=True)
class Dialect:
    """How a request is worded; starts as OpenAI has it, and only ever gets narrower."""

    structure: Structure = "json_schema"
    limit: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    temperature: bool = True
    counted: bool = True


_WEAKER: dict[Structure, Structure] = {"json_schema": "json_object", "json_object": "text"}


def narrowed(dialect: Dialect, param: str | None, message: str) -> tuple[Dialect, str] | None:
    """The dialect after a refusal (status 400 or 422), and what is done instead; None if it was about something else.

    `param` is the field that the endpoint names, if it names one; else the message must name it.
    """
    named = message if param is None else param
    if "response_format" in named or (param is None and dialect.structure in message):
        if dialect.structure not in _WEAKER:
            return None
        weaker = _WEAKER[dialect.structure]
        how = "the schema goes into the prompt" + (
            ", and replies are JSON by request" if weaker == "json_object" else ""
        )
        return replace(dialect, structure=weaker), f"does not take {dialect.structure} replies; {how}"
    if dialect.limit in named and dialect.limit == "max_completion_tokens":
        return replace(dialect, limit="max_tokens"), "does not take max_completion_tokens; max_tokens is sent"
    if "temperature" in named and dialect.temperature:
        return replace(dialect, temperature=False), "does not take this temperature; its own is used"
    if "stream_options" in named and dialect.counted:
        return replace(dialect, counted=False), "does not count tokens in streams; they are estimated from above"
    return None
