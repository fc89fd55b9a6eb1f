"""Evaluates a parsed formula on samples; whatever the numbers, the result is a finite value or a named fault."""

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from reproducegym.verifier.formula import Call, Code, Formula, Part, SeedSpread
from reproducegym.verifier.table import Rows, Sample

__all__ = ["Evaluated", "evaluate"]

_Numbers = Sequence[float]


@dataclass(frozen=True)
class Evaluated:
    """A value over all seeds, and of each seed where each alone has one; or None and the fault's code."""

    value: float | None
    per_seed: tuple[float, ...]
    fault: str


class _FaultError(Exception):
    """Carries the code of a fault to `evaluate`, and no further."""


_FAULTS = (_FaultError, ArithmeticError, ValueError)


def evaluate(formula: Formula, over_seeds: str, samples: Sequence[Sample]) -> Evaluated:
    """The value of a formula: aggregations per seed, combined over seeds, then the outer formula once.

    Every condition of the formula is in every sample, and there is at least one sample.
    """
    try:
        seeds = [{part: _aggregate(part, sample[part.condition]) for part in formula.parts} for sample in samples]
        combined = {part: _OVER_SEEDS[over_seeds]([seed[part] for seed in seeds]) for part in formula.parts}
        value = _run(formula.code, combined, seeds)
    except _FAULTS as error:
        named = str(error) if isinstance(error, _FaultError) else "not_finite"
        return Evaluated(None, (), "division_by_zero" if isinstance(error, ZeroDivisionError) else named)
    try:
        return Evaluated(value, tuple(_run(formula.code, seed, seeds) for seed in seeds), "")
    except _FAULTS:
        return Evaluated(value, (), "")


def _run(code: Code, numbers: Mapping[Part, float], seeds: Sequence[Mapping[Part, float]]) -> float:
    """The value of postfix code, given the number of each part, and of each part under each seed."""
    stack: list[float] = []
    for item in code:
        if isinstance(item, Part):
            value = numbers[item]
        elif isinstance(item, SeedSpread):
            value = _std([_run(item.code, seed, seeds) for seed in seeds])
        elif isinstance(item, Call):
            operands = stack[-item.count :]
            del stack[-item.count :]
            value = _CALLS[item.function](*operands)
        else:
            value = item
        if not math.isfinite(value):
            raise _FaultError("not_finite")
        stack.append(value)
    return stack[0]


def _aggregate(part: Part, rows: Rows) -> float:
    """One number of one series under one seed."""
    start, end = _window(part, rows)
    values: _Numbers = rows.columns[part.column][start:end]
    xs: _Numbers = (rows.steps if part.x is None else rows.columns[part.x])[start:end]
    _need(1, values)
    if part.function in _OF_VALUES:
        return _OF_VALUES[part.function](values)
    if part.function == "quantile":
        return _quantile(values, part.numbers[0])
    if part.function == "at":
        return _at(xs, values, part.numbers[0])
    if part.x is not None:
        pairs = sorted(zip(xs, values, strict=True))
        xs, values = [x for x, _ in pairs], [y for _, y in pairs]
    if part.function == "first_reach":
        return _first_reach(xs, values, part.numbers[0])
    return _OVER_X[part.function](xs, values)


def _window(part: Part, rows: Rows) -> tuple[int, int]:
    """The slice of rows that windows leave, from left to right; `last` and `first` ask for rows that must be there."""
    start, end = 0, len(rows.columns[part.column])
    for kind, bound in part.windows:
        if kind == ">=":
            start = bisect_left(rows.steps, bound, start, end)
        elif kind == "<=":
            end = bisect_right(rows.steps, bound, start, end)
        elif end - start < bound:
            raise _FaultError("too_few_values")
        elif kind == "last":
            start = end - int(bound)
        else:
            end = start + int(bound)
    return start, end


def _need(count: int, values: _Numbers) -> None:
    if len(values) < count:
        raise _FaultError("too_few_values" if values else "empty_series")


def _mean(values: _Numbers) -> float:
    return math.fsum(values) / len(values)


def _var(values: _Numbers) -> float:
    """Sample variance (n - 1)."""
    _need(2, values)
    middle = _mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1)


def _std(values: _Numbers) -> float:
    return math.sqrt(_var(values))


def _quantile(values: _Numbers, share: float = 0.5) -> float:
    """Linear interpolation between order statistics (type 7); the median by default."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below, above = ordered[math.floor(place)], ordered[math.ceil(place)]
    return below * (1 - place % 1) + above * (place % 1)


def _iqm(values: _Numbers) -> float:
    """Interquartile mean: a quarter of the values, rounded down, is cut from each end."""
    cut = len(values) // 4
    return _mean(sorted(values)[cut : len(values) - cut])


def _at(xs: _Numbers, values: _Numbers, x: float) -> float:
    """The value at a step, on a straight line between its neighbours; none outside the steps that were written."""
    right = bisect_left(xs, x)
    if right < len(xs) and xs[right] == x:
        return values[right]
    if right in (0, len(xs)):
        raise _FaultError("outside_steps")
    share = (x - xs[right - 1]) / (xs[right] - xs[right - 1])
    return values[right - 1] * (1 - share) + values[right] * share


def _first_reach(xs: _Numbers, values: _Numbers, level: float) -> float:
    """The first x at which the curve meets the level, from whichever side it starts."""
    below = values[0] < level
    for x, y in zip(xs, values, strict=True):
        if (y >= level) if below else (y <= level):
            return x
    raise _FaultError("level_not_reached")


def _slope(xs: _Numbers, ys: _Numbers) -> float:
    """Least squares."""
    _need(2, xs)
    x_mean, y_mean = _mean(xs), _mean(ys)
    from_mean = [x - x_mean for x in xs]
    across = math.fsum(map(operator.mul, from_mean, [y - y_mean for y in ys]))
    return across / math.fsum(map(operator.mul, from_mean, from_mean))


def _auc(xs: _Numbers, ys: _Numbers) -> float:
    """Trapezoids over ascending x."""
    _need(2, xs)
    halves = [y / 2 for y in ys]
    return math.fsum(map(operator.mul, map(operator.sub, xs[1:], xs), map(operator.add, halves, halves[1:])))


def _spearman(xs: _Numbers, ys: _Numbers) -> float:
    """Correlation of ranks; ties share their mean rank."""
    ordered_x, ordered_y = sorted(xs), sorted(ys)
    x_ranks = [float(bisect_left(ordered_x, x) + bisect_right(ordered_x, x)) for x in xs]
    y_ranks = [float(bisect_left(ordered_y, y) + bisect_right(ordered_y, y)) for y in ys]
    return _slope(x_ranks, y_ranks) * _std(x_ranks) / _std(y_ranks)


_OVER_SEEDS: dict[str, Callable[[_Numbers], float]] = {"mean": _mean, "median": _quantile, "iqm": _iqm, "max": max}
_OF_VALUES: dict[str, Callable[[_Numbers], float]] = {
    **{"mean": _mean, "sum": math.fsum, "min": min, "max": max, "median": _quantile, "std": _std, "var": _var},
    **{"first": operator.itemgetter(0), "last": operator.itemgetter(-1), "count": len},
}
_OVER_X: dict[str, Callable[[_Numbers, _Numbers], float]] = {"slope": _slope, "auc": _auc, "spearman": _spearman}
_CALLS: dict[str, Callable[..., float]] = {
    **{"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "**": math.pow},
    **{"negate": operator.neg, "abs": abs, "sqrt": math.sqrt, "log": math.log, "exp": math.exp, "min": min, "max": max},
}
