"""What becomes of a name in its scope: whether the order of what it holds matters to anything."""

import ast
import re
from collections.abc import Callable, Iterator, Sequence

from ml_audit.code.expressions import dotted

__all__ = ["order_is_forgotten"]

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_SHOWS = re.compile(r"(^|\.)(print|info|debug|set_description|set_postfix)$")
_DEEPEST = 3
"""Names to which a list is handed on, one after the other, that are followed."""


def order_is_forgotten(
    body: Sequence[ast.stmt], name: str, harmless: frozenset[str], keeps: Callable[[ast.AST], bool], depth: int = 0
) -> bool:
    """Whether all that reads a name counts it, sorts it, searches it, or goes through it and keeps nothing in order.

    `harmless` names functions that fix an order or forget it; `keeps` says whether a loop puts what it reads into
    something that keeps the order. A name that nothing reads is not forgotten: who knows what it is for.
    """
    if depth > _DEEPEST or not name.isidentifier():
        return False
    read = False
    for chain in _reads(body, name):
        read = True
        if not _forgets(chain, body, harmless, keeps, depth):
            return False
    return read


def _forgets(
    chain: Sequence[ast.AST],
    body: Sequence[ast.stmt],
    harmless: frozenset[str],
    keeps: Callable[[ast.AST], bool],
    depth: int,
) -> bool:
    """Whether one place that reads a name, told by the nodes around it, innermost last, forgets its order."""
    inner = chain[-1]
    for node in reversed(chain[:-1]):
        match node:
            case ast.Call(func=func, args=args) if inner is not func and inner in args and dotted(func) in harmless:
                return True
            case ast.Compare(comparators=compared) if inner in compared:
                return True
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                return inner is test
            case ast.For(iter=over):
                return inner is over and not keeps(node) and not _leaves_early(node)
            case ast.SetComp() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.ListComp()):
                return order_is_forgotten(body, other, harmless, keeps, depth + 1)
            case ast.comprehension(iter=over) if inner is over:
                pass
            case ast.Call(func=ast.Name(id="enumerate")) if _only_counts(chain[chain.index(node) - 1]):
                pass
            case ast.ListComp() | ast.GeneratorExp() if isinstance(inner, ast.comprehension):
                pass
            case _:
                return False
        inner = node
    return False


def _only_counts(loop: ast.AST) -> bool:
    """Whether a loop over `enumerate(…)` uses its number for conditions and messages alone."""
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Tuple):
        return False
    number = dotted(loop.target.elts[0])
    told: set[int] = set()
    for node in ast.walk(loop):
        shown = [node.test] if isinstance(node, ast.If) else []
        shown += [node] if isinstance(node, ast.Call) and _SHOWS.search(dotted(node.func)) else []
        told |= {id(n) for part in shown for n in ast.walk(part)}
    body = [n for statement in loop.body for n in ast.walk(statement)]
    return all(id(n) in told for n in body if isinstance(n, ast.Name) and n.id == number)


def _leaves_early(loop: ast.For) -> bool:
    """Whether a loop takes the first that fits, or draws numbers as it goes."""
    for node in ast.walk(loop):
        if isinstance(node, ast.Return | ast.Break | ast.Yield | ast.YieldFrom):
            return True
        if isinstance(node, ast.Call) and any(w in dotted(node.func).lower() for w in ("random", "rng", "choice")):
            return True
    return False


def _reads(body: Sequence[ast.stmt], name: str) -> Iterator[list[ast.AST]]:
    """Each place that reads a name in a scope, with the nodes around it; inner functions are other scopes."""
    waiting: list[list[ast.AST]] = [[statement] for statement in reversed(body)]
    while waiting:
        chain = waiting.pop()
        node = chain[-1]
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield chain
        if isinstance(node, _SCOPES):
            if any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node)):
                yield [node]
            continue
        waiting += [[*chain, child] for child in reversed(list(ast.iter_child_nodes(node)))]
