"""Tokens as each API counts them, in one form, and what they cost."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from agent_trace.record import Api, Usage
from agent_trace.tree import Json, integer, mapping

__all__ = ["Price", "cost", "usage_of"]

_MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Price:
    """Dollars for a million tokens. `cached` and `cache_written` cost as `prompt` where they are null."""

    prompt: Decimal
    completion: Decimal
    cached: Decimal | None = None
    cache_written: Decimal | None = None


def usage_of(api: Api, response: Json) -> Usage | None:
    """What a response says that it took; null where it says nothing."""
    told = mapping(mapping(response).get("usage"))
    if api == "openai.chat":
        prompt, completion = told.get("prompt_tokens"), told.get("completion_tokens")
        inputs, outputs = mapping(told.get("prompt_tokens_details")), mapping(told.get("completion_tokens_details"))
        return _usage(prompt, completion, inputs.get("cached_tokens"), None, outputs.get("reasoning_tokens"))
    prompt, completion = told.get("input_tokens"), told.get("output_tokens")
    if api == "openai.responses":
        inputs, outputs = mapping(told.get("input_tokens_details")), mapping(told.get("output_tokens_details"))
        return _usage(prompt, completion, inputs.get("cached_tokens"), None, outputs.get("reasoning_tokens"))
    cached, written = _count(told.get("cache_read_input_tokens")), _count(told.get("cache_creation_input_tokens"))
    whole = integer(prompt)
    return _usage(None if whole is None else whole + cached + written, completion, cached, written, None)


def cost(model: str | None, usage: Usage | None, response: Json, prices: Mapping[str, Price]) -> Decimal | None:
    """Dollars: what the upstream itself says (`usage.cost`), else tokens times price; null where neither is known."""
    told = mapping(mapping(response).get("usage")).get("cost")
    if isinstance(told, int | float) and not isinstance(told, bool) and 0 <= told < math.inf:
        return Decimal(str(told))
    price = _price(model, prices)
    if usage is None or price is None:
        return None
    cached = price.prompt if price.cached is None else price.cached
    written = price.prompt if price.cache_written is None else price.cache_written
    fresh = max(0, usage.prompt - usage.cached - usage.cache_written)
    dollars = fresh * price.prompt + usage.cached * cached + usage.cache_written * written
    return (dollars + usage.completion * price.completion) / _MILLION


def _price(model: str | None, prices: Mapping[str, Price]) -> Price | None:
    """By the model's name; a dated version (`name-2026-01-31`) costs what its name costs, by the longest that fits."""
    if model is None:
        return None
    fitting = [name for name in prices if model == name or model.startswith((f"{name}-2", f"{name}@"))]
    return prices[max(fitting, key=len)] if fitting else None


def _count(value: Json) -> int:
    return max(0, integer(value) or 0)


def _usage(prompt: Json, completion: Json, cached: Json, written: Json, reasoning: Json) -> Usage | None:
    if integer(prompt) is None and integer(completion) is None:
        return None
    return Usage(
        prompt=_count(prompt),
        completion=_count(completion),
        cached=_count(cached),
        cache_written=_count(written),
        reasoning=_count(reasoning),
    )
