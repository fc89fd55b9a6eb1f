"""A language model behind structured replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

from reproducegym.schema.base import Frozen
from reproducegym.schema.usage import Step

__all__ = ["Llm", "Question", "ReplyT", "Unanswered"]

ReplyT = TypeVar("ReplyT", bound=Frozen)


@dataclass(frozen=True)
class Question:
    """One call of a model, whole: nothing else of the paper or of earlier calls reaches it.

    `step` chooses the model in `[llm]` of the configuration and is the key of usage. `prompt` names the prompt file
    (`llm/extract`), `version` its version. `images` are PNG files.
    """

    step: Step
    prompt: str
    version: str
    system: str
    user: str
    images: tuple[bytes, ...] = ()


@dataclass(frozen=True)
class Unanswered:
    """No reply that can be used, as a value.

    `budget`: a cap would be passed, nothing was sent; `too_long`: the question does not fit the model; `refused`: the
    model declined; `cut_short`: the reply ended at its length limit; `no_fit`: it did not fit its schema, nor did a
    second one that was shown the error.
    """

    reason: Literal["budget", "too_long", "refused", "cut_short", "no_fit"]
    detail: str


class Llm(Protocol):
    """A language model behind structured replies; what it says is trusted no more than any other proposal.

    `name` says which models answer, as the manifest records it.
    """

    name: str

    def ask(self, question: Question, reply: type[ReplyT]) -> ReplyT | Unanswered:
        """One reply that fits its model; the same question again is answered from the cache.

        Raises:
            ModelUnavailableError: the endpoint is out of reach, refuses us, or fails again and again.
        """
        ...

    def ask_all(self, questions: Sequence[Question], reply: type[ReplyT]) -> tuple[ReplyT | Unanswered, ...]:
        """The same for many, several at once up to the configured limit; replies in the order of the questions."""
        ...
