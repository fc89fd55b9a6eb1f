"""One sentence read against one table: which rows and columns it names, and how well a cell fits what it says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reproducegym.extraction.rules.elsewhere import (
    Split,
    foreign_names,
    says_mean_of_several,
    special_condition,
    split_of,
)
from reproducegym.extraction.rules.entries import Entry, Grid
from reproducegym.extraction.rules.labels import Mention, clean_label, find_mentions
from reproducegym.extraction.rules.metric_words import MetricWord, metrics_named, same_metric
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.sentences import Spoken
from reproducegym.extraction.rules.table_metrics import is_average

__all__ = ["Fit", "Reading"]

_OWN = re.compile(r"\b(?:our|ours|we|proposed|this (?:method|approach|model|system))\b", re.IGNORECASE)
_PRONOUN = re.compile(r"(?:It|This|They|These)\s")
_TRAINING, _TEST = re.compile(r"\btrain", re.IGNORECASE), re.compile(r"\btest", re.IGNORECASE)
_EXCEPT = re.compile(r"(?:except(?: for| in| on)?|apart from|with the exceptions? of)\s([^,;.()]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Fit:
    """How well a cell fits a sentence: strengths of its condition's and its setting's mentions.

    `refers` is 2 when the sentence refers to the table, 1 when its paragraph does.
    """

    refers: int
    condition: int
    setting: int

    @property
    def total(self) -> int:
        """All strengths in one number."""
        return self.refers + self.condition + self.setting


@dataclass(frozen=True)
class Reading:
    """A sentence against a table. A lenient one overlooks that the sentence speaks of another split or data set."""

    spoken: Spoken
    grid: Grid
    own_names: Sequence[str] = field(default=())
    lenient: bool = False

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        """Every row and column name in the sentence."""
        return find_mentions(self.spoken.text, (*self.grid.condition_labels, *self.grid.setting_labels))

    @cached_property
    def strengths(self) -> dict[str, int]:
        """Label → how surely the sentence names it; what stands behind "except for" is not named."""
        found: dict[str, int] = {}
        for mention in self.mentions:
            if mention.label in self.excepted:
                continue
            found[mention.label] = max(found.get(mention.label, 0), mention.strength)
        return found

    @cached_property
    def excepted(self) -> frozenset[str]:
        """Labels behind "except for" and its like."""
        spans = [match.span(1) for match in _EXCEPT.finditer(self.spoken.text)]
        return frozenset(mention.label for mention in self.mentions if any(a <= mention.start < b for a, b in spans))

    @cached_property
    def says_own(self) -> bool:
        """Whether the authors speak of themselves."""
        return bool(_OWN.search(self.spoken.text))

    @property
    def concerns(self) -> bool:
        """Whether the sentence can speak of this table: it refers to it, or to no table at all."""
        return not self.spoken.tables or self.grid.table.label in self.spoken.tables

    @cached_property
    def names_condition(self) -> bool:
        """Whether the sentence names any row (or column) of conditions."""
        return any(self.strengths.get(label, 0) for label in self.grid.condition_labels)

    def fit(self, entry: Entry) -> Fit | None:
        """How well an entry fits; None when the sentence names a sibling of its row or column and not itself."""
        condition = self._condition_fits[entry.condition]
        setting = self.fits_setting(entry)
        if condition is None or setting is None:
            return None
        if condition == 0 and self.says_own and is_own(entry.label, self.own_names):
            condition = 1
        label = self.grid.table.label
        refers = 2 if label in self.spoken.tables else (1 if label in self.spoken.near else 0)
        return Fit(refers, condition, setting)

    def fits_setting(self, entry: Entry) -> int | None:
        """Strength of what the sentence says of metric and data set; None when it names another."""
        if self.excepted and not self.excepted.isdisjoint((*entry.heads, *entry.condition)):
            return None
        if says_mean_of_several(self.spoken.text) and not any(is_average(head) for head in entry.heads):
            return None
        if self._is_other_split(entry) or (not self.lenient and self._is_elsewhere(entry)):
            return None
        setting = self._setting_fits[entry.heads]
        if setting is None or not self._metric_agrees(entry):
            return None
        return setting + self._dataset_said(entry)

    def may_speak_of(self, entry: Entry) -> bool:
        """Whether the sentence names no other column than the entry's, nor another metric."""
        fit, most = self._setting_fits[entry.heads], max(one or 0 for one in self._setting_fits.values())
        if fit is None or (fit == 0 and most > 0):
            return False
        word, said = entry.word, self._metrics_said
        return not said or word is None or any(same_metric(one, word) for one in said)

    def is_own(self, entry: Entry) -> bool:
        """Whether a condition is the authors' own method."""
        return is_own(entry.label, self.own_names)

    def label_mentions(self) -> tuple[Mention, ...]:
        """Mentions of conditions in order, by the last part of their path, or by a group above single letters."""
        return self._named_labels

    @cached_property
    def _named_labels(self) -> tuple[Mention, ...]:
        return self._labels_in(self.mentions)

    def subject_before(self) -> str | None:
        """The condition that the sentence before speaks of first: what "It" at the start of this one means."""
        return self._subject_before

    @cached_property
    def _subject_before(self) -> str | None:
        if not _PRONOUN.match(self.spoken.text):
            return None
        before = self._labels_in(find_mentions(self.spoken.previous, self.grid.condition_labels))
        return before[0].label if before else None

    def groups_agree(self, entry: Entry) -> bool:
        """Whether the sentence names no other group than the entry's."""
        for depth, part in enumerate(entry.condition[:-1]):
            siblings = {other[depth] for other in self.grid.conditions if len(other) > depth + 1} - {part}
            if part not in self.strengths and any(self.strengths.get(one, 0) == 2 for one in siblings):
                return False
        return True

    def _labels_in(self, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        leaves = {path[-1] for path in self.grid.conditions}
        groups = {part for path in self.grid.conditions for part in path}
        labels = leaves if any(len(clean_label(leaf)) > 2 for leaf in leaves) else groups
        return tuple(mention for mention in mentions if mention.label in labels and clean_label(mention.label))

    def near_setting(self, entry: Entry) -> int:
        """How surely the sentence's paragraph names the metric and data set of an entry."""
        mentions = find_mentions(self.spoken.paragraph, self.grid.setting_labels)
        return sum(max((one.strength for one in mentions if one.label == head), default=0) for head in entry.heads)

    @cached_property
    def _condition_fits(self) -> dict[tuple[str, ...], int | None]:
        return self._fits(self.grid.conditions)

    @cached_property
    def _setting_fits(self) -> dict[tuple[str, ...], int | None]:
        return self._fits(self.grid.heads)

    def _fits(self, paths: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], int | None]:
        found: dict[tuple[str, ...], int | None] = {}
        for path in paths:
            total: int | None = 0
            for depth, part in enumerate(path):
                siblings = {other[depth] for other in paths if len(other) > depth} - {part}
                strength = self.strengths.get(part, 0)
                if strength == 0 and any(self.strengths.get(sibling, 0) == 2 for sibling in siblings):
                    total = None
                    break
                total = (total or 0) + (strength if siblings else 0)
            found[path] = total
        return found

    @cached_property
    def said_split(self) -> Split | None:
        """The split that the sentence speaks of."""
        return split_of(self.spoken.text)

    @cached_property
    def foreign(self) -> str | None:
        """A data set or a share of the data that the sentence names and neither the table nor its caption does."""
        table = self.grid.table
        words = [cell.text for cell in table.cells if cell.kind != "body"]
        words += [entry.dataset or "" for entry in self.grid.entries]
        known = " ".join((table.caption.text if table.caption else "", *table.notes, *table.stub_headers, *words))
        names = foreign_names(self.spoken.text, self.mentions, known)
        return names[0] if names else special_condition(self._unlabelled, known)

    @cached_property
    def _unlabelled(self) -> str:
        """The sentence with the names of conditions blanked."""
        letters = list(self.spoken.text)
        for mention in self.mentions:
            if mention.label not in self.grid.condition_labels:
                continue
            letters[mention.start : mention.end] = "•" * (mention.end - mention.start)
        return "".join(letters)

    @cached_property
    def _metrics_said(self) -> tuple[MetricWord, ...]:
        """The metrics that the sentence names; of general words ("time", "rate") only those that the table measures."""
        words = {entry.word for entry in self.grid.entries if entry.word is not None}
        return tuple(
            said
            for said in metrics_named(self.spoken.text)
            if said.is_strong or (said.family != "score" and any(same_metric(said, word) for word in words))
        )

    def _metric_agrees(self, entry: Entry) -> bool:
        """A sentence that names a metric does not speak of another; a cell's own header counts as its name.

        A metric that no vocabulary knows must be named by its header.
        """
        word = entry.word
        named = self._metrics_said
        if word is None or (entry.metric_head and self.strengths.get(entry.metric_head, 0)):
            return True
        if word.is_unknown or not named:
            return not word.is_unknown
        if word.family in {"rate", "score"} and not word.is_strong:
            return True
        return any(same_metric(one, word) for one in named)

    def _is_elsewhere(self, entry: Entry) -> bool:
        """Whether the sentence speaks of another split, another data set, or a part of the data."""
        said = self.said_split
        if said is not None and entry.split != said and (entry.split is not None or said != "test"):
            return True
        return self.foreign is not None

    def _is_other_split(self, entry: Entry) -> bool:
        """Whether an entry is of the training split beside a test split, and the sentence does not speak of training.

        A result without a word about the split is one on the test split.
        """
        of_training = any(_TRAINING.search(head) for head in entry.heads)
        tested = any(_TEST.search(head) for heads in self.grid.heads for head in heads)
        return of_training and tested and _TRAINING.search(self.spoken.text) is None

    def _dataset_said(self, entry: Entry) -> int:
        """1 for a data set that stands in the caption only and in the sentence; 0 otherwise."""
        said = [part for part in entry.setting if part not in entry.heads and not part.startswith("average of ")]
        return 1 if said and find_mentions(self.spoken.text, said[:1]) else 0
