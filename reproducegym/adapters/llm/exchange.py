"""One exchange with a model: what is sent, what is heard, and the failure that may pass; loads no SDK."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import JsonValue

from reproducegym.adapters.llm.cost import Tokens

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

__all__ = ["AgainError", "Call", "Heard"]


@dataclass(frozen=True)
class Call:
    """What is sent: model, conversation, and the reply that is wanted."""

    model: str
    messages: "tuple[ChatCompletionMessageParam, ...]"
    schema: Mapping[str, JsonValue]
    name: str


@dataclass(frozen=True)
class Heard:
    """A whole reply: what was said, why it ended, and the tokens if the endpoint counted them."""

    text: str
    refusal: str
    finish: str
    usage: Tokens | None


class AgainError(Exception):
    """The call failed and may go better: says how, how long the endpoint asks to wait, and whether it may have cost."""

    def __init__(self, what: str, *, wait_s: float | None = None, limited: bool = False, charged: bool = False) -> None:
        super().__init__(what)
        self.wait_s, self.limited, self.charged = wait_s, limited, charged
