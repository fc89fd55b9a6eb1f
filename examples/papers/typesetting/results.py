"""The layout of `results.json`: group (environment, data set, …) → method or variant → metrics and a learning curve."""

import json
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

__all__ = ["Cell", "Outcome", "Results", "banded_curve", "curve", "read_results", "summary", "write_results"]


@dataclass(frozen=True)
class Cell:
    """Mean and sample standard deviation over seeds."""

    mean: Decimal
    sd: Decimal


@dataclass(frozen=True)
class Outcome:
    """One method in one group: metrics by name, and the points of its learning curve (none: empty).

    `band` are the standard deviations over seeds at these points, where they were kept.
    """

    metrics: Mapping[str, Cell]
    curve: tuple[tuple[float, float], ...]
    band: tuple[float, ...] = ()


Results = Mapping[str, Mapping[str, Outcome]]
"""Group → method or variant → outcome."""


def summary(values: Sequence[float]) -> dict[str, float | list[float]]:
    """Mean and sample standard deviation over seeds, and the values themselves."""
    return {
        "mean": round(statistics.fmean(values), 6),
        "sd": round(statistics.stdev(values), 6),
        "seeds": [round(value, 6) for value in values],
    }


def curve(series: Sequence[Sequence[float]], at: Sequence[int]) -> list[list[float]]:
    """Points (x, mean over seeds) of curves whose entry i belongs to x = i + 1."""
    return [[x, round(statistics.fmean(one[x - 1] for one in series), 6)] for x in at]


def banded_curve(series: Sequence[Sequence[float]], at: Sequence[int]) -> list[list[float]]:
    """The same with the sample standard deviation over seeds: (x, mean, standard deviation)."""
    spreads = [round(statistics.stdev(one[x - 1] for one in series), 6) for x in at]
    return [[*point, spread] for point, spread in zip(curve(series, at), spreads, strict=True)]


def write_results(path: Path, seeds: Sequence[int], groups: Mapping[str, Mapping[str, object]]) -> None:
    """Write what all experiments found: entries of `summary`, and of `curve` or `banded_curve` as "curve"."""
    text = json.dumps({"seeds": seeds, **groups}, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")


def read_results(path: Path) -> Results:
    """The results of all groups, with every number as it is written."""
    raw = json.loads(path.read_text(encoding="utf-8"), parse_float=Decimal)
    return {
        group: {name: _outcome(entry) for name, entry in entries.items()}
        for group, entries in raw.items()
        if group != "seeds"
    }


def _outcome(entry: dict) -> Outcome:
    return Outcome(
        {name: Cell(cell["mean"], cell["sd"]) for name, cell in entry.items() if name != "curve"},
        tuple((float(x), float(y)) for x, y, *_ in entry.get("curve", ())),
        tuple(float(spread) for _, _, *rest in entry.get("curve", ()) for spread in rest),
    )
