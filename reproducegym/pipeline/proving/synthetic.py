"""Writes submissions of known worth: column values that give a metric a wanted value, and the files that carry them."""

import sys
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from reproducegym.schema.contract import Contract
from reproducegym.verifier.contract import Contract as JudgeContract
from reproducegym.verifier.contract import Metric
from reproducegym.verifier.evaluate import evaluate
from reproducegym.verifier.score import Run
from reproducegym.verifier.table import Rows

__all__ = ["Bench", "Level", "Lines", "Values", "csv_bytes"]

Level = float | tuple[float, ...]
"""One value for all rows of a series, or one for each of the bench's steps."""

Values = Mapping[str, Level]
"""`condition.column` → what its rows have, but for the noise of seeds."""

Lines = list[list[str]]
"""A metrics.csv as cells, header first."""

_JITTER = 1e-9
_ROUNDING = 4 * sys.float_info.epsilon


def csv_bytes(lines: Lines, end: str = "\n") -> bytes:
    """The file of these cells."""
    return "".join(",".join(cells) + end for cells in lines).encode()


@dataclass(frozen=True)
class Bench:
    """One contract as both sides know it; `grid` is the x of its trends: then the steps of every file."""

    contract: Contract
    judge: JudgeContract
    grid: tuple[float, ...] = ()

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
                steps, {one.name: self._along_steps(values[f"{label}.{one.name}"]) for one in self.contract.columns}
            )
            for label in formula.conditions()
        }
        return evaluate(formula, metric.over_seeds, [sample] * self.contract.seeds).value

    def steer(self, name: str, moves: tuple[str, ...], wanted: float, values: Values) -> Values | None:
        """The values with the series of `moves` shifted together so that the metric is as wanted.

        A series that is named twice moves twice as far; one with a value for each step is tilted, its last step moving
        most. None where no such shift is found, or it leaves a column's declared range.
        """
        size = _largest(values[series] for series in moves) or _largest(values.values()) or 1.0
        before, after = 0.0, 1e-3 * size
        was, now = self.worth(name, values), self.worth(name, self._shifted(values, moves, after))
        scale = max(abs(wanted), abs(was or 0.0)) or size
        for _ in range(60):
            if was is None or now is None:
                return None
            if was == now or abs(now - wanted) <= 1e-12 * scale:
                break
            before, after = after, after + (wanted - now) * (after - before) / (now - was)
            was, now = now, self.worth(name, self._shifted(values, moves, after))
        found = self._shifted(values, moves, after)
        close = now is not None and abs(now - wanted) <= max(1e-9 * scale, _ROUNDING * size)
        return found if close and all(self._allowed(series, found[series]) for series in moves) else None

    def fill(self, values: Values) -> Values:
        """The values, and some allowed value for every series of the contract that has none."""
        labels = [one.label for one in self.contract.conditions]
        labels += [one.label for probe in self.contract.probes for one in probe.conditions]
        filled: dict[str, Level] = {}
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
        if self.grid:
            return list(self.grid)
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

    def probe_runs(self, name: str, values: Values, choice: int = 0) -> list[Run]:
        """All runs of one probe, as if one of its choices had been drawn."""
        (plan,) = (probe for probe in self.contract.probes if probe.name == name)
        runs = self._runs(name, [one.label for one in plan.conditions], plan.seeds, values)
        return [replace(run, choice=choice) for run in runs]

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
        names = [column.name for column in self.contract.columns]
        scales = [_largest(values[f"{label}.{name}"] for label in labels) or 1.0 for name in names]
        rows: Lines = []
        for number, label in enumerate(labels):
            for at, step in enumerate(steps):
                levels = [_at(values[f"{label}.{name}"], at) for name in names]
                swings = [_JITTER * (abs(level) or scale) for level, scale in zip(levels, scales, strict=True)]
                noisy = [self._noisy(levels[i], i, number, seed, swing) for i, swing in enumerate(swings)]
                rows.append([label, *step, *seed_cell, *map(repr, noisy)])
        return rows

    def _along_steps(self, level: Level) -> "array[float]":
        return array("d", [_at(level, at) for at in range(max(1, len(self.steps())))])

    def _noisy(self, value: float, column: int, number: int, seed: int, swing: float) -> float:
        """A value under one seed: symmetric around the value over all seeds, and another for each condition."""
        chosen = self.contract.columns[column]
        if chosen.stochastic != "continuous":
            return value
        low, high = chosen.range
        noisy = value + swing * (seed - (self.contract.seeds - 1) / 2 + number / 100)
        return min(noisy if high is None else high, max(noisy if low is None else low, noisy))

    def _allowed(self, series: str, level: Level) -> bool:
        name = series.partition(".")[2]
        low, high = next(column.range for column in self.contract.columns if column.name == name)
        return all((low is None or one >= low) and (high is None or one <= high) for one in _levels(level))

    def _shifted(self, values: Values, moves: tuple[str, ...], shift: float) -> Values:
        return {series: self._moved(level, shift * moves.count(series)) for series, level in values.items()}

    def _moved(self, level: Level, shift: float) -> Level:
        if not isinstance(level, tuple):
            return level + shift
        first, last = self.grid[0], self.grid[-1]
        return tuple(one + shift * (step - first) / (last - first) for one, step in zip(level, self.grid, strict=True))


def _largest(levels: Iterable[Level]) -> float:
    return max((abs(one) for level in levels for one in _levels(level)), default=0.0)


def _levels(level: Level) -> tuple[float, ...]:
    return level if isinstance(level, tuple) else (level,)


def _at(level: Level, step: int) -> float:
    return level[step] if isinstance(level, tuple) else level
