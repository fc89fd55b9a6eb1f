"""Reads a paper's tables as measurements: which condition, which metric, on which data set, in which unit."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from reproducegym.extraction.rules.axes import BENCHMARK, DATA_STUB, Axis, condition_axis, without_head
from reproducegym.extraction.rules.elsewhere import Split, split_of, split_of_header
from reproducegym.extraction.rules.entries import Entry, Grid
from reproducegym.extraction.rules.labels import clean_label
from reproducegym.extraction.rules.metric_words import MetricWord
from reproducegym.extraction.rules.metrics_said import MetricsSaid
from reproducegym.extraction.rules.settings import (
    data_set_said,
    data_set_within,
    known_settings,
    said_setting,
    switches,
)
from reproducegym.extraction.rules.spread import SpreadWords
from reproducegym.extraction.rules.table_metrics import (
    Measured,
    TableMetrics,
    is_average,
    is_spread,
    is_statistic,
)
from reproducegym.pipeline.printed.numbers import Number, read_number
from reproducegym.schema.claim import Spread
from reproducegym.schema.paper import Cell, Document, Table

__all__ = ["read_grids"]

_SET_UP = re.compile(
    r"hyper-?param|search space|ANOVA|p-values?|significance test|notation|\bsymbols?\b|statistics of"
    r"|statistics$|\bprompt"
    r"|template used"
    r"|parameter"
    r"|^\s*(?:value|range|default)s?\s*$",
    re.IGNORECASE,
)
_TALLY = re.compile(
    r"(?:Table \S+[:.]\s*)?(?:(?:the|mean|average|avg\.?|total|absolute|relative) )*"
    r"(?:(?!of|for|on|in|with|by|at|and|vs|to)[\w-]+ ){0,2}?(?:ranks?|rankings?|sizes?)\b(?!-)",
    re.IGNORECASE,
)
"""A caption that opens with a rank or a size: what its headers name was not measured here."""
_METHODS = re.compile(r"method|model|algorithm|approach", re.IGNORECASE)
_SETTINGS = re.compile(r"data ?sets|tasks|environments|benchmarks|domains|games|languages|corpora", re.IGNORECASE)
_QUOTED = (
    re.compile(
        r"([†‡*§¶♯♮#])[\s:=]*(?:[^.;†‡*§¶]{0,50}\b)?(?:taken|copied|quoted|cited|borrowed|adopted|reported (?:in|by)"
        r"|from (?:the |its |their )?(?:original|respective|\[)|original papers?|published)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?:marked|denoted|indicated|with|by) (?:with |by |a )*([†‡*§¶♯♮#])[^.;]{0,40}\b(?:taken|copied|quoted"
        r"|cited|reported"
        r"|from the original|published)",
        re.IGNORECASE,
    ),
)


_NO_SPREAD = re.compile(
    r"parenthes[ie]s(?! are standard)[^.;]{0,30}\b(?:number|count|ranks?|p-values?|runs|seeds)\b", re.IGNORECASE
)


_SPANNER = re.compile(
    r"(?:data ?set|environment|task|benchmark|domain|game|problem|method|model|algorithm|approach|metric|setting)s?",
    re.IGNORECASE,
)
"""A header that says what stands below it, and names none of it."""
_EXACT, _FAR = 0.001, 0.25
"""Up to which share a column is the mean of those beside it, and from which on it cannot be a mean of them."""
_EXCLUDED = re.compile(
    r"([\w+-]+) (?:is|are|was|were) (?:excluded|omitted|left out|not (?:directly )?comparable)\b", re.IGNORECASE
)


def read_grids(document: Document, own_names: Sequence[str], spreads: SpreadWords) -> tuple[Grid, ...]:
    """All tables that hold measurements."""
    known = known_settings(document)
    said = MetricsSaid(document)
    grids = []
    for table in document.tables:
        numbers = [
            (cell, number)
            for cell in table.cells
            if cell.kind == "body"
            for number in [read_number(cell.text)]
            if number
        ]
        if len(numbers) < 2 or _is_set_up(table) or _is_torn(table):
            continue
        axis = condition_axis(table, [cell for cell, _ in numbers], own_names)
        reader = _Reader(table, axis, spreads, known, tuple(numbers), said)
        whole = _told_apart([entry for cell, number in numbers for entry in [reader.entry(cell, number)] if entry])
        if len(whole) > 1:
            grids.append(Grid(table, whole))
    return tuple(grids)


def _told_apart(entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Entries whose paths name one cell only, and, where any header names a metric, only those below such headers."""
    counts = Counter((entry.condition, entry.heads) for entry in entries)
    measured = [entry for entry in entries if entry.word is not None]
    deepest = max((len(entry.heads) for entry in entries), default=0)
    return tuple(
        entry
        for entry in measured or entries
        if counts[entry.condition, entry.heads] == 1 and (entry.heads or not deepest)
    )


def _is_set_up(table: Table) -> bool:
    """Whether a table lists settings, not results."""
    caption = table.caption.text.partition(". ")[0] if table.caption else ""
    stubs = [stub for stub in table.stub_headers if not _METHODS.search(stub)]
    return any(_SET_UP.search(text) for text in (caption, *stubs)) or bool(_TALLY.match(caption))


def _is_torn(table: Table) -> bool:
    """Whether a value and its spread ended up in different cells: nothing of such a table can be trusted."""
    return any(cell.kind == "body" and cell.text.rstrip().endswith(("±", "+/-", "+-")) for cell in table.cells)


def _is_part(leaf: str) -> bool:
    """Whether a column can be a part of the mean beside it."""
    return not (is_average(leaf) or is_statistic(leaf) or is_spread(leaf))


@dataclass(frozen=True)
class _Reader:
    """Reads the cells of one table."""

    table: Table
    axis: Axis
    spreads: SpreadWords
    known: Sequence[str]
    numbers: tuple[tuple[Cell, Number], ...]
    said: MetricsSaid

    def entry(self, cell: Cell, number: Number) -> Entry | None:
        """What a cell measures; None where it is no measurement of a condition."""
        condition, heads = self._paths(cell)
        if not condition or not clean_label(condition[-1]) or (heads and is_spread(heads[-1])):
            return None
        meaning = self._metrics.of(Measured(number, condition, heads))
        if meaning is None or not self._excluded.isdisjoint(clean_label(condition[-1]).split()):
            return None
        if heads and is_average(heads[-1]) and self._mean_misses(number, condition, heads) > _FAR:
            return None
        split = self._split(heads)
        if meaning.head in condition[:-1]:
            condition = tuple(part for part in condition if part != meaning.head)
        exact = not (heads and is_average(heads[-1])) or heads in self._exact_means
        setting = tuple(self._setting(heads, part, exact=exact) for part in heads if part != meaning.head)
        setting = tuple(part for part in setting if part)
        if not any(letter.isupper() for part in setting for letter in part):
            said = said_setting(self._metrics.caption, self.known) or data_set_within(meaning.head)
            setting = (said, *setting) if said else setting
        elif (said := data_set_said(self._metrics.caption)) and not any(BENCHMARK.search(part) for part in setting):
            setting = (said, *setting)
        dataset = " / ".join(clean_label(part) or part for part in setting)
        spreads = number.spread is not None and not _NO_SPREAD.search(self._caption)
        spread = Spread(value=number.spread, **self.spreads.of(self.table)) if spreads and number.spread else None
        return Entry(
            table=self.table,
            cell=cell,
            number=number,
            condition=condition,
            heads=heads,
            setting=setting,
            metric_name=meaning.name,
            kind=meaning.kind,
            direction=meaning.direction,
            unit=meaning.unit,
            dataset=dataset or None,
            spread=spread,
            word=meaning.word,
            metric_head=meaning.head,
            split=split,
            statistic=self._statistic(heads),
            is_quoted=any(mark in text for mark in self._marks for text in (cell.text, condition[-1])),
            switches=tuple(switches(self.table, self.axis, condition, setting, split, self._twins).items()),
            twins=self._twins.intersection(condition),
        )

    @cached_property
    def _twins(self) -> frozenset[str]:
        """Names on the axis of conditions that cleaning makes one: "Sift" and "Sift*"."""
        paths = {self._paths(cell)[0] for cell, _ in self.numbers}
        spelled: dict[tuple[int, str], set[str]] = {}
        for path in paths:
            for depth, part in enumerate(path):
                spelled.setdefault((depth - len(path), clean_label(part).casefold()), set()).add(part)
        return frozenset(part for parts in spelled.values() if len(parts) > 1 for part in parts)

    def _paths(self, cell: Cell) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The path on the axis of conditions and the other one; groups of rows that are data sets change sides."""
        rows = tuple(without_head(self.table, part) for part in cell.row_path)
        if self.axis == "column":
            return cell.column_path, rows
        moved = [depth for depth in range(len(rows) - 1) if self._is_data(rows, depth)]
        condition = tuple(part for depth, part in enumerate(rows) if depth not in moved)
        return condition, (*(rows[depth] for depth in moved), *cell.column_path)

    def _is_data(self, path: tuple[str, ...], depth: int) -> bool:
        stubs = self.table.stub_headers
        from_end = len(path) - depth
        if 1 < from_end <= len(stubs):
            return bool(DATA_STUB.search(stubs[-from_end])) and not re.search("model|method", stubs[-from_end], re.I)
        return depth == 0 and self._groups_are_data

    @cached_property
    def _groups_are_data(self) -> bool:
        """Whether a caption that speaks of data sets stands over groups that hold the same rows."""
        groups: dict[str, set[tuple[str, ...]]] = {}
        for cell, _ in self.numbers:
            groups.setdefault(cell.row_path[0] if len(cell.row_path) > 1 else "", set()).add(cell.row_path[1:])
        rows = list(groups.values())
        return (
            len(rows) > 1
            and "" not in groups
            and all(row == rows[0] for row in rows)
            and bool(_SETTINGS.search(self._caption))
        )

    @property
    def _caption(self) -> str:
        return self.table.caption.text if self.table.caption else ""

    @cached_property
    def _metrics(self) -> TableMetrics:
        cells = tuple(Measured(number, *self._paths(cell)) for cell, number in self.numbers)
        fallback: MetricWord | None = None
        if TableMetrics(self.table, cells, None).needs_fallback:
            values = [number.value for _, number in self.numbers]
            can_be_rates = min(values) >= 0 and max(values) <= 100
            fallback = (self.said.of(self.table) if can_be_rates else None) or self.said.of_siblings(self.table)
        return TableMetrics(self.table, cells, fallback)

    @cached_property
    def _leaves(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(heads[-1] for cell, _ in self.numbers for heads in [self._paths(cell)[1]] if heads))

    def _mean_misses(self, number: Number, condition: tuple[str, ...], heads: tuple[str, ...]) -> float:
        """How far what a header calls a mean is from the mean of the columns beside it, as a share of it."""
        others = [
            float(one.value)
            for cell, one in self.numbers
            for path, beside in [self._paths(cell)]
            if path == condition and beside[:-1] == heads[:-1] and beside[-1:] != heads[-1:] and _is_part(beside[-1])
        ]
        if len(others) < 2:
            return 0.0
        mean = sum(others) / len(others)
        return max(abs(mean - float(number.value)) - float(number.resolution), 0) / max(abs(mean), 1e-9)

    @cached_property
    def _exact_means(self) -> frozenset[tuple[str, ...]]:
        """Columns called a mean that are the mean of those beside them in most rows; one slip of the paper's is one."""
        misses: dict[tuple[str, ...], list[float]] = {}
        for cell, number in self.numbers:
            condition, heads = self._paths(cell)
            if heads and is_average(heads[-1]):
                misses.setdefault(heads, []).append(self._mean_misses(number, condition, heads))
        return frozenset(heads for heads, found in misses.items() if median(found) <= _EXACT)

    @cached_property
    def _excluded(self) -> frozenset[str]:
        """Rows that the caption or notes take out of the comparison."""
        texts = (self._caption, *self.table.notes)
        return frozenset(match.group(1) for text in texts for match in _EXCLUDED.finditer(text))

    def _setting(self, heads: tuple[str, ...], part: str, *, exact: bool) -> str:
        """What a header says of the setting: a mean over data sets names them, a mean over runs nothing."""
        if part != heads[-1] and _SPANNER.fullmatch(clean_label(part)):
            return ""
        if part != heads[-1] or not (is_average(part) or is_statistic(part)):
            return part
        others = [leaf for leaf in self._leaves if _is_part(leaf)]
        if is_statistic(part) or not others:
            return ""
        if len(others) < 2 or not exact:
            return part
        return f"average of {', '.join(clean_label(leaf) for leaf in others)}"

    def _statistic(self, heads: tuple[str, ...]) -> str | None:
        if heads and is_statistic(heads[-1]):
            return clean_label(heads[-1])
        return None if heads and is_average(heads[-1]) else self._metrics.statistic

    def _split(self, heads: tuple[str, ...]) -> Split | None:
        for part in reversed(heads):
            if (split := split_of_header(part)) is not None:
                return split
        return split_of(self._caption)

    @cached_property
    def _marks(self) -> frozenset[str]:
        """Marks that the caption or notes explain as "taken from other papers"."""
        texts = (self._caption, *self.table.notes)
        return frozenset(match.group(1) for text in texts for pattern in _QUOTED for match in pattern.finditer(text))
