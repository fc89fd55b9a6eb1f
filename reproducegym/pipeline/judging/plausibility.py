"""Looks at runs for what measurements hardly ever show; each finding is a flag for people and never costs a reward."""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from reproducegym.schema.run import Flag, RunRecord
from reproducegym.verifier.contract import Column, Contract
from reproducegym.verifier.table import Problem, Sample, read_table

__all__ = ["implausible"]

_SAME = 1e-6
_TIES = 3
_MAIN = "main"


def implausible(contract: Contract, runs: Sequence[tuple[RunRecord, bytes | None]]) -> tuple[Flag, ...]:
    """What a person should look at; nothing where a main run gave no table.

    `constant_output`: a column that is the same under every seed in every condition. On columns that are declared
    `stochastic: continuous`, `one_noise`: two conditions whose difference, or whose ratio, is the same under every seed
    though the values are not: one number was drawn for both; `shifted_curve`: two seeds whose curves differ by the same
    amount, or by the same factor, at every step.
    """
    samples = []
    for record, data in runs:
        if record.purpose == _MAIN:
            table = Problem("missing_file", "") if data is None else read_table(data, contract, record.labels, seed=0)
            if isinstance(table, Problem):
                return ()
            samples.append(table[0])
    if len(samples) < 2:
        return ()
    return tuple(found for column in contract.columns for found in _of_column(column, samples))


def _of_column(column: Column, samples: Sequence[Sample]) -> Iterator[Flag]:
    if column.stochastic == "none":
        return
    series = {label: [sample[label].columns[column.name] for sample in samples] for label in samples[0]}
    ties = (len(samples) - 1) * len(series)
    whole = {value for seeds in series.values() for rows in seeds for value in rows}
    if ties >= _TIES and all(rows == seeds[0] for seeds in series.values() for rows in seeds):
        if not whole <= set(column.range):
            yield Flag(flag="constant_output", note=f"column {column.name}")
        return
    if column.stochastic != "continuous":
        return
    for one, other in combinations(series, 2):
        if len(samples) >= _TIES and _one_noise(
            [rows[-1] for rows in series[one]], [rows[-1] for rows in series[other]]
        ):
            yield Flag(flag="one_noise", note=f"{one} and {other}, column {column.name}")
    for label, seeds in series.items():
        if any(
            len(first) == len(second) > _TIES and _one_noise(first, second) for first, second in combinations(seeds, 2)
        ):
            yield Flag(flag="shifted_curve", note=f"condition {label}, column {column.name}")


def _one_noise(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two series vary, and always by the same amount or by the same factor from each other."""
    spread = min(max(one) - min(one), max(other) - min(other))
    if spread == 0:
        return False
    gaps = [a - b for a, b in zip(one, other, strict=True)]
    if _span(gaps) <= _SAME * spread and not all(gap == 0 for gap in gaps):
        return True
    if 0 in one or 0 in other:
        return False
    ratios = [a / b for a, b in zip(one, other, strict=True)]
    size = max(map(abs, ratios))
    relative = spread / max(*map(abs, one), *map(abs, other))
    return math.isfinite(size) and _span(ratios) <= _SAME * relative * size and size != 1.0


def _span(values: Sequence[float]) -> float:
    return max(values) - min(values)
