"""Scores what runs wrote: the one place where a reward is made."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from reproducegym.verifier.consistency import find_copies
from reproducegym.verifier.contract import Contract, Expectation, Metric, Probe
from reproducegym.verifier.curve import is_plausible, reward_at
from reproducegym.verifier.evaluate import Evaluated, evaluate
from reproducegym.verifier.table import Problem, Sample, read_table

__all__ = ["JudgeError", "MetricReport", "ProbeReport", "Report", "Run", "score_artifact", "score_runs"]

_MAIN = "main"


class JudgeError(Exception):
    """The judge was called wrongly (an infra failure passed for scoring, a wrong label map): nobody's reward."""


@dataclass(frozen=True)
class Run:
    """One run of reproduce.sh that the verifier started.

    `purpose` is "main" or a probe's name, `choice` which of the probe's choices was drawn (0 for a main run). `labels`
    maps the opaque labels that the run was given to canonical ones. `outcome` is "ok" or says how the run failed,
    `detail` in words; `metrics_csv` is what it wrote, if anything.
    """

    purpose: str
    index: int
    seed: int
    labels: Mapping[str, str]
    outcome: str
    detail: str
    metrics_csv: bytes | None
    choice: int = 0


@dataclass(frozen=True)
class MetricReport:
    """One metric: value (None: none could be computed), reward (None: a diagnostic), value of each seed, why."""

    metric: str
    role: str
    value: float | None
    reward: float | None
    per_seed: tuple[float, ...]
    note: str


@dataclass(frozen=True)
class ProbeReport:
    """One probe: held or not, why in words without hidden values, and which of its choices was drawn."""

    probe: str
    held: bool
    note: str
    choice: int


@dataclass(frozen=True)
class Report:
    """The verdict in numbers. `failure_kind` is "agent" when the output could not be taken as a measurement."""

    reward: float
    failure_kind: str | None
    implausible: bool
    metrics: tuple[MetricReport, ...]
    probes: tuple[ProbeReport, ...]
    problems: tuple[str, ...]

    def to_json(self) -> str:
        """The report as `schema.run.Report` reads it."""
        return json.dumps(asdict(self), indent=2, allow_nan=False) + "\n"


_Read = tuple[list[Sample], list[Problem]]
"""What runs of one purpose gave: a sample a seed, to be used only when there are no problems."""


def score_runs(contract: Contract, runs: Sequence[Run]) -> Report:
    """Score re-runs that the verifier started: all main runs, and all runs of every probe.

    Raises:
        JudgeError: a run has no known purpose, failed by our own fault ("infra"), or has a wrong label map, or the
            runs of a probe are not all of one of its choices.
            No content of `metrics_csv` raises anything.
    """
    known = {str(probe.name): probe.conditions for probe in contract.probes} | {_MAIN: contract.conditions}
    for run in runs:
        if run.purpose not in known or run.outcome == "infra":
            raise JudgeError(f"{run.purpose} run {run.index}: of no known purpose, or failed by infrastructure")
        if sorted(run.labels.values()) != sorted(condition.label for condition in known[run.purpose]):
            raise JudgeError(f"{run.purpose} run {run.index}: its labels are not those of its conditions")
    probes = [_probe(contract, probe, runs) for probe in contract.probes]
    return _report(contract, _read(contract, _MAIN, contract.seeds, runs), probes)


def score_artifact(contract: Contract, data: bytes | None) -> Report:
    """Score one metrics.csv that the agent wrote itself, with a seed column; None: there is no such file."""
    labels = {condition.label: condition.label for condition in contract.conditions}
    table = Problem("missing_file", "") if data is None else read_table(data, contract, labels, seed=None)
    return _report(contract, ([], [table]) if isinstance(table, Problem) else (list(table.values()), []), [])


def _read(contract: Contract, purpose: str, seeds: int, runs: Sequence[Run]) -> _Read:
    """Read all runs of one purpose; any that failed, is missing or malformed is a problem."""
    found: dict[int, Sample] = {}
    problems: list[Problem] = []
    for run in runs:
        place = f"{purpose} run {run.index}"
        if run.purpose != purpose:
            continue
        if run.outcome != "ok" or run.metrics_csv is None or run.seed in found:
            failed = "missing_file" if run.metrics_csv is None else "repeated_seed"
            problems.append(Problem(failed if run.outcome == "ok" else run.outcome, place))
            continue
        table = read_table(run.metrics_csv, contract, run.labels, seed=run.seed)
        if isinstance(table, Problem):
            problems.append(table.within(place))
        else:
            found.update(table)
    if not problems and len(found) != seeds:
        problems.append(Problem("too_few_seeds" if len(found) < seeds else "too_many_seeds", purpose))
    return [found[seed] for seed in sorted(found)], problems


def _probe(contract: Contract, probe: Probe, runs: Sequence[Run]) -> tuple[ProbeReport, list[Problem]]:
    """Whether all that must hold in a probe's runs does, and why its runs are no measurement where they are none."""
    samples, problems = _read(contract, probe.name, probe.seeds, runs)
    metrics = {metric.name: metric for metric in contract.metrics}
    drawn = _drawn(probe, runs)
    for expectation in () if problems else probe.choices[drawn].expect:
        metric = metrics[expectation.metric]
        evaluated = evaluate(contract.parse(metric), metric.over_seeds, samples)
        if evaluated.value is None:
            problems.append(Problem(evaluated.fault, f"{probe.name}, {metric.name}"))
        elif not _holds(expectation, evaluated.value, evaluated.per_seed):
            note = f"{metric.name} is not what this run must give"
            return ProbeReport(probe.name, held=False, note=note, choice=drawn), problems
    return ProbeReport(probe.name, held=not problems, note="; ".join(map(str, problems)), choice=drawn), problems


def _drawn(probe: Probe, runs: Sequence[Run]) -> int:
    """Which of a probe's choices its runs were made under; the first where there are no runs."""
    first, *others = {run.choice for run in runs if run.purpose == probe.name} or {0}
    if others or not 0 <= first < len(probe.choices):
        raise JudgeError(f"the {probe.name} runs are not all of one of its choices")
    return first


def _holds(expectation: Expectation, value: float, per_seed: Sequence[float]) -> bool:
    """Whether the metric is what it must be: over all runs and, where that is asked, in the runs themselves."""
    if abs(value - expectation.value) > expectation.abs:
        return False
    if expectation.rms is None:
        return True
    apart = math.hypot(*(one - expectation.value for one in per_seed))
    return bool(per_seed) and apart <= expectation.rms * math.sqrt(len(per_seed))


def _report(contract: Contract, main: _Read, probes: Sequence[tuple[ProbeReport, list[Problem]]]) -> Report:
    """Measure, judge and combine; any problem, and any probe that does not hold, makes the reward 0."""
    samples, unread = main
    metrics = [_metric(contract, metric, None if unread else samples) for metric in contract.metrics]
    faults = unread or find_copies(contract, samples)
    unvalued = [metric for metric in metrics if metric.note and metric.reward is not None and not unread]
    faults = faults + [Problem(metric.note, metric.metric) for metric in unvalued if metric.value is None]
    problems = faults + [Problem("implausible", metric.metric) for metric in unvalued if metric.value is not None]
    for probe, broken in probes:
        faults = faults + broken
        problems += broken if probe.held else [*broken, Problem("probe_failed", probe.probe)]
    return Report(
        reward=0.0 if problems else _combine(contract, metrics),
        failure_kind="agent" if faults else None,
        implausible=any(problem.code == "implausible" for problem in problems),
        metrics=tuple(metrics),
        probes=tuple(probe for probe, _ in probes),
        problems=tuple(map(str, problems)),
    )


def _metric(contract: Contract, metric: Metric, samples: Sequence[Sample] | None) -> MetricReport:
    """One metric of the main runs (None: they are no measurement); a diagnostic may read what only probes run."""
    curve = contract.reward_curves.get(metric.name)
    formula = contract.parse(metric)
    if samples is None or formula.conditions() - {condition.label for condition in contract.conditions}:
        evaluated = Evaluated(None, (), "not_measured")
    else:
        evaluated = evaluate(formula, metric.over_seeds, samples)
    value, note = evaluated.value, evaluated.fault
    reward = None if curve is None else 0.0 if value is None else reward_at(curve, value)
    if curve is not None and value is not None and not is_plausible(curve, value):
        note = "implausible"
    return MetricReport(metric.name, metric.role, value, reward, evaluated.per_seed, note)


def _combine(contract: Contract, metrics: Sequence[MetricReport]) -> float:
    """The aggregation over primary metrics, times every guard, in [0, 1]."""
    primary = {metric.metric: metric.reward or 0.0 for metric in metrics if metric.role == "primary"}
    reward = min(primary.values())
    if contract.weights is not None:
        weighted = math.fsum(primary[name] * weight for name, weight in contract.weights.items())
        reward = weighted / math.fsum(contract.weights.values())
    return min(1.0, math.prod([reward, *(metric.reward or 0.0 for metric in metrics if metric.role == "guard")]))
