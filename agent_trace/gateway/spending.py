"""What a run may spend, and what it has spent: counted when a completion is recorded, asked before the next one."""

import json
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from agent_trace.record import Record, Usage
from agent_trace.told import completed
from agent_trace.tree import Json

__all__ = ["Budget", "Limit", "Spent", "Took", "took"]

Limit = Literal["tokens", "dollars", "tool_calls", "trace_bytes"]
_BYTES_A_TOKEN = 4


@dataclass(frozen=True)
class Budget:
    """The most of each; null for no cap. `tokens` are those of prompts and completions together.

    `trace_bytes` are those of all records, also of requests that failed.
    """

    tokens: int | None = None
    dollars: Decimal | None = None
    tool_calls: int | None = None
    trace_bytes: int | None = None


@dataclass(frozen=True)
class Took:
    """What one completion took. `dollars` is null where its price is not known."""

    prompt: int
    completion: int
    dollars: Decimal | None
    tool_calls: int


@dataclass
class Spent:
    """The sum so far; `dollars` is null once a price was not known. `largest` is the most that one took of each."""

    completions: int = 0
    prompt: int = 0
    completion: int = 0
    dollars: Decimal | None = Decimal(0)
    tool_calls: int = 0
    trace_bytes: int = 0
    largest: Took = Took(0, 0, Decimal(0), 0)

    def add(self, took: Took) -> None:
        """Count one more completion."""
        self.completions += 1
        self.prompt += took.prompt
        self.completion += took.completion
        self.dollars = None if self.dollars is None or took.dollars is None else self.dollars + took.dollars
        self.tool_calls += took.tool_calls
        before = self.largest
        self.largest = Took(
            max(before.prompt, took.prompt),
            max(before.completion, took.completion),
            max(before.dollars or Decimal(0), took.dollars or Decimal(0)),
            max(before.tool_calls, took.tool_calls),
        )

    def over_after(self, more: int, budget: Budget) -> Limit | None:
        """Which part of a budget would be used up by so many more completions as large as the largest so far."""
        after = replace(self)
        for _ in range(more):
            after.add(self.largest)
        return after.over(budget)

    def over(self, budget: Budget) -> Limit | None:
        """Which part of a budget is used up. A cap in dollars is, as soon as a price is not known."""
        if budget.tokens is not None and self.prompt + self.completion >= budget.tokens:
            return "tokens"
        if budget.dollars is not None and (self.dollars is None or self.dollars >= budget.dollars):
            return "dollars"
        if budget.tool_calls is not None and self.tool_calls >= budget.tool_calls:
            return "tool_calls"
        if budget.trace_bytes is not None and self.trace_bytes >= budget.trace_bytes:
            return "trace_bytes"
        return None


def took(record: Record, answer: Json) -> Took | None:
    """What a completion took, of which `answer` is the response; null where nothing was completed.

    Where the endpoint does not count, four bytes are taken for a token.
    """
    if record.usage is None and not record.succeeded:
        return None
    calls = sum(len(message.calls) for message in completed(record.api, answer))
    usage = record.usage or _estimated(record.request_bytes, answer)
    return Took(usage.prompt, usage.completion, record.cost_usd, calls)


def _estimated(request_bytes: int, answer: Json) -> Usage:
    said = len(json.dumps(answer))
    return Usage(prompt=request_bytes // _BYTES_A_TOKEN, completion=said // _BYTES_A_TOKEN)
