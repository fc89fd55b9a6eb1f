"""The loop: ask the model, do what it calls for, tell it what came of it, until it submits or a budget ends."""

import contextlib
from dataclasses import dataclass
from typing import Literal

from reproducegym.adapters.agents.metered import Metered
from reproducegym.adapters.agents.tool_loop.conversation import (
    Completion,
    Conversation,
    Model,
    OutOfTimeError,
    ToolCall,
    TooLongError,
)
from reproducegym.adapters.agents.tool_loop.hands import Hand, HandLostError, ready_hand
from reproducegym.adapters.agents.tool_loop.tools import Limits, tool_schemas, use_tool
from reproducegym.ports import Door, SandboxBox
from reproducegym.schema.run import Budget

__all__ = ["Ended", "work"]

_IDLE = 3
_HANDS = 5
_NUDGE = "Nothing was called. Go on with the task by calling a tool, or call `submit` when reproduce.sh is done."
_LOST = (
    "All processes in the sandbox were killed, background jobs too; files are still there. Do not kill your own shell."
)


@dataclass(frozen=True)
class Ended:
    """How it came to an end; `stopped_by` is the budget that ended it."""

    outcome: Literal["finished", "timeout", "budget", "nonzero_exit"]
    detail: str
    stopped_by: Budget | None = None


def work(conversation: Conversation, model: Model, box: SandboxBox, door: Door, meter: Metered) -> Ended:
    """Work until the model submits, or says three times that it has nothing to do, or a budget is used up.

    Raises:
        InfrastructureError: the engine or the model's endpoint failed.
        ModelUnavailableError: the endpoint refuses us.
    """
    loop = _Loop(conversation, model, meter)
    for _ in range(_HANDS):
        try:
            with ready_hand(box, door, timeout_s=max(1.0, meter.left_s)) as hand:
                return loop.run(hand)
        except HandLostError:
            if over := meter.over():
                return _over(over, meter)
            loop.tell_of_loss()
    return Ended("nonzero_exit", f"killed its own sandbox {_HANDS} times")


def _over(over: Budget, meter: Metered) -> Ended:
    return Ended("timeout" if over == "wall_clock" else "budget", meter.told(over), over)


class _Loop:
    def __init__(self, conversation: Conversation, model: Model, meter: Metered) -> None:
        self._conversation, self._model, self._meter = conversation, model, meter
        self._limits = Limits(meter.budget.command_s, meter.budget.output_characters)
        self._open: list[ToolCall] = []
        self._done = 0
        self._idle = 0

    def run(self, hand: Hand) -> Ended:
        """Turn after turn with one hand."""
        while not (over := self._meter.over()):
            try:
                reply = self._reply(hand)
            except TooLongError as error:
                return Ended("nonzero_exit", f"the conversation does not fit the model: {error}")
            except OutOfTimeError:
                return _over("wall_clock", self._meter)
            self._conversation.add(reply.message)
            self._open = list(reply.calls)
            self._idle = 0 if reply.calls else self._idle + 1
            if self._idle == _IDLE:
                return Ended("finished", f"called nothing {_IDLE} times; its last words: {reply.text[-300:].strip()}")
            if not reply.calls:
                self._conversation.say(_NUDGE)
            if self._do_calls(hand):
                return Ended("finished", "")
            self._compact(reply, hand)
        return _over(over, self._meter)

    def tell_of_loss(self) -> None:
        """Say that the hand was lost, as the answer to each call that had none; the API wants one for every call."""
        if not self._open:
            self._conversation.say(_LOST)
        for call in self._open:
            self._conversation.tell(call, _LOST)
        self._open = []

    def _do_calls(self, hand: Hand) -> bool:
        """Whether it submitted; what was called beside it is done first."""
        submitted = False
        while self._open:
            call = self._open[0]
            if over := self._forbids():
                self._conversation.tell(call, f"not done: {self._meter.told(over)}")
            else:
                self._done += 1
                told = use_tool(call.name, call.arguments, hand, self._limits, self._meter.left_s)
                self._conversation.tell(call, told.text)
                submitted = submitted or told.submitted
            self._open.pop(0)
        return submitted

    def _forbids(self) -> Budget | None:
        """What keeps one more call from being done. Tokens and dollars are asked for before a completion only."""
        if self._meter.left_s <= 0:
            return "wall_clock"
        return "tool_calls" if self._done >= self._meter.budget.max_tool_calls else None

    def _reply(self, hand: Hand) -> Completion:
        while True:
            try:
                return self._model.complete(
                    self._conversation.messages(), tool_schemas(), within_s=self._meter.left_s, go_on=hand.check
                )
            except TooLongError:
                if not self._conversation.shorten():
                    raise

    def _compact(self, reply: Completion, hand: Hand) -> None:
        """Have the model sum up what it did when the conversation has grown past its room."""
        if reply.tokens <= self._meter.budget.context_tokens or self._meter.over():
            return
        with contextlib.suppress(TooLongError, OutOfTimeError):  # then the next turn makes it shorter, or ends
            summary = self._model.complete(
                self._conversation.asking_for_summary(), [], within_s=self._meter.left_s, go_on=hand.check
            )
            if summary.text.strip():
                self._conversation.replace_by(summary.text.strip())
