"""The one formula grammar: parses the text of a metric and refuses everything else, naming token and position."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

__all__ = ["Call", "Code", "Formula", "FormulaError", "Part", "SeedSpread", "parse_formula"]

_MAX_TOKENS = 500
_MAX_DEPTH = 40
_AGGREGATIONS = dict.fromkeys(("mean", "sum", "min", "max", "median", "std", "var", "count", "first", "last"), "")
_AGGREGATIONS |= {"at": "n", "quantile": "n", "slope": "x", "auc": "x", "spearman": "x", "first_reach": "xn"}
_OF_NUMBERS = ("abs", "sqrt", "log", "exp", "min", "max")
_FUNCTIONS = ", ".join(sorted({*_AGGREGATIONS, *_OF_NUMBERS, "seed_std"}))
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|>=|<=|[-+*/(),.\[\]])"
)


class FormulaError(Exception):
    """A formula is outside the grammar; the message names the offending token and its position (from 1)."""


@dataclass(frozen=True)
class Part:
    """One aggregation of one series `condition.column`, after its windows (`last` n, `first` n, `>=` n, `<=` n).

    `x` is another column of the condition, or None for its step; `numbers` are the literal arguments.
    """

    function: str
    condition: str
    column: str
    windows: tuple[tuple[str, float], ...]
    x: str | None
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class Call:
    """A function or sign applied to the last `count` numbers."""

    function: str
    count: int


@dataclass(frozen=True)
class SeedSpread:
    """The sample standard deviation over seeds of what this code gives for each seed alone."""

    code: "Code"


Code = tuple[float | Part | Call | SeedSpread, ...]
"""A formula in postfix order: numbers first, then what is done with them."""


@dataclass(frozen=True)
class Formula:
    """A parsed formula, and the aggregations that it is made of."""

    code: Code
    parts: tuple[Part, ...]

    def conditions(self) -> frozenset[str]:
        """The conditions that the formula reads."""
        return frozenset(part.condition for part in self.parts)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int

    def refuse(self, wanted: str) -> FormulaError:
        return FormulaError(f"unexpected {self.text!r} at position {self.position}: {wanted}")


def parse_formula(text: str, *, conditions: Sequence[str], columns: Sequence[str], step_column: bool) -> Formula:
    """Parse a formula over these conditions and columns.

    Raises:
        FormulaError: it is outside the grammar, names something unknown, or needs steps where there are none.
    """
    tokens = list(islice(_tokens(text), _MAX_TOKENS + 1))
    if len(tokens) > _MAX_TOKENS:
        raise tokens[-1].refuse(f"a formula has at most {_MAX_TOKENS} tokens")
    parser = _Parser(tokens, frozenset(conditions), frozenset(columns), step_column)
    code = parser.expression(0)
    parser.expect("end")
    if not parser.parts:
        raise tokens[-1].refuse("a formula aggregates at least one series, such as mean(condition.column)")
    return Formula(code, tuple(parser.parts))


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match:
            kind = str(match.lastgroup)
            yield _Token(match.group() if kind == "sign" else kind, match.group(), position + 1)
        elif text[position] != " ":
            raise _Token("", text[position], position + 1).refuse("not part of any formula")
        position = match.end() if match else position + 1
    yield _Token("end", "end of formula", len(text) + 1)


class _Parser:
    """Recursive descent to postfix code; every step takes a token or raises, and depth is bounded."""

    def __init__(self, tokens: list[_Token], conditions: frozenset[str], columns: frozenset[str], steps: bool) -> None:
        self._tokens, self._at = tokens, 0
        self._conditions, self._columns, self._steps = conditions, columns, steps
        self.parts: list[Part] = []

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *kinds: str) -> _Token | None:
        token = self._next
        self._at += token.kind in kinds and token.kind != "end"
        return token if token.kind in kinds else None

    def expect(self, kind: str) -> _Token:
        token = self._take(kind)
        if token is None:
            raise self._next.refuse(f"{kind} is wanted")
        return token

    def expression(self, depth: int) -> Code:
        """Sums of products of signed powers."""
        return self._chain(("+", "-"), depth, lambda deep: self._chain(("*", "/"), deep, self._power))

    def _chain(self, signs: tuple[str, str], depth: int, operand: Callable[[int], Code]) -> Code:
        code = operand(depth)
        while sign := self._take(*signs):
            code = (*code, *operand(depth), Call(sign.text, 2))
        return code

    def _power(self, depth: int) -> Code:
        """As in Python, -2 ** 2 is -4, and ** binds to the right."""
        if depth > _MAX_DEPTH:
            raise self._next.refuse(f"nested more than {_MAX_DEPTH} deep")
        if self._take("-"):
            return (*self._power(depth + 1), Call("negate", 1))
        code = self._atom(depth)
        return (*code, *self._power(depth + 1), Call("**", 2)) if self._take("**") else code

    def _atom(self, depth: int) -> Code:
        if self._next.kind == "number":
            return (self._number(),)
        if self._take("("):
            code = self.expression(depth + 1)
        else:
            series = self._at_series()
            name = self.expect("name")
            if series or (name.text not in _AGGREGATIONS and name.text not in (*_OF_NUMBERS, "seed_std")):
                raise name.refuse(f"a series must be inside an aggregation; known functions are {_FUNCTIONS}")
            self.expect("(")
            code = self._call(name, depth + 1)
        self.expect(")")
        return code

    def _at_series(self) -> bool:
        return [token.kind for token in self._tokens[self._at : self._at + 2]] == ["name", "."]

    def _call(self, name: _Token, depth: int) -> Code:
        if name.text in _AGGREGATIONS and (self._at_series() or name.text not in _OF_NUMBERS):
            return (self._part(name),)
        code, count = self.expression(depth), 1
        if name.text == "seed_std":
            if any(isinstance(item, SeedSpread) for item in code) or not any(isinstance(item, Part) for item in code):
                raise name.refuse("seed_std takes an expression with an aggregation and without seed_std")
            return (SeedSpread(code),)
        while self._take(","):
            code, count = (*code, *self.expression(depth)), count + 1
        if (count > 1) != (name.text in _AGGREGATIONS):
            raise name.refuse("min and max take one series, or two or more numbers; other functions one number")
        return (*code, Call(name.text, count))

    def _part(self, name: _Token) -> Part:
        condition, column = self._series()
        windows: list[tuple[str, float]] = []
        while self._take("["):
            windows.append(self._window())
            self.expect("]")
        x: str | None = None
        numbers: list[float] = []
        for argument in _AGGREGATIONS[name.text]:
            self.expect(",")
            start = self._next
            if argument == "n":
                numbers.append(self._signed_number())
            elif start.text == "step":
                self._need_steps(self.expect("name"))
            else:
                other, x = self._series()
                if other != condition:
                    raise start.refuse("x is step, or a column of the same condition")
            if name.text == "quantile" and not 0 <= numbers[0] <= 1:
                raise start.refuse("a quantile lies between 0 and 1")
        if name.text in ("first", "last", "at"):
            self._need_steps(name)
        self.parts.append(Part(name.text, condition, column, tuple(windows), x, tuple(numbers)))
        return self.parts[-1]

    def _series(self) -> tuple[str, str]:
        condition = self._known(self._conditions, "conditions")
        self.expect(".")
        return condition, self._known(self._columns, "columns")

    def _known(self, names: frozenset[str], what: str) -> str:
        token = self.expect("name")
        if token.text not in names:
            raise token.refuse(f"known {what} are {', '.join(sorted(names))}")
        return token.text

    def _window(self) -> tuple[str, float]:
        word = self.expect("name")
        self._need_steps(word)
        if word.text == "step" and (sign := self._take(">=", "<=")):
            return sign.text, self._signed_number()
        start = self._next
        rows = self._number() if word.text in ("last", "first") and start.kind == "number" else 0.0
        if rows < 1 or not rows.is_integer():
            raise start.refuse("a window is last N, first N, step >= N or step <= N")
        return word.text, rows

    def _need_steps(self, token: _Token) -> None:
        if not self._steps:
            raise token.refuse("the contract has no step column")

    def _signed_number(self) -> float:
        return -self._number() if self._take("-") else self._number()

    def _number(self) -> float:
        token = self.expect("number")
        if float(token.text) > 1e300:
            raise token.refuse("the number is too large")
        return float(token.text)
