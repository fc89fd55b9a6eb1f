"""What the cells of one table measure: metric, unit and direction, from headers first, then from the caption."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property

from reproducegym.extraction.rules.labels import clean_label
from reproducegym.extraction.rules.metric_words import (
    UNKNOWN,
    MetricWord,
    distinct_metrics,
    header_metric,
    metric_word,
    metrics_named,
    same_metric,
)
from reproducegym.pipeline.grounding.binding import unit_agrees
from reproducegym.pipeline.printed.numbers import Number
from reproducegym.schema.claim import Direction, MetricKind
from reproducegym.schema.paper import Table

__all__ = ["Meaning", "Measured", "TableMetrics", "is_average", "is_spread", "is_statistic"]

_PERCENT = re.compile(r"\(\s?%\s?\)|\[\s?%\s?\]|\bin %|percent|,\s?%|\s%\s*$|^%")
_UNITS = (
    ("s", re.compile(r"\((?:s|sec|seconds)\)|\[s\]")),
    ("ms", re.compile(r"\(ms\)|\[ms\]")),
    ("h", re.compile(r"\((?:h|hours)\)")),
)
_UP, _DOWN = (
    re.compile(r"↑|\b(?:higher|larger|bigger|greater|more),? (?:\w+ )?(?:is|are|the|means?) better", re.IGNORECASE),
    re.compile(r"↓|\b(?:lower|smaller|less|fewer),? (?:\w+ )?(?:is|are|the|means?) better", re.IGNORECASE),
)
_RATIO = re.compile(r"\bratios?\b|\brelative to\b|\bnormali[sz]ed\b", re.IGNORECASE)
_COSTS = frozenset({"time", "cost", "count", "throughput"})
_GENERIC = frozenset({"score", "scores", "rate", "count", "cost"})
_NAMED_SCORE = re.compile(
    r"\b(?!(?:final|average|averaged|mean|median|test|overall|best|raw|aggregated?|total|normali[sz]ed|evaluation|validation"
    r"|performance|the|of|our|their|and|or|with|for|in|by|all|metric|quality|reported|each|higher|lower|these|game"
    r"|episode|similarity|benchmark)\b)([A-Za-z][\w-]{3,}) scores?\b",
    re.IGNORECASE,
)
"""A score with a name of its own: "silhouette score"."""
_ACRONYM = re.compile(r"\w\s\((?![CGT]PUs?\b|[KMGT]i?B\b|[KMGT]?Hz\b|CI\b|SD\b|SE)([A-Z][A-Za-z]*[A-Z]\w*)\)\s*[↑↓]?$")
"""A metric by its own short name behind what it is measured on: "next event (XYZ)"."""
_OPENING = re.compile(
    r"(?:Table \S+[:.]\s*)?([A-Z][\w-]+(?: [a-z][\w-]+){1,3}?)"
    r"(?= (?:of|between|for|on|over|in|per|across|with|after)\b| [A-Z]+\()"
)
"""What a caption says that it shows: "Average model churn C(S, T) between …"."""
_RESULTS = re.compile(
    r"result|perform|compar|ablat|evaluat|experiment|\bstud(?:y|ies)\b|analys|effect|impact|influence|benchmark|score"
    r"|metric|test|baseline|\bon\b|quality|state[- ]of[- ]the[- ]art|sota|against|versus|\bvs\b",
    re.IGNORECASE,
)
"""Captions that leave it to the text what was measured."""
_SET_UP_HEADER = re.compile(
    r"\bparam|#|\bsize\b|\byear\b|epochs?\b|\bbatch|\bGPUs?\b|\btokens?\b|\blayers?\b|\bdepth\b|\bdim\b|\brank\b"
    r"|^n$|p-value",
    re.IGNORECASE,
)
_SHARE = re.compile(r"rate|%|percent|fraction|share|proportion", re.IGNORECASE)
_SPREAD_HEADER = re.compile(
    r"(?:std\.?(?: ?dev\w*\.?)?|s\.?d\.?|stdev|standard (?:deviation|error)|var(?:iance)?\.?|s\.?e\.?m?\.?|±.*"
    r"|95% ?ci|ci)",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"(?:best|worst|max(?:imum)?|min(?:imum)?|median|iqm|top)\.?(?: (?:of|over|run|seed).*)?", re.IGNORECASE
)
_AVERAGE = re.compile(r"(?:avg|average|mean)s?\.?", re.IGNORECASE)
_NOT_MEAN = re.compile(
    r"\bmedians?\b|\binterquartile|\bIQM\b|\bbest[ -](?:of|over|out of|run|seed)\b|\bmaxim\w+ (?:of|over)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Measured:
    """A cell's number with its paths: on the axis of conditions, and on the other one."""

    number: Number
    condition: tuple[str, ...]
    heads: tuple[str, ...]


@dataclass(frozen=True)
class Meaning:
    """What a cell measures. `head` is the header that names the metric, None where the caption or the text does."""

    head: str | None
    word: MetricWord | None
    name: str
    kind: MetricKind
    direction: Direction | None
    unit: str


def is_spread(label: str) -> bool:
    """Whether a column holds spreads, not results."""
    return bool(_SPREAD_HEADER.fullmatch(clean_label(label)))


def is_statistic(label: str) -> bool:
    """Whether a column holds another statistic than the mean."""
    return bool(_STATISTIC.fullmatch(clean_label(label)))


def is_average(label: str) -> bool:
    """Whether a column holds means of others."""
    return bool(_AVERAGE.fullmatch(clean_label(label)))


@dataclass(frozen=True)
class TableMetrics:
    """The metrics of one table. `fallback` is what the paper's sentences say where the table does not."""

    table: Table
    cells: tuple[Measured, ...]
    fallback: MetricWord | None

    def of(self, cell: Measured) -> Meaning | None:
        """What a cell measures; None where nothing says so or several things could be meant."""
        head, word = self._head(cell)
        unit = self._unit(cell, word)
        kind: MetricKind = word.kind if word else ("rate" if unit == "%" else "score")
        if word is not None and word.family == "error" and unit == "%":
            kind = "rate"
        if word is not None and word.family == "success rate" and unit == "" and self._largest[cell.heads] > 1:
            kind = "count"
        if kind in {"count", "time"} and any(_RATIO.search(part) for part in cell.heads):
            kind, unit = "ratio", ""
        name = self._name(head, word, cell, unit, kind)
        return None if name is None else Meaning(head, word, name, kind, self._direction(cell, head, word), unit)

    @property
    def statistic(self) -> str | None:
        """How the caption says that runs are combined, where not by a mean."""
        match = _NOT_MEAN.search(self.caption)
        return match.group() if match else None

    @cached_property
    def caption(self) -> str:
        """The caption's words."""
        return self.table.caption.text if self.table.caption else ""

    @cached_property
    def needs_fallback(self) -> bool:
        """Whether neither headers nor caption name a metric beyond general words."""
        words = [self._in_headers(cell)[1] for cell in self.cells]
        if any(word is not None and word.name not in _GENERIC for word in words):
            return False
        said = self._in_caption
        first = re.split(r"[.;]\s", self.caption)[0]
        if first.strip() and not _RESULTS.search(first):
            return False
        return not self._caption_metrics and (said is None or said.name in _GENERIC)

    def _head(self, cell: Measured) -> tuple[str | None, MetricWord | None]:
        """The header that names the metric, if any, and the metric.

        A header without a known metric beside headers with one names a metric of its own. The caption speaks for
        headers that are data sets, when it names one metric only.
        """
        head, word = self._in_headers(cell)
        if word is not None:
            return head, word
        leaf = clean_label(cell.heads[-1]) if cell.heads else ""
        if leaf and (self._has_siblings or _SET_UP_HEADER.search(leaf)):
            return cell.heads[-1], MetricWord(leaf, "score", None, family=UNKNOWN)
        if len(self._caption_metrics) > 1:
            return None, None
        said = self._in_caption
        if said is None or (self.fallback is not None and said.name in _GENERIC):
            said = self.fallback
            if said is not None and _arrow(self.caption) not in {None, said.direction}:
                return None, None
        if said is None and any(_PERCENT.search(part) for part in cell.heads):
            said = metric_word("(%)")
        return None, said

    @staticmethod
    def _in_headers(cell: Measured) -> tuple[str | None, MetricWord | None]:
        for label in (*reversed(cell.heads), *reversed(cell.condition[:-1])):
            word = header_metric(label)
            acronym = _ACRONYM.search(label)
            if word is not None and not word.is_strong and acronym and metric_word(acronym.group(1)) is None:
                return label, MetricWord(acronym.group(1), "score", None, family=UNKNOWN)
            if word is not None:
                return label, word
        return None, None

    @cached_property
    def _has_siblings(self) -> bool:
        """Whether other headers of the table are metrics, and not only what a result costs."""
        words = [word for cell in self.cells for word in [self._in_headers(cell)[1]] if word is not None]
        alone = len(self._caption_metrics) == 1
        return any(
            not alone or word.family not in _COSTS or same_metric(word, self._caption_metrics[0]) for word in words
        )

    @cached_property
    def _caption_metrics(self) -> tuple[MetricWord, ...]:
        return distinct_metrics(metrics_named(self.caption))

    @cached_property
    def _in_caption(self) -> MetricWord | None:
        if len(self._caption_metrics) == 1:
            return self._caption_metrics[0]
        said, named = metric_word(self.caption), _NAMED_SCORE.search(self.caption)
        if said is None or said.family != "score":
            return said
        opening = _OPENING.match(self.caption) if _arrow(self.caption) else None
        if named is None and opening and not _RESULTS.search(opening.group(1)):
            return replace(said, name=opening.group(1).lower())
        return replace(said, name=named.group().lower()) if named else said

    @cached_property
    def _largest(self) -> dict[tuple[str, ...], Decimal]:
        largest: dict[tuple[str, ...], Decimal] = {}
        for cell in self.cells:
            largest[cell.heads] = max(largest.get(cell.heads, Decimal(0)), abs(cell.number.value))
        return largest

    @cached_property
    def _signed(self) -> frozenset[tuple[str, ...]]:
        """Headers below which some number carries a percent sign."""
        return frozenset(cell.heads for cell in self.cells if cell.number.unit == "%")

    def _unit(self, cell: Measured, word: MetricWord | None) -> str:
        if cell.number.unit:
            return cell.number.unit
        said = [unit for unit, pattern in _UNITS if any(pattern.search(part) for part in cell.heads)]
        if said:
            return said[0]
        if cell.heads in self._signed or any(_PERCENT.search(part) for part in cell.heads):
            return "%"
        if word is None or word.is_unknown:
            return ""
        if self._caption_says_percent(word):
            return "%"
        named = word.percent and (word.family != "success rate" or any(_SHARE.search(part) for part in cell.heads))
        return "%" if named and Decimal("1.5") < self._largest[cell.heads] <= 100 else ""

    def _caption_says_percent(self, word: MetricWord) -> bool:
        """Whether the caption puts "(%)" to this metric: to the only one it names, or right behind its name."""
        if not (word.percent or word.family == "error") or not _PERCENT.search(self.caption):
            return False
        if len(self._caption_metrics) <= 1:
            return not self._caption_metrics or same_metric(word, self._caption_metrics[0])
        parts = re.split(r"[;.]\s|,\s(?!%)|\sand\s", self.caption)
        return any(
            _PERCENT.search(part) and any(same_metric(word, one) for one in metrics_named(part)) for part in parts
        )

    def _name(
        self, head: str | None, word: MetricWord | None, cell: Measured, unit: str, kind: MetricKind
    ) -> str | None:
        """The paper's word for the metric; a header that does not say that it is a rate gets the metric's own word."""
        if word is None:
            if len(self._caption_metrics) > 1:
                return None
            return (clean_label(cell.heads[-1]) if cell.heads else "") or (clean_label(self.caption) and "value")
        if head is None:
            return word.name
        name = clean_label(head)
        if kind == "count" or unit != "%" or unit_agrees("", "%", name) or word.name.casefold() in name.casefold():
            return name
        return name if word.is_unknown else f"{name} {word.name}"

    def _direction(self, cell: Measured, head: str | None, word: MetricWord | None) -> Direction | None:
        """Arrows in the headers first, then what the caption says of this metric, then what the metric's name means."""
        if word is not None and word.is_unknown and _SET_UP_HEADER.search(word.name):
            return None
        for text in cell.heads:
            if (said := _arrow(text)) is not None:
                return said
        for sentence in re.split(r"[.;]\s", self.caption):
            said = _arrow(sentence)
            if said is None:
                continue
            named = distinct_metrics(metrics_named(sentence)) or self._caption_metrics
            called = word is not None and word.is_unknown and _says(sentence, word.name)
            if called or (
                word is not None and len(named) <= 1 and ((not named and head is None) or _any_same(word, named))
            ):
                return said
        return word.direction if word else None


def _says(sentence: str, name: str) -> bool:
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", sentence))


def _any_same(word: MetricWord, named: Sequence[MetricWord]) -> bool:
    return any(same_metric(word, one) for one in named)


def _arrow(text: str) -> Direction | None:
    up, down = bool(_UP.search(text)), bool(_DOWN.search(text))
    if up == down:
        return None
    return "higher_is_better" if up else "lower_is_better"
