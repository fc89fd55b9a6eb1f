"""The card of a rule: its words and its two examples, in one text beside the checks."""

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Literal, get_args

from ml_audit.frozen import Frozen

__all__ = ["DIMENSIONS", "Card", "Dimension", "Severity", "card", "examples"]

Severity = Literal["error", "warning", "info"]
Dimension = Literal[
    "environment_setup",
    "determinism",
    "documentation",
    "testing",
    "ci_cd",
    "benchmarking",
    "dataset_reproducibility",
    "configuration_driven_experiments",
]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)


class Card(Frozen):
    """What a rule says about itself.

    `signal` names the answer that its findings lower; a rule without one is a summand of the score with its own
    `weight`. `about` names an answer that must not be `no`, `na` or `0` for the rule to apply. `versions` says in words
    for which versions of libraries it holds.
    """

    title: str
    why: str
    fix: str
    severity: Severity
    dimension: Dimension
    weight: float = 0.25
    signal: str = ""
    about: str = ""
    versions: str = ""


def card(rule: str) -> Card:
    """The head of a rule's card: lines `key: value`, indented ones go on.

    Raises:
        FileNotFoundError: the rule has no card.
        ValueError: the card lacks a word, or has one that means nothing.
    """
    head = _text(rule).partition("=== ")[0]
    told: dict[str, object] = {}
    for line in re.sub(r"\n[ ]+", " ", head).splitlines():
        key, _, value = line.partition(": ")
        told[key] = float(value) if key == "weight" else value
    return Card.model_validate(told)


def examples(rule: str) -> Mapping[Literal["bad", "good"], dict[str, str]]:
    """The two small repositories of a card (path → text): one in which the rule finds something, one in which not."""
    found: dict[Literal["bad", "good"], dict[str, str]] = {"bad": {}, "good": {}}
    for part in _text(rule).split("=== ")[1:]:
        head, _, body = part.partition("\n")
        word, _, path = head.partition(" ")
        found["bad" if word == "bad" else "good"][path] = body
    return found


def _text(rule: str) -> str:
    return (files("ml_audit.rules") / "cards" / f"{rule}.txt").read_text(encoding="utf-8")
