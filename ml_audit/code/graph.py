"""Who runs what: the scopes of all files, the calls between them, and what is reached from an entry point."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ml_audit.code.facts import MAIN, Call, Facts, Guard
from ml_audit.code.names import ModuleIndex, scopes_above

__all__ = ["Edge", "Graph", "Scope"]

_MAKES = {"instantiate", "instantiate_from_config", "get_obj_from_str", "build_from_cfg", "LightningCLI"}
Scope = tuple[str, str]
"""A file and a scope in it."""


@dataclass(frozen=True, slots=True)
class Edge:
    """One scope may run another, if the guards hold; `call` is the call that says so, if it is one."""

    target: Scope
    guards: tuple[Guard, ...]
    call: Call | None = None


class Graph:
    """The call graph of a project. References count as calls: it says what may run, not what must."""

    def __init__(self, every: Mapping[str, Facts], index: ModuleIndex, named: Iterable[str] = ()) -> None:
        """Connect all files; `named` are dotted names that settings files give to be instantiated."""
        self._every = every
        self._index = index
        self._edges: dict[Scope, list[Edge]] = {}
        self.imported: dict[str, set[str]] = {}
        self._targets: dict[tuple[str, str, str], Scope | None] = {}
        for facts in every.values():
            self._connect(facts)
        self._instantiate(tuple(named))
        self.callers: dict[Scope, list[tuple[Scope, Call]]] = {}
        for source, edges in self._edges.items():
            for edge in edges:
                if edge.call is not None:
                    self.callers.setdefault(edge.target, []).append((source, edge.call))

    def edges(self, scope: Scope) -> Iterable[Edge]:
        """What a scope may run."""
        return self._edges.get(scope, ())

    def reach(self, entry: Scope, passes: Callable[[Scope, tuple[Guard, ...]], bool]) -> set[Scope]:
        """All scopes reached from an entry by edges whose guards pass, the module of each visited file included."""
        seen = {entry}
        waiting = deque(seen)
        while waiting:
            here = waiting.popleft()
            found = [e.target for e in self._edges.get(here, ()) if not e.guards or passes(here, e.guards)]
            if here[1]:
                found.append((here[0], ""))
            for target in found:
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return seen

    def target(self, facts: Facts, raw: str, scope: str) -> Scope | None:
        """The scope of the project that a name means where it is used."""
        key = (facts.path, scope, raw)
        if key not in self._targets:
            self._targets[key] = self._target(facts, raw, scope)
        return self._targets[key]

    def _target(self, facts: Facts, raw: str, scope: str) -> Scope | None:
        root, _, rest = raw.partition(".")
        if root == "self" and rest:
            for above in scopes_above(scope):
                if above in facts.classes:
                    method = f"{above}.{rest.partition('.')[0]}"
                    return (facts.path, method) if method in facts.functions else None
            return None
        for above in scopes_above(scope):
            inner = f"{above}.{root}" if above not in ("", MAIN) else root
            if inner in facts.functions or inner in facts.classes:
                whole = f"{inner}.{rest.partition('.')[0]}" if rest else inner
                return (facts.path, whole if whole in facts.functions else inner)
        meaning = facts.names.get(root.rstrip("()[]"))
        if meaning is None:
            return None
        return self.named(f"{meaning}.{rest}" if rest else meaning, facts.path)

    def named(self, name: str, importer: str, depth: int = 0) -> Scope | None:
        """The scope of a dotted name, through re-exports of packages."""
        found = self._index.split(name, importer)
        if found is None or found[0] not in self._every:
            return None
        path, rest = found
        facts = self._every[path]
        first, _, more = rest.partition(".")
        if not rest:
            return (path, "")
        if f"{first}.{more}" in facts.functions:
            return (path, f"{first}.{more}")
        if first in facts.functions or first in facts.classes:
            return (path, first)
        again = facts.names.get(first)
        if again is not None and depth < 4:
            return self.named(f"{again}.{more}" if more else again, path, depth + 1)
        return (path, "")

    def _connect(self, facts: Facts) -> None:
        seen: set[tuple[str, Scope, tuple[Guard, ...]]] = set()
        for imported in facts.imports:
            found = self._index.split(imported.module, facts.path)
            if found is not None and found[0] != facts.path:
                self.imported.setdefault(found[0], set()).add(facts.path)
                self._add(facts, imported.scope, Edge((found[0], ""), imported.guards), seen)
        for call in facts.calls:
            if (target := self.target(facts, call.raw, call.scope)) is not None:
                self._edges.setdefault((facts.path, call.scope), []).append(Edge(target, call.guards, call))
                init = (target[0], f"{target[1]}.__init__")
                if init[1] in self._every[target[0]].functions:
                    self._edges[(facts.path, call.scope)].append(Edge(init, call.guards, call))
        for told in facts.references:
            if (target := self.target(facts, told.raw, told.scope)) is not None:
                self._add(facts, told.scope, Edge(target, told.guards), seen)
        for one in facts.classes.values():
            for base in one.bases:
                if (target := self.target(facts, base, one.name.rpartition(".")[0])) is not None:
                    self._add(facts, one.name, Edge(target, ()), seen)

    def _instantiate(self, named: tuple[str, ...]) -> None:
        """Let every call that makes what a settings file names run all that settings files name."""
        for facts in self._every.values() if named else ():
            for call in facts.calls:
                if call.last in _MAKES:
                    found = [t for name in named if (t := self.named(name, facts.path)) is not None and t[1]]
                    self._edges.setdefault((facts.path, call.scope), []).extend(Edge(t, call.guards) for t in found)

    def _add(self, facts: Facts, scope: str, edge: Edge, seen: set[tuple[str, Scope, tuple[Guard, ...]]]) -> None:
        key = (scope, edge.target, edge.guards)
        if key not in seen and edge.target != (facts.path, scope):
            seen.add(key)
            self._edges.setdefault((facts.path, scope), []).append(edge)
