"""Listed files whose order nobody fixed, and what it reaches."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from ml_audit.code.expressions import dotted
from ml_audit.code.facts import Call, Facts
from ml_audit.signals.uses import order_is_forgotten

__all__ = ["HARMLESS", "listings"]

_LISTS = {"os.listdir", "os.scandir", "os.walk", "glob.glob", "glob.iglob", "os.listdir().sort"}


_PATH_LISTS = {"glob", "rglob", "iterdir"}


HARMLESS = {
    "sorted",
    "len",
    "max",
    "min",
    "any",
    "all",
    "set",
    "sum",
    "natsorted",
    "natsort.natsorted",
    "frozenset",
    "bool",
}


_DATA_PLACE = re.compile(
    r"data|sampl|split|load_|loader|corpus|vocab|example|image|label|class_|fold|patient|preprocess|read_", re.I
)


_DATA_NAME = re.compile(
    r"data|train|test|(?<!e)val|img|imag|sampl|label|class|wav|audio|video|mask|scene|corpus|doc|spam|ham|fold", re.I
)


_NOT_DATA = re.compile(
    r"checkpoint|ckpt|save|log|remove|clean|delete|plot|upload|push|hub|weights|resume|output|result|figure|test_", re.I
)


_SORTS = {"sorted", "natsorted", "len", "set"}


_SPLITS = re.compile(
    r"(^|\.)(train_test_split|random_split|shuffle|permutation|fit_transform|\w*KFold|\w*ShuffleSplit)$"
)


def _is_listing(call: Call) -> bool:
    if call.name in _LISTS:
        return True
    return call.last in _PATH_LISTS and not call.name.startswith(("glob.", "re.")) and "." in call.raw


def listings(facts: Facts, tree: ast.Module | None) -> Iterator[tuple[int, str, str]]:
    """Each listing whose order reaches data: its line, the kind of hazard, and what it reaches."""
    candidates = [c for c in facts.calls if _is_listing(c)]
    if not candidates:
        return
    for call in candidates:
        around = _around(facts, call)
        if around.harmless or _is_sorted_later(facts, call, around.target):
            continue
        if around.target and around.loop is None and _is_forgotten(facts, tree, call, around.target):
            continue
        if call.name == "os.walk" and around.loop is not None and _walks_in_order(around.loop):
            continue
        where = f"{call.scope} {around.target} {ast.unparse(call.node)}"
        about = _DATA_PLACE.search(call.scope) or _in_dataset(facts, call.scope)
        if re.search(r"plot|visuali[sz]|vis_|figure|report|record|render", facts.path, re.I):
            continue
        if _NOT_DATA.search(f"{call.scope} {ast.unparse(call.node)}") and not _in_dataset(facts, call.scope):
            continue
        if around.loop is not None and _keeps_order(facts, around.loop, call.scope):
            yield call.line, "listing", around.target or call.raw
            continue
        splits = any(_SPLITS.search(c.name) for c in facts.calls if c.scope == call.scope)
        if about or (splits and around.target) or (_DATA_NAME.search(where) and not around.loop_only):
            yield call.line, "listing", around.target or call.raw


@dataclass(frozen=True, slots=True)
class _Around:
    harmless: bool
    target: str
    loop_only: bool
    loop: ast.AST | None = None


def _keeps_order(facts: Facts, loop: ast.AST, scope: str) -> bool:
    """Whether a loop puts what it reads into something that keeps the order, which nothing sorts afterwards."""
    kept: set[str] = set()
    if isinstance(loop, ast.ListComp | ast.GeneratorExp):
        name = scope.rpartition(".")[2]
        sorted_by = any(c.raw in ("sorted", "set", "len", "max", "min") and _calls(c, name) for c in facts.calls)
        return bool(name) and isinstance(loop, ast.ListComp) and not sorted_by and _is_returned(facts, loop, scope)
    for node in ast.walk(loop):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr="append" | "extend" | "write" | "writerow")):
                kept.add(dotted(value))
            case ast.AugAssign(target=target, op=ast.Add(), value=value) if not _is_number(value):
                kept.add(dotted(target))
            case ast.Yield() | ast.YieldFrom():
                kept.add("yield")
            case ast.Assign(targets=[ast.Subscript(value=value)]):
                kept.add(dotted(value))
    ordered = {dotted(c.node.args[0]) for c in facts.calls if c.scope == scope and c.raw in _SORTS and c.node.args}
    ordered |= {c.receiver for c in facts.calls if c.scope == scope and c.last == "sort"}
    ordered |= {c.receiver for c in facts.calls if c.raw.endswith(".items") and c.used_as == "sorted"}
    return bool(kept - ordered - {""})


def _calls(call: Call, name: str) -> bool:
    """Whether a function of that name is called inside a call's arguments."""
    return any(
        isinstance(n, ast.Call) and dotted(n.func).rpartition(".")[2] == name
        for a in call.node.args
        for n in ast.walk(a)
    )


def _is_returned(facts: Facts, node: ast.AST, scope: str) -> bool:
    """Whether a function returns just that."""
    function = facts.functions.get(scope)
    body = ast.walk(function.node) if function is not None else ()
    return any(isinstance(n, ast.Return) and n.value is node for n in body)


def _is_number(node: ast.expr) -> bool:
    """Whether what is added is plainly a number: sums do not keep the order."""
    if isinstance(node, ast.Call):
        return dotted(node.func) in ("int", "float", "len", "sum", "max", "min")
    return isinstance(node, ast.Constant | ast.Compare | ast.Attribute)


def _walks_in_order(loop: ast.AST) -> bool:
    """Whether a loop over `os.walk` sorts the directories in place, and the files before it uses them."""
    if not isinstance(loop, ast.For) or not isinstance(loop.target, ast.Tuple) or len(loop.target.elts) != 3:
        return False
    folders, names = (ast.unparse(n) for n in loop.target.elts[1:])
    body = "\n".join(ast.unparse(s) for s in loop.body)
    deep = re.search(rf"\b{re.escape(folders)}(\.sort\(|\[:\] = sorted\()", body) or folders == "_"
    return bool(deep) and bool(re.search(rf"\bsorted\({re.escape(names)}\b|\b{re.escape(names)}\.sort\(", body))


def _around(facts: Facts, call: Call) -> _Around:
    for assigned in facts.assigned:
        if assigned.scope == call.scope and any(n is call.node for n in ast.walk(assigned.value)):
            return _Around(_wrapped(assigned.value, call.node), assigned.name, loop_only=False)
    for setting in facts.settings:
        if setting.scope == call.scope and any(n is call.node for n in ast.walk(setting.value)):
            return _Around(_wrapped(setting.value, call.node), setting.raw, loop_only=False)
    for loop in facts.iterations:
        if loop.scope == call.scope and any(n is call.node for n in ast.walk(loop.over)):
            harmless = _wrapped(loop.over, call.node) or loop.sorted_later
            return _Around(harmless, dotted(loop.target), loop_only=True, loop=loop.node)
    for other in facts.calls:
        if (
            other.scope == call.scope
            and other.node is not call.node
            and any(n is call.node for n in ast.walk(other.node))
        ):
            return _Around(_wrapped(other.node, call.node), "", loop_only=True)
    return _Around(harmless=False, target="", loop_only=True)


def _wrapped(outer: ast.expr, inner: ast.expr) -> bool:
    """Whether some call around the inner expression fixes the order or forgets it."""
    for node in ast.walk(outer):
        if isinstance(node, ast.Call) and node is not inner and dotted(node.func) in HARMLESS:
            if any(n is inner for a in node.args for n in ast.walk(a)):
                return True
        elif isinstance(node, ast.Compare) and any(n is inner for c in node.comparators for n in ast.walk(c)):
            return True
    return False


def _is_forgotten(facts: Facts, tree: ast.Module | None, call: Call, target: str) -> bool:
    """Whether what is listed is only counted, searched, sorted, or gone through in a way that keeps no order."""
    function = facts.functions.get(call.scope)
    body = function.node.body if function is not None else tree.body if tree is not None else []
    return order_is_forgotten(body, target, frozenset(HARMLESS), lambda loop: _keeps_order(facts, loop, call.scope))


def _is_sorted_later(facts: Facts, call: Call, target: str) -> bool:
    if not target:
        return False
    for other in facts.calls:
        if other.scope != call.scope or other.node.lineno < call.node.lineno:
            continue
        if other.raw in (f"{target}.sort", f"{target.rstrip('[]')}.sort"):
            return True
        if other.raw in ("sorted", "natsorted") and other.node.args and dotted(other.node.args[0]) == target:
            return True
    return False


def _in_dataset(facts: Facts, scope: str) -> bool:
    head = scope.partition(".")[0]
    told = facts.classes.get(head)
    return told is not None and bool(re.search(r"Dataset|DataModule|Loader|Folder", f"{head} {' '.join(told.bases)}"))
