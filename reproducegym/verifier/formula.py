"""The one formula grammar: parses the text of a metric and refuses everything else, naming token and position."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

__all__ = [
    "Aggregate",
    "Binary",
    "Call",
    "Formula",
    "FormulaError",
    "Negate",
    "Number",
    "SeedSpread",
    "SeriesRef",
    "Window",
    "parse_formula",
]

MAX_TOKENS = 500
MAX_DEPTH = 40

AGGREGATIONS = ("mean", "sum", "min", "max", "median", "std", "var", "count")
ORDERED = ("first", "last")
SCALAR = {"abs": 1, "sqrt": 1, "log": 1, "exp": 1, "min": 2, "max": 2}
OVER_X = ("slope", "auc", "spearman")
FUNCTIONS = (*AGGREGATIONS, *ORDERED, "quantile", "at", "first_reach", *OVER_X, "abs", "sqrt", "log", "exp", "seed_std")

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|>=|<=|[-+*/(),.\[\]])"
)


class FormulaError(Exception):
    """A formula is outside the grammar; the message names the offending token and its position (from 1)."""


@dataclass(frozen=True)
class Window:
    """Part of a series: `last` or `first` n rows by step, or the rows whose step is `>=` or `<=` n."""

    kind: str
    bound: float


@dataclass(frozen=True)
class SeriesRef:
    """`condition.column`, after its windows, applied from left to right."""

    condition: str
    column: str
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class Number:
    """A literal."""

    value: float


@dataclass(frozen=True)
class Negate:
    """A minus sign."""

    operand: "Node"


@dataclass(frozen=True)
class Binary:
    """Two numbers and one of + - * / **."""

    sign: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True)
class Call:
    """A function of numbers: abs, sqrt, log, exp, or min and max of two or more."""

    function: str
    operands: tuple["Node", ...]


@dataclass(frozen=True)
class Aggregate:
    """One number of one series. `x` is a column of the same condition, or None for step; `numbers` are literals."""

    function: str
    series: SeriesRef
    x: str | None
    numbers: tuple[float, ...]


@dataclass(frozen=True)
class SeedSpread:
    """The sample standard deviation over seeds of an expression that is evaluated per seed."""

    operand: "Node"


Node = Number | Negate | Binary | Call | Aggregate | SeedSpread


@dataclass(frozen=True)
class Formula:
    """A parsed formula: its text, its tree, and the aggregations in it, in order of occurrence."""

    text: str
    root: Node
    parts: tuple[Aggregate, ...]

    def conditions(self) -> frozenset[str]:
        """The conditions that the formula reads."""
        return frozenset(part.series.condition for part in self.parts)


@dataclass(frozen=True)
class _Token:
    kind: str
    text: str
    position: int


def parse_formula(text: str, *, conditions: Sequence[str], columns: Sequence[str], step_column: bool) -> Formula:
    """Parse a formula over these conditions and columns.

    Raises:
        FormulaError: it is outside the grammar, names something unknown, or needs steps where there are none.
    """
    tokens = list(islice(_tokens(text), MAX_TOKENS + 1))
    if len(tokens) > MAX_TOKENS:
        raise FormulaError(
            f"unexpected {tokens[-1].text!r} at position {tokens[-1].position}: more than {MAX_TOKENS} tokens"
        )
    parser = _Parser(tokens, frozenset(conditions), frozenset(columns), step_column)
    root = parser.expression(0)
    parser.expect("end")
    if not parser.aggregates:
        raise FormulaError("a formula must aggregate at least one series, such as mean(condition.column)")
    return Formula(text, root, tuple(parser.aggregates))


def _tokens(text: str) -> Iterator[_Token]:
    position = 0
    while position < len(text):
        if text[position] == " ":
            position += 1
            continue
        match = _TOKEN.match(text, position)
        if match is None:
            raise FormulaError(f"unexpected {text[position]!r} at position {position + 1}")
        kind = str(match.lastgroup)
        yield _Token(match.group() if kind == "sign" else kind, match.group(), position + 1)
        position = match.end()
    yield _Token("end", "end of formula", len(text) + 1)


class _Parser:
    """Recursive descent over tokens; every step consumes a token or raises, and depth is bounded."""

    def __init__(
        self, tokens: list[_Token], conditions: frozenset[str], columns: frozenset[str], step_column: bool
    ) -> None:
        self._tokens = tokens
        self._at = 0
        self._conditions = conditions
        self._columns = columns
        self._step_column = step_column
        self._in_seed_std = False
        self.aggregates: list[Aggregate] = []

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _refuse(self, token: _Token, wanted: str) -> FormulaError:
        return FormulaError(f"unexpected {token.text!r} at position {token.position}: {wanted}")

    def _take(self, *kinds: str) -> _Token | None:
        token = self._next
        if token.kind not in kinds:
            return None
        self._at += 1
        return token

    def expect(self, kind: str) -> _Token:
        token = self._take(kind)
        if token is None:
            raise self._refuse(self._next, f"{kind} is wanted")
        return token

    def expression(self, depth: int) -> Node:
        node = self._term(depth)
        while sign := self._take("+", "-"):
            node = Binary(sign.text, node, self._term(depth))
        return node

    def _term(self, depth: int) -> Node:
        node = self._factor(depth)
        while sign := self._take("*", "/"):
            node = Binary(sign.text, node, self._factor(depth))
        return node

    def _factor(self, depth: int) -> Node:
        """A signed power: as in Python, -2 ** 2 is -4 and ** binds to the right."""
        if depth > MAX_DEPTH:
            raise self._refuse(self._next, f"nested more than {MAX_DEPTH} deep")
        if self._take("-"):
            return Negate(self._factor(depth + 1))
        base = self._atom(depth)
        if self._take("**"):
            return Binary("**", base, self._factor(depth + 1))
        return base

    def _atom(self, depth: int) -> Node:
        if self._take("("):
            node = self.expression(depth + 1)
            self.expect(")")
            return node
        if self._next.kind == "number":
            return Number(self._number())
        name = self.expect("name") if self._next.kind == "name" else None
        if name is None:
            raise self._refuse(self._next, "a number, a function or ( is wanted")
        if name.text not in FUNCTIONS:
            if name.text in self._conditions:
                raise self._refuse(name, "a series must be inside an aggregation such as mean(...)")
            raise self._refuse(name, f"known functions are {', '.join(sorted(FUNCTIONS))}")
        self.expect("(")
        node = self._call(name, depth + 1)
        self.expect(")")
        return node

    def _call(self, name: _Token, depth: int) -> Node:
        if name.text == "seed_std":
            return self._seed_std(name, depth)
        if name.text in SCALAR and not self._at_series():
            return self._scalar(name, depth)
        if name.text in SCALAR and name.text not in AGGREGATIONS:
            raise self._refuse(self._next, "a series must be inside an aggregation such as mean(...)")
        return self._aggregate(name)

    def _at_series(self) -> bool:
        following = self._tokens[self._at + 1 : self._at + 2]
        return self._next.kind == "name" and [token.kind for token in following] == ["."]

    def _seed_std(self, name: _Token, depth: int) -> Node:
        if self._in_seed_std:
            raise self._refuse(name, "seed_std cannot stand inside seed_std")
        self._in_seed_std = True
        before = len(self.aggregates)
        operand = self.expression(depth)
        self._in_seed_std = False
        if len(self.aggregates) == before:
            raise self._refuse(name, "seed_std needs an aggregation inside")
        return SeedSpread(operand)

    def _scalar(self, name: _Token, depth: int) -> Node:
        operands = [self.expression(depth)]
        while self._take(","):
            operands.append(self.expression(depth))
        least = SCALAR[name.text]
        if len(operands) < least or (least == 1 and len(operands) > 1):
            wanted = "one number" if least == 1 else "one series, or two or more numbers"
            raise self._refuse(name, f"{name.text} takes {wanted}")
        return Call(name.text, tuple(operands))

    def _aggregate(self, name: _Token) -> Node:
        function = name.text
        series = self._series()
        if function in (*ORDERED, "at"):
            self._needs_steps(name)
        x: str | None = None
        numbers: list[float] = []
        if function in (*OVER_X, "first_reach"):
            self.expect(",")
            x = self._abscissa(series.condition)
        if function in ("at", "quantile", "first_reach"):
            self.expect(",")
            start = self._next
            numbers.append(self._signed_number())
            if function == "quantile" and not 0 <= numbers[0] <= 1:
                raise self._refuse(start, "a quantile lies between 0 and 1")
        aggregate = Aggregate(function, series, x, tuple(numbers))
        self.aggregates.append(aggregate)
        return aggregate

    def _series(self) -> SeriesRef:
        condition = self._known(self._conditions, "condition")
        self.expect(".")
        column = self._known(self._columns, "column")
        windows: list[Window] = []
        while self._take("["):
            windows.append(self._window())
            self.expect("]")
        return SeriesRef(condition, column, tuple(windows))

    def _window(self) -> Window:
        word = self.expect("name")
        if word.text not in ("last", "first", "step"):
            raise self._refuse(word, "a window is last N, first N, step >= N or step <= N")
        self._needs_steps(word)
        if word.text == "step":
            sign = self._take(">=", "<=")
            if sign is None:
                raise self._refuse(self._next, "after step, >= or <= is wanted")
            return Window(sign.text, self._signed_number())
        start = self._next
        rows = self._number()
        if rows < 1 or rows != int(rows):
            raise self._refuse(start, "a whole number of rows is wanted")
        return Window(word.text, rows)

    def _abscissa(self, condition: str) -> str | None:
        if self._next.text == "step":
            self._needs_steps(self.expect("name"))
            return None
        start = self._next
        if self._known(self._conditions, "condition") != condition:
            raise self._refuse(start, "x must be step or a column of the same condition")
        self.expect(".")
        return self._known(self._columns, "column")

    def _known(self, names: frozenset[str], what: str) -> str:
        token = self.expect("name")
        if token.text not in names:
            raise self._refuse(token, f"known {what}s are {', '.join(sorted(names))}")
        return token.text

    def _needs_steps(self, token: _Token) -> None:
        if not self._step_column:
            raise self._refuse(token, "the contract has no step column")

    def _signed_number(self) -> float:
        return -self._number() if self._take("-") else self._number()

    def _number(self) -> float:
        token = self.expect("number")
        value = float(token.text)
        if value > 1e300:
            raise self._refuse(token, "the number is too large")
        return value
