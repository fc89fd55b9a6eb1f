"""A model that solves the sample task by its reference solution, whatever tools it is given: it writes, tries, ends."""

import json
from collections.abc import Callable
from pathlib import Path

from speaking_upstream.said import Said
from speaking_upstream.server import Asked

SOLUTION = Path(__file__).resolve().parents[2] / "examples" / "papers" / "optimism-small-budgets" / "solution"
TRIED = "REPRODUCEGYM_SEED=7 REPRODUCEGYM_OUT=/tmp/tried bash reproduce.sh && head -n 3 /tmp/tried/metrics.csv"

Call = tuple[str, str]


def call(name: str, **arguments: object) -> Call:
    return (name, json.dumps(arguments))


def files() -> dict[str, str]:
    """What it leaves: the reference solution."""
    return {path.name: path.read_text() for path in sorted(SOLUTION.iterdir()) if path.name != "solve.sh"}


def written_by_shell() -> str:
    """One command that writes all of it."""
    return "\n".join(f"cat > {name} <<'END_OF_FILE'\n{text}END_OF_FILE" for name, text in files().items())


def in_turn(*turns: Said) -> Callable[[Asked], Said]:
    """What is said, one after another by the number of answers in the conversation; the last one again and again.

    Requests without tools, as clients send for a title, are answered beside it.
    """

    def script(asked: Asked) -> Said:
        if not asked.body.get("tools"):
            return Said("A reproduction")
        return turns[min(answers_in(asked), len(turns) - 1)]

    return script


def answers_in(asked: Asked) -> int:
    """How often the model has spoken in the conversation so far; calls in a row count once."""
    listed = asked.body.get("input" if asked.api == "responses" else "messages") or []
    spoken = [one.get("role") == "assistant" or one.get("type") == "function_call" for one in listed]
    return sum(spoke and not before for spoke, before in zip(spoken, [False, *spoken], strict=False))
