"""What the paper prints, and its PDF."""

from decimal import Decimal
from pathlib import Path

from curves import draw_curves
from typesetting.pages import typeset
from typesetting.printed import Column, Shown, printed_cells, rounded, table_rows
from typesetting.results import Results

__all__ = ["METHODS", "TABLE_1", "VARIANTS", "build_pdf", "paper_cells", "prose_numbers"]

HERE = Path(__file__).resolve().parent

TABLE_1 = (
    Column("bandit", "optimal_pulls", 1, max),
    Column("bandit", "regret", 3, min),
    Column("chain", "return", 2, max),
    Column("chain", "goal_reached", 1, max),
)
METHODS = ("Random", "Greedy", "ε-greedy", "UCB1", "Thompson sampling")
VARIANTS = {
    "UCB1": "UCB1 (full)",
    "w/o bonus": "w/o bonus",
    "w/o optimistic start": "w/o optimistic start",
    "w/o random ties": "w/o random ties",
}


def paper_cells(results: Results) -> dict[str, dict[str, Shown]]:
    """Every cell of both tables, by strategy or variant and then by metric."""
    return printed_cells(results, tuple(dict.fromkeys((*METHODS, *VARIANTS))), TABLE_1)


def prose_numbers(results: Results) -> dict[str, str]:
    """Every result that the text states. Differences, reductions and ratios are those of the printed cells."""
    cells = paper_cells(results)

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


def build_pdf(results: Results) -> bytes:
    """Typeset the paper."""
    cells = paper_cells(results)
    numbers = {
        "table1": table_rows(cells, {name: name for name in METHODS}, TABLE_1),
        "table2": table_rows(cells, VARIANTS, TABLE_1[:2]),
        "prose": prose_numbers(results),
    }
    return typeset(HERE, numbers, {"curves.pdf": draw_curves(results, METHODS)})
