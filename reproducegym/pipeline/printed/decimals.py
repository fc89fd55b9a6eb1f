"""Decimal and rational arithmetic that gives the same digits on every machine."""

from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

__all__ = ["ARITHMETIC", "VALUE_DIGITS", "decimal_of", "rounded", "rounded_up", "square_root"]

ARITHMETIC = Context(prec=40, rounding=ROUND_HALF_EVEN)
"""The one context of the compiler, whatever the caller's own context is."""

VALUE_DIGITS = 12
"""Significant digits kept of a computed value: finer than any printed number, coarser than a platform's noise."""

_WIDTH_DIGITS = 6


def decimal_of(value: Fraction) -> Decimal:
    """A fraction as a Decimal of `VALUE_DIGITS` significant digits; exact where it has no more."""
    return rounded(ARITHMETIC.divide(Decimal(value.numerator), Decimal(value.denominator)))


def rounded(value: Decimal) -> Decimal:
    """`VALUE_DIGITS` significant digits, half to even, written without exponent or trailing zeros."""
    return _plain(Context(prec=VALUE_DIGITS, rounding=ROUND_HALF_EVEN).plus(value))


def rounded_up(value: Decimal) -> Decimal:
    """A half-width with six significant digits, rounded up, so that it never becomes tighter than its rule."""
    return _plain(Context(prec=_WIDTH_DIGITS, rounding=ROUND_CEILING).plus(value))


def square_root(value: Decimal) -> Decimal:
    """The root of a non-negative Decimal."""
    return ARITHMETIC.sqrt(value)


def _plain(value: Decimal) -> Decimal:
    """The same value in its shortest plain spelling ("120", not "1.2E+2")."""
    return Decimal(format(ARITHMETIC.normalize(value), "f"))
