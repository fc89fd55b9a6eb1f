"""A Python file as operators read it: its calls by resolved name, and edits made of changed syntax trees."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider, QualifiedNameProvider

from reproducegym.planting.edit import Edit, Place, Texts, edits_between

__all__ = ["Call", "PythonFile", "keyword", "parsed", "python_files", "without"]

NodeT = TypeVar("NodeT", bound=cst.CSTNode)


@dataclass(frozen=True, eq=False)
class Call:
    """A call: its name with imports resolved, the function that it stands in, and its lines."""

    node: cst.Call
    name: str
    scope: str
    place: Place

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rpartition(".")[2]

    def argument(self, name: str) -> cst.Arg | None:
        """The argument given by that name."""
        return next((a for a in self.node.args if a.keyword is not None and a.keyword.value == name), None)


class _Reader(cst.CSTVisitor):
    """Notes every node in the order of the text: its position, its parent and, of what is called, its full name."""

    METADATA_DEPENDENCIES = (PositionProvider, QualifiedNameProvider, ParentNodeProvider)

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[cst.CSTNode, tuple[int, int]] = {}
        self.parents: dict[cst.CSTNode, cst.CSTNode] = {}
        self.names: dict[cst.CSTNode, str] = {}

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Note a node, and go on below it."""
        if not isinstance(node, cst.Module):
            position = self.get_metadata(PositionProvider, node)
            self.lines[node] = (position.start.line, position.end.line)
            self.parents[node] = self.get_metadata(ParentNodeProvider, node)
        if isinstance(node, cst.Call):
            told = sorted(one.name for one in self.get_metadata(QualifiedNameProvider, node.func, ()))
            self.names[node.func] = told[0] if told else ""
        return True


class PythonFile:
    """One parsed file of a project."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
        self._read = _Reader()
        wrapper.visit(self._read)
        self.module = wrapper.module
        found = (Call(n, self.name(n.func), self.scope(n), self.place(n)) for n in self.nodes(cst.Call))
        self.calls: tuple[Call, ...] = tuple(sorted(found, key=lambda c: (c.place.first_line, c.place.last_line)))

    def nodes(self, kind: type[NodeT]) -> Iterator[NodeT]:
        """All nodes of a kind, outer ones first."""
        return (node for node in self._read.lines if isinstance(node, kind))

    def place(self, node: cst.CSTNode) -> Place:
        """First and last line of a node, without the comments above it."""
        first, last = self._read.lines[node]
        return Place(file=self.path, first_line=first, last_line=last)

    def parent(self, node: cst.CSTNode) -> cst.CSTNode | None:
        """The node around a node."""
        return self._read.parents.get(node)

    def above(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, innermost first."""
        found = self.parent(node)
        while found is not None:
            yield found
            found = self.parent(found)

    def name(self, node: cst.CSTNode) -> str:
        """The dotted name of what a call calls, with imports resolved; empty where it is none."""
        return self._read.names.get(node, "")

    def scope(self, node: cst.CSTNode) -> str:
        """The function around a node, with its class; empty at the top of the file."""
        around = [n.name.value for n in self.above(node) if isinstance(n, cst.FunctionDef | cst.ClassDef)]
        return ".".join(reversed(around))

    def code(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self.module.code_for_node(node)

    def statement(self, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
        """The line that a node is the only statement of; None if it shares it, or heads a block."""
        for found in (node, *self.above(node)):
            if isinstance(found, cst.SimpleStatementLine):
                return found if len(found.body) == 1 else None
            if isinstance(found, cst.BaseCompoundStatement):
                return None
        return None

    def is_expression(self, call: Call) -> bool:
        """Whether a call is a statement by itself, whose value nobody takes."""
        return isinstance(self.parent(call.node), cst.Expr) and self.statement(call.node) is not None

    def replaced(self, old: cst.CSTNode, new: cst.CSTNode) -> tuple[Edit, ...]:
        """The edits that put one node in place of another."""
        return self._edits(self.module.deep_replace(old, new))

    def removed(self, statement: cst.SimpleStatementLine) -> tuple[Edit, ...]:
        """The edits that remove a statement with the comments above it; `pass` stays where a block would be empty."""
        around = self.parent(statement)
        if isinstance(around, cst.IndentedBlock) and len(around.body) == 1:
            return self.replaced(statement, cst.SimpleStatementLine([cst.Pass()]))
        return self._edits(self.module.deep_remove(statement))

    def beside(self, statement: cst.SimpleStatementLine, code: str, *, below: bool) -> tuple[Edit, ...]:
        """The edit that puts a line of code above or below a statement, indented as it is."""
        first, last = self._read.lines[statement]
        lines = self.text.split("\n")
        indent = lines[first - 1][: len(lines[first - 1]) - len(lines[first - 1].lstrip())]
        at = last + 1 if below else first
        return (Edit(file=self.path, first_line=at, last_line=at - 1, text=f"{indent}{code}\n"),)

    def importing(self, module: str) -> tuple[Edit, ...]:
        """The edit that imports a module of the standard library; none where it is imported by that name."""
        imports = [one for one in self.module.body if isinstance(one, cst.SimpleStatementLine) and _is_import(one)]
        for one in imports:
            if any(self.code(name).strip() == module for name in _imported(one)):
                return ()
        plain = [one for one in imports if "__future__" not in self.code(one)]
        if not plain:
            return ()
        return self.beside(plain[0], f"import {module}", below=False)

    def can_import(self, module: str) -> bool:
        """Whether the module is imported already, or there is an import to put it beside."""
        return f"import {module}\n" in self.text or bool(self.importing(module))

    def _edits(self, changed: cst.CSTNode | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNode]) -> tuple[Edit, ...]:
        return edits_between(self.path, self.text, changed.code) if isinstance(changed, cst.Module) else ()


def _is_import(statement: cst.SimpleStatementLine) -> bool:
    return isinstance(statement.body[0], cst.Import | cst.ImportFrom)


def _imported(statement: cst.SimpleStatementLine) -> list[cst.CSTNode]:
    first = statement.body[0]
    return [alias for alias in first.names if alias.asname is None] if isinstance(first, cst.Import) else []


def keyword(name: str, value: str) -> cst.Arg:
    """An argument given by name, in the usual spelling."""
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return cst.Arg(cst.parse_expression(value), keyword=cst.Name(name), equal=equal)


def without(call: cst.Call, argument: cst.Arg) -> cst.Call:
    """The call without one of its arguments."""
    kept = [one for one in call.args if one is not argument]
    if kept and argument is call.args[-1]:
        kept[-1] = kept[-1].with_changes(comma=argument.comma)
    return call.with_changes(args=kept)


@lru_cache(maxsize=4096)
def parsed(path: str, text: str) -> PythonFile:
    """The file read, once."""
    return PythonFile(path, text)


def python_files(files: Texts) -> Iterator[PythonFile]:
    """The Python files of a project that hold code, without its tests."""
    for path, text in files.items():
        name = path.rpartition("/")[2]
        is_test = path.startswith("tests/") or "/tests/" in path or name.startswith("test_") or name == "conftest.py"
        if path.endswith(".py") and text.strip() and not is_test:
            yield parsed(path, text)
