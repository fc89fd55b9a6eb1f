"""How much better than chance a set of names is: Youden's J, less what naming at random earns."""

from collections.abc import Set as AbstractSet
from functools import cache
from math import comb

__all__ = ["chance_level", "youden"]


def youden(said: AbstractSet[str], true: AbstractSet[str], among: AbstractSet[str]) -> float | None:
    """J = sensitivity + specificity - 1, brought to [0, 1] so that chance is 0 and a perfect set 1.

    `among` is everything that could be named, the true ones included; a name outside it is a wrong one. None where
    there is nothing to tell apart: no true ones, or no others.
    """
    others = len(among) - len(true)
    if not true or others <= 0:
        return None
    wrong = min(1.0, len(said - true) / others)
    level = chance_level(len(among), len(true))
    return max(0.0, (len(said & true) / len(true) - wrong - level) / (1 - level))


@cache
def chance_level(among: int, true: int) -> float:
    """What the best number of names drawn at random earns on average where a negative J counts as 0."""
    return max(_average(among, true, named) for named in range(among + 1))


def _average(among: int, true: int, named: int) -> float:
    total, others = 0.0, among - true
    for hit in range(max(0, named - others), min(named, true) + 1):
        share = comb(true, hit) * comb(others, named - hit) / comb(among, named)
        total += share * max(0.0, hit / true - (named - hit) / others)
    return total
