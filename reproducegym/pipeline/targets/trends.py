"""Compiles a trend from grounded points of one series: slope, rank correlation, area, and the first x at a level.

The statistics are those of the verifier's grammar, evaluated here in exact fractions.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from reproducegym.pipeline.printed.decimals import decimal_of, square_root
from reproducegym.pipeline.targets.derived import Derived
from reproducegym.schema.claim import Reason, Statistic
from reproducegym.schema.spec import DerivationInput

__all__ = ["FEWEST", "derive_trend", "rank_width", "reach_width", "trend_unit"]

FEWEST: dict[Statistic, int] = {"slope": 3, "auc": 3, "first_reach": 3, "spearman": 4}
"""Points that a statistic needs: of three ranks a sixth of all orders is perfect."""


def derive_trend(
    statistic: Statistic,
    inputs: Sequence[DerivationInput],
    units: tuple[str, str],
    level: Decimal | None,
    baseline: Sequence[DerivationInput] = (),
) -> Derived | Reason:
    """A statistic over points in ascending x, with the baseline's own value as no-effect value of area and first x.

    `units` are those of values and of x. Slope and area are linear in the values; how far ranks and the first x move is
    found by moving every value against them (`rank_width`, `reach_width`).
    """
    if len(inputs) < FEWEST[statistic]:
        detail = f"{statistic}: {len(inputs)} points, {FEWEST[statistic]} are needed"
        return Reason(code="no_grounded_target", argument=None, detail=detail)
    xs, values = _xs(inputs), [Fraction(one.value) for one in inputs]
    names = ", ".join(one.name for one in inputs)
    at = "" if level is None else f"; {level:f}"
    formula = f"{statistic}({names}{at})"
    no_effect: Decimal | None = Decimal(0)
    if statistic == "auc" and baseline and _ends(baseline) != _ends(inputs):
        detail = "areas are compared over one span of x; the baseline's curve spans another"
        return Reason(code="condition_mismatch", argument=None, detail=detail)
    if statistic in {"auc", "first_reach"}:
        twin = derive_trend(statistic, baseline, units, level) if baseline else None
        no_effect = twin.value if isinstance(twin, Derived) else None
    if statistic in {"slope", "auc"}:
        weights = _slope_weights(xs) if statistic == "slope" else _area_weights(xs)
        value = sum((w * y for w, y in zip(weights, values, strict=True)), Fraction(0))
        rounding = sum((abs(w) * Fraction(one.resolution) for w, one in zip(weights, inputs, strict=True)), Fraction(0))
        return _derived(formula, inputs, decimal_of(value), trend_unit(statistic, units), rounding, weights, no_effect)
    steps = [Fraction(one.resolution) for one in inputs]
    flat = [Fraction(0)] * len(inputs)
    if statistic == "spearman":
        if len(set(values)) == 1:
            return Reason(code="formula_unsupported", argument=None, detail="ranks of equal values have no correlation")
        moved = abs(_ranked(xs, values) - _ranked(xs, _against(xs, values, steps)))
        return _derived(formula, inputs, _ranked(xs, values), "", Fraction(moved), flat, no_effect)
    if level is None:
        return Reason(code="no_grounded_target", argument=None, detail="first_reach: no grounded level")
    first = _first(xs, values, Fraction(level))
    if first is None:
        detail = f"no point of the series reaches {level}"
        return Reason(code="inconsistent_with_table", argument=None, detail=detail)
    return _derived(formula, inputs, decimal_of(first), units[1], Fraction(0), flat, no_effect)


def trend_unit(statistic: Statistic, units: tuple[str, str]) -> str:
    """The unit of a statistic over values and x of these units."""
    y, x = units
    if statistic == "slope":
        return f"{y}/{x}" if x else y
    if statistic == "auc":
        return f"{y}·{x}" if x and y else x or y
    return x if statistic == "first_reach" else ""


def rank_width(inputs: Sequence[DerivationInput], widths: Sequence[Decimal]) -> Decimal:
    """How far a rank correlation falls when every value moves by its width against the trend; one swap at least."""
    xs, values = _xs(inputs), [Fraction(one.value) for one in inputs]
    steps = [Fraction(width) for width in widths]
    moved = abs(_ranked(xs, values) - _ranked(xs, _against(xs, values, steps)))
    n = len(inputs)
    return max(moved, decimal_of(Fraction(12, n * (n * n - 1))))


def reach_width(inputs: Sequence[DerivationInput], widths: Sequence[Decimal], level: Decimal) -> Decimal | None:
    """How far the first x at a level moves when every value moves by its width.

    At least as far as the point before: between the two the level was reached. None where it may not be reached at all.
    """
    xs, values = _xs(inputs), [Fraction(one.value) for one in inputs]
    first = _first(xs, values, Fraction(level))
    if first is None:
        return None
    at = xs.index(first)
    reached = [abs(xs[at] - xs[at - 1 if at else 1])]
    for way in (1, -1):
        moved = [value + way * Fraction(width) for value, width in zip(values, widths, strict=True)]
        found = _first(xs, moved, Fraction(level), below=values[0] < Fraction(level))
        if found is None:
            return None
        reached.append(abs(found - first))
    return decimal_of(max(reached))


def _derived(
    formula: str,
    inputs: Sequence[DerivationInput],
    value: Decimal,
    unit: str,
    rounding: Fraction,
    slopes: Sequence[Fraction],
    no_effect: Decimal | None,
) -> Derived:
    return Derived(
        formula=formula,
        inputs=tuple(inputs),
        value=value,
        unit=unit,
        rounding=decimal_of(rounding),
        half_rounding=decimal_of(rounding / 2),
        slopes=tuple(decimal_of(slope) for slope in slopes),
        no_effect=no_effect,
    )


def _xs(inputs: Sequence[DerivationInput]) -> list[Fraction]:
    """Where the points stand; every input of a trend has an x."""
    return [Fraction(one.x) for one in inputs if one.x is not None]


def _ends(inputs: Sequence[DerivationInput]) -> tuple[Fraction, Fraction]:
    xs = _xs(inputs)
    return xs[0], xs[-1]


def _slope_weights(xs: Sequence[Fraction]) -> list[Fraction]:
    """Least squares: what each value adds to the slope."""
    middle = sum(xs, Fraction(0)) / len(xs)
    spread = sum(((x - middle) ** 2 for x in xs), Fraction(0))
    return [(x - middle) / spread for x in xs]


def _area_weights(xs: Sequence[Fraction]) -> list[Fraction]:
    """Trapezoids: what each value adds to the area."""
    weights = [Fraction(0)] * len(xs)
    for right in range(1, len(xs)):
        half = (xs[right] - xs[right - 1]) / 2
        weights[right - 1] += half
        weights[right] += half
    return weights


def _against(xs: Sequence[Fraction], values: Sequence[Fraction], steps: Sequence[Fraction]) -> list[Fraction]:
    """The values moved by their steps the way that weakens their trend most: one end up, the other down."""
    rising = _ranked(xs, values) >= 0
    middle = sorted(xs)[len(xs) // 2]
    return [
        value + (step if (x < middle) == rising else -step) for x, value, step in zip(xs, values, steps, strict=True)
    ]


def _ranked(xs: Sequence[Fraction], values: Sequence[Fraction]) -> Decimal:
    """Spearman's correlation; ties share their mean rank, and equal values have none: 0."""
    ranks = [
        [Fraction(sum(other < one for other in row) + sum(other <= one for other in row) + 1, 2) for one in row]
        for row in (xs, values)
    ]
    (x_ranks, y_ranks), middle = ranks, Fraction(len(xs) + 1, 2)
    across = sum(((x - middle) * (y - middle) for x, y in zip(x_ranks, y_ranks, strict=True)), Fraction(0))
    x_spread, y_spread = (sum(((rank - middle) ** 2 for rank in row), Fraction(0)) for row in ranks)
    if x_spread * y_spread == 0:
        return Decimal(0)
    square = decimal_of(across * across / (x_spread * y_spread))
    return decimal_of(Fraction(square_root(square) * (1 if across >= 0 else -1)))


def _first(
    xs: Sequence[Fraction], values: Sequence[Fraction], level: Fraction, *, below: bool | None = None
) -> Fraction | None:
    """The first x at which the curve meets the level, from whichever side it starts (or is said to)."""
    under = values[0] < level if below is None else below
    for x, value in zip(xs, values, strict=True):
        if (value >= level) if under else (value <= level):
            return x
    return None
