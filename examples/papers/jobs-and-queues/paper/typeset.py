"""What the paper prints, and its PDF."""

from decimal import Decimal
from pathlib import Path

from loads import draw_loads
from typesetting.pages import typeset
from typesetting.printed import Column, Shown, printed_cells, rounded, table_rows
from typesetting.results import Results

__all__ = ["BY_LOAD", "LOADS", "POLICIES", "TABLE_1", "build_pdf", "paper_cells", "prose_numbers"]

HERE = Path(__file__).resolve().parent

POLICIES = ("Random", "Round robin", "Two choices", "Least work")
LOADS = (0.5, 0.7, 0.9)
TABLE_1 = (Column("bank", "mean_wait", 3, min), Column("bank", "late_jobs", 1, min))
BY_LOAD = tuple(Column("bank", f"mean_wait at load {load}", 3, min) for load in LOADS)


def paper_cells(results: Results) -> dict[str, dict[str, Shown]]:
    """Every cell of both tables, by policy and then by metric."""
    return printed_cells(results, POLICIES, (*TABLE_1, *BY_LOAD))


def prose_numbers(results: Results) -> dict[str, str]:
    """Every result that the text states. Differences, reductions and ratios are those of the printed cells."""
    cells = paper_cells(results)

    def mean(name: str, metric: str) -> Decimal:
        return cells[name][metric].mean

    wait = {name: mean(name, "mean_wait") for name in POLICIES}
    late = {name: mean(name, "late_jobs") for name in POLICIES}
    numbers = {
        "random_wait": wait["Random"],
        "robin_wait": wait["Round robin"],
        "two_wait": wait["Two choices"],
        "least_wait": wait["Least work"],
        "two_cut": rounded(100 * (1 - wait["Two choices"] / wait["Random"]), 0),
        "robin_ratio": rounded(wait["Random"] / wait["Round robin"], 1),
        "random_late": late["Random"],
        "robin_late": late["Round robin"],
        "two_late": late["Two choices"],
        "least_late": late["Least work"],
        "late_gain": late["Round robin"] - late["Two choices"],
    }
    return {key: str(value) for key, value in numbers.items()}


def build_pdf(results: Results) -> bytes:
    """Typeset the paper."""
    cells = paper_cells(results)
    labels = {name: name for name in POLICIES}
    numbers = {
        "table1": table_rows(cells, labels, TABLE_1),
        "prose": prose_numbers(results),
    }
    return typeset(HERE, numbers, {"loads.pdf": draw_loads(cells, POLICIES, LOADS)})
