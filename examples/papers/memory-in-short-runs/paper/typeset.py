"""What the paper prints, and its PDF."""

from decimal import Decimal
from pathlib import Path

from curves import draw_curves
from typesetting.pages import typeset
from typesetting.printed import Column, Printed, Shown, printed_cells, rounded, table_rows
from typesetting.results import Results

__all__ = ["METHODS", "TABLE_1", "build_pdf", "paper_cells", "prose_numbers"]

HERE = Path(__file__).resolve().parent

METHODS = ("Plain SGD", "Averaged SGD", "Momentum", "Nesterov")
TABLE_1 = (
    Column("regression", "test_loss", 3, min),
    Column("regression", "distance", 2, min),
    Column("classification", "accuracy", 1, max),
    Column("classification", "angle", 1, min),
)


def paper_cells(results: Results) -> dict[str, dict[str, Shown]]:
    """Every cell of the table, by method and then by metric."""
    return printed_cells(results, METHODS, TABLE_1)


def prose_numbers(cells: Printed) -> dict[str, str]:
    """Every result that the text states. Differences and reductions are those of the printed cells."""
    loss = {name: row["test_loss"].mean for name, row in cells.items()}
    right = {name: row["accuracy"].mean for name, row in cells.items()}
    numbers: dict[str, Decimal] = {
        "plain_loss": loss["Plain SGD"],
        "momentum_loss": loss["Momentum"],
        "averaged_loss": loss["Averaged SGD"],
        "loss_cut": rounded(100 * (1 - loss["Momentum"] / loss["Plain SGD"]), 0),
        "loss_ratio": rounded(loss["Averaged SGD"] / loss["Plain SGD"], 1),
        "plain_right": right["Plain SGD"],
        "averaged_right": right["Averaged SGD"],
        "momentum_right": right["Momentum"],
        "averaged_angle": cells["Averaged SGD"]["angle"].mean,
        "gain": right["Averaged SGD"] - right["Plain SGD"],
        "drop": right["Plain SGD"] - right["Momentum"],
    }
    return {name: str(value) for name, value in numbers.items()}


def build_pdf(results: Results) -> bytes:
    """Typeset the paper."""
    cells = paper_cells(results)
    numbers = {
        "table1": table_rows(cells, {name: name for name in METHODS}, TABLE_1),
        "prose": prose_numbers(cells),
    }
    return typeset(HERE, numbers, {"curves.pdf": draw_curves(results, METHODS)})
