"""Reads the words of a task: which method a condition means, which quantity a column asks for, what a knob turns."""

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["Quantity", "UnknownWordError", "knob_of", "method_of", "quantity_of"]

METHODS = {"plain": "plain", "averag": "averaged", "nesterov": "nesterov", "momentum": "momentum"}
"""A piece of a method's name → ours."""
QUANTITIES = {"loss": "regression", "distance": "regression", "accuracy": "classification", "angle": "classification"}
"""A piece of a column's name, which is our name of the quantity → its task."""
KNOBS = {"step": "steps", "problem": "problems"}


class UnknownWordError(Exception):
    """A condition, column or knob that the paper does not name."""


class Quantity(NamedTuple):
    """What a column holds."""

    task: str
    name: str


def method_of(switches: Mapping[str, str]) -> str:
    """The method that a condition's switches ask for."""
    found = {ours for value in switches.values() for piece, ours in METHODS.items() if piece in value.casefold()}
    if len(found) != 1:
        raise UnknownWordError(f"switches {dict(switches)} name no single method; known: {', '.join(METHODS.values())}")
    return found.pop()


def quantity_of(column: str) -> Quantity:
    """The quantity that a column asks for."""
    for name, task in QUANTITIES.items():
        if name in column.casefold():
            return Quantity(task, name)
    raise UnknownWordError(f"column {column!r} is none of: {', '.join(QUANTITIES)}")


def knob_of(name: str) -> str:
    """The number of the protocol that a knob turns."""
    for piece, turned in KNOBS.items():
        if piece in name.casefold():
            return turned
    raise UnknownWordError(f"knob {name!r} is none of: {', '.join(KNOBS.values())}")
