"""Builds `paper.pdf` from `results.json`: the same bytes for the same results and the locked package versions."""

import json
import shutil
import sys
import tempfile
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import typst

sys.path.insert(0, str(Path(__file__).resolve().parent))

from curves import draw_curves

__all__ = ["Results", "build_pdf", "paper_numbers", "prose_numbers"]

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

TABLE_1 = (
    ("bandit", "optimal_pulls", 1, max),
    ("bandit", "regret", 3, min),
    ("chain", "return", 2, max),
    ("chain", "goal_reached", 1, max),
)
METHODS = ("Random", "Greedy", "ε-greedy", "UCB1", "Thompson sampling")
VARIANTS = {
    "UCB1": "UCB1 (full)",
    "w/o bonus": "w/o bonus",
    "w/o optimistic start": "w/o optimistic start",
    "w/o random ties": "w/o random ties",
}

Results = dict[str, dict[str, dict[str, dict[str, float]]]]


@dataclass(frozen=True)
class Shown:
    """A mean and its spread as they are printed."""

    mean: Decimal
    sd: Decimal

    def __str__(self) -> str:
        return f"{self.mean} ± {self.sd}"


def shown(results: Results, environment: str, name: str, metric: str, digits: int) -> Shown:
    """One cell, rounded to a number of digits."""
    cell = results[environment][name][metric]
    return Shown(rounded(Decimal(str(cell["mean"])), digits), rounded(Decimal(str(cell["sd"])), digits))


def rounded(value: Decimal, digits: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)


def table_rows(
    results: Results, names: dict[str, str], columns: tuple[tuple[str, str, int, type(max)], ...]
) -> list[dict[str, object]]:
    """Rows as the template reads them; the best printed mean of a column is marked."""
    grid = {name: [shown(results, env, name, metric, digits) for env, metric, digits, _ in columns] for name in names}
    best = [choose(grid[name][i].mean for name in names) for i, (_, _, _, choose) in enumerate(columns)]
    return [
        {
            "label": label,
            "cells": [
                {"text": str(cell), "best": cell.mean == top} for cell, top in zip(grid[name], best, strict=True)
            ],
        }
        for name, label in names.items()
    ]


def prose_numbers(results: Results) -> dict[str, str]:
    """Every result that the text states. Differences, reductions and ratios are those of the printed cells."""

    def mean(environment: str, name: str, metric: str, digits: int) -> Decimal:
        return shown(results, environment, name, metric, digits).mean

    def optimal(name: str) -> Decimal:
        return mean("bandit", name, "optimal_pulls", 1)

    regret = {name: mean("bandit", name, "regret", 3) for name in METHODS}
    returns = {name: mean("chain", name, "return", 2) for name in METHODS}
    numbers = {
        "random_optimal": optimal("Random"),
        "ucb1_optimal": optimal("UCB1"),
        "egreedy_optimal": optimal("ε-greedy"),
        "gain": optimal("UCB1") - optimal("ε-greedy"),
        "egreedy_regret": regret["ε-greedy"],
        "ts_regret": regret["Thompson sampling"],
        "regret_cut": rounded(100 * (1 - regret["Thompson sampling"] / regret["ε-greedy"]), 0),
        "ucb1_return": returns["UCB1"],
        "egreedy_return": returns["ε-greedy"],
        "ts_return": returns["Thompson sampling"],
        "return_ratio": rounded(returns["UCB1"] / returns["ε-greedy"], 1),
        "ts_goal": mean("chain", "Thompson sampling", "goal_reached", 1),
        "greedy_goal": mean("chain", "Greedy", "goal_reached", 1),
        "random_goal": mean("chain", "Random", "goal_reached", 1),
        "no_bonus_optimal": optimal("w/o bonus"),
        "no_start_optimal": optimal("w/o optimistic start"),
        "start_loss": optimal("UCB1") - optimal("w/o optimistic start"),
        "no_ties_optimal": optimal("w/o random ties"),
    }
    return {key: str(value) for key, value in numbers.items()}


def paper_numbers(results: Results) -> dict[str, object]:
    """All that the template shows."""
    return {
        "table1": table_rows(results, {name: name for name in METHODS}, TABLE_1),
        "table2": table_rows(results, VARIANTS, TABLE_1[:2]),
        "prose": prose_numbers(results),
    }


def build_pdf(results: Results) -> bytes:
    """Typeset the paper with the fonts that typst carries."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for source in ("paper.typ", "references.yml"):
            shutil.copy(HERE / source, work)
        (work / "curves.pdf").write_bytes(draw_curves(results, METHODS))
        (work / "numbers.json").write_text(json.dumps(paper_numbers(results)), encoding="utf-8")
        return typst.compile(work / "paper.typ", format="pdf", ignore_system_fonts=True)


def main() -> None:
    """Write paper.pdf."""
    results = json.loads((ROOT / "results.json").read_text(encoding="utf-8"))
    (ROOT / "paper.pdf").write_bytes(build_pdf(results))


if __name__ == "__main__":
    main()
