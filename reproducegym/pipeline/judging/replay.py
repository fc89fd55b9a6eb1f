"""Judges runs from checkpoints: what a submission recorded must come out again, and only what came out is scored."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from reproducegym.ports import Files
from reproducegym.schema.replay import ReplayPlan
from reproducegym.schema.run import RunRecord
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import Contract, Metric
from reproducegym.verifier.curve import Curve
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.score import Report, Run, score_runs
from reproducegym.verifier.table import Problem, Rows, Sample, read_table

__all__ = ["CHECKPOINTS", "FINAL", "REPLAY", "SEGMENT", "Recorded", "read_recorded", "replay_plan", "score_replay"]

REPLAY = "replay.json"
"""The plan of a task at level `replay`, among its input files."""
CHECKPOINTS = "checkpoints"
"""Where a submission keeps `<seed>/<segment>/`."""
SEGMENT = "segment"
"""Purpose of a run from the checkpoint before a segment to its end; its index is the segment's number, from 1."""
FINAL = "final"
"""Purpose of a measurement from the last checkpoint, without training."""

_DRAWN = 1
_ROOM = 1.25
_SPREADS = 5.0
_SAME = 1e-9

Key = tuple[int, int]
"""Seed and segment."""


def replay_plan(spec: ClaimSpec, max_hours: float) -> ReplayPlan:
    """As few segments as make what is run again fit into `max_hours`; each may take a quarter more than its share."""
    runs = spec.seeds.count * (_DRAWN + 2)
    budget = max(1, int(max_hours * 3600 / runs))
    return ReplayPlan(
        schema_version=1,
        seeds=tuple(range(1, spec.seeds.count + 1)),
        segments=max(2, math.ceil(_ROOM * spec.run_budget_s / budget)),
        segment_budget_s=budget,
        drawn=_DRAWN,
    )


@dataclass(frozen=True)
class Recorded:
    """The tables beside a submission's checkpoints, and the spread over seeds of all that is compared with them."""

    tables: Mapping[Key, Sample]
    seeds: tuple[int, ...]
    segments: int

    def column_spread(self, column: str) -> float:
        """The standard deviation over seeds of a column's values, at the same segment, condition and step."""
        groups: list[Sequence[float]] = []
        for segment in range(1, self.segments + 1):
            samples = [self.tables[seed, segment] for seed in self.seeds]
            for condition in samples[0]:
                rows = [sample[condition] for sample in samples]
                if all(one.steps == rows[0].steps for one in rows):
                    groups += zip(*(one.columns[column] for one in rows), strict=True)
        return _spread(groups)

    def metric_spread(self, contract: Contract, metric: Metric) -> float:
        """The standard deviation over seeds of a metric, over all segments at whose end it has a value."""
        groups = []
        for segment in range(1, self.segments + 1):
            values = [_value(contract, metric, self.tables[seed, segment]) for seed in self.seeds]
            known = [one for one in values if one is not None]
            groups += [known] if len(known) == len(values) else []
        return _spread(groups)


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


def score_replay(contract: Contract, submission: Files, runs: Sequence[tuple[RunRecord, bytes | None]]) -> Report:
    """Score runs from checkpoints, each with the metrics.csv that it wrote.

    Every run must give again what the submission recorded. The reward is the smaller of what the last segments and the
    measurements at the last checkpoints earn: nothing that was only recorded is ever paid for.

    Raises:
        ValueError: the runs are not of this submission.
    """
    segments = max(record.index for record, _ in runs)
    recorded = read_recorded(submission, contract, sorted({record.seed for record, _ in runs}), segments)
    if isinstance(recorded, str):
        raise ValueError(f"runs from checkpoints that the submission doesn't have: {recorded}")
    scored = [
        score_runs(contract, [_main(record, data) for record, data in runs if _is_end(record, purpose, segments)])
        for purpose in (SEGMENT, FINAL)
    ]
    worst = min(scored, key=lambda report: report.reward)
    problems = tuple(map(str, (*_changed_rows(recorded), *_differences(contract, recorded, runs))))
    if not problems:
        return worst
    told = tuple(dict.fromkeys((*worst.problems, *problems)))
    return replace(worst, reward=0.0, failure_kind="agent", problems=told)


def _is_end(record: RunRecord, purpose: str, segments: int) -> bool:
    return record.purpose == purpose and record.index == segments


def _main(record: RunRecord, data: bytes | None) -> Run:
    return Run("main", record.seed, record.seed, record.labels, record.outcome, record.detail, data)


def _changed_rows(recorded: Recorded) -> Iterator[Problem]:
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


def _differences(
    contract: Contract, recorded: Recorded, runs: Sequence[tuple[RunRecord, bytes | None]]
) -> Iterator[Problem]:
    """Where a run failed, or didn't give what the submission recorded at its end."""
    open_ended = replace(contract, min_rows_per_condition=1)
    columns = {column.name: _SPREADS * recorded.column_spread(column.name) for column in contract.columns}
    metrics = {
        metric: min(_SPREADS * recorded.metric_spread(contract, metric), _width(contract.reward_curves[metric.name]))
        for metric in contract.metrics
        if metric.name in contract.reward_curves
    }
    for record, data in runs:
        place = f"seed {record.seed}, {record.purpose} {record.index}"
        if record.outcome != "ok" or data is None:
            yield Problem(record.outcome, place)
            continue
        table = read_table(data, open_ended, record.labels, seed=record.seed)
        if isinstance(table, Problem):
            yield table.within(place)
            continue
        again, said = table[record.seed], recorded.tables[record.seed, record.index]
        earlier = recorded.tables.get((record.seed, record.index - 1))
        for condition, rows in said.items():
            old = 0 if earlier is None else len(earlier[condition].steps)
            for name in _columns_off(again[condition], rows, old, columns):
                yield Problem("segment_differs", f"{place}, condition {condition}, column {name}")
        for metric, allowed in metrics.items():
            if _metric_off(_value(contract, metric, again), _value(contract, metric, said), allowed):
                yield Problem("segment_differs", f"{place}, metric {metric.name}")


def _columns_off(again: Rows, said: Rows, old: int, allowed: Mapping[str, float]) -> Iterator[str]:
    """Columns whose new rows differ by more than is allowed, in the root mean square, or whose old ones differ."""
    if again.steps != said.steps:
        yield "step"
        return
    for name, bound in allowed.items():
        one, other = again.columns[name], said.columns[name]
        gaps = [max(0.0, abs(a - b) - _SAME * abs(b)) for a, b in zip(one[old:], other[old:], strict=True)]
        apart = math.hypot(*gaps) / math.sqrt(max(1, len(gaps)))
        if not all(map(_equal, one[:old], other[:old])) or apart > bound:
            yield name


def _metric_off(again: float | None, said: float | None, allowed: float) -> bool:
    if again is None or said is None:
        return again is not said
    return abs(again - said) > allowed + _SAME * abs(said)


def _value(contract: Contract, metric: Metric, sample: Sample) -> float | None:
    return evaluate(contract.parse(metric), metric.over_seeds, [sample]).value


def _width(curve: Curve) -> float:
    """The tolerance that a curve was drawn with: half of its top, or the foot of its slope."""
    top = [x for x, reward in curve.points if reward == 1]
    slopes = [right[0] - left[0] for left, right in pairwise(curve.points) if left[1] != right[1]]
    return max((max(top) - min(top)) / 2, *slopes)


def _spread(groups: Sequence[Sequence[float]]) -> float:
    """One standard deviation pooled over groups of values that differ by seed alone.

    It is 0 where there are no two seeds, and where the values are too large to be squared: then nothing is excused.
    """
    found = [_variance(group) for group in groups if len(group) > 1]
    mean = sum(found) / len(found) if found else 0.0
    return math.sqrt(mean) if math.isfinite(mean) else 0.0


def _variance(values: Sequence[float]) -> float:
    """Of at least two values; what is beyond floating point is infinite or not a number, and never an exception."""
    mean = sum(values) / len(values)
    return sum((value - mean) * (value - mean) for value in values) / (len(values) - 1)


def _equal(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=_SAME)
