"""Looks for numbers that no honest run writes: seeds that change nothing, and conditions copied from each other."""

from array import array
from collections.abc import Sequence
from itertools import combinations

from reproducegym.verifier.contract import Column, Contract
from reproducegym.verifier.table import Problem, Sample

__all__ = ["find_copies"]

TELLING_ROWS = 3
TELLING_DIGITS = 6


def find_copies(contract: Contract, samples: Sequence[Sample]) -> list[Problem]:
    """Copies in the columns that are declared `stochastic: continuous`, over the main runs, one sample a seed.

    All seeds of a condition must not be equal, nor two conditions equal under every seed. One single pair of equal
    series is refused where chance and rounding cannot explain it. Series that stand at a bound of the declared
    range throughout (a saturated metric) tie honestly.
    """
    problems = []
    for column in contract.columns:
        if column.stochastic != "continuous":
            continue
        series = {
            condition.label: [sample[condition.label].columns[column.name] for sample in samples]
            for condition in contract.conditions
        }
        for label, seeds in series.items():
            if _copied(list(combinations(seeds, 2)), column):
                problems.append(Problem("equal_seeds", f"condition {label}, column {column.name}"))
        for one, other in combinations(series, 2):
            if _copied(list(zip(series[one], series[other], strict=True)), column):
                problems.append(Problem("equal_conditions", f"{one} and {other}, column {column.name}"))
    return problems


def _copied(pairs: list[tuple["array[float]", "array[float]"]], column: Column) -> bool:
    """Whether pairs are equal everywhere, or somewhere beyond chance."""
    equal = [one for one, other in pairs if one == other and not _saturated(one, column)]
    return bool(equal) and (len(equal) == len(pairs) or any(map(_telling, equal)))


def _saturated(series: "array[float]", column: Column) -> bool:
    return set(series) <= {column.range[0], column.range[1]}


def _telling(series: "array[float]") -> bool:
    """Whether a series is too long or too precise to occur twice by chance."""
    if len(set(series)) >= TELLING_ROWS:
        return True
    digits = [repr(value).partition("e")[0].strip("-0.").replace(".", "") for value in set(series)]
    return max(map(len, digits)) >= TELLING_DIGITS
