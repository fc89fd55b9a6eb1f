"""A model that answers from a file: replies written by hand, found by section, or by the statement of a claim."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from model_server import Answer, Asked

from reproducegym.ports import Question, ReplyT, Unanswered

__all__ = ["RecordedLlm", "RecordedModel", "recorded"]

RECORDED = Path(__file__).resolve().parent / "recorded"
_SECTION = re.compile(r"^\[section (\S+)\]", re.MULTILINE)
_CLAIM = re.compile(r"^\[claim\] found in [^:]+: (.*)$", re.MULTILINE)
_DRAFT = re.compile(r"^\[(c\d+)\] [^:]+: (.*?) \| ", re.MULTILINE)
_WANTED = re.compile(r"^\[wanted\] (.*)$", re.MULTILINE)
_STEPS = {"Found": "extract", "Merged": "merge", "Refined": "refine", "PanelReading": "read_panel"}


class RecordedModel:
    """What the file has for a question; a section that it does not name states no claim."""

    def __init__(self, replies: Mapping[str, object], *, careful: bool = False) -> None:
        """With `careful` a reply leaves out what it quotes of the set-up where its question does not show that.

        Any other place that was not shown is a fault of the recording.
        """
        self.replies, self.careful = replies, careful
        self.asked: list[tuple[str, str]] = []

    def reply(self, step: str, user: str) -> object:
        self.asked.append((step, user))
        answer = self._answer(step, user)
        if self.careful:
            answer = _as_shown(answer, user)
            unseen = {one for one in _cited(answer) if f"[{one}]" not in user}
            assert not unseen, f"{step} cites {unseen}, which was not shown"
        return answer

    def _answer(self, step: str, user: str) -> object:
        if step == "extract":
            return self.replies["extract"].get(_only(_SECTION, user), {"claims": []})
        if step == "merge":
            ids = {statement: number for number, statement in _DRAFT.findall(user)}
            groups = [[ids[one] for one in group if one in ids] for group in self.replies["merge"]]
            return {"groups": [{"claims": group} for group in groups]}
        if step == "refine":
            return self.replies["refine"][_only(_CLAIM, user)]
        return self.replies["read_panel"][_only(_WANTED, user)]

    def script(self, asked: Asked) -> Answer:
        """The same over HTTP."""
        return Answer(self.reply(_STEPS[asked.schema_name or ""], asked.user))


class RecordedLlm:
    """`ports.Llm` without a wire, for tests of what is asked and what is made of the answers."""

    name = "recorded"

    def __init__(self, model: RecordedModel, unanswered: Mapping[str, Unanswered] | None = None) -> None:
        self.model = model
        self.unanswered = unanswered or {}
        self.questions: list[Question] = []

    def ask(self, question: Question, reply: type[ReplyT]) -> ReplyT | Unanswered:
        self.questions.append(question)
        for words, why in self.unanswered.items():
            if words in question.user or words == question.step:
                return why
        return reply.from_json(json.dumps(self.model.reply(question.step, question.user)))

    def ask_all(self, questions: Sequence[Question], reply: type[ReplyT]) -> tuple[ReplyT | Unanswered, ...]:
        return tuple(self.ask(question, reply) for question in questions)


def recorded(name: str) -> RecordedModel:
    return RecordedModel(json.loads((RECORDED / f"{name}.json").read_text(encoding="utf-8")), careful=True)


def _only(pattern: re.Pattern[str], text: str) -> str:
    (found,) = pattern.findall(text)
    return found


def _as_shown(reply: object, user: str) -> object:
    """The reply without quotes of a set-up that was not shown."""
    match reply:
        case {"protocol": {"numbers": numbers, **said}}:
            shown = {name: one if one is None or f"[{one['piece']}]" in user else None for name, one in said.items()}
            kept = [one for one in numbers if f"[{one['sentence']}]" in user]
            return {**reply, "protocol": {**shown, "numbers": kept}}
    return reply


def _cited(reply: object) -> Iterator[str]:
    """Ids of every sentence, table and figure that a reply names."""
    match reply:
        case {"kind": "table_cell", "table": str(label)}:
            yield f"table {label}"
        case dict():
            for name, value in reply.items():
                if name in {"piece", "sentence"}:
                    yield value
                elif name == "anchors":
                    yield from value
                else:
                    yield from _cited(value)
        case list() | tuple():
            for one in reply:
                yield from _cited(one)
