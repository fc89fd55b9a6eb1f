"""The one visit of a syntax tree: from it come all facts that rules read."""

import ast
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePosixPath

from ml_audit.code.defaults import asked_for, default_of_call, defaults_of_class, defaults_of_dictionary
from ml_audit.code.expressions import dotted, inside
from ml_audit.code.facts import (
    MAIN,
    Assigned,
    Call,
    Class,
    Facts,
    Function,
    Guard,
    Import,
    Iteration,
    Reference,
    Setting,
    Text,
)
from ml_audit.code.parsing import Module

__all__ = ["visit"]

_PATH_LIKE = re.compile(r"^(?:file://)?(?:/[\w.@+-]+/|~[\w-]*/|[A-Za-z]:[\\/])")
LONGEST_WORD = 60
"""Characters of a text that may name a setting."""

_LEAVES = (ast.Return, ast.Raise)


def visit(module: Module) -> Facts:
    """All facts of a parsed file."""
    facts = Facts(module.path)
    if module.tree is not None:
        visitor = _Visitor(module, facts)
        try:
            visitor.block(module.tree.body)
        except RecursionError:
            return facts
        asked = {key for call in facts.calls for key in asked_for(call)}
        facts.defaults = [replace(d, required=d.required or d.key in asked) for d in facts.defaults]
    return facts


class _Visitor:
    def __init__(self, module: Module, facts: Facts) -> None:
        self.module = module
        self.facts = facts
        self.scope = ""
        self.owner = ""
        self.guards: tuple[Guard, ...] = ()
        self.loops: tuple[ast.stmt, ...] = ()
        self.tries = 0
        self.package = PurePosixPath(module.path).parent.parts

    def line(self, node: ast.AST) -> int:
        return self.module.line(getattr(node, "lineno", 1))

    def block(self, body: Iterable[ast.stmt]) -> None:
        kept = self.guards
        for statement in body:
            self.statement(statement)
            if isinstance(statement, ast.If) and not statement.orelse and isinstance(statement.body[-1], _LEAVES):
                self.guards = (*self.guards, Guard(statement.test, holds=False))
        self.guards = kept

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                self.imported(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self.function(node)
            case ast.ClassDef():
                self.class_(node)
            case ast.If():
                self.condition(node)
            case ast.For() | ast.AsyncFor():
                self.expression(node.iter)
                self.facts.iterations.append(
                    Iteration(node.iter, node.target, node, self.line(node), self.scope, sorted_later=False)
                )
                self.looped(node, node.body)
                self.block(node.orelse)
            case ast.While():
                self.expression(node.test)
                self.looped(node, node.body)
                self.block(node.orelse)
            case ast.Try() | ast.TryStar():
                self.tries += 1
                self.block(node.body)
                for handler in node.handlers:
                    self.block(handler.body)
                self.tries -= 1
                self.block(node.orelse)
                self.block(node.finalbody)
            case ast.With() | ast.AsyncWith():
                for item in node.items:
                    self.expression(item.context_expr)
                    if item.optional_vars is not None:
                        self.bound(item.optional_vars, item.context_expr, node)
                self.block(node.body)
            case ast.Match():
                self.expression(node.subject)
                for case_ in node.cases:
                    self.block(case_.body)
            case _:
                self.simple(node)

    def simple(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign():
                self.expression(node.value, used_as=dotted(node.targets[0]))
                for target in node.targets:
                    self.bound(target, node.value, node)
            case ast.AnnAssign() if node.value is not None:
                self.expression(node.value, used_as=dotted(node.target))
                self.bound(node.target, node.value, node)
            case ast.AugAssign():
                self.expression(node.value)
            case ast.Expr() if isinstance(node.value, ast.Constant):
                return
            case _:
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self.expression(child)

    def condition(self, node: ast.If) -> None:
        if not self.scope and _is_main(node.test):
            self.facts.has_main = True
            self.scope = MAIN
            self.block(node.body)
            self.scope = ""
            self.block(node.orelse)
            return
        self.expression(node.test)
        kept = self.guards
        self.guards = (*kept, Guard(node.test, holds=True))
        self.block(node.body)
        self.guards = (*kept, Guard(node.test, holds=False))
        self.block(node.orelse)
        self.guards = kept

    def looped(self, node: ast.stmt, body: list[ast.stmt]) -> None:
        kept = self.loops
        self.loops = (*kept, node)
        self.block(body)
        self.loops = kept

    def imported(self, node: ast.Import | ast.ImportFrom) -> None:
        facts = self.facts
        tried = self.tries > 0
        if isinstance(node, ast.Import):
            for alias in node.names:
                facts.imports.append(Import(alias.name, self.line(node), self.scope, self.guards, tried))
                facts.names[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
            return
        module = node.module or ""
        if node.level:
            up = self.package[: len(self.package) - node.level + 1]
            module = ".".join([*up, *([module] if module else [])])
        facts.imports.append(Import(module, self.line(node), self.scope, self.guards, tried))
        for alias in node.names:
            if alias.name == "*":
                facts.stars.append(module)
            else:
                facts.names[alias.asname or alias.name] = f"{module}.{alias.name}" if module else alias.name
                facts.imports.append(
                    Import(
                        f"{module}.{alias.name}" if module else alias.name,
                        self.line(node),
                        self.scope,
                        self.guards,
                        tried,
                    )
                )

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for decorator in node.decorator_list:
            self.expression(decorator)
        for default in (*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)):
            self.expression(default)
        inner = f"{self.scope}.{node.name}" if self.scope and self.scope != MAIN else node.name
        self.facts.functions.setdefault(inner, Function(inner, node, self.line(node), self.owner))
        if self.scope:
            self.facts.references.append(Reference(inner, self.scope, self.guards))
        kept = (self.scope, self.guards, self.loops)
        self.scope, self.guards, self.loops = inner, (), ()
        self.block(node.body)
        self.scope, self.guards, self.loops = kept

    def class_(self, node: ast.ClassDef) -> None:
        for expression in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self.expression(expression)
        inner = f"{self.scope}.{node.name}" if self.scope and self.scope != MAIN else node.name
        methods = tuple(n.name for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
        self.facts.classes[inner] = Class(inner, tuple(dotted(b) for b in node.bases), self.line(node), methods)
        self.facts.defaults += defaults_of_class(node, self.line)
        kept = (self.scope, self.owner, self.guards, self.loops)
        self.scope, self.owner, self.guards, self.loops = inner, inner, (), ()
        self.block(node.body)
        self.scope, self.owner, self.guards, self.loops = kept

    def bound(self, target: ast.expr, value: ast.expr, node: ast.stmt) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            values = (
                value.elts if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts) else []
            )
            for one, part in zip(target.elts, values, strict=False):
                self.bound(one, part, node)
            return
        name = dotted(target)
        if not name:
            return
        if isinstance(value, ast.Call) and (made := dotted(value.func)):
            self.facts.types[(self.scope, name)] = made
            self.facts.instances.add((self.scope, name))
        elif isinstance(target, ast.Name) and isinstance(value, ast.Attribute) and (alias := dotted(value)):
            self.facts.types[(self.scope, name)] = alias
            self.facts.instances.discard((self.scope, name))
        if isinstance(target, ast.Name):
            self.facts.assigned.append(Assigned(name, value, self.line(node), self.scope))
            self.facts.defaults += defaults_of_dictionary(value, self.line)
        else:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                name = f"{name}{target.slice.value!s}"
            self.facts.settings.append(Setting(name, value, self.line(node), self.scope, self.guards))

    def expression(self, node: ast.expr, used_as: str = "") -> None:
        for found, purpose, outer in inside(node, used_as):
            if isinstance(found, ast.Name):
                self.facts.references.append(Reference(found.id, self.scope, self.guards))
            elif isinstance(found, ast.Call):
                raw = dotted(found.func)
                call = Call(raw or "?", found, self.line(found), self.scope, self.guards, self.loops, purpose)
                self.facts.calls.append(call)
                self.facts.defaults += default_of_call(call, self.line)
            elif isinstance(found, ast.Constant):
                if not isinstance(found.value, str):
                    continue
                if len(found.value) <= LONGEST_WORD and not purpose.endswith("add_argument"):
                    self.facts.words.add(found.value)
                joined = isinstance(outer, ast.BinOp) and isinstance(outer.op, ast.Add) and found is outer.right
                joined = joined or isinstance(outer, ast.Compare)
                if _PATH_LIKE.match(found.value) and not joined:
                    self.facts.texts.append(Text(found.value, self.line(found), self.scope, purpose))
            elif isinstance(found, ast.comprehension):
                ordered = not isinstance(outer, ast.SetComp)
                if ordered:
                    self.facts.iterations.append(
                        Iteration(
                            found.iter, found.target, outer, self.line(found.iter), self.scope, purpose == "sorted"
                        )
                    )
            elif isinstance(found, ast.Attribute) and (raw := dotted(found)):
                self.facts.words.update(raw.split("."))
                self.facts.references.append(Reference(raw, self.scope, self.guards))


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and any(
        isinstance(side, ast.Name) and side.id == "__name__" for side in (test.left, *test.comparators)
    )
