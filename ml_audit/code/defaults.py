"""Defaults of a program's settings, as code states them: argparse, click, absl, dataclasses, dictionaries."""

import ast
from collections.abc import Callable, Iterator

from ml_audit.code.facts import Call, Default
from ml_audit.texts.keys import plain_key

__all__ = ["asked_for", "default_of_call", "defaults_of_class", "defaults_of_dictionary"]

_FLAGS = {"DEFINE_integer", "DEFINE_string", "DEFINE_bool", "DEFINE_boolean", "DEFINE_float", "DEFINE_enum"}
_OPTIONS = {"add_argument", "option", "add_arg"}
_TABLES = {"dict", "HParams", "Namespace", "SimpleNamespace", "EasyDict", "edict", "AttrDict", "ConfigDict", "Munch"}
"""What makes a table of settings of its keywords."""


def default_of_call(call: Call, line: Callable[[ast.AST], int]) -> Iterator[Default]:
    """The defaults that one call states: a flag, or the keys of a `dict(...)` and the like."""
    last = call.raw.rpartition(".")[2]
    if last in _OPTIONS:
        yield from _of_option(call)
    elif last in _FLAGS and call.node.args:
        name = call.node.args[0]
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield Default(plain_key(name.value), call.argument(1, "default"), call.line, "flag")
    elif last == "set_defaults" or last in _TABLES:
        kind = "flag" if last == "set_defaults" else "dictionary"
        for told in call.node.keywords:
            if told.arg is not None:
                yield Default(plain_key(told.arg), told.value, line(told.value), kind)
    else:
        for given in (*call.node.args, *(k.value for k in call.node.keywords)):
            yield from defaults_of_dictionary(given, line)


def asked_for(call: Call) -> Iterator[str]:
    """The flags of absl that a call marks as required: they have no default."""
    if call.raw.rpartition(".")[2] in ("mark_flags_as_required", "mark_flag_as_required"):
        for node in ast.walk(call.node):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield plain_key(node.value)


def defaults_of_class(node: ast.ClassDef, line: Callable[[ast.AST], int]) -> Iterator[Default]:
    """The fields of a class with plain defaults: a dataclass, a settings class, a namespace."""
    for told in node.body:
        if isinstance(told, ast.AnnAssign) and isinstance(told.target, ast.Name):
            value = told.value
            if isinstance(value, ast.Call):
                inner = next((k.value for k in value.keywords if k.arg == "default"), None)
                if inner is None and value.args and not isinstance(value.args[0], ast.Starred):
                    inner = value.args[0]
                value = inner
            yield Default(plain_key(told.target.id), value, line(told), "field", required=told.value is None)
        elif isinstance(told, ast.Assign) and isinstance(told.targets[0], ast.Name):
            yield Default(plain_key(told.targets[0].id), told.value, line(told), "field")


def defaults_of_dictionary(node: ast.expr, line: Callable[[ast.AST], int]) -> Iterator[Default]:
    """The plain entries of a dictionary literal, nested ones too."""
    if not isinstance(node, ast.Dict):
        return
    for key, value in zip(node.keys, node.values, strict=True):
        if isinstance(key, ast.Constant) and isinstance(key.value, str):
            if isinstance(value, ast.Constant | ast.UnaryOp):
                yield Default(plain_key(key.value), value, line(value), "dictionary")
            yield from defaults_of_dictionary(value, line)


def _of_option(call: Call) -> Iterator[Default]:
    names = [a.value for a in call.node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    long = [n for n in names if n.startswith("--")] or names
    if not long:
        return
    key = call.keyword("dest")
    name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else long[0].split("/")[0]
    action = call.keyword("action")
    told = action.value if isinstance(action, ast.Constant) else None
    value: ast.expr | None = call.keyword("default")
    if value is None and told in ("store_true", "store_false"):
        value = ast.Constant(told == "store_false")
    required = call.keyword("required")
    must = (isinstance(required, ast.Constant) and required.value is True) or (not name.startswith("-") and key is None)
    choices = call.keyword("choices")
    settled = isinstance(choices, ast.List | ast.Tuple | ast.Set) and len(choices.elts) < 2
    kind = "settled" if settled or told in ("version", "help") else "flag"
    yield Default(plain_key(name), value, call.line, kind, required=must)
