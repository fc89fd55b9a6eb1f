"""Compares what runs from checkpoints wrote with what a submission recorded."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from reproducegym.pipeline.judging.recorded import Recorded, value_of
from reproducegym.schema.run import RunRecord
from reproducegym.verifier.contract import Contract
from reproducegym.verifier.curve import Curve
from reproducegym.verifier.table import Problem, Rows, Sample, read_table

__all__ = ["changed_rows", "crossed", "differences", "fresh"]

_SAME = 1e-9
_TELLING = 5
"""So many cells of discrete columns that differ between two records tell them apart like one of a continuous column."""

Runs = Sequence[tuple[RunRecord, bytes | None]]
"""Runs of one purpose, each with the metrics.csv that it wrote."""


def changed_rows(recorded: Recorded) -> Iterator[Problem]:
    """Rows that a later checkpoint's table tells otherwise than an earlier one's."""
    for seed in recorded.seeds:
        for segment in range(2, recorded.segments + 1):
            before, after = recorded.tables[seed, segment - 1], recorded.tables[seed, segment]
            for condition, rows in before.items():
                if rows.steps and not _begins_with(after[condition], rows):
                    yield Problem("history_changed", f"seed {seed}, segment {segment}, condition {condition}")


def _begins_with(rows: Rows, earlier: Rows) -> bool:
    count = len(earlier.steps)
    pairs = [(rows.steps, earlier.steps), *((rows.columns[name], earlier.columns[name]) for name in earlier.columns)]
    return all(len(whole) >= count and all(map(_equal, whole[:count], part)) for whole, part in pairs)


def differences(contract: Contract, recorded: Recorded, runs: Runs) -> Iterator[Problem]:
    """Where a segment or a measurement failed, or didn't give what the submission recorded at its end."""
    rewarded = [metric for metric in contract.metrics if metric.name in contract.reward_curves]
    conditions = len(recorded.tables[recorded.seeds[0], recorded.segments])
    compared = len(runs) * (conditions * len(contract.columns) + len(rewarded))
    whole = range(1, recorded.segments + 1)
    columns = {one.name: recorded.column(one.name, whole).between(2, compared) for one in contract.columns}
    metrics = {
        metric: min(recorded.metric(contract, metric).between(2, compared), _width(contract.reward_curves[metric.name]))
        for metric in rewarded
    }
    for record, place, again in _tables(contract, runs):
        if isinstance(again, Problem):
            yield again
            continue
        said = recorded.tables[record.seed, record.index]
        earlier = recorded.tables.get((record.seed, record.index - 1))
        for condition, rows in said.items():
            old = 0 if earlier is None else len(earlier[condition].steps)
            for name in _columns_off(again[condition], rows, old, columns):
                yield Problem("segment_differs", f"{place}, condition {condition}, column {name}")
        for metric, allowed in metrics.items():
            if _metric_off(value_of(contract, metric, again), value_of(contract, metric, said), allowed):
                yield Problem("segment_differs", f"{place}, metric {metric.name}")


def crossed(contract: Contract, recorded: Recorded, runs: Runs) -> Iterator[Problem]:
    """Where a run from another seed's checkpoint doesn't go on from it, or writes what its own seed had recorded.

    A table that the code holds by seed and segment comes out whatever a run starts from; what was learned does not.
    """
    for record, place, again in _tables(contract, runs):
        if isinstance(again, Problem):
            yield again
            continue
        other = int((record.start or "").split("/")[1])
        before, theirs = recorded.tables[other, record.index - 1], recorded.tables[other, record.index]
        own = recorded.tables[record.seed, record.index]
        lost = [name for name, rows in before.items() if rows.steps and not _begins_with(again[name], rows)]
        if lost or (_tells(contract, own, theirs) and _cells_equal(contract, again, own, continuous=False)):
            yield Problem("checkpoint_ignored", place)
        yield from _unlike(contract, recorded, again, record.index, place, len(runs), before)


def fresh(contract: Contract, recorded: Recorded, runs: Runs) -> Iterator[Problem]:
    """Where a first segment under a new seed is unlike those that were recorded, or is one of them."""
    for _, place, again in _tables(contract, runs):
        if isinstance(again, Problem):
            yield again
            continue
        if any(_cells_equal(contract, again, recorded.tables[seed, 1], continuous=True) for seed in recorded.seeds):
            yield Problem("seed_ignored", place)
        yield from _unlike(contract, recorded, again, 1, place, len(runs), None)


def _tables(contract: Contract, runs: Runs) -> Iterator[tuple[RunRecord, str, Sample | Problem]]:
    """Each run with its place in words, and its table or why there is none."""
    open_ended = replace(contract, min_rows_per_condition=1)
    for record, data in runs:
        place = f"seed {record.seed}, {record.purpose} {record.index}"
        if record.outcome != "ok" or data is None:
            yield record, place, Problem(record.outcome, place)
            continue
        table = read_table(data, open_ended, record.labels, seed=record.seed)
        yield record, place, table.within(place) if isinstance(table, Problem) else table[record.seed]


def _unlike(
    contract: Contract, recorded: Recorded, again: Sample, segment: int, place: str, runs: int, before: Sample | None
) -> Iterator[Problem]:
    """Columns whose new rows are further from the mean over recorded seeds than another seed's would be."""
    seeds = recorded.seeds
    for column in contract.columns:
        found = recorded.column(column.name, (segment,))
        allowed = found.between(1 + 1 / len(seeds), runs * len(again) * len(contract.columns))
        for condition, rows in again.items():
            beside = [recorded.tables[seed, segment][condition] for seed in seeds]
            if allowed == 0 or any(one.steps != beside[0].steps for one in beside):
                continue
            old = 0 if before is None else len(before[condition].steps)
            means = [
                sum(values) / len(seeds) for values in zip(*(one.columns[column.name] for one in beside), strict=True)
            ]
            if rows.steps != beside[0].steps or _apart(rows.columns[column.name][old:], means[old:]) > allowed:
                yield Problem("start_differs", f"{place}, condition {condition}, column {column.name}")


def _tells(contract: Contract, own: Sample, other: Sample) -> bool:
    """Whether two records differ enough that no honest run writes one of them where it should write the other."""
    weight = 0
    for column in contract.columns:
        for condition, rows in own.items():
            there = other[condition]
            pairs = zip(rows.columns[column.name], there.columns[column.name], strict=False)
            apart = sum(not _equal(one, another) for one, another in pairs)
            weight += apart * (_TELLING if column.stochastic == "continuous" else 1)
    return weight >= _TELLING


def _cells_equal(contract: Contract, one: Sample, other: Sample, *, continuous: bool) -> bool:
    """Whether all cells of two tables are equal (those of continuous columns only; there must be some)."""
    names = [column.name for column in contract.columns if column.stochastic == "continuous" or not continuous]
    return bool(names) and all(
        one[condition].steps == rows.steps
        and all(all(map(_equal, one[condition].columns[name], rows.columns[name])) for name in names)
        for condition, rows in other.items()
    )


def _columns_off(again: Rows, said: Rows, old: int, allowed: Mapping[str, float]) -> Iterator[str]:
    """Columns whose new rows differ by more than is allowed, in the root mean square, or whose old ones differ."""
    if again.steps != said.steps:
        yield "step"
        return
    for name, bound in allowed.items():
        one, other = again.columns[name], said.columns[name]
        if not all(map(_equal, one[:old], other[:old])) or _apart(one[old:], other[old:]) > bound:
            yield name


def _metric_off(again: float | None, said: float | None, allowed: float) -> bool:
    if again is None or said is None:
        return again is not said
    return abs(again - said) > allowed + _SAME * abs(said)


def _apart(one: Sequence[float], other: Sequence[float]) -> float:
    """The root mean square of what lies between two series, but for rounding."""
    gaps = [max(0.0, abs(a - b) - _SAME * abs(b)) for a, b in zip(one, other, strict=True)]
    return math.hypot(*gaps) / math.sqrt(max(1, len(gaps)))


def _width(curve: Curve) -> float:
    """The tolerance that a curve was drawn with: half of its top, or the foot of its slope."""
    top = [x for x, reward in curve.points if reward == 1]
    slopes = [right[0] - left[0] for left, right in pairwise(curve.points) if left[1] != right[1]]
    return max((max(top) - min(top)) / 2, *slopes)


def _equal(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_SAME)
