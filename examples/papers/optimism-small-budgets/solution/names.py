"""Reads the words of a task: which strategy a condition means, which quantity a column asks for, what a knob turns."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

__all__ = ["Quantity", "UnknownWordError", "knob_of", "quantity_of", "strategy_of"]

STRATEGIES = {
    "random": "random",
    "greedy": "greedy",
    "ε greedy": "epsilon_greedy",
    "ucb1": "ucb1",
    "thompson sampling": "thompson",
    "w/o bonus": "ucb1_no_bonus",
    "w/o optimistic start": "ucb1_no_start",
    "w/o random ties": "ucb1_no_ties",
}
"""The paper's name, normalised → ours."""

UCB1_VARIANTS = {"ucb1_no_bonus", "ucb1_no_start", "ucb1_no_ties"}

ENVIRONMENTS = {"ten armed bandit": "bandit", "chain": "chain"}

QUANTITIES = {
    "optimal": ("bandit", "optimal_pulls"),
    "regret": ("bandit", "regret"),
    "return": ("chain", "returns"),
    "goal": ("chain", "goal_reached"),
}
"""A word in a column's name → environment and field."""

KNOBS = {"step": "steps", "problem": "problems", "episode": "episodes", "run": "runs"}
"""A word in a knob's name → what it turns."""


T = TypeVar("T")


class UnknownWordError(Exception):
    """A condition, column or knob that the paper does not name."""


@dataclass(frozen=True)
class Quantity:
    """What a column holds."""

    environment: str
    field: str


def normalised(text: str) -> str:
    """One spelling for each name: case, dashes, spaces, `epsilon`, `without` and a trailing `(full)` are levelled."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("epsilon", "ε").replace("without ", "w/o ")
    plain = re.sub(r"[-‐‑–−_\s]+", " ", plain.replace("(full)", ""))
    return re.sub(r"^ucb1[ ,(]+(?=w/o)", "", plain).strip(" ()")


def strategy_of(switches: Mapping[str, str]) -> str:
    """Our name of the strategy that a condition's switches ask for; a variant of UCB1 is more exact than UCB1."""
    words = [normalised(value) for value in switches.values()]
    found = {STRATEGIES[word] for word in words if word in STRATEGIES}
    if found & UCB1_VARIANTS:
        found.discard("ucb1")
    unknown = [word for word in words if word not in STRATEGIES and word not in ENVIRONMENTS]
    if len(found) != 1 or unknown:
        raise UnknownWordError(f"switches {dict(switches)} name no single strategy; known: {', '.join(STRATEGIES)}")
    return found.pop()


def quantity_of(column: str) -> Quantity:
    """The quantity that a column asks for."""
    return Quantity(*known_word(column, QUANTITIES, "column"))


def knob_of(name: str) -> str:
    """The number of the protocol that a knob turns."""
    return known_word(name, KNOBS, "knob")


def known_word(name: str, words: Mapping[str, T], kind: str) -> T:
    """The first entry whose key stands in a name."""
    for word, value in words.items():
        if word in name.casefold():
            return value
    raise UnknownWordError(f"{kind} {name!r} is none of: {', '.join(words)}")
