"""One run of the reproduction: reads the conditions and knobs it is given, and writes metrics.csv."""

import csv
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from random import Random

from bandit import BanditScores, play_bandit
from chain import ChainScores, play_chain
from names import UnknownWordError, knob_of, quantity_of, strategy_of

__all__ = ["main"]

INPUTS = Path("input_files")


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def measure(environment: str, strategy: str, seed: int, knobs: Mapping[str, int]) -> BanditScores | ChainScores:
    """Run one strategy in one environment. A strategy's random numbers depend on nothing but the seed."""
    known = {"bandit": ("steps", "problems"), "chain": ("episodes", "runs")}[environment]
    turned = {name: value for name, value in knobs.items() if name in known}
    rng = Random(seed)
    if environment == "bandit":
        return play_bandit(strategy, rng, **turned)
    return play_chain(strategy, rng, **turned)


def main() -> None:
    """Write one row per condition, with the columns that the task asks for.

    Raises:
        UnknownWordError: a condition, column or knob is not of this paper.
    """
    seed = int(os.environ.get("REPRODUCEGYM_SEED", "0"))
    out = Path(os.environ.get("REPRODUCEGYM_OUT", "output"))
    defaults = INPUTS / "conditions.json"
    conditions = read(Path(os.environ.get("REPRODUCEGYM_CONDITIONS", defaults)))["conditions"]
    knobs = read(Path(os.environ.get("REPRODUCEGYM_KNOBS", defaults)))["knobs"]
    turned = {knob_of(name): round(value) for name, value in knobs.items()}
    columns = [column["name"] for column in read(INPUTS / "outputs.json")["columns"]]
    rows = []
    for condition in conditions:
        strategy = strategy_of(condition["switches"])
        scores: dict[str, BanditScores | ChainScores] = {}
        row = [condition["label"]]
        for quantity in map(quantity_of, columns):
            if quantity.environment not in scores:
                scores[quantity.environment] = measure(quantity.environment, strategy, seed, turned)
            row.append(repr(getattr(scores[quantity.environment], quantity.field)))
        rows.append(row)
    out.mkdir(parents=True, exist_ok=True)
    with (out / "metrics.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["condition", *columns], *rows])


if __name__ == "__main__":
    try:
        main()
    except UnknownWordError as error:
        sys.exit(f"cannot reproduce: {error}")
