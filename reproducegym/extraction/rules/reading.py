"""One sentence read against one table: which rows and columns it names, and how well a cell fits what it says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reproducegym.extraction.rules.labels import Mention, clean_label, find_mentions
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.sentences import Spoken
from reproducegym.extraction.rules.tables import Entry, Grid
from reproducegym.extraction.rules.wording import metric_word

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
    """A sentence against a table."""

    spoken: Spoken
    grid: Grid
    own_names: Sequence[str] = field(default=())

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
        if self._is_other_split(entry):
            return None
        setting = self._setting_fits[entry.heads]
        if setting is None or not self._metric_agrees(entry):
            return None
        return setting + self._dataset_said(entry)

    def label_mentions(self) -> tuple[Mention, ...]:
        """Mentions of conditions in order, by the last part of their path, or by a group above single letters."""
        return self._labels_in(self.mentions)

    def subject_before(self) -> str | None:
        """The condition that the sentence before speaks of first: what "It" at the start of this one means."""
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
    def _metric_said(self) -> str | None:
        """The kind of metric that the sentence names in general words, when the table has several kinds."""
        said = metric_word(self.spoken.text)
        kinds = self.grid.kinds
        return said.kind if said is not None and len(kinds) > 1 and said.kind in kinds else None

    def _metric_agrees(self, entry: Entry) -> bool:
        """A sentence that names one metric of the table by a general word does not speak of another."""
        said = self._metric_said
        return said is None or said == entry.kind or any(self.strengths.get(head, 0) for head in entry.heads)

    def _is_other_split(self, entry: Entry) -> bool:
        """Whether an entry is of the training split beside a test split, and the sentence does not speak of training.

        A result without a word about the split is one on the test split.
        """
        of_training = any(_TRAINING.search(head) for head in entry.heads)
        tested = any(_TEST.search(head) for heads in self.grid.heads for head in heads)
        return of_training and tested and _TRAINING.search(self.spoken.text) is None

    def _dataset_said(self, entry: Entry) -> int:
        """1 for a data set that stands in the caption only and in the sentence; 0 otherwise."""
        if entry.dataset is None or entry.setting:
            return 0
        return 1 if find_mentions(self.spoken.text, [entry.dataset]) else 0
