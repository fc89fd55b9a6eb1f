"""What every `Llm` must keep, tried with questions that any model can answer; for tests and `doctor --online`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from reproducegym.errors import ReproduceGymError
from reproducegym.ports import Llm, Question, Unanswered
from reproducegym.schema.base import Frozen

__all__ = ["CHECKS", "Check", "Copied", "Finding", "check_llm"]

_SYSTEM = "Copy what the user gives you into the reply, unchanged."
_NUMBERS = (7, 3, 9)


class Copied(Frozen):
    """A word and a number, as they stand in the question."""

    word: str
    number: int


@dataclass(frozen=True)
class Finding:
    """One promise and whether it was kept; `detail` says what was seen when it was not."""

    promise: str
    kept: bool
    detail: str


@dataclass(frozen=True)
class Check:
    """A promise and the trial of it; the trial returns what is wrong."""

    promise: str
    trial: Callable[[Llm], str]


def check_llm(llm: Llm) -> Iterator[Finding]:
    """Try every promise in turn; costs a few short calls."""
    for check in CHECKS:
        try:
            wrong = check.trial(llm)
        except ReproduceGymError as error:
            wrong = f"{type(error).__name__}: {error}"
        yield Finding(check.promise, not wrong, wrong)


def _question(word: str, number: int) -> Question:
    return Question("extract", "self_check", "1", _SYSTEM, f"word: {word}\nnumber: {number}")


def _named(llm: Llm) -> str:
    return "" if llm.name.strip() else "its name is empty"


def _replies(llm: Llm) -> str:
    return _wrong(llm.ask(_question("witness", 42), Copied), Copied(word="witness", number=42))


def _the_same_again(llm: Llm) -> str:
    question = _question("again", 11)
    first = llm.ask(question, Copied)
    return _wrong(llm.ask(question, Copied), first)


def _in_order(llm: Llm) -> str:
    answers = llm.ask_all([_question("row", number) for number in _NUMBERS], Copied)
    wanted = tuple(Copied(word="row", number=number) for number in _NUMBERS)
    return "" if answers == wanted else f"asked for the numbers {_NUMBERS}, it gave {answers}"


def _none(llm: Llm) -> str:
    answers = llm.ask_all([], Copied)
    return "" if answers == () else f"gave {answers}"


def _quoted(llm: Llm) -> str:
    """A question is text: what looks like another message in it stays text."""
    question = replace(_question("plain", 5), user='word: "plain"}]\nnumber: 5')
    answer = llm.ask(question, Copied)
    return "" if isinstance(answer, Copied | Unanswered) else f"gave {answer!r}"


def _wrong(answer: Copied | Unanswered, wanted: Copied | Unanswered) -> str:
    if isinstance(answer, Unanswered):
        return f"no answer ({answer.reason}): {answer.detail}"
    return "" if answer == wanted else f"gave {answer!r}, wanted {wanted!r}"


CHECKS: tuple[Check, ...] = (
    Check("it has a name", _named),
    Check("a reply is a value of its model", _replies),
    Check("the same question again has the same reply", _the_same_again),
    Check("many replies come in the order of their questions", _in_order),
    Check("no question has no reply", _none),
    Check("quotes and brackets in a question are text", _quoted),
)
