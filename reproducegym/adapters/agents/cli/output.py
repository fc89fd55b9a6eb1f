"""What a command-line agent printed, read by the rules of its declaration; what does not fit them is passed over."""

import json
from collections.abc import Iterator

from pydantic import JsonValue

from reproducegym.schema.cli_agent import CliOutput, OutputRule

__all__ = ["failure_in", "last_words"]

_SHOWN = 500


def last_words(output: str, rules: CliOutput) -> str:
    """The last thing that it said, in one line."""
    if rules.format == "text":
        return _line(output[-2 * _SHOWN :])
    said = [text for one in _objects(output, rules) for rule in rules.said if (text := _taken(one, rule)) is not None]
    return _line(said[-1] if said else output[-2 * _SHOWN :])


def failure_in(output: str, rules: CliOutput) -> str | None:
    """How it says that it gave up; None where it does not."""
    told = [text for one in _objects(output, rules) for rule in rules.failed if (text := _taken(one, rule)) is not None]
    return _line(told[-1]) if told else None


def _objects(output: str, rules: CliOutput) -> Iterator[JsonValue]:
    if rules.format == "json":
        start = 0 if output.startswith("{") else output.find("\n{") + 1
        yield from _decoded(output[start:])
    elif rules.format == "jsonl":
        for line in output.splitlines():
            yield from _decoded(line) if line.startswith("{") else ()


def _decoded(text: str) -> Iterator[JsonValue]:
    """The object that a text begins with; words may follow it."""
    try:
        found: JsonValue = json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError):
        return
    yield found


def _taken(value: JsonValue, rule: OutputRule) -> str | None:
    if any(_at(value, path) != wanted for path, wanted in rule.where.items()):
        return None
    found = _at(value, rule.take)
    return None if found is None else found if isinstance(found, str) else json.dumps(found)


def _at(value: JsonValue, path: str) -> JsonValue:
    for name in path.split("."):
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value


def _line(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _SHOWN else f"… {words[-_SHOWN:]}"
