"""Rules about what keeps code alive: tests, continuous integration, files that parse, notebooks run in order."""

import ast
import re
from bisect import bisect_right
from collections.abc import Iterator

from ml_audit.rules.rule import Hit, Subject, family
from ml_audit.signals.files import has_tests

__all__ = ["UPKEEP"]

UPKEEP = family("upkeep")


@UPKEEP("ci-missing")
def ci_missing(subject: Subject) -> Iterator[Hit]:
    """No continuous integration that runs anything."""
    if subject.signals["has_ci"].value != "no":
        return
    flows = [p for p in subject.project.sizes if p.startswith(".github/workflows/")]
    told = f"{flows[0]} builds, lints, tests and runs nothing on changes" if flows else "nothing runs on changes"
    yield Hit(flows[0] if flows else ".", 0, told)


@UPKEEP("tests-missing")
def tests_missing(subject: Subject) -> Iterator[Hit]:
    """No automated tests."""
    if has_tests(subject.project).value == "no":
        named = [p for p in subject.project.facts if p.endswith("_test.py")]
        told = f"{named[0]} is named like a test and is an experiment" if named else "there are no tests"
        yield Hit(named[0] if named else ".", 0, told)


@UPKEEP("broken-syntax")
def broken_syntax(subject: Subject) -> Iterator[Hit]:
    """A file or a notebook's cell does not parse."""
    for path, module in subject.project.modules.items():
        for line, problem in module.broken:
            python2 = re.search(r"Missing parentheses|multiple exception types|leading zeros", problem)
            yield Hit(path, line, f"{'Python 2' if python2 else 'broken'} syntax: {problem}")


@UPKEEP("notebook-out-of-order")
def notebook_out_of_order(subject: Subject) -> Iterator[Hit]:
    """Execution counts of a notebook go backwards."""
    for path, module in subject.project.modules.items():
        if subject.project.role(path) != "main":
            continue
        last = 0
        for cell in module.cells:
            if cell.run_as:  # 0 is a cell that was not run
                if cell.run_as < last:
                    where = _counted(subject, path, module.line(cell.line), cell.run_as)
                    yield Hit(path, where, f"run as [{cell.run_as}] after [{last}]")
                    break
                last = cell.run_as


def _counted(subject: Subject, path: str, line: int, run_as: int) -> int:
    """The line of a cell that says as what it was run, given the line on which its code starts."""
    lines = _raw(subject, path).split("\n")
    above = [n for n in range(min(line, len(lines)), 0, -1) if re.search(r'"cell_type"\s*:\s*"code"', lines[n - 1])]
    first = above[0] if above else line
    told = re.compile(rf'"(execution_count|prompt_number)"\s*:\s*{run_as}\b')
    return next((n for n in range(first, line) if told.search(lines[n - 1])), line)


@UPKEEP("notebook-needs-later-cell")
def notebook_needs_later_cell(subject: Subject) -> Iterator[Hit]:
    """A cell reads a name that only cells below it define."""
    for path, module in subject.project.modules.items():
        if not module.cells or module.tree is None or module.broken or subject.project.facts[path].stars:
            continue
        if re.search(r"%run|%load|\bexec\(|globals\(\)|%store|%%", _raw(subject, path)):
            continue
        starts = [cell.line for cell in module.cells]
        bound = _first_bound(module.tree)
        told: set[str] = set()
        for name, line in _read_at_once(module.tree):
            first = bound.get(name)
            if first is None or name in told or bisect_right(starts, first) <= bisect_right(starts, line):
                continue
            told.add(name)
            yield Hit(path, module.line(line), f"{name} is first defined in a later cell")


def _raw(subject: Subject, path: str) -> str:
    """The whole file, magic commands and all."""
    return subject.project.repository.files[path].decode("utf-8", errors="replace")


def _first_bound(tree: ast.Module) -> dict[str, int]:
    """The first line on which each name of the module is bound, in any way."""
    found: dict[str, int] = {}

    def bind(name: str, line: int) -> None:
        found[name] = min(line, found.get(name, line))

    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del(), lineno=line):
                bind(name, line)
            case ast.FunctionDef(name=name, lineno=line) | ast.ClassDef(name=name, lineno=line):
                bind(name, line)
            case ast.Import(names=names, lineno=line) | ast.ImportFrom(names=names, lineno=line):
                for alias in names:
                    bind(alias.asname or alias.name.split(".")[0], line)
            case ast.arg(arg=name, lineno=line) | ast.ExceptHandler(name=str(name), lineno=line):
                bind(name, line)
            case ast.Global(names=globals_, lineno=line):
                for name in globals_:
                    bind(name, line)
    return found


def _read_at_once(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Names that are read when a cell runs, not when a function that it defines is called."""
    waiting: list[ast.AST] = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id, node.lineno
        waiting += reversed(list(ast.iter_child_nodes(node)))
