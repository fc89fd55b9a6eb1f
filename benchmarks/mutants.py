"""`python -m benchmarks.mutants [COUNT]`: breaks verifier and reward curves in small ways; do the tests notice?"""

import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_MODULES = tuple(f"verifier/{name}.py" for name in ("curve", "table", "evaluate", "consistency", "score", "contract"))
_MODULES += ("verifier/formula.py", "pipeline/targets/curves.py")
_TESTS = ("verifier/test_verifier_golden.py", "verifier/test_verifier_submissions.py", "pipeline/test_curves.py")
_TESTS += ("verifier/test_verifier_contract.py", "verifier/test_verifier_formula.py")
_TIMEOUT_S = 300
_SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And},
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult},
}


def main() -> int:
    """Try all mutants, or COUNT of them drawn the same way every time; print the survivors and the share killed."""
    known = [(module, number) for module in _MODULES for number in range(len(list(_places(_tree(module)))))]
    count = int(sys.argv[1]) if len(sys.argv) > 1 else len(known)
    chosen = random.Random(1).sample(known, min(count, len(known)))  # noqa: S311 - a sample, no secret
    survivors = []
    with tempfile.TemporaryDirectory() as scratch:
        package = Path(scratch) / "reproducegym"
        shutil.copytree(_ROOT / "reproducegym", package, ignore=shutil.ignore_patterns("__pycache__"))
        if not _passes(scratch):
            sys.exit("the tests fail without any mutant")
        for module, number in chosen:
            place = package / module
            kept = place.read_text("utf-8")
            mutant, what = _mutant(module, number)
            place.write_text(mutant, "utf-8")
            if _passes(scratch):
                survivors.append(f"{module}:{what}")
                sys.stdout.write(f"survived: {survivors[-1]}\n")
                sys.stdout.flush()
            place.write_text(kept, "utf-8")
    killed = len(chosen) - len(survivors)
    sys.stdout.write(f"killed {killed} of {len(chosen)} mutants ({killed / len(chosen):.1%}), of {len(known)} in all\n")
    return 0


def _tree(module: str) -> ast.Module:
    return ast.parse((_ROOT / "reproducegym" / module).read_text("utf-8"))


def _places(tree: ast.Module) -> Iterator[ast.AST]:
    """Every node that can be broken, in a fixed order: operators, and numbers outside of annotations."""
    annotated = {id(part) for node in ast.walk(tree) for part in _annotations(node)}
    for node in ast.walk(tree):
        operators = [getattr(node, "op", None), *getattr(node, "ops", [])]
        number = isinstance(node, ast.Constant) and type(node.value) in (int, float)
        if id(node) not in annotated and (number or any(type(one) in _SWAPS for one in operators)):
            yield node


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        part = getattr(node, name, None)
        if part is not None:
            yield from ast.walk(part)


def _mutant(module: str, number: int) -> tuple[str, str]:
    """The module's source with its n-th place broken, and what was done, with its line."""
    tree = copy.deepcopy(_tree(module))
    node = list(_places(tree))[number]
    before = ast.unparse(node)
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        node.value = node.value + 1 if isinstance(node.value, int) else node.value * 2 + 1
    elif isinstance(node, ast.Compare):
        node.ops = [_swapped(one) for one in node.ops]
    elif isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign):
        node.op = _swapped(node.op)
    return ast.unparse(tree) + "\n", f"{getattr(node, 'lineno', 0)}: {before} -> {ast.unparse(node)}"


def _swapped(operator: ast.AST) -> ast.AST:
    return _SWAPS.get(type(operator), type(operator))()


def _passes(scratch: str) -> bool:
    """Whether the tests pass with the package that lies in `scratch`."""
    tests = [str(_ROOT / "tests" / name) for name in _TESTS]
    argv = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-k", "not million", *tests]
    env = {**os.environ, "PYTHONPATH": scratch, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(argv, cwd=_ROOT / "tests", env=env, capture_output=True, check=False, timeout=_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    raise SystemExit(main())
