"""What an expression is worth by default: constants, settings and their defaults, draws, or unknown."""

import ast
from collections.abc import Mapping
from typing import Protocol

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Default, Facts, Guard
from ml_audit.code.graph import Graph, Scope
from ml_audit.code.names import scopes_above
from ml_audit.code.truth import (
    DRAWN,
    FIXED,
    UNKNOWN,
    Constant,
    Holds,
    Value,
    both,
    compared,
    negated,
    one_answer,
    truthy,
)
from ml_audit.texts.keys import plain_key

__all__ = ["SettingsOf", "Values"]

DEEPEST = 7
MOST_CALLERS = 40
"""Calls of a function that are looked at for what it is given."""


_DRAWS = ("time.", "random.", "numpy.random.", "secrets.", "uuid.", "os.urandom", "os.getpid", "datetime.")
_PASSING = {
    "int",
    "str",
    "float",
    "abs",
    "hash",
    "np.uint32",
    "numpy.uint32",
    "numpy.int64",
    "len",
    "max",
    "min",
    "bool",
}


class SettingsOf(Protocol):
    """Defaults of settings that are not in the code: of configuration files."""

    def named(self, key: str) -> tuple[Constant, ...]:
        """All defaults under a name."""
        ...


class Values:
    """Evaluates expressions by the defaults of the project."""

    def __init__(self, every: Mapping[str, Facts], graph: Graph, settings: SettingsOf) -> None:
        self._every = every
        self._graph = graph
        self._settings = settings
        self._assigned = {
            path: {(a.scope, a.name): a.value for a in reversed(facts.assigned)} for path, facts in every.items()
        }
        self._defaults: dict[str, dict[str, list[Default]]] = {}
        self._anywhere: dict[str, list[tuple[str, Default]]] = {}
        for path, facts in every.items():
            mine = self._defaults.setdefault(path, {})
            for told in facts.defaults:
                mine.setdefault(told.key, []).append(told)
                self._anywhere.setdefault(told.key, []).append((path, told))
        self._settled: dict[tuple[str, str], tuple[Value, ...]] = {}
        self._given: dict[tuple[Scope, str], tuple[Value, ...]] = {}
        self._held: dict[tuple[Scope, ast.expr], Holds] = {}

    def of(self, node: ast.expr | None, where: Scope, depth: int = 0) -> tuple[Value, ...]:
        """What it may be worth by default, at least one value."""
        if node is None:
            return (Value("constant", None),)
        if depth > DEEPEST:
            return (UNKNOWN,)
        match node:
            case ast.Constant():
                told = node.value
                return (Value("constant", told) if isinstance(told, str | int | float | bool | None) else FIXED,)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return (Value("constant", -number),)
            case ast.BinOp() | ast.BoolOp() | ast.IfExp() | ast.JoinedStr() | ast.Tuple() | ast.List():
                return (self._mixed(node, where, depth),)
            case ast.Call():
                return self._call(node, where, depth)
            case ast.Name():
                return self._name(node.id, where, depth)
            case ast.Attribute():
                return self._attribute(node, where, depth)
            case ast.Subscript(slice=ast.Constant(value=str() as key)):
                return self.setting(key, where, depth)
        return (UNKNOWN,)

    def setting(self, key: str, where: Scope, depth: int = 0) -> tuple[Value, ...]:
        """The defaults of a setting by its name: in the same file, else anywhere in the project and its files."""
        name = plain_key(key)
        known = (where[0] if name in self._defaults.get(where[0], {}) else "", name)
        if known not in self._settled:
            self._settled[known] = (UNKNOWN,)  # what a default that names itself is worth
            self._settled[known] = self._setting(name, where, depth)
        return self._settled[known]

    def _setting(self, name: str, where: Scope, depth: int) -> tuple[Value, ...]:
        told: list[Value] = []
        mine = self._defaults.get(where[0], {}).get(name, [])
        given = [Value("constant", c) for c in self._settings.named(name)]
        pairs = [(where[0], d) for d in mine] or ([] if given else self._anywhere.get(name, []))
        for path, default in pairs:
            if default.required:
                continue
            if isinstance(default.value, ast.Attribute) and plain_key(default.value.attr) == name:
                continue
            told += self.of(default.value, (path, ""), depth + 1)
        if given and not any(v.kind == "constant" and v.constant is not None for v in told):
            return tuple(dict.fromkeys(given))
        if not told and pairs:
            return (FIXED,)
        return tuple(dict.fromkeys(told)) or (UNKNOWN,)

    def holds(self, guard: Guard, where: Scope) -> Holds:
        """Whether a guard holds by default."""
        key = (where, guard.test)
        if key not in self._held:
            self._held[key] = self._truth(guard.test, where)
        found = self._held[key]
        if guard.holds or found in ("some", "unknown"):
            return found
        return "no" if found == "yes" else "yes"

    def _truth(self, test: ast.expr, where: Scope) -> Holds:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return negated(self._truth(inner, where))
            case ast.BoolOp(op=op, values=parts):
                found = [self._truth(p, where) for p in parts]
                return both(found) if isinstance(op, ast.And) else negated(both([negated(f) for f in found]))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return one_answer([compared(op, a, b) for a in self.of(left, where) for b in self.of(right, where)])
            case ast.Call(func=ast.Name(id="hasattr" | "isinstance")):
                return "unknown"
        return one_answer([truthy(v) for v in self.of(test, where)])

    def _mixed(self, node: ast.expr, where: Scope, depth: int) -> Value:
        parts = [p for p in ast.iter_child_nodes(node) if isinstance(p, ast.expr)]
        if isinstance(node, ast.IfExp):
            parts = [node.body, node.orelse]
        kinds = {v.kind for p in parts for v in self.of(p, where, depth + 1)}
        if "drawn" in kinds:
            return DRAWN
        return FIXED if kinds & {"constant", "fixed"} or not parts else UNKNOWN

    def _call(self, node: ast.Call, where: Scope, depth: int) -> tuple[Value, ...]:
        raw = dotted(node.func)
        root, _, rest = raw.partition(".")
        facts = self._every[where[0]]
        name = facts.names.get(root, root) + (f".{rest}" if rest else "")
        if name in _PASSING and node.args:
            return self.of(node.args[0], where, depth + 1)
        if name.startswith(_DRAWS):
            seeded = name.startswith(("random.", "numpy.random.")) and self._is_seeded_above(node, where, depth)
            return (FIXED if seeded else DRAWN,)
        if raw.endswith(".get") and node.args and isinstance(node.args[0], ast.Constant):
            if name == "os.environ.get" or not isinstance(node.args[0].value, str):
                return self.of(node.args[1] if len(node.args) > 1 else None, where, depth + 1)
            found = self.setting(node.args[0].value, where, depth + 1)
            return self.of(node.args[1], where, depth + 1) if found == (UNKNOWN,) and len(node.args) > 1 else found
        if name == "getattr" and len(node.args) > 1 and isinstance(key := node.args[1], ast.Constant):
            return self.setting(str(key.value), where, depth + 1)
        if any(v == DRAWN for a in node.args for v in self.of(a, where, depth + 1)):
            return (DRAWN,)
        return (UNKNOWN,)

    def _is_seeded_above(self, node: ast.Call, where: Scope, depth: int) -> bool:
        """Whether a call above in the scope seeds with a fixed value, so that what is drawn is always the same."""
        for call in self._every[where[0]].calls:
            if call.scope != where[1] or call.node.lineno >= node.lineno or "seed" not in call.last.lower():
                continue
            given = call.argument(0, "seed", "a")
            told = self.of(given, where, depth + 1) if given is not None else (DRAWN,)
            fixed = all(v != DRAWN and v != Value("constant", None) for v in told)
            if fixed and not any(self.holds(g, where) == "no" for g in call.guards):
                return True
        return False

    def _attribute(self, node: ast.Attribute, where: Scope, depth: int) -> tuple[Value, ...]:
        facts = self._every[where[0]]
        raw = dotted(node)
        target = self._graph.target(facts, raw.rpartition(".")[0], where[1]) if raw else None
        if target is not None and (found := self._assigned[target[0]].get(("", node.attr))) is not None:
            return self.of(found, (target[0], ""), depth + 1)
        return self.setting(node.attr, where, depth)

    def _name(self, name: str, where: Scope, depth: int) -> tuple[Value, ...]:
        path, scope = where
        mine = self._assigned[path]
        for above in scopes_above(scope):
            if (found := mine.get((above, name))) is not None and not _is_itself(found, name):
                return self.of(found, (path, above), depth + 1)
            function = self._every[path].functions.get(above)
            if function is not None and name in function.parameters():
                return self._parameter(name, (path, above), depth)
        meaning = self._every[path].names.get(name)
        if meaning is not None and (target := self._graph.named(meaning, path)) is not None:
            last = meaning.rpartition(".")[2]
            if (found := self._assigned[target[0]].get(("", last))) is not None:
                return self.of(found, (target[0], ""), depth + 1)
        return self.setting(name, where, depth)

    def _parameter(self, name: str, where: Scope, depth: int) -> tuple[Value, ...]:
        known = (where, name)
        if known not in self._given:
            self._given[known] = (UNKNOWN,)
            self._given[known] = self._passed(name, where, depth)
        return self._given[known]

    def _passed(self, name: str, where: Scope, depth: int) -> tuple[Value, ...]:
        function = self._every[where[0]].functions[where[1]]
        default = function.default(name)
        names = function.parameters()
        position = names.index(name) - (1 if function.owner and names and names[0] == "self" else 0)
        told: list[Value] = []
        for source, call in self._graph.callers.get(where, ())[:MOST_CALLERS]:
            if depth + 2 > DEEPEST:
                break
            given = call.argument(position, name)
            if given is None and default is None:
                continue
            told += self.of(default if given is None else given, source, depth + 2)
        if told and any(v != UNKNOWN for v in told):
            return tuple(dict.fromkeys(told))
        if default is not None and not told:
            return self.of(default, (where[0], ""), depth + 1)
        return self.setting(name, where, depth + 1)


def _is_itself(node: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(node))
