"""Runs inside a sandbox, as a program of its own: looks at what two runs left, beside the clean project's files.

    python3 judge.py WEIGHTS

`clean/0`, `clean/1`, `given/0` and `given/1` hold the outputs of the clean project and of the given one by two seeds,
`project` the clean project's files and `checks` the hidden checks. Prints one line of JSON: how far the clean weights
by one seed are from those by the other, and the given ones; and the last words of the first check that failed, if any.
Only weights with the same name and shape in all four count; the distances are null where there are none.
"""

import json
import math
import os
import shutil
import sys
from os import environ
from pathlib import Path
from typing import TypeAlias

__all__ = ["main"]

Numbers: TypeAlias = dict[str, list[float]]

WORKSPACE = Path("/workspace")
WORDS = WORKSPACE / "words"


def main() -> None:
    """Compare, check, tell."""
    weights = sys.argv[1]
    clean, clean_other, given, given_other = (
        _numbers(WORKSPACE / place / weights) for place in ("clean/0", "clean/1", "given/0", "given/1")
    )
    names = [
        name
        for name, told in clean.items()
        if all(len(one.get(name, ())) == len(told) for one in (clean_other, given, given_other))
    ]
    wanted, found = _distance(clean, clean_other, names), _distance(given, given_other, names)
    sys.stdout.write(json.dumps({"wanted": wanted, "found": found, "failed": _failed()}) + "\n")


def _distance(one: Numbers, two: Numbers, names: list[str]) -> float | None:
    far = math.sqrt(sum((a - b) ** 2 for name in names for a, b in zip(one[name], two[name], strict=True)))
    return far if names and math.isfinite(far) else None


def _numbers(path: Path) -> Numbers:
    if path.suffix == ".npz":
        import numpy as np

        with np.load(path, allow_pickle=False) as arrays:
            kept = {name: arrays[name] for name in arrays.files if arrays[name].dtype.kind in "biuf"}
        return {f"{name} {array.shape}": array.astype(float).ravel().tolist() for name, array in kept.items()}
    found: Numbers = {}
    _gather(json.loads(path.read_text("utf-8")), "", found)
    return found


def _gather(told: object, name: str, found: Numbers) -> None:
    if isinstance(told, dict):
        for key, value in told.items():
            _gather(value, f"{name}/{key}", found)
    elif isinstance(told, list):
        for place, value in enumerate(told):
            _gather(value, f"{name}/{place}", found)
    elif isinstance(told, int | float):
        found[name] = [float(told)]


def _failed() -> str | None:
    """The last line of the first check that ends badly on either run's outputs; each is a process of its own."""
    checks = WORKSPACE / "checks"
    os.chdir(WORKSPACE / "project")
    for place in ("given/0", "given/1"):
        shutil.copytree(WORKSPACE / place, ".", dirs_exist_ok=True)
        for check in sorted(checks.iterdir()) if checks.is_dir() else ():
            actions = [
                (os.POSIX_SPAWN_OPEN, 1, str(WORDS), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ]
            line = [sys.executable, str(check)]
            child = os.posix_spawn(sys.executable, line, environ, file_actions=actions)
            if os.waitpid(child, 0)[1] != 0:
                said = WORDS.read_text("utf-8", "replace").strip().splitlines()
                return said[-1][:200] if said else f"{check.name} said nothing"
    return None


if __name__ == "__main__":
    main()
