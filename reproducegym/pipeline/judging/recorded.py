"""What a submission recorded at its checkpoints, and how far its own seeds scatter."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reproducegym.ports import Files
from reproducegym.verifier.contract import Contract, Metric
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.table import Problem, Sample, read_table

__all__ = ["CHECKPOINTS", "Allowed", "Recorded", "read_recorded", "value_of"]

CHECKPOINTS = "checkpoints"
"""Where a submission keeps `<seed>/<segment>/`."""

_ERROR = 0.002
"""Chance that an honest replay exceeds what is allowed of one kind of run, if it scatters like another seed."""

Key = tuple[int, int]
"""Seed and segment."""


@dataclass(frozen=True)
class Allowed:
    """One standard deviation over seeds, and the degrees of freedom that it is known from.

    It is 0 where there are no two seeds, and where values are too large to be squared: then nothing is excused.
    """

    spread: float
    freedom: int

    def between(self, variances: float, comparisons: int) -> float:
        """How far two values may lie apart whose difference has so many times one seed's variance.

        Student's quantile, so that all `comparisons` together go wrong by chance in two of a thousand honest replays.
        """
        if self.freedom < 1 or self.spread == 0:
            return 0.0
        from scipy.special import stdtrit  # half a second to load, for replays alone

        quantile = float(stdtrit(self.freedom, 1 - _ERROR / (2 * max(1, comparisons))))
        return quantile * self.spread * math.sqrt(variances)


@dataclass(frozen=True)
class Recorded:
    """The tables beside a submission's checkpoints, and the spread over seeds of all that is compared with them."""

    tables: Mapping[Key, Sample]
    seeds: tuple[int, ...]
    segments: int

    def column(self, column: str, segments: Iterable[int]) -> Allowed:
        """The spread of a column's values at the same segment, condition and step, pooled over all of these."""
        groups: list[Sequence[float]] = []
        pooled = 0
        for segment in segments:
            samples = [self.tables[seed, segment] for seed in self.seeds]
            for condition in samples[0]:
                rows = [sample[condition] for sample in samples]
                if all(one.steps == rows[0].steps for one in rows):
                    pooled += 1
                    groups += zip(*(one.columns[column] for one in rows), strict=True)
        return Allowed(_spread(groups), pooled * (len(self.seeds) - 1))

    def metric(self, contract: Contract, metric: Metric) -> Allowed:
        """The spread of a metric, pooled over all segments at whose end it has a value."""
        groups = []
        for segment in range(1, self.segments + 1):
            values = [value_of(contract, metric, self.tables[seed, segment]) for seed in self.seeds]
            known = [one for one in values if one is not None]
            groups += [known] if len(known) == len(values) else []
        return Allowed(_spread(groups), len(groups) * (len(self.seeds) - 1))


def read_recorded(submission: Files, contract: Contract, seeds: Iterable[int], segments: int) -> Recorded | str:
    """What a submission recorded at each checkpoint, or why its checkpoints can't be used."""
    held = Counter("/".join(name.split("/")[:3]) for name in submission)
    labels = {condition.label: condition.label for condition in contract.conditions}
    open_ended = replace(contract, min_rows_per_condition=1)
    left = contract.limits.max_rows
    tables: dict[Key, Sample] = {}
    for seed in seeds:
        for segment in range(1, segments + 1):
            place = f"{CHECKPOINTS}/{seed}/{segment}"
            data = submission.get(f"{place}/metrics.csv")
            if data is None:
                return f"{place}/metrics.csv is missing"
            if held[place] < 2:
                return f"{place} holds nothing to start from beside its metrics.csv"
            left -= data.count(b"\n")
            if left < 0:
                return f"the tables of all checkpoints have more than {contract.limits.max_rows} rows"
            table = read_table(data, open_ended, labels, seed=seed)
            if isinstance(table, Problem):
                return f"{place}/metrics.csv cannot be read: {table}"
            tables[seed, segment] = table[seed]
    return Recorded(tables, tuple(seeds), segments)


def value_of(contract: Contract, metric: Metric, sample: Sample) -> float | None:
    """A metric of one table; None where it has no value there."""
    return evaluate(contract.parse(metric), metric.over_seeds, [sample]).value


def _spread(groups: Sequence[Sequence[float]]) -> float:
    """One standard deviation pooled over groups of values that differ by seed alone."""
    found = [_variance(group) for group in groups if len(group) > 1]
    mean = sum(found) / len(found) if found else 0.0
    return math.sqrt(mean) if math.isfinite(mean) else 0.0


def _variance(values: Sequence[float]) -> float:
    """Of at least two values; what is beyond floating point is infinite or not a number, and never an exception."""
    mean = sum(values) / len(values)
    return sum((value - mean) * (value - mean) for value in values) / (len(values) - 1)
