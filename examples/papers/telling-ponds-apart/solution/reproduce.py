"""One run of the reproduction: reads ponds, conditions and seed as they are given, and writes metrics.csv."""

import csv
import json
import os
import sys
from pathlib import Path
from random import Random

from learners import Readings, learn
from words import UnknownWordError, method_of, score_of

__all__ = ["main"]

INPUTS = Path("input_files")
SPLITS = 5
TRAIN_SHARE = 2 / 3
LABEL = "plants"


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def ponds() -> list[tuple[Readings, str]]:
    """The data set of this run."""
    path = Path(os.environ.get("REPRODUCEGYM_ASSETS", "assets")) / "reedbank" / "reedbank.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [(tuple(float(row[name]) for name in row if name != LABEL), row[LABEL]) for row in rows]


def f1(true: list[str], named: list[str]) -> float:
    """Mean over kinds, in percent."""
    kinds = sorted(set(true))
    total = 0.0
    for kind in kinds:
        both = sum(a == b == kind for a, b in zip(true, named, strict=True))
        total += 2 * both / (true.count(kind) + named.count(kind))
    return 100 * total / len(kinds)


def measure(method: str, known: list[tuple[Readings, str]], seed: int) -> dict[str, float]:
    """Both scores, means over the splits of a seed, which are the same for every method."""
    rng = Random(seed)
    sums = {"accuracy": 0.0, "macro_f1": 0.0}
    for _ in range(SPLITS):
        order = list(known)
        rng.shuffle(order)
        cut = round(TRAIN_SHARE * len(order))
        train, test = order[:cut], order[cut:]
        judge = learn(method, [one for one, _ in train], [kind for _, kind in train])
        true, named = [kind for _, kind in test], [judge(one) for one, _ in test]
        sums["accuracy"] += 100 * sum(map(str.__eq__, true, named)) / len(test)
        sums["macro_f1"] += f1(true, named)
    return {name: value / SPLITS for name, value in sums.items()}


def main() -> None:
    """Write one row per condition, with the columns that the task asks for.

    Raises:
        UnknownWordError: a condition or column is not of this paper.
    """
    seed = int(os.environ.get("REPRODUCEGYM_SEED", "0"))
    out = Path(os.environ.get("REPRODUCEGYM_OUT", "output"))
    asked = read(Path(os.environ.get("REPRODUCEGYM_CONDITIONS", INPUTS / "conditions.json")))["conditions"]
    columns = [column["name"] for column in read(INPUTS / "outputs.json")["columns"]]
    wanted = [score_of(column) for column in columns]
    known = ponds()
    found: dict[str, dict[str, float]] = {}
    rows = []
    for condition in asked:
        method = method_of(condition["switches"])
        if method not in found:
            found[method] = measure(method, known, seed)
        rows.append([condition["label"], *(repr(found[method][score]) for score in wanted)])
    out.mkdir(parents=True, exist_ok=True)
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["condition", *columns], *rows])


if __name__ == "__main__":
    try:
        main()
    except UnknownWordError as error:
        sys.exit(f"cannot reproduce: {error}")
