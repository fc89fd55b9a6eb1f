"""A Python file as operators read it: its calls by resolved name, and edits made of changed syntax trees."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import libcst as cst
from libcst._metadata_dependent import LazyValue
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider, QualifiedNameProvider

from reproducegym.planting.edit import Edit, Texts, edits_between

__all__ = ["Call", "PythonFile", "python_files"]

NodeT = TypeVar("NodeT", bound=cst.CSTNode)


@dataclass(frozen=True, eq=False)
class Call:
    """A call: its name with imports resolved, the function that it stands in, and its lines."""

    node: cst.Call
    name: str
    scope: str
    first_line: int
    last_line: int

    def argument(self, name: str) -> cst.Arg | None:
        """The argument given by that name."""
        return next((a for a in self.node.args if a.keyword is not None and a.keyword.value == name), None)


class PythonFile:
    """One parsed file of a project."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self.module = wrapper.module
        self._positions = wrapper.resolve(PositionProvider)
        self._names = wrapper.resolve(QualifiedNameProvider)
        self._parents = wrapper.resolve(ParentNodeProvider)
        self.calls: tuple[Call, ...] = tuple(
            sorted((self._call(node) for node in self.nodes(cst.Call)), key=lambda c: (c.first_line, c.last_line))
        )

    def nodes(self, kind: type[NodeT]) -> Iterator[NodeT]:
        """All nodes of a kind."""
        return (node for node in self._parents if isinstance(node, kind))

    def lines(self, node: cst.CSTNode) -> tuple[int, int]:
        """First and last line of a node, without the comments above it."""
        told = self._positions[node]
        return told.start.line, told.end.line

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node around a node."""
        return self._parents.get(node)

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, innermost first."""
        found = self.parent(node)
        while found is not None:
            yield found
            found = self.parent(found)

    def name(self, node: cst.CSTNode) -> str:
        """The dotted name of an expression with imports resolved; empty where it is none."""
        told = self._names.get(node, ())
        found = sorted(one.name for one in (told() if isinstance(told, LazyValue) else told))
        return found[0] if found else ""

    def scope(self, node: cst.CSTNode) -> str:
        """The function around a node, with its class; empty at the top of the file."""
        around = [n.name.value for n in self.above(node) if isinstance(n, cst.FunctionDef | cst.ClassDef)]
        return ".".join(reversed(around))

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The simple statement that holds a node; None if it stands in the head of a compound one."""
        for found in (node, *self.above(node)):
            if isinstance(found, cst.SimpleStatementLine):
                return found
            if isinstance(found, cst.BaseCompoundStatement):
                return None
        return None

    def replaced(self, old: cst.CSTNode, new: cst.CSTNode) -> tuple[Edit, ...]:
        """The edits that put one node in place of another."""
        return self._edits(self.module.deep_replace(old, new))

    def removed(self, statement: cst.SimpleStatementLine) -> tuple[Edit, ...]:
        """The edits that remove a statement with the comments above it; `pass` stays where a block would be empty."""
        around = self.parent(statement)
        if isinstance(around, cst.IndentedBlock) and len(around.body) == 1:
            return self.replaced(statement, cst.SimpleStatementLine([cst.Pass()]))
        return self._edits(self.module.deep_remove(statement))

    def _call(self, node: cst.Call) -> Call:
        return Call(node, self.name(node.func), self.scope(node), *self.lines(node))

    def _edits(self, changed: cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]) -> tuple[Edit, ...]:
        return edits_between(self.path, self.text, changed.code) if isinstance(changed, cst.Module) else ()


@lru_cache(maxsize=2048)
def _parsed(path: str, text: str) -> PythonFile:
    return PythonFile(path, text)


def python_files(files: Texts, *, tests: bool = False) -> Iterator[PythonFile]:
    """The Python files of a project that hold code, without its tests unless asked for."""
    for path, text in files.items():
        is_test = path.startswith("tests/") or "/tests/" in path or path.rpartition("/")[2].startswith("test_")
        if path.endswith(".py") and text.strip() and (tests or not is_test):
            yield _parsed(path, text)
