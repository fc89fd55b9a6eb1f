"""Typesets the paper from its results: the same bytes for the same results and the locked package versions."""

import json
import shutil
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from pathlib import Path

import typst
from curves import draw_curves
from results import Results

__all__ = ["METHODS", "TABLE_1", "VARIANTS", "build_pdf", "printed_cells", "prose_numbers"]

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Shown:
    """A mean and its spread as they are printed."""

    mean: Decimal
    sd: Decimal

    def __str__(self) -> str:
        return f"{self.mean} ± {self.sd}"


@dataclass(frozen=True)
class Metric:
    """A column of a table: where its numbers stand, how many digits are printed, and which value is best."""

    environment: str
    name: str
    digits: int
    best: Callable[[Iterable[Decimal]], Decimal]


TABLE_1 = (
    Metric("bandit", "optimal_pulls", 1, max),
    Metric("bandit", "regret", 3, min),
    Metric("chain", "return", 2, max),
    Metric("chain", "goal_reached", 1, max),
)
METHODS = ("Random", "Greedy", "ε-greedy", "UCB1", "Thompson sampling")
VARIANTS = {
    "UCB1": "UCB1 (full)",
    "w/o bonus": "w/o bonus",
    "w/o optimistic start": "w/o optimistic start",
    "w/o random ties": "w/o random ties",
}


def rounded(value: Decimal, digits: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)


def shown(results: Results, name: str, metric: Metric) -> Shown:
    """One cell as it is printed."""
    cell = results[metric.environment][name].metrics[metric.name]
    return Shown(rounded(cell.mean, metric.digits), rounded(cell.sd, metric.digits))


def printed_cells(results: Results) -> dict[str, dict[str, Shown]]:
    """Every cell of both tables, by strategy or variant and then by metric."""
    return {
        name: {metric.name: shown(results, name, metric) for metric in TABLE_1 if name in results[metric.environment]}
        for name in (*METHODS, *VARIANTS)
    }


def table_rows(results: Results, labels: dict[str, str], metrics: tuple[Metric, ...]) -> list[dict[str, object]]:
    """Rows as the template reads them; the best printed means of a column are marked."""
    cells = printed_cells(results)
    best = {metric.name: metric.best(cells[name][metric.name].mean for name in labels) for metric in metrics}
    return [
        {
            "label": label,
            "cells": [
                {"text": str(cells[name][metric.name]), "best": cells[name][metric.name].mean == best[metric.name]}
                for metric in metrics
            ],
        }
        for name, label in labels.items()
    ]


def prose_numbers(results: Results) -> dict[str, str]:
    """Every result that the text states. Differences, reductions and ratios are those of the printed cells."""
    cells = printed_cells(results)

    def mean(name: str, metric: str) -> Decimal:
        return cells[name][metric].mean

    optimal = {name: mean(name, "optimal_pulls") for name in cells}
    regret = {name: mean(name, "regret") for name in METHODS}
    returns = {name: mean(name, "return") for name in METHODS}
    numbers = {
        "random_optimal": optimal["Random"],
        "ucb1_optimal": optimal["UCB1"],
        "egreedy_optimal": optimal["ε-greedy"],
        "gain": optimal["UCB1"] - optimal["ε-greedy"],
        "egreedy_regret": regret["ε-greedy"],
        "ts_regret": regret["Thompson sampling"],
        "regret_cut": rounded(100 * (1 - regret["Thompson sampling"] / regret["ε-greedy"]), 0),
        "ucb1_return": returns["UCB1"],
        "egreedy_return": returns["ε-greedy"],
        "ts_return": returns["Thompson sampling"],
        "return_ratio": rounded(returns["UCB1"] / returns["ε-greedy"], 1),
        "ts_goal": mean("Thompson sampling", "goal_reached"),
        "greedy_goal": mean("Greedy", "goal_reached"),
        "random_goal": mean("Random", "goal_reached"),
        "no_bonus_optimal": optimal["w/o bonus"],
        "no_start_optimal": optimal["w/o optimistic start"],
        "start_loss": optimal["UCB1"] - optimal["w/o optimistic start"],
        "no_ties_optimal": optimal["w/o random ties"],
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
