"""Expressions as rules name and visit them: dotted names, and all that stands inside one."""

import ast
from collections.abc import Iterator

__all__ = ["dotted", "inside"]

_ENDS = (ast.Name, ast.Constant)
_SIGNS = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)


def dotted(node: ast.expr) -> str:
    """A dotted name for an expression: `a.b`, `f().g`, `x[].y`; empty when it has none."""
    parts: list[str] = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            inner = dotted(node.func)
            return ".".join([f"{inner}()", *reversed(parts)]) if inner else ""
        elif isinstance(node, ast.Subscript):
            inner = dotted(node.value)
            return ".".join([f"{inner}[]", *reversed(parts)]) if inner else ""
        elif isinstance(node, ast.Name):
            return ".".join([node.id, *reversed(parts)])
        else:
            return ".".join(["?", *reversed(parts)]) if parts else ""


def inside(node: ast.expr, used_as: str) -> Iterator[tuple[ast.AST, str, ast.AST]]:
    """Every expression inside one, with what it is used as: a keyword, the function it is given to, a target."""
    waiting: list[tuple[ast.AST, str, ast.AST]] = [(node, used_as, node)]
    while waiting:
        found, purpose, outer = waiting.pop()
        yield found, purpose, outer
        if isinstance(found, ast.Call):
            given = dotted(found.func)
            waiting.append((found.func, given, found))
            waiting += [(a, given, found) for a in reversed(found.args)]
            waiting += [(k.value, k.arg or given, found) for k in reversed(found.keywords)]
        elif isinstance(found, ast.JoinedStr):
            later = [v for v in found.values[1:] if not isinstance(v, ast.Constant)]
            waiting += [(v, purpose, found) for v in (*found.values[:1], *later)]
        elif isinstance(found, ast.Attribute):
            inner: ast.expr = found
            while isinstance(inner, ast.Attribute):
                inner = inner.value
            if not isinstance(inner, ast.Name):
                waiting.append((inner, purpose, found))
        elif not isinstance(found, _ENDS):
            waiting += [
                (child, purpose, found) for child in ast.iter_child_nodes(found) if not isinstance(child, _SIGNS)
            ]
