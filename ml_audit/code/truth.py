"""What something is worth by default, and what conditions say of such values."""

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

__all__ = [
    "DRAWN",
    "FIXED",
    "UNKNOWN",
    "Constant",
    "Holds",
    "Value",
    "both",
    "compared",
    "negated",
    "one_answer",
    "truthy",
]

Constant = str | int | float | bool | None
Holds = Literal["yes", "no", "some", "unknown"]


@dataclass(frozen=True, slots=True)
class Value:
    """`constant`: known; `fixed`: some fixed value; `drawn`: differs between runs; `unknown`."""

    kind: Literal["constant", "fixed", "drawn", "unknown"]
    constant: Constant = None


FIXED = Value("fixed")
DRAWN = Value("drawn")
UNKNOWN = Value("unknown")

_COMPARED: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
}


def truthy(value: Value) -> Holds:
    """Whether a value counts as true."""
    if value.kind == "constant":
        return "yes" if value.constant else "no"
    return "yes" if value.kind == "fixed" else "unknown"


def compared(op: ast.cmpop, left: Value, right: Value) -> Holds:
    """What a comparison of two values says."""
    if left.kind == "fixed" and right == Value("constant", None):
        return "yes" if isinstance(op, ast.IsNot | ast.NotEq) else "no"
    if left.kind != "constant" or right.kind != "constant":
        return "unknown"
    a, b = left.constant, right.constant
    if isinstance(op, ast.Is | ast.Eq):
        return "yes" if a == b else "no"
    if isinstance(op, ast.IsNot | ast.NotEq):
        return "yes" if a != b else "no"
    compare = _COMPARED.get(type(op))
    if compare is None or not isinstance(a, int | float) or not isinstance(b, int | float):
        return "unknown"
    return "yes" if compare(a, b) else "no"


def negated(told: Holds) -> Holds:
    """The opposite."""
    opposite: dict[Holds, Holds] = {"yes": "no", "no": "yes"}
    return opposite.get(told, told)


def both(found: list[Holds]) -> Holds:
    """What several conditions say together."""
    if "no" in found:
        return "no"
    if all(f == "yes" for f in found):
        return "yes"
    return "some" if "some" in found else "unknown"


def one_answer(found: list[Holds]) -> Holds:
    """What all values that something may have say."""
    kinds = set(found)
    if len(kinds) == 1:
        return found[0]
    return "some" if {"yes", "no"} <= kinds or "some" in kinds else "unknown"
