"""Classifiers from the paper's words: `learn(name, readings, kinds)` gives a function from readings to a kind."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from heapq import nsmallest
from math import log, sqrt

__all__ = ["learn"]

Readings = Sequence[float]
Judge = Callable[[Readings], str]
NEIGHBOURS = 9


def learn(name: str, readings: list[Readings], kinds: list[str]) -> Judge:
    """What one classifier makes of known ponds."""
    if name == "majority":
        counts = tally(kinds)
        best = max(counts, key=lambda kind: (counts[kind], kind))
        return lambda one: best
    if name == "bayes":
        return densities(readings, kinds)
    if name == "unscaled":
        return nearest(readings, kinds, NEIGHBOURS)
    centre, width = scale_of(readings)

    def scale(one: Readings) -> list[float]:
        return [(value - c) / w for value, c, w in zip(one, centre, width, strict=True)]

    known = [scale(one) for one in readings]
    if name == "centroid":
        judge = middles(known, kinds)
    else:
        judge = nearest(known, kinds, 1 if name == "single" else NEIGHBOURS)
    return lambda one: judge(scale(one))


def tally(kinds: Sequence[str]) -> dict[str, int]:
    """How often each occurs, in the order in which they first do."""
    counts: dict[str, int] = defaultdict(int)
    for kind in kinds:
        counts[kind] += 1
    return counts


def scale_of(rows: Sequence[Readings]) -> tuple[list[float], list[float]]:
    """Mean and standard deviation (over n) of each reading; a reading that never moves keeps width one."""
    size = len(rows)
    centre = [sum(column) / size for column in zip(*rows, strict=True)]
    width = [
        sqrt(sum((value - c) ** 2 for value in column) / size) or 1.0
        for column, c in zip(zip(*rows, strict=True), centre, strict=True)
    ]
    return centre, width


def grouped(rows: Sequence[Readings], kinds: Sequence[str]) -> dict[str, list[Readings]]:
    groups: dict[str, list[Readings]] = defaultdict(list)
    for row, kind in zip(rows, kinds, strict=True):
        groups[kind].append(row)
    return groups


def apart(one: Readings, other: Readings) -> float:
    """Squared distance."""
    return sum((a - b) * (a - b) for a, b in zip(one, other, strict=True))


def middles(rows: Sequence[Readings], kinds: Sequence[str]) -> Judge:
    means = {kind: scale_of(group)[0] for kind, group in grouped(rows, kinds).items()}
    return lambda one: min(means, key=lambda kind: apart(one, means[kind]))


def densities(rows: Sequence[Readings], kinds: Sequence[str]) -> Judge:
    fits = {kind: (len(group) / len(rows), *scale_of(group)) for kind, group in grouped(rows, kinds).items()}

    def score(kind: str, one: Readings) -> float:
        share, centre, width = fits[kind]
        return log(share) - sum(
            ((value - c) / w) ** 2 / 2 + log(w) for value, c, w in zip(one, centre, width, strict=True)
        )

    return lambda one: max(fits, key=lambda kind: score(kind, one))


def nearest(rows: Sequence[Readings], kinds: Sequence[str], k: int) -> Judge:
    def judge(one: Readings) -> str:
        close = nsmallest(k, range(len(rows)), key=lambda at: apart(one, rows[at]))
        counts = tally([kinds[at] for at in close])
        return max(counts, key=lambda kind: counts[kind])  # of equally frequent ones the first, whose pond is nearest

    return judge
