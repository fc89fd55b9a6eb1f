"""How results are printed: rounded cells, table rows, and what a reader with a good memory knows."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal

from typesetting.results import Results

__all__ = ["Column", "Printed", "Shown", "printed_cells", "remembered", "rounded", "table_rows"]


@dataclass(frozen=True)
class Shown:
    """A mean and its spread as they are printed."""

    mean: Decimal
    sd: Decimal

    def __str__(self) -> str:
        return f"{self.mean} ± {self.sd}"


@dataclass(frozen=True)
class Column:
    """A column of a table: where its numbers stand, how many digits are printed, and which value is best."""

    group: str
    name: str
    digits: int
    best: Callable[[Iterable[Decimal]], Decimal]


Printed = Mapping[str, Mapping[str, Shown]]
"""Method or variant → metric → printed cell."""


def rounded(value: Decimal, digits: int) -> Decimal:
    """To so many digits after the point, half to even."""
    return value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_EVEN)


def printed_cells(results: Results, names: Sequence[str], columns: Sequence[Column]) -> dict[str, dict[str, Shown]]:
    """Every cell as it is printed; a method that a column's group doesn't have has no cell there."""
    return {
        name: {one.name: _shown(results, name, one) for one in columns if name in results[one.group]} for name in names
    }


def _shown(results: Results, name: str, column: Column) -> Shown:
    cell = results[column.group][name].metrics[column.name]
    return Shown(rounded(cell.mean, column.digits), rounded(cell.sd, column.digits))


def table_rows(cells: Printed, labels: Mapping[str, str], columns: Sequence[Column]) -> list[dict[str, object]]:
    """Rows as `style.typ` prints them; the best printed means of a column are marked. `labels`: name → as printed."""
    best = {one.name: one.best(cells[name][one.name].mean for name in labels) for one in columns}
    return [
        {
            "label": label,
            "cells": [
                {"text": str(cells[name][one.name]), "best": cells[name][one.name].mean == best[one.name]}
                for one in columns
            ],
        }
        for name, label in labels.items()
    ]


def remembered(cells: Printed) -> str:
    """The printed means as JSON, by method and metric: the `remembered.json` of the cheats."""
    known = {name: {metric: str(cell.mean) for metric, cell in row.items()} for name, row in cells.items()}
    return json.dumps(known, indent=1, ensure_ascii=False) + "\n"
