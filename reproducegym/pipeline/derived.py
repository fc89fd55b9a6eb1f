"""Compiles a target from grounded numbers: difference, ratio, relative change, mean, with propagated rounding."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import sympy

from reproducegym.pipeline.decimals import decimal_of
from reproducegym.schema.claim import Pattern, Reason
from reproducegym.schema.spec import DerivationInput

__all__ = ["Derived", "check_printed", "derive", "relative_or_points"]

_HUNDREDTH = Decimal("0.01")


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


def derive(pattern: Pattern, inputs: Sequence[DerivationInput], unit: str) -> Derived | Reason:
    """The value of a pattern over its inputs, all in `unit`: (a), (a, b) or (a_1, …, a_n).

    A divisor must be positive at every value that its printed digits allow: against a negative baseline the sign of
    a relative change means nothing, and against zero it does not exist.
    """
    if pattern == "unquantified":
        return Reason(code="no_quantity", argument=None, detail="the claim names no quantity to derive")
    symbols = [sympy.Symbol(one.name) for one in inputs]
    formula, expression, no_effect, derived_unit = _expression(pattern, symbols, unit)
    values = [_rational(one.value) for one in inputs]
    steps = [_rational(one.resolution) for one in inputs]
    if pattern in {"ratio", "relative_change"}:
        divisor = inputs[1]
        if divisor.value - divisor.resolution <= 0:
            return Reason(
                code="formula_unsupported",
                argument=None,
                detail=f"{formula}: the divisor {divisor.value} is not surely positive at its printed precision",
            )
    at = dict(zip(symbols, values, strict=True))
    slopes = [expression.diff(symbol).subs(at) for symbol in symbols]
    centre = expression.subs(at)

    def moved(share: sympy.Rational) -> Decimal:
        reached = []
        for way in (1, -1):
            corner = {
                symbol: value + way * share * sympy.sign(slope) * step
                for symbol, value, slope, step in zip(symbols, values, slopes, steps, strict=True)
            }
            reached.append(abs(expression.subs(corner) - centre))
        return _decimal(max(reached))

    return Derived(
        formula=formula,
        inputs=tuple(inputs),
        value=_decimal(centre),
        unit=derived_unit,
        rounding=moved(sympy.Integer(1)),
        half_rounding=moved(sympy.Rational(1, 2)),
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
) -> Pattern | Reason:
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
    pattern: Pattern, symbols: Sequence[sympy.Symbol], unit: str
) -> tuple[str, sympy.Expr, Decimal | None, str]:
    """Formula as contracts print it, its SymPy form, the no-effect value, and the unit of the result."""
    if pattern == "mean":
        names = ", ".join(symbol.name for symbol in symbols)
        return f"mean({names})", sympy.Add(*symbols) / len(symbols), None, unit
    if pattern == "absolute":
        (a,) = symbols
        return "a", a, None, unit
    a, b = symbols
    if pattern == "difference":
        return "a - b", a - b, Decimal(0), "pp" if unit == "%" else unit
    if pattern == "ratio":
        return "a / b", a / b, Decimal(1), "×"
    return "(a - b) / b", (a - b) / b, Decimal(0), ""


def _rational(value: Decimal) -> sympy.Rational:
    return sympy.Rational(*value.as_integer_ratio())


def _decimal(value: sympy.Rational) -> Decimal:
    return decimal_of(Fraction(int(value.p), int(value.q)))
