"""Looks into JSON that somebody else wrote: what is not there, or of another kind, reads as empty."""

import json
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Json", "Object", "canonical", "decoded", "integer", "items", "mapping", "string", "walked"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"
Object: TypeAlias = dict[str, Json]

_DEEPEST = 100


def mapping(value: Json) -> Object:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: Json) -> list[Json]:
    """The array, or an empty one."""
    return value if isinstance(value, list) else []


def string(value: Json) -> str:
    """The text, or none of it."""
    return value if isinstance(value, str) else ""


def integer(value: Json) -> int | None:
    """The whole number that is there, if one is."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def decoded(text: str | bytes) -> Json:
    """The JSON value of a text.

    Raises:
        ValueError: it is no JSON, is no UTF-8, or is nested deeper than 100 levels: no record holds that.
    """
    try:
        value: Json = json.loads(text)
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error
    if _too_deep(value):
        raise ValueError("JSON nested too deeply")
    return value


def canonical(value: Json) -> str:
    """One text for one value, whatever the order of its keys."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def walked(value: Json, change: Callable[[str], str]) -> Json:
    """The value with each text in it, keys too, changed. Keys that become equal keep the last value."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [walked(one, change) for one in value]
    if isinstance(value, dict):
        return {change(key): walked(one, change) for key, one in value.items()}
    return value


def _too_deep(value: Json) -> bool:
    """Whether it is nested deeper than records go."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            for inner in (one.values() if isinstance(one, dict) else one if isinstance(one, list) else ())
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True
