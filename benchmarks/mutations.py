"""Small ways to break a module: every place of its syntax tree where one token can mean something else."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, ModuleType

__all__ = ["Mutation", "Place", "graft", "mutation", "places"]

_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult, ast.Mod: ast.Div},
    **{ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift},
    **{ast.FloorDiv: ast.Div, ast.Break: ast.Continue, ast.Continue: ast.Break},
}
_NAMES = {
    **{"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"},
    **{"bisect_left": "bisect_right", "bisect_right": "bisect_left", "lt": "le", "sorted": "list"},
}


@dataclass(frozen=True)
class Place:
    """Where a module can be broken: the node's number in the walk of its tree, and which of its ways."""

    number: int
    way: int


@dataclass(frozen=True)
class Mutation:
    """One broken copy of a module: its source, and `line: before -> after`."""

    source: str
    what: str


def places(source: str) -> list[Place]:
    """Every way to break a module, in a fixed order.

    Operators are swapped, numbers moved, truth values turned, `not` and signs dropped, conditions turned, names of
    functions exchanged for their opposites, and statements that only do something (calls, raises, additions) left out.
    Texts stay: what a message says is no part of a reward. So do annotations and decorators.
    """
    nodes = list(ast.walk(ast.parse(source)))
    annotated = {id(part) for node in nodes for part in _annotations(node)}
    open_to_it = [(at, node) for at, node in enumerate(nodes) if id(node) not in annotated and hasattr(node, "lineno")]
    return [Place(number, way) for number, node in open_to_it for way in range(_ways(node))]


def mutation(source: str, place: Place) -> Mutation:
    """The module, broken there."""
    tree = ast.parse(source)
    node = list(ast.walk(tree))[place.number]
    before = _short(node)
    new = _broken(node, place.way)
    if new is not node:
        tree = _Replace(node, new).visit(tree)
    text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return Mutation(text, f"{getattr(node, 'lineno', 0)}: {before} -> {_short(new)}")


def _short(node: ast.AST) -> str:
    return " ".join(ast.unparse(ast.fix_missing_locations(node)).split())[:100]


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else super().generic_visit(node)


def _ways(node: ast.AST) -> int:
    """In how many ways `_broken` can break a node."""
    if isinstance(node, ast.Compare):
        return sum(type(one) in _SWAPS for one in node.ops)
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        return int(type(node.op) in _SWAPS)
    if isinstance(node, ast.Constant):
        return int(isinstance(node.value, int | float))
    if isinstance(node, ast.Name):
        return int(isinstance(node.ctx, ast.Load) and node.id in _NAMES)
    if isinstance(node, ast.Attribute):
        return int(node.attr in _NAMES)
    if isinstance(node, ast.UnaryOp):
        return int(isinstance(node.op, ast.Not | ast.USub))
    if isinstance(node, ast.Expr):
        return int(isinstance(node.value, ast.Call | ast.YieldFrom | ast.Yield))
    return int(isinstance(node, ast.Break | ast.Continue | ast.Raise | ast.IfExp))


def _broken(node: ast.AST, way: int) -> ast.AST:
    """The node itself, changed, or another to put in its place."""
    match node:
        case ast.Compare():
            places = [at for at, one in enumerate(node.ops) if type(one) in _SWAPS]
            node.ops[places[way]] = _swapped(node.ops[places[way]])  # type: ignore[call-overload]
        case ast.BinOp() | ast.BoolOp() | ast.AugAssign():
            node.op = _swapped(node.op)  # type: ignore[assignment]
        case ast.Constant(value=bool()):
            node.value = not node.value
        case ast.Constant(value=int()):
            node.value += 1
        case ast.Constant(value=float()):
            node.value = node.value * 2 + 1
        case ast.Name():
            node.id = _NAMES[node.id]
        case ast.Attribute():
            node.attr = _NAMES[node.attr]
        case ast.UnaryOp():
            return node.operand
        case ast.IfExp():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.Break() | ast.Continue():
            return _swapped(node)
        case ast.Expr() | ast.Raise():
            return ast.copy_location(ast.Pass(), node)
    return node


def _swapped(operator: ast.AST) -> ast.AST:
    return _SWAPS[type(operator)]()


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
        if part is not None:
            yield from ast.walk(part)
    for decorator in getattr(node, "decorator_list", []):
        yield from ast.walk(decorator)
    if isinstance(node, ast.keyword) and node.arg == "strict":  # of zip: says nothing that the code relies on
        yield node.value


def graft(module: ModuleType, source: str, broken: str) -> None:
    """Make a loaded module behave as its broken source says, for everyone who has imported from it.

    Functions and methods get the new code, names of constants the new value wherever they were imported to.
    """
    twin = ModuleType(module.__name__)
    twin.__file__ = module.__file__
    kept = sys.modules[module.__name__]
    sys.modules[module.__name__] = twin  # dataclasses look their module up
    try:
        exec(compile(broken, str(module.__file__), "exec"), twin.__dict__)  # noqa: S102 - our own source
    finally:
        sys.modules[module.__name__] = kept
    plain = ast.parse(ast.unparse(ast.parse(source))).body
    for before, after in zip(plain, ast.parse(broken).body, strict=True):
        if ast.dump(before) == ast.dump(after):
            continue
        if isinstance(after, ast.FunctionDef | ast.ClassDef):
            _transplant(getattr(module, after.name), getattr(twin, after.name))
        for name in {part.id for part in ast.walk(after) if isinstance(part, ast.Name)} if _binds(after) else ():
            _rebind(name, module, getattr(twin, name, None))


def _binds(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign)


def _transplant(old: object, new: object) -> None:
    if isinstance(old, FunctionType) and isinstance(new, FunctionType):
        old.__code__, old.__defaults__, old.__kwdefaults__ = new.__code__, new.__defaults__, new.__kwdefaults__
    elif isinstance(old, property) and isinstance(new, property):
        _transplant(old.fget, new.fget)
    elif isinstance(old, type) and isinstance(new, type):
        for name, part in vars(new).items():
            _transplant(vars(old).get(name), part)


def _rebind(name: str, module: ModuleType, value: object) -> None:
    old = vars(module).get(name)
    if isinstance(old, FunctionType | type | ModuleType) or value is None:
        return
    for other in list(sys.modules.values()):
        if other.__name__.startswith("reproducegym.") and vars(other).get(name) is old:
            setattr(other, name, value)
