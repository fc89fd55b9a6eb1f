"""Rules about the keys of JAX: each is used once."""

import ast
from collections.abc import Iterator

from ml_audit.code.facts import Call
from ml_audit.rules.rule import Hit, Subject, family

__all__ = ["JAX"]

JAX = family("jax")


@JAX("jax-key-reused")
def jax_key_reused(subject: Subject) -> Iterator[Hit]:
    """In one scope, a key is consumed twice without being assigned anew in between, or after it was split."""
    for path, facts in subject.project.main_facts.items():
        if not any(i.module.split(".")[0] == "jax" for i in facts.imports):
            continue
        events: dict[tuple[str, str], list[tuple[int, int, str, Call | None]]] = {}
        for call in facts.calls:
            if not call.name.startswith("jax.random.") or call.last in (
                "PRNGKey",
                "key",
                "fold_in",
                "key_data",
                "wrap_key_data",
            ):
                continue
            first = call.argument(0, "key")
            if isinstance(first, ast.Name):
                spot = (call.node.lineno, 0)
                events.setdefault((call.scope, first.id), []).append(
                    (*spot, "split" if call.last == "split" else "draw", call)
                )
        for scope in facts.functions:
            for assigned in _rebound(facts.functions[scope].node):
                events.setdefault((scope, assigned[0]), []).append((assigned[1], 1, "new", None))
        module = subject.project.modules[path].tree
        if module is not None:
            for name, line in _rebound(module):
                for scope in ("", "__main__"):
                    if (scope, name) in events:
                        events[(scope, name)].append((line, 1, "new", None))
        for told in events.values():
            used: Call | None = None
            for _, _, kind, taken in sorted(told, key=lambda e: (e[0], e[1])):
                if taken is not None and used is not None and not _exclusive(used, taken):
                    what = "split" if used.last == "split" else "drawn from"
                    yield Hit(path, taken.line, f"the key was already {what} on line {used.line}", "medium")
                used = None if kind == "new" else taken


def _exclusive(one: Call, other: Call) -> bool:
    """Whether two calls stand in different branches of a condition."""
    held = {(id(g.test), g.holds) for g in one.guards}
    return any((id(g.test), not g.holds) in held for g in other.guards)


def _rebound(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a scope assigns, and the last lines of those statements; inner functions are scopes of their own."""
    waiting = list(ast.iter_child_nodes(node))
    while waiting:
        found = waiting.pop()
        if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(found, ast.Name) and isinstance(found.ctx, ast.Store):
            yield found.id, found.lineno
        waiting += ast.iter_child_nodes(found)
