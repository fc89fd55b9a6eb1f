"""What the paper prints, and its PDF."""

from decimal import Decimal
from pathlib import Path

from typesetting.pages import typeset
from typesetting.printed import Column, Shown, printed_cells, table_rows
from typesetting.results import Results

__all__ = ["METHODS", "TABLE_1", "VARIANTS", "build_pdf", "paper_cells", "prose_numbers"]

HERE = Path(__file__).resolve().parent

TABLE_1 = (Column("reedbank", "accuracy", 1, max), Column("reedbank", "macro_f1", 1, max))
METHODS = ("Majority", "Nearest centroid", "Naive Bayes", "k-NN")
VARIANTS = {"k-NN": "k-NN (full)", "w/o scaling": "w/o scaling", "w/o voting": "w/o voting"}


def paper_cells(results: Results) -> dict[str, dict[str, Shown]]:
    """Every cell of both tables, by method or variant and then by metric."""
    return printed_cells(results, tuple(dict.fromkeys((*METHODS, *VARIANTS))), TABLE_1)


def prose_numbers(results: Results) -> dict[str, str]:
    """Every result that the text states; differences are those of the printed cells."""
    cells = paper_cells(results)

    def mean(name: str, metric: str = "accuracy") -> Decimal:
        return cells[name][metric].mean

    numbers = {
        "knn": mean("k-NN"),
        "centroid": mean("Nearest centroid"),
        "bayes": mean("Naive Bayes"),
        "majority": mean("Majority"),
        "gain": mean("k-NN") - mean("Nearest centroid"),
        "bayes_gain": mean("Naive Bayes") - mean("Nearest centroid"),
        "f1_gain": mean("k-NN", "macro_f1") - mean("Naive Bayes", "macro_f1"),
        "knn_f1": mean("k-NN", "macro_f1"),
        "bayes_f1": mean("Naive Bayes", "macro_f1"),
        "no_scaling": mean("w/o scaling"),
        "voting_loss": mean("k-NN") - mean("w/o voting"),
        "no_voting": mean("w/o voting"),
    }
    return {key: str(value) for key, value in numbers.items()}


def build_pdf(results: Results) -> bytes:
    """Typeset the paper."""
    cells = paper_cells(results)
    numbers = {
        "table1": table_rows(cells, {name: name for name in METHODS}, TABLE_1),
        "table2": table_rows(cells, VARIANTS, TABLE_1),
        "prose": prose_numbers(results),
    }
    return typeset(HERE, numbers, {})
