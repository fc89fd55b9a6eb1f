"""Proves a task before it is accepted: synthetic submissions of known worth must earn exactly what they should."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from reproducegym.pipeline.proving.defects import defects, rewritings
from reproducegym.pipeline.proving.synthetic import Bench, Level, Values, csv_bytes
from reproducegym.schema.base import canonical_json
from reproducegym.schema.contract import Contract, Curve, ProbeChoice, ProbePlan
from reproducegym.schema.task import CheckResult
from reproducegym.verifier.contract import ContractError, load_contract
from reproducegym.verifier.score import Report, Run, score_artifact, score_runs

__all__ = ["TargetCheck", "self_test"]

_SLACK = 1e-6


@dataclass(frozen=True)
class TargetCheck:
    """What a metric should be worth, independent of its curve, and values of the columns that make it so.

    `target`, `tolerance`, `no_effect` are t, d, z of docs/contract.md (for a guard: its reference g, d, and None).
    `inputs` gives each series that the formula uses (`"ucb.regret"`, that is condition.column) a value inside the
    column's range such that the metric equals the target; `moves` names the series that are shifted together to
    make the metric take another value (say, the treatment's; all parts of a mean).
    Within `quiet` of the no-effect value nothing is earned.
    A diagnostic that a probe expects something of needs a check too: only its `inputs` and `moves` are used then.
    Of a trend `steps` are the x, and an input has a value for each of them. `shown` are further values of the series of
    a metric that jumps (ranks, the first x at a level), which no shift can steer to a wanted value.
    """

    target: float
    tolerance: float
    no_effect: float | None
    inputs: Values
    moves: tuple[str, ...]
    steps: tuple[float, ...] = ()
    shown: tuple[Values, ...] = ()
    quiet: float = 0.0

    def ends(self, side: int) -> tuple[float, float]:
        """How far from the target full reward ends and none is left: d and 2d, or nearer where z is on this side."""
        if self.no_effect is None or (self.no_effect - self.target) * side <= 0:
            return self.tolerance, 2 * self.tolerance
        foot = min(2 * self.tolerance, abs(self.no_effect - self.target) - self.quiet)
        return min(self.tolerance, foot / 1.1) if self.quiet else self.tolerance, foot


@dataclass(frozen=True)
class _Rung:
    """A value of a metric and the reward that it must earn."""

    name: str
    value: float
    reward: float


def self_test(contract: Contract, checks: Mapping[str, TargetCheck]) -> tuple[CheckResult, ...]:
    """Run all self-tests; `checks` holds one entry for each primary and guard metric, by metric name.

    A task is accepted only when every result has passed.
    """
    try:
        grid = next((check.steps for check in checks.values() if check.steps), ())
        bench = Bench(contract, load_contract(canonical_json(contract)), grid)
    except ContractError as error:
        return (_result("contract", [str(error)]),)
    rewarded = [metric.name for metric in contract.metrics if metric.role != "diagnostic"]
    probed = [expect.metric for plan in contract.probes for expect in plan.expectations]
    unchecked = [name for name in dict.fromkeys(rewarded + probed) if name not in checks]
    if unchecked:
        return (_result("checks", [f"no check is given for {', '.join(unchecked)}"]),)
    inputs: dict[str, Level] = {}
    for name in sorted(checks, key=lambda name: (name in rewarded, name)):
        inputs |= checks[name].inputs
    unknown = sorted(set(inputs) - set(bench.fill({})))
    unknown += sorted({series for check in checks.values() for series in check.moves} - set(bench.fill(inputs)))
    if unknown:
        return (_result("checks", [f"the contract has no series {', '.join(unknown)}"]),)
    return tuple(_Suite(bench, checks, bench.fill(inputs)).results())


def _result(name: str, faults: Sequence[str], detail: str = "") -> CheckResult:
    return CheckResult(name=name, passed=not faults, detail="; ".join(faults) or detail)


@dataclass(frozen=True)
class _Suite:
    """The self-tests of one contract; `values` put every rewarded metric at its target."""

    bench: Bench
    checks: Mapping[str, TargetCheck]
    values: Values

    def results(self) -> Iterator[CheckResult]:
        """Every result, in a fixed order."""
        probes: list[Run] = []
        for plan in self.bench.contract.probes:
            expected = [self._expected(choice) for choice in plan.choices]
            if expected[0] is None or None in expected:
                yield _result(f"probe_{plan.name}_set_up", ["no allowed column values give what the probe expects"])
                return
            probes += self.bench.probe_runs(plan.name, expected[0])
        for metric in self.bench.contract.metrics:
            if metric.role != "diagnostic":
                yield from self._ladder(metric.name, probes)
                yield from self._shown(metric.name, probes)
        yield from self._spoiled(probes)
        yield from self._rewritten(probes)
        for plan in self.bench.contract.probes:
            yield from self._probe(plan, probes)

    def _expected(self, choice: ProbeChoice) -> Values | None:
        """Values by which all expectations of a probe hold under one of its choices."""
        values: Values | None = self.values
        for expect in choice.expect:
            moves = self.checks[expect.metric].moves
            values = None if values is None else self.bench.steer(expect.metric, moves, expect.value, values)
        return values

    def _both(self, values: Values, probes: Sequence[Run]) -> tuple[Report, Report]:
        """The report on re-runs, and on the same numbers as an artifact."""
        runs = [*self.bench.main_runs(values), *probes]
        artifact = csv_bytes(self.bench.artifact(values))
        return score_runs(self.bench.judge, runs), score_artifact(self.bench.judge, artifact)

    def _ladder(self, name: str, probes: Sequence[Run]) -> Iterator[CheckResult]:
        """A metric at values of known worth; values that the declared ranges keep out are left out.

        One that jumps is only put at its target here (see `_shown`).
        """
        check = self.checks[name]
        for rung in _rungs(check, self.bench.contract.reward_curves[name]):
            at_target = rung.name == "at_target"
            if check.shown and not at_target:
                break
            values = self.values if at_target else self.bench.steer(name, check.moves, rung.value, self.values)
            if values is None:
                yield _result(f"{name}:{rung.name}", [], "no allowed column values give this")
                continue
            faults = []
            for report in self._both(values, probes):
                (reward,) = (one.reward for one in report.metrics if one.metric == name)
                if reward is None or abs(reward - rung.reward) > _SLACK:
                    faults.append(f"the metric earned {reward} instead of {rung.reward}")
                if at_target and abs(report.reward - 1) > _SLACK:
                    faults.append(f"the task paid {report.reward} at the target: {', '.join(report.problems)}")
                if self.bench.contract.aggregation == "min" and report.reward > rung.reward + _SLACK:
                    faults.append(f"the task paid {report.reward}, more than {rung.reward}")
            yield _result(f"{name}:{rung.name}", faults)

    def _shown(self, name: str, probes: Sequence[Run]) -> Iterator[CheckResult]:
        """A metric that jumps, at values that it can take: each earns what the rules of docs/contract.md say."""
        check = self.checks[name]
        shape = self.bench.contract.reward_curves[name].shape
        for number, series in enumerate(check.shown, 1):
            values = {**self.values, **series}
            worth = self.bench.worth(name, values)
            wanted = 0.0 if worth is None else _by_rule(check, shape, worth)
            rewards = [
                one.reward for report in self._both(values, probes) for one in report.metrics if one.metric == name
            ]
            wrong = [reward for reward in rewards if reward is None or abs(reward - wanted) > _SLACK]
            yield _result(f"{name}:shown_{number}", [f"{worth} earned {wrong[0]} instead of {wanted}"] if wrong else [])

    def _spoiled(self, probes: Sequence[Run]) -> Iterator[CheckResult]:
        """Submissions that are no measurement: each earns 0 and is named for what is wrong with it."""
        judge, contract = self.bench.judge, self.bench.contract
        first, *others = self.bench.main_runs(self.values)
        for defect in defects(_cells(first), contract):
            report = score_runs(judge, [replace(first, metrics_csv=defect.data), *others, *probes])
            yield _nothing(defect.name, report, defect.codes)
        for defect in defects(self.bench.artifact(self.values), contract):
            yield _nothing(f"artifact_{defect.name}", score_artifact(judge, defect.data), defect.codes)
        yield _nothing("too_few_seeds", score_runs(judge, [*others, *probes]), ("too_few_seeds",))
        failed = replace(first, outcome="nonzero_exit", metrics_csv=None)
        yield _nothing("failed_run", score_runs(judge, [failed, *others, *probes]), ("nonzero_exit",))
        if others and self._noise_shows():
            copies = [replace(run, metrics_csv=first.metrics_csv) for run in others]
            yield _nothing("one_seed_repeated", score_runs(judge, [first, *copies, *probes]), ("equal_seeds",))

    def _noise_shows(self) -> bool:
        """Whether some continuous column stands away from the bounds of its range, where ties are honest."""
        return any(
            column.stochastic == "continuous" and self.values[f"{condition.label}.{column.name}"] not in column.range
            for column in self.bench.contract.columns
            for condition in self.bench.contract.conditions
        )

    def _rewritten(self, probes: Sequence[Run]) -> Iterator[CheckResult]:
        """The same numbers in other words give the same report to the last digit."""
        judge = self.bench.judge
        first, *others = self.bench.main_runs(self.values)
        honest, artifact = self._both(self.values, probes)
        for name, data in rewritings(_cells(first)):
            report = score_runs(judge, [*others[::-1], replace(first, metrics_csv=data), *probes])
            yield _result(name, [] if report == honest else ["the report changed"])
        for name, data in rewritings(self.bench.artifact(self.values)):
            same = score_artifact(judge, data) == artifact
            yield _result(f"artifact_{name}", [] if same else ["the report changed"])

    def _probe(self, plan: ProbePlan, probes: Sequence[Run]) -> Iterator[CheckResult]:
        """A probe that was not run, or in which something else happened, takes the whole reward; under any choice."""
        main = self.bench.main_runs(self.values)
        others = [run for run in probes if run.purpose != plan.name]
        wanted = (f"probe_failed:{plan.name}",)
        yield _nothing(f"probe_{plan.name}_missing", score_runs(self.bench.judge, [*main, *others]), wanted)
        for number, choice in enumerate(plan.choices):
            which = f"probe_{plan.name}" + f"_choice_{number + 1}" * (len(plan.choices) > 1)
            if number:
                values = self._expected(choice) or self.values
                runs = [*main, *others, *self.bench.probe_runs(plan.name, values, number)]
                paid = score_runs(self.bench.judge, runs).reward
                yield _result(f"{which}_held", [] if abs(paid - 1) <= _SLACK else [f"the task paid {paid}"])
            for expect in choice.expect:
                name, moves = f"{which}_off:{expect.metric}", self.checks[expect.metric].moves
                shift = 2 * expect.abs or _SLACK * max(1.0, abs(expect.value))
                sides = (self.bench.steer(expect.metric, moves, expect.value + s, self.values) for s in (shift, -shift))
                off = next((side for side in sides if side is not None), None)
                if off is None:
                    yield _result(name, [], "no allowed column values give this")
                    continue
                runs = [*main, *others, *self.bench.probe_runs(plan.name, off, number)]
                yield _nothing(name, score_runs(self.bench.judge, runs), wanted)


def _cells(run: Run) -> list[list[str]]:
    return [line.split(",") for line in (run.metrics_csv or b"").decode().splitlines()]


def _nothing(name: str, report: Report, codes: tuple[str, ...]) -> CheckResult:
    """The submission earned 0, for one of these problems."""
    named = any(problem == code or problem.startswith(f"{code}:") for problem in report.problems for code in codes)
    faults = [] if named else [f"{' or '.join(codes)} was expected, not {', '.join(report.problems) or 'no problem'}"]
    return _result(name, faults if report.reward == 0 else [f"earned {report.reward}", *faults])


def _by_rule(check: TargetCheck, shape: str, value: float) -> float:
    """What a value earns by the rules, whatever the curve says: 1 within d, falling to 0 at 2d or at no effect."""
    side = 1 if value > check.target else -1
    shoulder, foot = check.ends(side)
    apart = abs(value - check.target)
    if (shape, side) in {("at_least", 1), ("at_most", -1)}:
        return 1.0 if apart <= 5 * check.tolerance else 0.0
    return min(1.0, max(0.0, (foot - apart) / (foot - shoulder)))


def _rungs(check: TargetCheck, curve: Curve) -> Iterator[_Rung]:
    """Values of known worth by the rules of docs/contract.md; of the curve only its shape and direction are used."""
    target, width = check.target, check.tolerance
    rising = curve.points[0][1] < curve.points[-1][1]
    losing = {"two_sided": (-1, 1), "at_least": (-1,), "at_most": (1,), "guard": (-1,) if rising else (1,)}[curve.shape]
    yield _Rung("at_target", target, 1)
    if check.no_effect is not None:
        yield _Rung("no_effect", check.no_effect, 0)
    for side, word in ((-1, "below"), (1, "above")):
        if side not in losing:
            yield _Rung(f"one_tolerance_{word}", target + side * width, 1)
            guard = curve.shape == "guard"
            yield _Rung(f"overshoot_{word}", target + side * 6 * width, 1 if guard else 0)
            continue
        shoulder, foot = check.ends(side)
        yield _Rung(f"one_tolerance_{word}", target + side * shoulder, 1)
        yield _Rung(f"between_{word}", target + side * (shoulder + foot) / 2, 0.5)
        yield _Rung(f"twice_the_tolerance_{word}", target + side * foot, 0)
        yield _Rung(f"far_{word}", target + side * 10 * foot, 0)
