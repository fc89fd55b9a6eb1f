"""Runs every experiment of the paper under its seeds and writes `results.json`, all that the paper prints."""

import csv
import sys
from pathlib import Path
from random import Random

from classifiers import CLASSIFIERS, Pond
from make_data import main as make_data

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT.parent))

from typesetting.results import summary, write_results  # noqa: E402
from typesetting.seeds import drawn_seeds  # noqa: E402

__all__ = ["main", "scores"]

SPLITS = 5
TRAIN = 400


def ponds() -> list[Pond]:
    with (ROOT / "data" / "reedbank.csv").open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return [Pond(tuple(map(float, row[:-1])), row[-1]) for row in rows]


def macro_f1(pairs: list[tuple[str, str]]) -> float:
    """Mean over kinds of 2 hits / (named so + are so), in percent."""
    kinds = sorted({true for true, _ in pairs})
    parts = []
    for kind in kinds:
        hits = sum(true == named == kind for true, named in pairs)
        parts.append(2 * hits / (sum(true == kind for true, _ in pairs) + sum(named == kind for _, named in pairs)))
    return 100 * sum(parts) / len(parts)


def scores(name: str, seed: int) -> tuple[float, float]:
    """Accuracy and macro-F1 of a classifier, means over the splits of a seed, in percent."""
    draw, known = Random(seed), ponds()
    accuracy, f1 = [], []
    for _ in range(SPLITS):
        order = draw.sample(known, len(known))
        namer = CLASSIFIERS[name](order[:TRAIN])
        pairs = [(pond.plants, namer(pond.readings)) for pond in order[TRAIN:]]
        accuracy.append(100 * sum(true == named for true, named in pairs) / len(pairs))
        f1.append(macro_f1(pairs))
    return sum(accuracy) / SPLITS, sum(f1) / SPLITS


def main() -> None:
    """Make the data, run everything and write the results: beside this file's directory, unless told otherwise."""
    seeds, path = drawn_seeds(__file__)
    make_data()
    found = {}
    for name in CLASSIFIERS:
        runs = [scores(name, seed) for seed in seeds]
        found[name] = {"accuracy": summary([run[0] for run in runs]), "macro_f1": summary([run[1] for run in runs])}
    write_results(path, tuple(seeds), {"reedbank": found})


if __name__ == "__main__":
    main()
