"""The authors' classifiers, on rows of six readings: each learns from labelled rows and then names a kind of plant."""

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

__all__ = ["CLASSIFIERS", "Pond"]


class Pond(NamedTuple):
    """Readings, and what prevails."""

    readings: tuple[float, ...]
    plants: str


Namer = Callable[[Sequence[float]], str]


def majority(train: list[Pond]) -> Namer:
    """The most frequent kind, whatever the readings."""
    (kind, _), *_ = Counter(pond.plants for pond in train).most_common()
    return lambda readings: kind


def scaled(train: list[Pond], learn: Callable[[list[Pond]], Namer]) -> Namer:
    """A classifier that sees every reading with mean zero and standard deviation one."""
    columns = list(zip(*(pond.readings for pond in train), strict=True))
    means = [statistics.fmean(column) for column in columns]
    spreads = [statistics.pstdev(column) for column in columns]

    def shifted(readings: Sequence[float]) -> tuple[float, ...]:
        return tuple((one - mean) / spread for one, mean, spread in zip(readings, means, spreads, strict=True))

    namer = learn([Pond(shifted(pond.readings), pond.plants) for pond in train])
    return lambda readings: namer(shifted(readings))


def centroid(train: list[Pond]) -> Namer:
    """The kind whose mean is nearest."""
    kinds = sorted({pond.plants for pond in train})
    means = {
        kind: [
            statistics.fmean(column)
            for column in zip(*(pond.readings for pond in train if pond.plants == kind), strict=True)
        ]
        for kind in kinds
    }
    return lambda readings: min(kinds, key=lambda kind: math.dist(readings, means[kind]))


def bayes(train: list[Pond]) -> Namer:
    """The kind with the highest posterior under independent normal readings."""
    kinds = sorted({pond.plants for pond in train})
    fits = {}
    for kind in kinds:
        columns = list(zip(*(pond.readings for pond in train if pond.plants == kind), strict=True))
        share = len(columns[0]) / len(train)
        fits[kind] = share, [(statistics.fmean(one), statistics.pvariance(one)) for one in columns]

    def posterior(kind: str, readings: Sequence[float]) -> float:
        share, fit = fits[kind]
        terms = ((one - mean) ** 2 / var + math.log(var) for one, (mean, var) in zip(readings, fit, strict=True))
        return math.log(share) - sum(terms) / 2

    return lambda readings: max(kinds, key=lambda kind: posterior(kind, readings))


def neighbours(k: int) -> Callable[[list[Pond]], Namer]:
    """The most frequent kind among the k nearest; of equally frequent ones that of the nearest."""

    def learn(train: list[Pond]) -> Namer:
        def namer(readings: Sequence[float]) -> str:
            near = sorted(train, key=lambda pond: math.dist(readings, pond.readings))[:k]
            (kind, _), *_ = Counter(pond.plants for pond in near).most_common()
            return kind

        return namer

    return learn


CLASSIFIERS: dict[str, Callable[[list[Pond]], Namer]] = {
    "Majority": majority,
    "Nearest centroid": lambda train: scaled(train, centroid),
    "Naive Bayes": bayes,
    "k-NN": lambda train: scaled(train, neighbours(9)),
    "w/o scaling": neighbours(9),
    "w/o voting": lambda train: scaled(train, neighbours(1)),
}
