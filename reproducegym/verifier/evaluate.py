"""Evaluates a parsed formula on samples; whatever the numbers, the result is a finite value or a named fault."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add, itemgetter, mul, sub, truediv

from reproducegym.verifier.formula import Aggregate, Binary, Call, Formula, Negate, Node, Number, SeedSpread, Window
from reproducegym.verifier.table import Rows, Sample

__all__ = ["Evaluated", "evaluate"]


@dataclass(frozen=True)
class Evaluated:
    """A value over all seeds, and of each seed where each alone can be evaluated; or None and the fault's code."""

    value: float | None
    per_seed: tuple[float, ...]
    fault: str


class _FaultError(Exception):
    """Carries the code of a fault to `evaluate`, and no further."""


_Numbers = Sequence[float]


def evaluate(formula: Formula, over_seeds: str, samples: Sequence[Sample]) -> Evaluated:
    """The value of a formula: aggregations per seed, combined over seeds, then the outer formula once.

    Every condition of the formula is in every sample, and there is at least one sample.
    """
    try:
        table = {
            part: [_aggregate(part, sample[part.series.condition]) for sample in samples] for part in formula.parts
        }
        combined = {part: _OVER_SEEDS[over_seeds](values) for part, values in table.items()}
        value = _node(formula.root, combined, table)
    except (_FaultError, ArithmeticError, ValueError) as error:
        return Evaluated(None, (), _fault_code(error))
    return Evaluated(value, _each_seed(formula, table, len(samples)), "")


def _fault_code(error: Exception) -> str:
    if isinstance(error, _FaultError):
        return str(error)
    return "division_by_zero" if isinstance(error, ZeroDivisionError) else "not_finite"


def _each_seed(formula: Formula, table: Mapping[Aggregate, list[float]], seeds: int) -> tuple[float, ...]:
    """The formula on each seed alone, for people to read; empty when one seed alone has no value."""
    try:
        return tuple(
            _node(formula.root, {part: values[seed] for part, values in table.items()}, table) for seed in range(seeds)
        )
    except (_FaultError, ArithmeticError, ValueError):
        return ()


def _node(node: Node, numbers: Mapping[Aggregate, float], table: Mapping[Aggregate, list[float]]) -> float:
    """The value of a tree whose aggregations have these numbers; `table` has those of every seed."""
    match node:
        case Aggregate():
            return _finite(numbers[node])
        case Number(value):
            return value
        case Negate(operand):
            return -_node(operand, numbers, table)
        case Binary(sign, left, right):
            return _finite(_BINARY[sign](_node(left, numbers, table), _node(right, numbers, table)))
        case Call(function, operands):
            return _finite(_CALLS[function](*[_node(operand, numbers, table) for operand in operands]))
        case SeedSpread(operand):
            seeds = range(len(next(iter(table.values()))))
            each = [_node(operand, {part: values[seed] for part, values in table.items()}, table) for seed in seeds]
            return _finite(_std(each))


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise _FaultError("not_finite")
    return value


def _at_least(count: int, values: Sequence[object]) -> None:
    if len(values) < count:
        raise _FaultError("empty_series" if not values else "too_few_values")


def _aggregate(part: Aggregate, rows: Rows) -> float:
    """One number of one series of one seed."""
    start, end = _window(part.series.windows, rows.steps, len(rows.columns[part.series.column]))
    values = rows.columns[part.series.column][start:end]
    _at_least(1, values)
    if part.function in _OF_VALUES:
        return _OF_VALUES[part.function](values)
    if part.function == "quantile":
        return _quantile(values, part.numbers[0])
    xs = rows.steps if part.x is None else rows.columns[part.x]
    assert xs is not None
    xs = xs[start:end]
    if part.function == "at":
        return _at(xs, values, part.numbers[0])
    pairs = sorted(zip(xs, values, strict=True))
    if part.function == "first_reach":
        return _first_reach(pairs, part.numbers[0])
    _at_least(2, pairs)
    return _OVER_X[part.function]([x for x, _ in pairs], [y for _, y in pairs])


def _window(windows: Sequence[Window], steps: _Numbers | None, end: int) -> tuple[int, int]:
    """The slice of rows that windows leave; steps ascend. A window asks for rows that must be there."""
    start = 0
    for window in windows:
        assert steps is not None
        if window.kind == ">=":
            start = bisect_left(steps, window.bound, start, end)
        elif window.kind == "<=":
            end = bisect_right(steps, window.bound, start, end)
        elif end - start < window.bound:
            raise _FaultError("window_too_long")
        elif window.kind == "last":
            start = end - int(window.bound)
        else:
            end = start + int(window.bound)
    return start, end


def _mean(values: _Numbers) -> float:
    return math.fsum(values) / len(values)


def _var(values: _Numbers) -> float:
    """Sample variance (n - 1)."""
    _at_least(2, values)
    middle = _mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)


def _std(values: _Numbers) -> float:
    return math.sqrt(_var(values))


def _quantile(values: _Numbers, share: float) -> float:
    """Linear interpolation between order statistics (type 7)."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] * (1 - (place - below)) + ordered[above] * (place - below)


def _median(values: _Numbers) -> float:
    return _quantile(values, 0.5)


def _iqm(values: _Numbers) -> float:
    """Interquartile mean: a quarter of the values, rounded down, is cut from each end."""
    cut = len(values) // 4
    return _mean(sorted(values)[cut : len(values) - cut])


def _at(xs: _Numbers, values: _Numbers, x: float) -> float:
    """The value at a step, between its two neighbours on a straight line; no value outside the steps written."""
    right = bisect_left(xs, x)
    if right < len(xs) and xs[right] == x:
        return values[right]
    if right in (0, len(xs)):
        raise _FaultError("outside_steps")
    share = (x - xs[right - 1]) / (xs[right] - xs[right - 1])
    return values[right - 1] * (1 - share) + values[right] * share


def _first_reach(pairs: Sequence[tuple[float, float]], level: float) -> float:
    """The first x at which the curve meets the level, from whichever side it starts."""
    below = pairs[0][1] < level
    for x, y in pairs:
        if (y >= level) if below else (y <= level):
            return x
    raise _FaultError("level_not_reached")


def _slope(xs: _Numbers, ys: _Numbers) -> float:
    """Least squares."""
    x_mean, y_mean = _mean(xs), _mean(ys)
    across = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    return across / math.fsum((x - x_mean) ** 2 for x in xs)


def _auc(xs: _Numbers, ys: _Numbers) -> float:
    """Trapezoids over ascending x."""
    return math.fsum((xs[i + 1] - xs[i]) * (ys[i] / 2 + ys[i + 1] / 2) for i in range(len(xs) - 1))


def _ranks(values: _Numbers) -> list[float]:
    """Ranks from 1; ties share their mean rank."""
    ordered = sorted(values)
    return [(bisect_left(ordered, value) + bisect_right(ordered, value) + 1) / 2 for value in values]


def _spearman(xs: _Numbers, ys: _Numbers) -> float:
    """Correlation of ranks."""
    x_ranks, y_ranks = _ranks(xs), _ranks(ys)
    return _slope(x_ranks, y_ranks) * _std(x_ranks) / _std(y_ranks)


_OVER_SEEDS: Mapping[str, Callable[[_Numbers], float]] = {"mean": _mean, "median": _median, "iqm": _iqm, "max": max}
_OF_VALUES: Mapping[str, Callable[[_Numbers], float]] = {
    "mean": _mean,
    "sum": math.fsum,
    "min": min,
    "max": max,
    "median": _median,
    "std": _std,
    "var": _var,
    "first": itemgetter(0),
    "last": itemgetter(-1),
    "count": len,
}
_OVER_X: Mapping[str, Callable[[_Numbers, _Numbers], float]] = {"slope": _slope, "auc": _auc, "spearman": _spearman}
_BINARY: Mapping[str, Callable[[float, float], float]] = {
    "+": add,
    "-": sub,
    "*": mul,
    "/": truediv,
    "**": math.pow,
}
_CALLS: Mapping[str, Callable[..., float]] = {
    "abs": abs,
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "min": min,
    "max": max,
}
