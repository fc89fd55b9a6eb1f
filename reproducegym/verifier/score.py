"""Scores what runs wrote: the one place where a reward is made."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from reproducegym.verifier.consistency import find_copies
from reproducegym.verifier.contract import Contract, Metric, Probe
from reproducegym.verifier.curve import is_plausible, reward_at
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.table import Problem, Sample, read_table

__all__ = ["JudgeError", "MetricReport", "ProbeReport", "Report", "Run", "score_artifact", "score_runs"]

MAIN = "main"
IMPLAUSIBLE = "implausible"


class JudgeError(Exception):
    """The judge was called wrongly (an infra failure passed for scoring, a wrong label map): nobody's reward."""


@dataclass(frozen=True)
class Run:
    """One run of reproduce.sh that the verifier started.

    `purpose` is "main" or a probe's name, `labels` maps the opaque labels that the run was given to canonical ones,
    `outcome` is "ok" or says how the run failed, `detail` in words; `metrics_csv` is what it wrote, if anything.
    """

    purpose: str
    index: int
    seed: int
    labels: Mapping[str, str]
    outcome: str
    detail: str
    metrics_csv: bytes | None


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
    """One probe: held or not, and why in words without hidden values."""

    probe: str
    held: bool
    note: str


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


def score_runs(contract: Contract, runs: Sequence[Run]) -> Report:
    """Score re-runs that the verifier started: all main runs, and all runs of every probe.

    Raises:
        JudgeError: a run has no known purpose, failed by our own fault ("infra"), or has a wrong label map.
            No content of `metrics_csv` raises anything.
    """
    known = {str(probe.name): probe.conditions for probe in contract.probes} | {MAIN: contract.conditions}
    for run in runs:
        if run.purpose not in known:
            raise JudgeError(f"a run has the unknown purpose {run.purpose!r}")
        if sorted(run.labels.values()) != sorted(condition.label for condition in known[run.purpose]):
            raise JudgeError(f"{run.purpose} run {run.index}: its labels are not those of its conditions")
        if run.outcome == "infra":
            raise JudgeError(f"{run.purpose} run {run.index} failed by infrastructure; it must be repeated, not scored")
    main = _read(contract, MAIN, contract.seeds, runs)
    return _report(contract, main, [_probe(contract, probe, runs) for probe in contract.probes])


def score_artifact(contract: Contract, data: bytes | None) -> Report:
    """Score one metrics.csv that the agent wrote itself, with a seed column; None: there is no such file."""
    if data is None:
        return _report(contract, _Read((), (Problem("missing_file", ""),)), [])
    labels = {condition.label: condition.label for condition in contract.conditions}
    table = read_table(data, contract, labels, seed=None)
    if isinstance(table, Problem):
        return _report(contract, _Read((), (table,)), [])
    return _report(contract, _Read(tuple(table.values()), ()), [])


@dataclass(frozen=True)
class _Read:
    """What runs of one purpose gave: a sample a seed, usable only when there are no problems."""

    samples: tuple[Sample, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class _Probed:
    """A probe's report, and whether its runs failed to be a measurement at all."""

    report: ProbeReport
    broken: bool


def _read(contract: Contract, purpose: str, seeds: int, runs: Sequence[Run]) -> _Read:
    """Read all runs of one purpose; any that failed, is missing or malformed is a problem."""
    found: dict[int, Sample] = {}
    problems: list[Problem] = []
    for run in runs:
        if run.purpose != purpose:
            continue
        place = f"{purpose} run {run.index}"
        if run.outcome != "ok":
            problems.append(Problem(run.outcome, place))
        elif run.metrics_csv is None:
            problems.append(Problem("missing_file", place))
        elif run.seed in found:
            problems.append(Problem("repeated_seed", place))
        else:
            table = read_table(run.metrics_csv, contract, run.labels, seed=run.seed)
            if isinstance(table, Problem):
                problems.append(table.within(place))
            else:
                found.update(table)
    if not problems and len(found) != seeds:
        problems.append(Problem("too_few_seeds" if len(found) < seeds else "too_many_seeds", purpose))
    return _Read(tuple(found[seed] for seed in sorted(found)), tuple(problems))


def _probe(contract: Contract, probe: Probe, runs: Sequence[Run]) -> _Probed:
    """Whether all that must hold in a probe's runs does."""
    read = _read(contract, probe.name, probe.seeds, runs)
    if read.problems:
        note = "; ".join(str(problem) for problem in read.problems)
        return _Probed(ProbeReport(probe.name, held=False, note=note), broken=True)
    metrics = {metric.name: metric for metric in contract.metrics}
    for expectation in probe.expect:
        metric = metrics[expectation.metric]
        evaluated = evaluate(contract.parse(metric), metric.over_seeds, read.samples)
        if evaluated.value is None:
            note = f"{metric.name}: {evaluated.fault}"
            return _Probed(ProbeReport(probe.name, held=False, note=note), broken=True)
        if abs(evaluated.value - expectation.value) > expectation.abs:
            note = f"{metric.name} is not what this run must give"
            return _Probed(ProbeReport(probe.name, held=False, note=note), broken=False)
    return _Probed(ProbeReport(probe.name, held=True, note=""), broken=False)


def _report(contract: Contract, main: _Read, probes: Sequence[_Probed]) -> Report:
    """Measure, judge and combine; any problem and any probe that does not hold make the reward 0."""
    problems = list(main.problems)
    if not problems:
        problems += find_copies(contract, main.samples)
    metrics = [_metric(contract, metric, main) for metric in contract.metrics]
    if not main.problems:
        problems += [Problem(report.note, report.metric) for report in metrics if report.reward == 0 and report.note]
    problems += [Problem("probe_failed", probed.report.probe) for probed in probes if not probed.report.held]
    implausible = any(problem.code == IMPLAUSIBLE for problem in problems)
    agent = any(problem.code not in (IMPLAUSIBLE, "probe_failed") for problem in problems)
    return Report(
        reward=0.0 if problems else _combine(contract, metrics),
        failure_kind="agent" if agent or any(probed.broken for probed in probes) else None,
        implausible=implausible,
        metrics=tuple(metrics),
        probes=tuple(probed.report for probed in probes),
        problems=tuple(str(problem) for problem in problems),
    )


def _metric(contract: Contract, metric: Metric, main: _Read) -> MetricReport:
    """One metric of the main runs; only a diagnostic may read conditions that they do not run."""
    curve = contract.reward_curves.get(metric.name)
    zero = None if curve is None else 0.0
    formula = contract.parse(metric)
    if main.problems or formula.conditions() - {condition.label for condition in contract.conditions}:
        return MetricReport(metric.name, metric.role, None, zero, (), "not_measured")
    evaluated = evaluate(formula, metric.over_seeds, main.samples)
    if evaluated.value is None:
        return MetricReport(metric.name, metric.role, None, zero, (), evaluated.fault)
    reward, note = zero, ""
    if curve is not None:
        reward = reward_at(curve, evaluated.value)
        note = "" if is_plausible(curve, evaluated.value) else IMPLAUSIBLE
    return MetricReport(metric.name, metric.role, evaluated.value, reward, evaluated.per_seed, note)


def _combine(contract: Contract, metrics: Sequence[MetricReport]) -> float:
    """The aggregation over primary metrics, times every guard, in [0, 1]."""
    primary = {report.metric: report.reward or 0.0 for report in metrics if report.role == "primary"}
    guards = [report.reward or 0.0 for report in metrics if report.role == "guard"]
    if contract.weights is None:
        reward = min(primary.values())
    else:
        total = math.fsum(contract.weights.values())
        reward = math.fsum(primary[name] * weight / total for name, weight in contract.weights.items())
    return min(1.0, max(0.0, math.prod([reward, *guards])))
