"""Reads a paper's tables as measurements: which condition, which metric, on which data set, in which unit."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Literal

from reproducegym.extraction.rules.axes import Axis, condition_axis
from reproducegym.extraction.rules.labels import clean_label, find_mentions, tokens
from reproducegym.extraction.rules.metrics_said import MetricsSaid
from reproducegym.extraction.rules.spread import SpreadWords
from reproducegym.extraction.rules.wording import MetricWord, metric_word, slug
from reproducegym.pipeline.binding import unit_agrees
from reproducegym.pipeline.numbers import Number, read_number
from reproducegym.schema.claim import ConditionIdea, Direction, MetricIdea, MetricKind, Provenance, Spread, TargetPoint
from reproducegym.schema.paper import Cell, Document, Table

__all__ = ["Entry", "Grid", "read_grids"]

_SET_UP = re.compile(
    r"hyper-?param|search space|ANOVA|p-values?|significance test|notation|\bsymbols?\b|statistics of"
    r"|statistics$|\bprompt"
    r"|template used"
    r"|parameter"
    r"|^\s*(?:value|range|default)s?\s*$",
    re.IGNORECASE,
)
_PERCENT = re.compile(r"\(\s?%\s?\)|\[\s?%\s?\]|\bin %|percent|\s%\s*$|^%")
_CHANCE = re.compile(
    r"\b(?:random(?: (?:policy|agent|guess(?:ing)?|baseline))?|chance|untrained|uniform|majority)\b", re.IGNORECASE
)
_UNITS = (
    ("s", re.compile(r"\((?:s|sec|seconds)\)|\[s\]")),
    ("ms", re.compile(r"\(ms\)|\[ms\]")),
    ("h", re.compile(r"\((?:h|hours)\)")),
)
_GENERIC = frozenset({"score", "scores", "rate", "count", "cost"})
_UP, _DOWN = re.compile("↑|higher is better", re.IGNORECASE), re.compile("↓|lower is better", re.IGNORECASE)


@dataclass(frozen=True)
class Entry:
    """One measured cell. `condition` is its path on the axis of methods, `heads` its path on the other one.

    `setting` is what the heads say besides the metric.
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
    is_measured: bool
    switches: tuple[tuple[str, str], ...]

    @property
    def label(self) -> str:
        """The condition's own name, without its groups."""
        return self.condition[-1]

    @property
    def name(self) -> str:
        """The condition as a person would call it: the label, with its groups where it has any."""
        return " / ".join(clean_label(part) for part in self.condition)

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
            page=self.table.page,
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
    def kinds(self) -> frozenset[str]:
        """The kinds of metrics that the table measures."""
        return frozenset(entry.kind for entry in self.entries)

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


def read_grids(document: Document, own_names: Sequence[str], spreads: SpreadWords) -> tuple[Grid, ...]:
    """All tables that hold measurements."""
    known = _known_settings(document)
    said = MetricsSaid(document)
    grids = []
    for table in document.tables:
        measured = [
            (cell, number)
            for cell in table.cells
            if cell.kind == "body"
            for number in [read_number(cell.text)]
            if number
        ]
        if len(measured) < 2 or _is_set_up(table):
            continue
        axis = condition_axis(table, [cell for cell, _ in measured], own_names)
        fallback = _fallback(measured, axis, table, said) or said.of_siblings(table)
        percents = _percent_columns(measured, axis, table, fallback)
        context = _Context(table, axis, spreads, percents, known, fallback)
        entries = [_entry(cell, number, context) for cell, number in measured]
        whole = _told_apart([entry for entry in entries if entry is not None])
        if len(whole) > 1:
            grids.append(Grid(table, whole))
    return tuple(grids)


def _told_apart(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries whose paths name one cell only, and, where any header names a metric, only those below such headers."""
    counts = Counter((entry.condition, entry.heads) for entry in entries)
    measured = [entry for entry in entries if entry.is_measured]
    deepest = max((len(entry.heads) for entry in entries), default=0)
    return tuple(
        entry
        for entry in measured or entries
        if counts[entry.condition, entry.heads] == 1 and (entry.heads or not deepest)
    )


def _paths(cell: Cell, axis: Axis) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return (cell.row_path, cell.column_path) if axis == "row" else (cell.column_path, cell.row_path)


@dataclass(frozen=True)
class _Context:
    """What all cells of a table share."""

    table: Table
    axis: Axis
    spreads: SpreadWords
    percents: frozenset[tuple[str, ...]]
    known: Sequence[str]
    fallback: MetricWord | None


def _is_set_up(table: Table) -> bool:
    """Whether a table lists settings, not results."""
    caption = table.caption.text.partition(". ")[0] if table.caption else ""
    return any(_SET_UP.search(text) for text in (caption, *table.stub_headers))


def _metric_of(
    cell: Cell, axis: Axis, table: Table, fallback: MetricWord | None
) -> tuple[str | None, MetricWord | None]:
    """The header that names the metric, if any, and the metric; the caption speaks where no header does."""
    condition, other = _paths(cell, axis)
    for label in (*reversed(other), *reversed(condition[:-1])):
        word = metric_word(label)
        if word is not None:
            return label, word
    said = metric_word(table.caption.text) if table.caption else None
    return None, fallback if said is None or (fallback is not None and said.name in _GENERIC) else said


def _fallback(
    measured: Sequence[tuple[Cell, Number]], axis: Axis, table: Table, said: MetricsSaid
) -> MetricWord | None:
    """The metric that sentences name for a table whose values can all be rates."""
    words = [_metric_of(cell, axis, table, None)[1] for cell, _ in measured]
    if any(word is not None and word.name not in _GENERIC for word in words):
        return None
    values = [number.value for _, number in measured]
    return said.of(table) if min(values) >= 0 and max(values) <= 100 else None


def _percent_columns(
    measured: Sequence[tuple[Cell, Number]], axis: Axis, table: Table, fallback: MetricWord | None
) -> frozenset[tuple[str, ...]]:
    """The headers below which bare numbers are percentages: said so, or a rate with values that no fraction has."""
    largest: dict[tuple[str, ...], Decimal] = {}
    for cell, number in measured:
        other = _paths(cell, axis)[1]
        largest[other] = max(largest.get(other, Decimal(0)), abs(number.value))
    caption = table.caption.text if table.caption else ""
    found = set()
    for cell, number in measured:
        other = _paths(cell, axis)[1]
        _, word = _metric_of(cell, axis, table, fallback)
        said = number.unit == "%" or any(_PERCENT.search(part) for part in other)
        said = said or (word is not None and word.percent and bool(_PERCENT.search(caption)) and largest[other] > 1)
        rate = word is not None and word.percent and Decimal("1.5") < largest[other] <= 100
        if said or rate:
            found.add(other)
    return frozenset(found)


def _entry(cell: Cell, number: Number, context: _Context) -> Entry | None:
    table, axis = context.table, context.axis
    condition, other = _paths(cell, axis)
    if not condition or not clean_label(condition[-1]):
        return None
    head, word = _metric_of(cell, axis, table, context.fallback)
    unit = _unit(number, other, context.percents)
    caption = table.caption.text if table.caption else ""
    name = _metric_name(head, word, other, unit, caption)
    if name is None:
        return None
    setting = tuple(part for part in other if part != head)
    dataset = " / ".join(clean_label(part) for part in setting)
    dataset = dataset or _said_setting(caption, context.known) or _within(head)
    spread = None if number.spread is None else Spread(value=number.spread, **context.spreads.of(table))
    return Entry(
        table=table,
        cell=cell,
        number=number,
        condition=condition,
        heads=other,
        setting=setting,
        metric_name=name,
        kind=word.kind if word else ("rate" if unit == "%" else "score"),
        direction=_direction((*other, caption), word),
        unit=unit,
        dataset=dataset or None,
        spread=spread,
        is_measured=word is not None,
        switches=tuple(_switches(table, axis, condition, setting, dataset).items()),
    )


def _within(head: str | None) -> str:
    """The data set inside a metric's header: "WSJ 23 F1" is F1 on WSJ 23, "AIME24avg@32" is on AIME24."""
    if head is None:
        return ""
    bare = re.sub(
        r"(?:pass|avg|cons|maj)@\d+|\b(?:[Tt]est|[Tt]rain\w*|[Vv]al\w*|[Dd]ev|[Mm]ean|[Mm]ax|[Mm]in)\b",
        " ",
        clean_label(head),
    )
    rest = " ".join(word for word in bare.split() if metric_word(word) is None)
    return rest if re.search(r"[A-Z]{2}|[A-Z]\w*\s?\d", rest) and metric_word(rest) is None else ""


def _unit(number: Number, other: tuple[str, ...], percents: frozenset[tuple[str, ...]]) -> str:
    if number.unit:
        return number.unit
    if other in percents:
        return "%"
    said = [unit for unit, pattern in _UNITS if any(pattern.search(part) for part in other)]
    return said[0] if said else ""


def _metric_name(
    head: str | None, word: MetricWord | None, other: tuple[str, ...], unit: str, caption: str
) -> str | None:
    """The paper's word for the metric; a bare benchmark header gets the metric's own word."""
    if head is not None and word is not None:
        name = clean_label(head)
        says_rate = unit != "%" or unit_agrees("", "%", name)
        return name if says_rate else f"{name} {word.name}"
    if word is not None:
        return word.name
    if other and clean_label(other[-1]):
        return clean_label(other[-1])
    return clean_label(caption) and "value"


def _direction(texts: Iterable[str], word: MetricWord | None) -> Direction | None:
    """Arrows first, then what the metric's name means."""
    for text in texts:
        up, down = bool(_UP.search(text)), bool(_DOWN.search(text))
        if up != down:
            return "higher_is_better" if up else "lower_is_better"
    return word.direction if word else None


def _switches(
    table: Table, axis: Axis, condition: tuple[str, ...], setting: tuple[str, ...], dataset: str | None
) -> dict[str, str]:
    """`{"method": "UCB1", "setting": "Ten-armed bandit"}`, keys from the stub headers where they stand over labels."""
    stubs = [slug(head) for head in table.stub_headers if clean_label(head)] if axis == "row" else []
    switches: dict[str, str] = {}
    for depth, part in enumerate(condition):
        last = depth == len(condition) - 1
        from_end = len(condition) - depth
        key = stubs[-from_end] if from_end <= len(stubs) else ("method" if last else "group")
        while key in switches:
            key = f"{key}_{depth + 1}"
        switches[key] = clean_label(part) or part
    where = [clean_label(part) for part in setting] or ([dataset] if dataset else [])
    for depth, part in enumerate(where):
        key = "setting" if depth == 0 else f"setting_{depth + 1}"
        switches[key if key not in switches else f"{key}_of_metric"] = part
    return switches


def _known_settings(document: Document) -> tuple[str, ...]:
    """Outer column headers that name no metric: the paper's data sets and environments."""
    found = [
        clean_label(part)
        for table in document.tables
        for cell in table.cells
        if cell.kind == "body" and len(cell.column_path) > 1
        for part in cell.column_path[:-1]
        if metric_word(part) is None
    ]
    return tuple(dict.fromkeys(label for label in found if tokens(label)))


def _said_setting(caption: str, known: Sequence[str]) -> str:
    """The data set that a caption names: one that other tables know, or the name after "on"."""
    mentions = find_mentions(caption, known)
    named = list(dict.fromkeys(mention.label for mention in mentions if mention.strength == 2))
    if named:
        return named[0] if len(named) == 1 else ""
    quoted = re.search(r"\b(?:on|for) (?:the )?[“\"‘]([^”\"’]{2,60})[”\"’]", caption)
    if quoted:
        return quoted.group(1)
    match = re.search(
        r"\b(?:on|for) (?:the )?((?:[A-Z][\w.+/-]*|\d+[\w-]*)(?:\s(?:[A-Z][\w.+/-]*|\d[\w-]*))*)", caption
    )
    return clean_label(match.group(1)).rstrip(".") if match else ""
