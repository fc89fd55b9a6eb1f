"""Sets whose order reaches lists and numbers of labels."""

import ast
import re
from collections.abc import Iterator

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Facts
from ml_audit.signals.listings import HARMLESS

__all__ = ["sets"]

_OF_SETS = {"union", "intersection", "difference", "symmetric_difference", "copy"}


_IDS = re.compile(
    r"label|class|vocab|char|word|tag|categor|token|speaker|user|item|entit|relation|split|subject|node|lbl|intent",
    re.I,
)


def sets(facts: Facts) -> Iterator[tuple[int, str, str]]:
    made = {(a.scope, a.name) for a in facts.assigned if _is_set(a.value)}

    def is_set(node: ast.expr, scope: str) -> bool:
        return _is_set(node) or (isinstance(node, ast.Name) and (scope, node.id) in made)

    for assigned in facts.assigned:
        value = assigned.value
        listed = isinstance(value, ast.Call) and dotted(value.func) in ("list", "tuple") and len(value.args) == 1
        if not listed or not isinstance(value, ast.Call) or not is_set(value.args[0], assigned.scope):
            continue
        about = f"{assigned.name} {ast.unparse(value.args[0])}"
        ordered = _IDS.search(about) or assigned.name.isupper() or _in_order(facts, assigned.scope, assigned.name)
        if ordered and not _resorted(facts, assigned.scope, assigned.name):
            yield assigned.line, "set", assigned.name
    for setting in facts.settings:
        value = setting.value
        listed = isinstance(value, ast.Call) and dotted(value.func) in ("list", "tuple") and len(value.args) == 1
        inner = value.args[0] if listed and isinstance(value, ast.Call) else None
        if inner is not None and is_set(inner, setting.scope) and not _resorted(facts, setting.scope, setting.raw):
            yield setting.line, "set", setting.raw
    for loop in facts.iterations:
        over = loop.over
        if isinstance(over, ast.Call) and dotted(over.func) == "enumerate" and over.args:
            inner = over.args[0]
            if isinstance(inner, ast.Call) and dotted(inner.func) in ("list", "tuple") and inner.args:
                inner = inner.args[0]
            if is_set(inner, loop.scope) and not loop.sorted_later:
                yield loop.line, "set", ast.unparse(inner)[:60]


def _in_order(facts: Facts, scope: str, name: str) -> bool:
    """Whether a list is gone through or handed on in its scope, not only counted or searched."""
    if any(i.scope == scope and dotted(i.over) == name and not i.sorted_later for i in facts.iterations):
        return True
    return any(
        c.scope == scope
        and c.raw not in HARMLESS
        and any(isinstance(a, ast.Name) and a.id == name for a in c.node.args)
        for c in facts.calls
    )


def _resorted(facts: Facts, scope: str, name: str) -> bool:
    return any(
        c.scope == scope
        and (c.raw == f"{name}.sort" or (c.raw == "sorted" and c.node.args and dotted(c.node.args[0]) == name))
        for c in facts.calls
    )


def _is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.Set | ast.SetComp):
        return True
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return _is_set(node.left)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in _OF_SETS and _is_set(node.func.value)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("set", "frozenset")
