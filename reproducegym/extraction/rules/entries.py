"""A paper's tables as measurements: one entry a cell, one grid a table."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from reproducegym.extraction.rules.elsewhere import Split
from reproducegym.extraction.rules.labels import clean_label, name_apart
from reproducegym.extraction.rules.metric_words import MetricWord
from reproducegym.pipeline.printed.numbers import Number
from reproducegym.schema.claim import ConditionIdea, Direction, MetricIdea, MetricKind, Provenance, Spread, TargetPoint
from reproducegym.schema.paper import Cell, Table

__all__ = ["Entry", "Grid", "comparable"]

_CHANCE = re.compile(
    r"\b(?:random(?: (?:policy|agent|guess(?:ing)?|baseline))?|chance|untrained|uniform|majority)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Entry:
    """One measured cell. `condition` is its path on the axis of methods, `heads` its path on the other one.

    `setting` is what the heads say besides the metric; `metric_head` is the header that names the metric, `word` the
    vocabulary's word for it. `statistic` is set where the cell is no mean over runs ("Best", "Median"); `is_quoted`
    where the table marks it as taken from other papers. `twins` are the parts of its condition that differ from another
    row's by marks alone ("Sift*" beside "Sift"): these keep them in the name.
    """

    table: Table
    cell: Cell
    number: Number
    condition: tuple[str, ...]
    heads: tuple[str, ...]
    setting: tuple[str, ...]
    metric_name: str
    kind: MetricKind
    direction: Direction | None
    unit: str
    dataset: str | None
    spread: Spread | None
    word: MetricWord | None
    metric_head: str | None
    split: Split | None
    statistic: str | None
    is_quoted: bool
    switches: tuple[tuple[str, str], ...]
    twins: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """The condition's own name, without its groups."""
        return self.condition[-1]

    @property
    def name(self) -> str:
        """The condition as a person would call it: the label, with its groups and the heads of levels ("K = 5")."""
        full = {part.rpartition(" = ")[2]: part for part in self.cell.row_path if " = " in part}
        return " / ".join(name_apart(full.get(part, part), part in self.twins) for part in self.condition)

    @property
    def value(self) -> Decimal:
        """The value in the entry's unit."""
        return self.number.value

    @property
    def table_name(self) -> str:
        """How provenance names the table."""
        return self.table.label or self.table.id

    @property
    def is_chance(self) -> bool:
        """Whether the condition is a run without learning."""
        return bool(_CHANCE.fullmatch(clean_label(self.label)))

    def metric(self) -> MetricIdea:
        """What the entry measures."""
        return MetricIdea(name=self.metric_name, unit=self.unit, kind=self.kind, direction=self.direction)

    def point(self, *more: Provenance) -> TargetPoint:
        """The entry as a target point; further places corroborate it."""
        place = Provenance(
            kind="table_cell",
            page=self.cell.page,
            bbox=self.cell.bbox,
            quote=self.number.text,
            table=self.table_name,
            row_path=self.cell.row_path,
            column_path=self.cell.column_path,
        )
        return TargetPoint(
            value=self.number.value,
            unit=self.unit,
            resolution=self.number.resolution,
            spread=self.spread,
            metric=self.metric_name,
            condition=self.name,
            dataset=self.dataset,
            provenance=(place, *more),
        )

    def idea(self, role: Literal["treatment", "baseline", "part"]) -> ConditionIdea:
        """The setting that must be run to measure the entry."""
        where = f" on {self.dataset}" if self.dataset else ""
        where += f" ({self.split} split)" if self.split else ""
        return ConditionIdea(
            role=role,
            source_label=self.name,
            switches=dict(self.switches),
            description=f"{self.name}{where}",
        )


@dataclass(frozen=True)
class Grid:
    """A table whose cells are measurements."""

    table: Table
    entries: tuple[Entry, ...]

    @cached_property
    def conditions(self) -> tuple[tuple[str, ...], ...]:
        """The distinct condition paths, in order."""
        return tuple(dict.fromkeys(entry.condition for entry in self.entries))

    @cached_property
    def condition_labels(self) -> tuple[str, ...]:
        """Every word for a condition: labels and group names."""
        return tuple(dict.fromkeys(part for path in self.conditions for part in path))

    @cached_property
    def heads(self) -> tuple[tuple[str, ...], ...]:
        """The distinct paths on the other axis, in order."""
        return tuple(dict.fromkeys(entry.heads for entry in self.entries))

    @cached_property
    def setting_labels(self) -> tuple[str, ...]:
        """Every header that says what was measured on what, metrics included."""
        return tuple(dict.fromkeys(part for path in self.heads for part in path))

    def peers(self, entry: Entry) -> tuple[Entry, ...]:
        """Entries that measure the same thing under other conditions."""
        return tuple(other for other in self.entries if comparable(other, entry) and other.condition != entry.condition)


def comparable(first: Entry, second: Entry) -> bool:
    """Whether two entries of one table differ in nothing but their condition."""
    return first.heads == second.heads and first.metric_name == second.metric_name
