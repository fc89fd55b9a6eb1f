"""Writes submissions of known worth: column values that give a metric a wanted value, and the files that carry them."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

from reproducegym.schema.contract import Contract
from reproducegym.verifier.contract import Contract as JudgeContract
from reproducegym.verifier.contract import Metric
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.score import Run
from reproducegym.verifier.table import Rows

__all__ = ["Bench", "Lines", "Values", "csv_bytes"]

Values = Mapping[str, float]
"""`condition.column` → the value that all its rows have, but for the noise of seeds."""

Lines = list[list[str]]
"""A metrics.csv as cells, header first."""

_JITTER = 1e-9


def csv_bytes(lines: Lines, end: str = "\n") -> bytes:
    """The file of these cells."""
    return "".join(",".join(cells) + end for cells in lines).encode()


@dataclass(frozen=True)
class Bench:
    """One contract as both sides know it."""

    contract: Contract
    judge: JudgeContract

    def metric(self, name: str) -> Metric:
        """The metric of this name."""
        return next(metric for metric in self.judge.metrics if metric.name == name)

    def worth(self, name: str, values: Values) -> float | None:
        """What the judge's formula gives for these values under every seed; None where it has no value."""
        metric = self.metric(name)
        formula = self.judge.parse(metric)
        steps = array("d", self.steps())
        sample = {
            label: Rows(
                steps, {one.name: self._constant(values[f"{label}.{one.name}"]) for one in self.contract.columns}
            )
            for label in formula.conditions()
        }
        return evaluate(formula, metric.over_seeds, [sample] * self.contract.seeds).value

    def steer(self, name: str, moves: tuple[str, ...], wanted: float, values: Values) -> Values | None:
        """The values with the series of `moves` shifted together so that the metric is as wanted.

        None where no such shift is found, or it leaves a column's declared range.
        """
        size = max(1.0, abs(wanted), *(abs(values[series]) for series in moves))
        before, after = 0.0, 1e-3 * size
        was, now = self.worth(name, values), self.worth(name, _shifted(values, moves, after))
        for _ in range(60):
            if was is None or now is None:
                return None
            if was == now or abs(now - wanted) <= 1e-12 * size:
                break
            before, after = after, after + (wanted - now) * (after - before) / (now - was)
            was, now = now, self.worth(name, _shifted(values, moves, after))
        found = _shifted(values, moves, after)
        close = now is not None and abs(now - wanted) <= 1e-9 * size
        return found if close and all(self._allowed(series, found[series]) for series in moves) else None

    def fill(self, values: Values) -> Values:
        """The values, and some allowed value for every series of the contract that has none."""
        labels = [one.label for one in self.contract.conditions]
        labels += [one.label for probe in self.contract.probes for one in probe.conditions]
        filled = {}
        for number, label in enumerate(dict.fromkeys(labels)):
            for column in self.contract.columns:
                low, high = column.range
                low = (0.0 if high is None else high - 1) if low is None else low
                high = low + 1 if high is None else high
                filled[f"{label}.{column.name}"] = low + (high - low) * (number + 1) / (len(labels) + 1)
        return filled | dict(values)

    def steps(self) -> list[float]:
        """Steps that give every window and every `at` of the contract's formulas the rows they ask for."""
        if not self.contract.step_column:
            return []
        marks, rows = {0.0}, self.contract.min_rows_per_condition
        for metric in self.judge.metrics:
            for part in self.judge.parse(metric).parts:
                marks |= {bound for kind, bound in part.windows if kind in (">=", "<=")}
                marks |= set(part.numbers) if part.function == "at" else set()
                rows = max([rows, *(int(bound) for kind, bound in part.windows if kind in ("last", "first"))])
        return sorted({mark + row for mark in marks for row in range(-rows, rows + 1) if mark + row >= 0})

    def main_runs(self, values: Values) -> list[Run]:
        """All main runs."""
        return self._runs("main", [one.label for one in self.contract.conditions], self.contract.seeds, values)

    def probe_runs(self, name: str, values: Values) -> list[Run]:
        """All runs of one probe."""
        (plan,) = (probe for probe in self.contract.probes if probe.name == name)
        return self._runs(name, [one.label for one in plan.conditions], plan.seeds, values)

    def artifact(self, values: Values) -> Lines:
        """One file of all main seeds, as an agent leaves it at level `artifact`."""
        labels = [one.label for one in self.contract.conditions]
        rows = [self._rows(values, labels, seed, [str(seed + 1)]) for seed in range(self.contract.seeds)]
        return [self._header(["seed"]), *(row for file in rows for row in file)]

    def _runs(self, purpose: str, labels: list[str], seeds: int, values: Values) -> list[Run]:
        own = {label: label for label in labels}
        files = [[self._header([]), *self._rows(values, labels, seed, [])] for seed in range(seeds)]
        return [Run(purpose, at, at + 1, own, "ok", "", csv_bytes(lines)) for at, lines in enumerate(files)]

    def _header(self, seed: list[str]) -> list[str]:
        step = ["step"] * self.contract.step_column
        return ["condition", *step, *seed, *(column.name for column in self.contract.columns)]

    def _rows(self, values: Values, labels: list[str], seed: int, seed_cell: list[str]) -> Lines:
        steps = [[repr(step)] for step in self.steps()] or [[]]
        columns = range(len(self.contract.columns))
        return [
            [label, *step, *seed_cell, *(repr(self._noisy(values, label, column, number, seed)) for column in columns)]
            for number, label in enumerate(labels)
            for step in steps
        ]

    def _constant(self, value: float) -> "array[float]":
        return array("d", [value] * max(1, len(self.steps())))

    def _noisy(self, values: Values, label: str, column: int, number: int, seed: int) -> float:
        """A value under one seed: symmetric around the value over all seeds, and another for each condition."""
        chosen = self.contract.columns[column]
        value = values[f"{label}.{chosen.name}"]
        if chosen.stochastic != "continuous":
            return value
        low, high = chosen.range
        swing = seed - (self.contract.seeds - 1) / 2 + number / 100
        noisy = value + _JITTER * max(1.0, abs(value)) * swing
        return min(noisy if high is None else high, max(noisy if low is None else low, noisy))

    def _allowed(self, series: str, value: float) -> bool:
        name = series.partition(".")[2]
        low, high = next(column.range for column in self.contract.columns if column.name == name)
        return (low is None or value >= low) and (high is None or value <= high)


def _shifted(values: Values, moves: tuple[str, ...], shift: float) -> Values:
    return {series: value + shift * (series in moves) for series, value in values.items()}
