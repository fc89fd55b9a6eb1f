"""Reads `results.json`: what each strategy earned in each environment."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

__all__ = ["Cell", "Outcome", "Results", "read_results"]


@dataclass(frozen=True)
class Cell:
    """Mean and sample standard deviation over seeds."""

    mean: Decimal
    sd: Decimal


@dataclass(frozen=True)
class Outcome:
    """One strategy in one environment: metrics by name, and the points of its learning curve."""

    metrics: Mapping[str, Cell]
    curve: tuple[tuple[float, float], ...]


Results = Mapping[str, Mapping[str, Outcome]]
"""Environment → strategy or variant → outcome."""


def read_results(path: Path) -> Results:
    """The results of all environments, with every number as it is written."""
    raw = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    return {
        environment: {name: outcome(entry) for name, entry in raw[environment].items()}
        for environment in ("bandit", "chain")
    }


def outcome(entry: dict) -> Outcome:
    """One entry of the file."""
    return Outcome(
        {name: Cell(cell["mean"], cell["sd"]) for name, cell in entry.items() if name != "curve"},
        tuple((float(x), float(y)) for x, y in entry["curve"]),
    )
