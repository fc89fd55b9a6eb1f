"""Settings and commands: flags that do nothing, commands that no longer run, notebooks out of order."""

import re
from collections.abc import Iterator
from itertools import pairwise

import libcst as cst

from reproducegym.planting.edit import Edit, Texts, lines_of
from reproducegym.planting.operator import Site, operators
from reproducegym.planting.operators.python import PythonFile, python_files

__all__ = ["CONFIGURATION_MANAGEMENT"]

CONFIGURATION_MANAGEMENT = operators("configuration_management")

_NUMBER = (cst.Integer, cst.Float)


def _parsers(one: PythonFile) -> Iterator[tuple[str, cst.SimpleStatementLine, dict[str, str]]]:
    """Names that `parse_args` is assigned to, their statements, and the flags with numbers as defaults."""
    flags = {}
    for call in one.calls:
        default = call.argument("default")
        if not one.code(call.node.func).endswith("add_argument") or default is None or not call.node.args:
            continue
        found = re.fullmatch(r"[\"']--([a-z][\w-]*)[\"']", one.code(call.node.args[0].value).strip())
        if found and isinstance(default.value, _NUMBER):
            flags[found.group(1).replace("-", "_")] = one.code(default.value)
    for assign in one.nodes(cst.Assign):
        statement = one.statement(assign)
        if statement is not None and one.code(assign.value).strip().endswith(".parse_args()"):
            target = assign.targets[0].target
            if isinstance(target, cst.Name):
                yield target.value, statement, flags


@CONFIGURATION_MANAGEMENT(
    "flag-overridden",
    rule="setting-overridden",
    effect="structural",
    summary="a flag is overwritten by a constant right after it was parsed",
)
def flag_overridden(files: Texts, operator: str) -> Iterator[Site]:
    """A flag with a number as default, which is read somewhere; it keeps the default's value."""
    for one in python_files(files):
        for name, statement, flags in _parsers(one):
            for flag, default in flags.items():
                if flag != "seed" and f"{name}.{flag}" in one.text:
                    edits = one.beside(statement, f"{name}.{flag} = {default}", below=True)
                    yield Site(operator=operator, edits=edits, subject=f"flag:{flag}")


@CONFIGURATION_MANAGEMENT(
    "seed-flag-overridden",
    rule="setting-overridden",
    effect="structural",
    summary="the flag for the seed is overwritten by a constant: no other seed can be asked for",
)
def seed_flag_overridden(files: Texts, operator: str) -> Iterator[Site]:
    """`args.seed = 7` below `args = parser.parse_args()`."""
    for one in python_files(files):
        for name, statement, flags in _parsers(one):
            if "seed" in flags:
                edits = one.beside(statement, f"{name}.seed = {flags['seed']}", below=True)
                yield Site(operator=operator, edits=edits, subject="seed:flag")


@CONFIGURATION_MANAGEMENT(
    "flag-unread",
    rule="setting-unread",
    effect="structural",
    summary="a flag is declared that nothing reads",
)
def flag_unread(files: Texts, operator: str) -> Iterator[Site]:
    """A flag of an earlier version, beside one with a number as default."""
    whole = "\n".join(text for path, text in files.items() if path.endswith((".py", ".md", ".rst", ".sh", ".yml")))
    for one in python_files(files):
        if re.search(r"parse_known_args|vars\(|add_subparsers|\*\*|[(,]\s*args\s*[,)]", whole):
            continue
        flags = [c for c in one.calls if one.code(c.node.func).endswith("add_argument") and one.is_expression(c)]
        for call in [c for c in flags if c.argument("type") is not None][:2]:
            statement = one.statement(call.node)
            for flag, kind, default in (("warmup", "int", "5"), ("momentum", "float", "0.9"), ("clip", "float", "1.0")):
                if statement is not None and flag not in whole:
                    parser = one.code(call.node.func).strip()
                    code = f'{parser}("--{flag}", type={kind}, default={default})'
                    edits = one.beside(statement, code, below=True)
                    yield Site(operator=operator, edits=edits, subject=f"flag:{one.path}")


def _commands(files: Texts) -> Iterator[tuple[str, int, str]]:
    """Lines of the README that run a script of the project."""
    for path in ("README.md", "README.rst"):
        for number, line in enumerate(lines_of(files.get(path, "")), 1):
            if re.search(r"(^|\s)python3? [\w./-]+\.py", line) and (line.startswith(("    ", "python", "$"))):
                yield path, number, line


@CONFIGURATION_MANAGEMENT(
    "command-of-old-script",
    rule="command-names-no-file",
    effect="structural",
    implies=("commands-missing",),
    summary="a command of the README runs a script under a name that it no longer has",
)
def command_of_old_script(files: Texts, operator: str) -> Iterator[Site]:
    """`python train.py` becomes `python train_model.py`, or the script is looked for in another directory."""
    for path, number, line in _commands(files):
        found = re.search(r"(python3? )([\w./-]*?)([\w-]+)\.py", line)
        if found is None or f"{found.group(2)}{found.group(3)}.py" not in files:
            continue
        for name in (f"run_{found.group(3)}.py", f"{found.group(3)}_v2.py", f"{found.group(3)}_final.py"):
            changed = f"{line[: found.start(3)]}{name}{line[found.end() :]}"
            edit = Edit(file=path, first_line=number, last_line=number, text=changed)
            yield Site(operator=operator, edits=(edit,), subject=f"command:{number}")


@CONFIGURATION_MANAGEMENT(
    "command-of-old-flag",
    rule="command-flag-unknown",
    effect="structural",
    summary="a command of the README gives a flag that the script does not know",
)
def command_of_old_flag(files: Texts, operator: str) -> Iterator[Site]:
    """A flag of a command gets another name, as before a renaming."""
    declared = " ".join(one.text for one in python_files(files))
    for path, number, line in _commands(files):
        for found in re.finditer(r"(?<=\s)--([a-z][\w-]*)", line):
            flag = found.group(1)
            if f'"--{flag}"' not in declared and f"'--{flag}'" not in declared:
                continue
            for name in (f"num-{flag}", f"max-{flag}"):
                if name.replace("-", "_") not in declared and name not in declared:
                    changed = f"{line[: found.start(1)]}{name}{line[found.end() :]}"
                    edit = Edit(file=path, first_line=number, last_line=number, text=changed)
                    yield Site(operator=operator, edits=(edit,), subject=f"command:{number}")


@CONFIGURATION_MANAGEMENT(
    "notebook-out-of-order",
    rule="notebook-out-of-order",
    effect="structural",
    summary="a notebook was saved after its cells had run in another order than they stand",
)
def notebook_out_of_order(files: Texts, operator: str) -> Iterator[Site]:
    """The execution counts of two neighbouring cells of code change places."""
    for path, text in files.items():
        counts = [
            (number, line, found)
            for number, line in enumerate(lines_of(text), 1)
            if path.endswith(".ipynb") and (found := re.match(r'^(\s*"execution_count": )(\d+)(,?\s*)$', line))
        ]
        for (first, _, one), (second, _, other) in pairwise(counts):
            if int(one.group(2)) < int(other.group(2)):
                edits = (
                    Edit(
                        file=path,
                        first_line=second,
                        last_line=second,
                        text=f"{other.group(1)}{one.group(2)}{other.group(3)}",
                    ),
                    Edit(
                        file=path,
                        first_line=first,
                        last_line=first,
                        text=f"{one.group(1)}{other.group(2)}{one.group(3)}",
                    ),
                )
                yield Site(operator=operator, edits=edits, subject=f"notebook:{path}")
