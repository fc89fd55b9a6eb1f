"""Makes `check.py`, the judge as one file: the package's own modules one after the other, in order of import."""

import ast
from collections.abc import Iterator
from pathlib import Path

__all__ = ["check_py"]

_MODULES = ("curve", "formula", "contract", "table", "evaluate", "consistency", "score", "__main__")
_PACKAGE = "reproducegym.verifier."
_TITLE = (
    '"""The judge of this task as one file, made from the package reproducegym.verifier; run with python3 -I -S."""'
)


def check_py() -> bytes:
    """The whole judge, standard library only: `python3 -I -S check.py --contract FILE --metrics FILE`.

    Same source, same bytes: all imports first, then each module without imports, docstring and `__all__`.

    Raises:
        ValueError: the modules cannot share one namespace: a name has two owners, or is used before its module.
    """
    plain: set[str] = set()
    chosen: dict[str, set[str]] = {}
    owners: dict[str, str] = {}
    bodies: list[str] = []
    for module in _MODULES:
        source = Path(__file__).with_name(f"{module}.py").read_text("utf-8")
        lines = source.splitlines()
        tree = ast.parse(source)
        bodies.append(f"\n\n# {module}.py: {ast.get_docstring(tree)}\n")
        last = 0
        for node in tree.body:
            start, last = last, node.end_lineno or last
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(_PACKAGE):
                foreign = [alias.name for alias in node.names if alias.asname or alias.name not in owners]
                if foreign:
                    raise ValueError(f"{module}.py uses {', '.join(foreign)} before its module")
            elif isinstance(node, ast.ImportFrom):
                chosen.setdefault(str(node.module), set()).update(ast.unparse(alias) for alias in node.names)
            elif isinstance(node, ast.Import):
                plain.add(ast.unparse(node))
            elif "__all__" not in _names(node) and node is not tree.body[0]:
                for name in _names(node):
                    if owners.setdefault(name, module) != module:
                        raise ValueError(f"{name} is defined in {owners[name]}.py and in {module}.py")
                bodies += lines[start:last]
    imports = [f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(chosen.items())]
    return "\n".join([_TITLE, "", *sorted(plain), *imports, *bodies, ""]).encode()


def _names(node: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    yield from (part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name))
