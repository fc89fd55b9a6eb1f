"""Runs inside a sandbox, as a program of its own: how far weights by one seed are from those by another.

    python3 spread.py CLEAN CLEAN_OTHER GIVEN GIVEN_OTHER

Prints two numbers: the distance between the clean project's, and between the given ones. Only what has the same name
and shape in all four counts; both are `nan` where nothing has.
"""

import json
import math
import sys
from pathlib import Path
from typing import TypeAlias

__all__ = ["main"]

Numbers: TypeAlias = dict[str, list[float]]


def main() -> None:
    """Read four files of weights, print two distances."""
    clean, clean_other, given, given_other = (_numbers(Path(name)) for name in sys.argv[1:5])
    names = [
        name
        for name, told in clean.items()
        if all(len(one.get(name, ())) == len(told) for one in (clean_other, given, given_other))
    ]
    sys.stdout.write(f"{_distance(clean, clean_other, names)} {_distance(given, given_other, names)}\n")


def _distance(one: Numbers, two: Numbers, names: list[str]) -> float:
    if not names:
        return math.nan
    return math.sqrt(sum((a - b) ** 2 for name in names for a, b in zip(one[name], two[name], strict=True)))


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


if __name__ == "__main__":
    main()
