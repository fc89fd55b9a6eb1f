"""One sentence read against one table: which rows and columns it names, and how well a cell fits what it says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reproducegym.extraction.rules.labels import Mention, clean_label, find_mentions
from reproducegym.extraction.rules.sentences import Spoken
from reproducegym.extraction.rules.tables import Entry, Grid
from reproducegym.extraction.rules.wording import metric_word

__all__ = ["Fit", "Reading", "is_own"]

_OWN = re.compile(r"\b(?:our|ours|we|proposed|this (?:method|approach|model|system))\b", re.IGNORECASE)
_OURS_LABEL = re.compile(r"\bours?\b|\bproposed\b", re.IGNORECASE)


@dataclass(frozen=True, order=True)
class Fit:
    """How well a cell fits a sentence: strengths of its condition's and its setting's mentions."""

    refers: int
    condition: int
    setting: int

    @property
    def total(self) -> int:
        """All strengths in one number."""
        return self.refers + self.condition + self.setting


def is_own(label: str, own_names: Sequence[str]) -> bool:
    """Whether a row or column is the authors' own method."""
    return bool(_OURS_LABEL.search(label)) or bool(find_mentions(label, own_names))


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
        """Label → how surely the sentence names it."""
        found: dict[str, int] = {}
        for mention in self.mentions:
            found[mention.label] = max(found.get(mention.label, 0), mention.strength)
        return found

    @property
    def says_own(self) -> bool:
        """Whether the authors speak of themselves."""
        return bool(_OWN.search(self.spoken.text))

    @property
    def concerns(self) -> bool:
        """Whether the sentence can speak of this table: it refers to it, or to no table at all."""
        label = self.grid.table.label
        return not self.spoken.tables or label in self.spoken.tables

    def fit(self, entry: Entry) -> Fit | None:
        """How well an entry fits; None when the sentence names a sibling of its row or column and not itself."""
        condition = self._axis_fit(entry.condition, self.grid.conditions)
        setting = self._axis_fit(
            self._other(entry), tuple(dict.fromkeys(self._other(one) for one in self.grid.entries))
        )
        if condition is None or setting is None or not self._metric_agrees(entry):
            return None
        if condition == 0 and self.says_own and is_own(entry.label, self.own_names):
            condition = 1
        label = self.grid.table.label
        refers = 2 if label in self.spoken.tables else (1 if label in self.spoken.near else 0)
        return Fit(refers, condition, setting + self._dataset_said(entry))

    def fits_setting(self, entry: Entry) -> int | None:
        """Strength of what the sentence says of metric and data set; None when it names another."""
        others = tuple(dict.fromkeys(self._other(one) for one in self.grid.entries))
        setting = self._axis_fit(self._other(entry), others)
        if setting is None or not self._metric_agrees(entry):
            return None
        return setting + self._dataset_said(entry)

    def _axis_fit(self, path: tuple[str, ...], paths: Sequence[tuple[str, ...]]) -> int | None:
        total = 0
        for depth, part in enumerate(path):
            siblings = {other[depth] for other in paths if len(other) > depth} - {part}
            if not siblings:
                continue
            strength = self.strengths.get(part, 0)
            if strength == 0 and any(self.strengths.get(sibling, 0) == 2 for sibling in siblings):
                return None
            total += strength
        return total

    def _metric_agrees(self, entry: Entry) -> bool:
        """A sentence that names one metric of the table by a general word does not speak of another."""
        names = {one.metric_name for one in self.grid.entries}
        if len(names) < 2 or self.strengths.get(entry.metric_name, 0):
            return True
        said = metric_word(self.spoken.text)
        kinds = {one.kind for one in self.grid.entries}
        return said is None or len(kinds) == 1 or said.kind not in kinds or said.kind == entry.kind

    def _dataset_said(self, entry: Entry) -> int:
        """1 for a data set that stands in the caption only and in the sentence; 0 otherwise."""
        if entry.dataset is None or entry.setting:
            return 0
        return 1 if find_mentions(self.spoken.text, [entry.dataset]) else 0

    @staticmethod
    def _other(entry: Entry) -> tuple[str, ...]:
        return entry.cell.column_path if entry.condition == entry.cell.row_path else entry.cell.row_path

    def label_mentions(self) -> tuple[Mention, ...]:
        """Mentions of condition labels (the last part of their path), in order."""
        labels = {path[-1] for path in self.grid.conditions}
        return tuple(mention for mention in self.mentions if mention.label in labels and clean_label(mention.label))
