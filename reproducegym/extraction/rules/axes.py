"""Decides whether a table's methods stand in its rows or in its columns."""

import re
from collections.abc import Sequence
from typing import Literal

from reproducegym.extraction.rules.labels import find_mentions
from reproducegym.extraction.rules.metric_words import metric_word
from reproducegym.schema.paper import Cell, Table

__all__ = ["BENCHMARK", "DATA_STUB", "Axis", "condition_axis", "without_head"]

Axis = Literal["row", "column"]

_METHOD_STUB = re.compile(
    r"method|model|algorithm|agent|strateg|approach|rule|polic|variant|system|optimi|loss|ablation|component|config",
    re.IGNORECASE,
)
DATA_STUB = re.compile(
    r"data|environment|\benv|task|benchmark|domain|game|problem|suite|corpus|language", re.IGNORECASE
)


_LEVEL_STUB = re.compile(
    r"rate|level|noise|ratio|fraction|share|percent|temperature|budget|shots?|steps?|epochs?|samples|examples"
    r"|length|size"
    r"|distance|horizon|number|strength|\bk\b|\bn\b|labels|severity|%",
    re.IGNORECASE,
)


def condition_axis(table: Table, cells: Sequence[Cell], own_names: Sequence[str]) -> Axis:
    """Whether methods stand in the rows or in the columns."""
    stub = table.stub_headers[-1] if table.stub_headers else ""
    rows = list(dict.fromkeys(without_head(table, cell.row_path[-1]) for cell in cells if cell.row_path))
    columns = list(dict.fromkeys(cell.column_path[-1] for cell in cells if cell.column_path))
    heads = list(dict.fromkeys(part for cell in cells for part in cell.column_path))
    score = 1 + 9 * (_share_of_metrics(columns) >= _SOME) - 9 * (_share_of_metrics(rows) >= _SOME)
    score += 2 * bool(_METHOD_STUB.search(stub)) - 3 * bool(DATA_STUB.search(stub))
    score += 4 * _names_any(rows, own_names) - 4 * _names_any(heads, own_names)
    score += 3 * (_share_of_benchmarks(columns) >= _SOME) - 3 * (_share_of_benchmarks(rows) >= _SOME)
    score -= 9 * (_are_levels(rows) and bool(_LEVEL_STUB.search(stub)) and not _share_of_metrics(columns))
    return "row" if score > 0 else "column"


def without_head(table: Table, label: str) -> str:
    """A row's label as it is printed: "90%" where the path says "Sparsity = 90%" after the head of the label column."""
    head, _, level = label.rpartition(" = ")
    return level if head and any(stub.rstrip(" :=").endswith(head) for stub in table.stub_headers) else label


def _are_levels(labels: Sequence[str]) -> bool:
    """Whether rows are the steps of a scale ("0%", "20%", "40%"), at which the columns are measured."""
    steps = [label for label in labels if re.fullmatch(r"[<>≤≥=]?\s*[\d.,]+\s?[%kKMB×x]?\s?\w{0,3}", label.strip())]
    return len(steps) == len(labels) > 1


_SOME = 0.3
BENCHMARK = re.compile(
    r"Cheetah|Hopper|Humanoid|Walker|\bAnt\b|Reacher|CartPole|LunarLander|\bAtari|Breakout|\bPong\b|MNIST|CIFAR|SVHN"
    r"|ImageNet|\bCOCO\b|SQuAD|\bGLUE\b|MNLI|SST-?\d|WikiText|\bAIME|MATH\d*\b|GSM-?8K|MMLU|WMT|\bEN-\w\w\b",
)


def _share_of_metrics(labels: Sequence[str]) -> float:
    return sum(1 for label in labels if metric_word(label) is not None) / max(len(labels), 1)


def _share_of_benchmarks(labels: Sequence[str]) -> float:
    return sum(1 for label in labels if BENCHMARK.search(label)) / max(len(labels), 1)


def _names_any(labels: Sequence[str], names: Sequence[str]) -> bool:
    return any(find_mentions(label, names) for label in labels)
