"""What one visit of a syntax tree notes: calls, settings, definitions, references, defaults, strings."""

import ast
from dataclasses import dataclass, field

__all__ = ["Assigned", "Call", "Class", "Default", "Facts", "Function", "Guard", "Import", "Iteration", "Reference"]
__all__ += ["MAIN", "Setting", "Text"]

MAIN = "__main__"
"""The scope of what stands under `if __name__ == "__main__":`; the module's own scope is the empty string."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition that must hold, or must not, for the code below it to run."""

    test: ast.expr
    holds: bool


@dataclass(slots=True)
class Call:
    """A call: `raw` is its dotted name as written, `name` the same with imports and aliases resolved.

    `last` is the last part of the name: `step` of `optimizer.step`.
    """

    raw: str
    node: ast.Call
    line: int
    scope: str
    guards: tuple[Guard, ...]
    loops: tuple[ast.stmt, ...]
    used_as: str = ""
    name: str = ""
    last: str = ""

    def keyword(self, name: str) -> ast.expr | None:
        """The value given under that name."""
        for told in self.node.keywords:
            if told.arg == name:
                return told.value
        return None

    def argument(self, position: int, *names: str) -> ast.expr | None:
        """The value given at a position (from 0) or under one of the names."""
        for name in names:
            if (found := self.keyword(name)) is not None:
                return found
        given = self.node.args
        if 0 <= position < len(given) and not any(isinstance(a, ast.Starred) for a in given[: position + 1]):
            return given[position]
        return None

    def unpacks(self) -> bool:
        """Whether `**keywords` may carry arguments that are not seen here."""
        return any(told.arg is None for told in self.node.keywords)

    @property
    def receiver(self) -> str:
        """What it is called on, as written: `self.optimizer` of `self.optimizer.step`."""
        return self.raw.rpartition(".")[0]


@dataclass(slots=True)
class Setting:
    """An assignment to an attribute or an item: `torch.backends.cudnn.benchmark = True`, `os.environ["X"] = "1"`."""

    raw: str
    value: ast.expr
    line: int
    scope: str
    guards: tuple[Guard, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Assigned:
    """A plain name and what is assigned to it."""

    name: str
    value: ast.expr
    line: int
    scope: str


@dataclass(frozen=True, slots=True)
class Default:
    """A default of a setting of the program: of argparse, a dataclass, a configuration, a dictionary literal."""

    key: str
    value: ast.expr | None
    line: int
    kind: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its scope's name, its parameters in order, their defaults."""

    scope: str
    node: ast.FunctionDef | ast.AsyncFunctionDef
    line: int
    owner: str

    def parameters(self) -> list[str]:
        """Names of positional parameters, then of keyword-only ones."""
        told = self.node.args
        return [a.arg for a in (*told.posonlyargs, *told.args, *told.kwonlyargs)]

    def default(self, name: str) -> ast.expr | None:
        """The default of a parameter, if it has one."""
        told = self.node.args
        plain = [*told.posonlyargs, *told.args]
        for parameter, value in zip(reversed(plain), reversed(told.defaults), strict=False):
            if parameter.arg == name:
                return value
        for parameter, given in zip(told.kwonlyargs, told.kw_defaults, strict=True):
            if parameter.arg == name:
                return given
        return None


@dataclass(frozen=True, slots=True)
class Class:
    """A class and the dotted names of its bases, as written."""

    name: str
    bases: tuple[str, ...]
    line: int
    methods: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """An imported module and the line it stands on; `scope` is where."""

    module: str
    line: int
    scope: str
    guards: tuple[Guard, ...]
    tried: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that is read: it may call what it names."""

    raw: str
    scope: str
    guards: tuple[Guard, ...]


@dataclass(frozen=True, slots=True)
class Iteration:
    """A loop or comprehension over something."""

    over: ast.expr
    target: ast.expr
    node: ast.AST
    line: int
    scope: str
    sorted_later: bool


@dataclass(frozen=True, slots=True)
class Text:
    """A string constant that looks like a path, and where it is used."""

    value: str
    line: int
    scope: str
    used_as: str


@dataclass(slots=True)
class Facts:
    """All facts of one file, in the order of its text."""

    path: str
    calls: list[Call] = field(default_factory=list)
    settings: list[Setting] = field(default_factory=list)
    assigned: list[Assigned] = field(default_factory=list)
    defaults: list[Default] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    imports: list[Import] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    types: dict[tuple[str, str], str] = field(default_factory=dict)
    """What names of a scope mean: for `x = f.g()` the `f.g` that made it, for `x = f.g` an alias."""

    instances: set[tuple[str, str]] = field(default_factory=set)
    """Those of `types` that a call made."""

    references: list[Reference] = field(default_factory=list)
    iterations: list[Iteration] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)
    words: set[str] = field(default_factory=set)
    """Attributes that are read and short texts, except where flags are declared: what may name a setting."""

    has_main: bool = False
