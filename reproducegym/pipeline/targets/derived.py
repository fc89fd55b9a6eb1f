"""Compiles a target from grounded numbers: differences, ratios, means, contrasts, orders, with propagated rounding."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise, product
from typing import Literal

import sympy

from reproducegym.pipeline.printed.decimals import decimal_of
from reproducegym.schema.claim import Reason
from reproducegym.schema.spec import DerivationInput

__all__ = ["Derived", "Measure", "check_printed", "derive", "relative_or_points"]

Measure = Literal[
    "absolute",
    "difference",
    "ratio",
    "relative_change",
    "mean",
    "near_zero",
    "gap",
    "dominance",
    "order",
    "slope",
    "auc",
    "first_reach",
    "spearman",
]
"""One scalar over grounded points. A pattern of a claim is one of these or several of them."""

_HUNDREDTH = Decimal("0.01")
_CORNERS_OF = 3


@dataclass(frozen=True)
class Derived:
    """A value over inputs. `slopes` are its derivatives by each input, for the delta method.

    `rounding` is how far the value moves when every input moves by one unit of its last printed digit, the worst way;
    `half_rounding` the same for half a unit. `no_effect` follows from the formula alone (None for a plain value).
    """

    formula: str
    inputs: tuple[DerivationInput, ...]
    value: Decimal
    unit: str
    rounding: Decimal
    half_rounding: Decimal
    slopes: tuple[Decimal, ...]
    no_effect: Decimal | None


def derive(measure: Measure, inputs: Sequence[DerivationInput], unit: str) -> Derived | Reason:
    """The value of a measure over its inputs, all in `unit`.

    (a) of `absolute`; (a, b) of `difference`, `near_zero`, `ratio` and `relative_change`; (a_1, …, a_n) of `mean` and
    `order`; (a, b, f) of `gap` and `dominance`: two ablations and what they are taken from. A divisor must be positive
    at every value that its printed digits allow: against a negative baseline the sign of a relative change means
    nothing, and against zero it does not exist. (Statistics over x are in `trends`.)
    """
    symbols = [sympy.Symbol(one.name) for one in inputs]
    formula, expression, no_effect, derived_unit = _expression(measure, symbols, unit)
    fault = _divisor_fault(measure, formula, inputs)
    if fault is not None:
        return fault
    at = {symbol: _rational(one.value) for symbol, one in zip(symbols, inputs, strict=True)}
    smallest = _smallest_gap(expression, at) if measure == "order" else expression
    slopes = [smallest.diff(symbol).subs(at) for symbol in symbols]

    def moved(share: Fraction) -> Decimal:
        if measure == "order":
            return _order_moves(inputs, share)
        return _moves(expression, at, slopes, [share * Fraction(one.resolution) for one in inputs])

    return Derived(
        formula=formula,
        inputs=tuple(inputs),
        value=_decimal(expression.subs(at)),
        unit=derived_unit,
        rounding=moved(Fraction(1)),
        half_rounding=moved(Fraction(1, 2)),
        slopes=tuple(_decimal(slope) for slope in slopes),
        no_effect=no_effect,
    )


def check_printed(derived: Derived, printed: Decimal, resolution: Decimal) -> Reason | None:
    """`inconsistent_with_table` unless a printed value agrees with the derived one within rounding.

    Agreement: the magnitudes differ by no more than half a unit of every input's last digit, propagated, and one unit
    of the printed value's own (authors cut as often as they round). A magnitude, since prose says "falls by 40%".
    """
    gap = abs(abs(derived.value) - abs(printed))
    if gap <= derived.half_rounding + resolution:
        return None
    inputs = ", ".join(f"{one.name} = {one.value}" for one in derived.inputs)
    return Reason(
        code="inconsistent_with_table",
        argument=None,
        detail=f"the paper prints {printed}, but {derived.formula} with {inputs} is {derived.value}",
    )


def relative_or_points(
    inputs: Sequence[DerivationInput], unit: str, printed: Decimal, resolution: Decimal
) -> Measure | Reason:
    """Whether "by 5%" over two rates means points or a relative change: the table decides, or nobody.

    `printed` and `resolution` are in percent; the inputs in percent or fractions, as `unit` says.
    """
    points = derive("difference", inputs, unit)
    relative = derive("relative_change", inputs, unit)
    point = Decimal(1) if unit == "%" else _HUNDREDTH
    as_points = not isinstance(points, Reason) and check_printed(points, printed * point, resolution * point) is None
    as_relative = (
        not isinstance(relative, Reason)
        and check_printed(relative, printed * _HUNDREDTH, resolution * _HUNDREDTH) is None
    )
    if as_points and as_relative:
        return Reason(
            code="ambiguous_target",
            argument=None,
            detail=f'"{printed}%" fits the table both as percentage points and as a relative change',
        )
    if as_points:
        return "difference"
    if as_relative:
        return "relative_change"
    a, b = (one.value for one in inputs)
    return Reason(
        code="inconsistent_with_table",
        argument=None,
        detail=f"the paper prints {printed}%, but {a} against {b} is that neither in points nor relatively",
    )


def _expression(
    measure: Measure, symbols: Sequence[sympy.Symbol], unit: str
) -> tuple[str, sympy.Expr, Decimal | None, str]:
    """Formula as contracts print it, its SymPy form, the no-effect value, and the unit of the result.

    A formula names its inputs in the order in which the metric's formula names their series.
    """
    points = "pp" if unit == "%" else unit
    if measure == "mean":
        names = ", ".join(symbol.name for symbol in symbols)
        return f"mean({names})", sympy.Add(*symbols) / len(symbols), None, unit
    if measure == "order":
        gaps = [above - below for above, below in pairwise(symbols)]
        text = ", ".join(f"{above} - {below}" for above, below in pairwise(symbols))
        return f"min({text})" if len(gaps) > 1 else text, sympy.Min(*gaps), Decimal(0), points
    if measure == "absolute":
        (a,) = symbols
        return "a", a, None, unit
    if measure in {"gap", "dominance"}:
        a, b, f = symbols
        if measure == "gap":
            return "(b - a) / f", (b - a) / f, Decimal(0), ""
        return "(f - a) / (f - b)", (f - a) / (f - b), Decimal(1), "×"
    a, b = symbols
    if measure in {"difference", "near_zero"}:
        return "a - b", a - b, Decimal(0) if measure == "difference" else None, points
    if measure == "ratio":
        return "a / b", a / b, Decimal(1), "×"
    return "(a - b) / b", (a - b) / b, Decimal(0), ""


def _divisor_fault(measure: Measure, formula: str, inputs: Sequence[DerivationInput]) -> Reason | None:
    """Why a divisor is none at the inputs' printed precision."""
    if measure in {"ratio", "relative_change", "gap", "dominance"}:
        divisor = inputs[-1]
        if divisor.value - divisor.resolution <= 0:
            detail = f"{formula}: the divisor {divisor.value} is not surely positive at its printed precision"
            return Reason(code="formula_unsupported", argument=None, detail=detail)
    if measure == "dominance":
        a, b, f = inputs
        effects = (f.value - a.value, f.value - b.value)
        if abs(effects[1]) <= f.resolution + b.resolution or effects[0] * effects[1] <= 0:
            detail = f"{formula}: the effects {effects[0]} and {effects[1]} are not surely of one sign"
            return Reason(code="formula_unsupported", argument=None, detail=detail)
    return None


def _moves(
    expression: sympy.Expr,
    at: dict[sympy.Symbol, sympy.Rational],
    slopes: Sequence[sympy.Rational],
    steps: Sequence[Fraction],
) -> Decimal:
    """How far the value can move when every input moves by its step.

    Few inputs are tried at every corner; more of them (a mean) the way that their slopes point, since they are linear.
    """
    centre = expression.subs(at)
    signs = [tuple(int(sympy.sign(slope)) for slope in slopes)]
    ways = product((1, -1), repeat=len(steps)) if len(steps) <= _CORNERS_OF else (signs[0], tuple(-s for s in signs[0]))
    reached = []
    for way in ways:
        shifted = {
            symbol: value + sign * sympy.Rational(step.numerator, step.denominator)
            for (symbol, value), sign, step in zip(at.items(), way, steps, strict=True)
        }
        reached.append(abs(expression.subs(shifted) - centre))
    return _decimal(max(reached))


def _smallest_gap(expression: sympy.Expr, at: dict[sympy.Symbol, sympy.Rational]) -> sympy.Expr:
    """The difference that a minimum of differences takes its value from; the first of equal ones."""
    if not isinstance(expression, sympy.Min):
        return expression
    symbols = list(at)
    return min((above - below for above, below in pairwise(symbols)), key=lambda gap: Fraction(str(gap.subs(at))))


def _order_moves(inputs: Sequence[DerivationInput], share: Fraction) -> Decimal:
    """A bound on how far the smallest gap can move: not only corners count, since a minimum is concave."""
    pairs = [
        (Fraction(above.value - below.value), share * Fraction(above.resolution + below.resolution))
        for above, below in pairwise(inputs)
    ]
    centre = min(gap for gap, _ in pairs)
    lowest, highest = min(gap - step for gap, step in pairs), min(gap + step for gap, step in pairs)
    return decimal_of(max(centre - lowest, highest - centre))


def _rational(value: Decimal) -> sympy.Rational:
    return sympy.Rational(*value.as_integer_ratio())


def _decimal(value: sympy.Rational) -> Decimal:
    return decimal_of(Fraction(int(value.p), int(value.q)))
