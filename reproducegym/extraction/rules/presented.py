"""Ranks what tables show by what the text says of it, and anchors it at the sentence that says or presents it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reproducegym.extraction.rules.baselines import Parts
from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.entries import Grid
from reproducegym.extraction.rules.findings import Finding, Kind, findings_of
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.sentences import Spoken
from reproducegym.extraction.rules.telling import (
    denies,
    is_decent,
    is_quiet,
    is_sound,
    named_in,
    part_of,
    presents,
    tells,
)

__all__ = ["Presented", "presented_findings"]

_PRIOR: dict[Kind, float] = {
    "lead": 6,
    "total": 6,
    "best": 4,
    "gain": 4.5,
    "ablation": 5,
    "step": 4,
    "exception": 5,
    "scaling": 3,
    "usual": 0,
}
_LEADS: frozenset[Kind] = frozenset({"lead", "best", "gain", "scaling"})
"""Where the value itself is claimed beside the difference."""
_SWEEPING = re.compile(
    r"\b(?:significant\w*|clear(?:ly)?|substantial\w*|consistent\w*|considerabl\w*|dramatic\w*|vast\w*"
    r"|far|almost|nearly|most|mostly|generally|often|strong\w*|remarkabl\w*|drastic\w*)\b",
    re.IGNORECASE,
)
"""Words of praise that no number stands behind: such a sentence claims too much to be pinned to one cell."""
_MEASURES = re.compile(
    r"\b(?:evaluat|measur|metric|report|result|perform|compar|test|scor|experiment)\w*", re.IGNORECASE
)
_PRESENTS = re.compile(
    r"\b(?:report|present|show|list|summari[sz]e|give|provide|compare)s?\b[^.;]{0,80}\bin (?:Table|Tab\.)"
    r"|\b(?:is|are|was|were) (?:\w+ly )?(?:shown|reported|presented|given|listed|summari[sz]ed|provided|compared"
    r"|collected)\b[^.;]{0,40}\bin (?:Table|Tab\.)"
    r"|(?:Table|Tab\.)\s?[A-Z]?\.?\d+ (?:reports?|presents?|lists?|summari[sz]es|gives|provides|compares|contains"
    r"|shows)\s(?!that\b|how\b|why\b)",
)
"""A sentence that puts a table before the reader, whatever else it says."""
_FIGURE = re.compile(r"\b(?:Fig(?:ure|s)?|Plot|Eq|Algorithm)\b\.?")
_UNNAMED, _MOST = 6, 40
"""At most so many findings of a table whose rows no sentence names, and of a paper."""
_REPEATED = 2.5
_AMPLE = 6
"""From so many findings on, other tables come first."""


@dataclass(frozen=True)
class Presented:
    """A finding with the sentence that it is anchored at; `weight` orders findings of one paper."""

    bound: Bound
    spoken: Spoken
    weight: float
    kind: Kind
    named: bool


def presented_findings(
    grids: Sequence[Grid], spokens: Sequence[Spoken], parts: Parts, own: Sequence[str]
) -> tuple[Presented, ...]:
    """The findings of every table that some sentence presents, the most talked about first."""
    ranked: list[Presented] = []
    for number, grid in enumerate(grids):
        said = _Said(grid, [Reading(one, grid, own) for one in _about(grid, spokens)], parts.references)
        beside = frozenset(label for other in grids if other is not grid for label in other.setting_labels)
        rows = [row for finding in findings_of(grid, parts, beside) for row in _present(finding, said)]
        ranked += [
            replace(row, weight=row.weight - 0.4 * number - 0.35 * index - 0.8 * max(0, index - _AMPLE))
            for index, row in enumerate(_varied(rows))
        ]
    return tuple(sorted(ranked, key=lambda row: -row.weight)[:_MOST])


def _varied(rows: Sequence[Presented]) -> list[Presented]:
    """By weight; what repeats an earlier finding weighs less each time, and few are kept that nobody names.

    A repetition: another comparison of one cell, or the same row under another column of one group ("top 5%, 10%").
    """
    seen: Counter[tuple[object, ...]] = Counter()
    kept: list[Presented] = []
    unnamed = 0
    for row in sorted(rows, key=lambda one: -one.weight):
        if row.kind in {"best", "usual", "step"} and not row.named:
            unnamed += 1
            if unnamed > _UNNAMED:
                continue
        entry = row.bound.treatment
        cell, group = (id(entry.cell), row.kind), (entry.condition, entry.heads[:-1], row.bound.pattern)
        weight = row.weight - _REPEATED * seen[cell] - _REPEATED * (seen[group] if len(entry.heads) > 1 else 0)
        kept.append(replace(row, weight=weight))
        seen.update((cell, group))
    return sorted(kept, key=lambda one: -one.weight)


def _about(grid: Grid, spokens: Sequence[Spoken]) -> list[Spoken]:
    """The sentences that can speak of a table: those that refer to it, their sections' others, and the summaries."""
    label = grid.table.label
    sections = {one.section for one in spokens if label in one.near and one.section is not None}
    return [
        one
        for one in spokens
        if label in one.tables
        or (not one.tables and (one.section in sections or one.role in {"abstract", "introduction", "conclusion"}))
    ]


@dataclass(frozen=True)
class _Said:
    """What the text says of one table."""

    grid: Grid
    readings: Sequence[Reading]

    references: int

    @cached_property
    def presenters(self) -> list[Reading]:
        """Sentences that present the table and judge nothing: "Table 3 shows the results of …".

        Then those that present and judge in one ("We report the results in Table 3, where …"). Where none refers to it,
        one of its section that names several of its columns; last, a plain comparison.
        """
        quiet = [one for one in self.readings if is_decent(one) and is_quiet(one.spoken.text)]
        direct = [one for one in quiet if self.grid.table.label in one.spoken.tables]
        neutral = [one for one in quiet if is_sound(one)]
        named = [
            one
            for one in neutral
            if one.spoken.role == "results"
            and not _FIGURE.search(one.spoken.text)
            and _MEASURES.search(one.spoken.text)
            and sum(1 for label in self.grid.setting_labels if one.strengths.get(label, 0)) > 1
        ]
        plain = [
            one
            for one in self.readings
            if self.grid.table.label in one.spoken.tables and is_sound(one) and not _SWEEPING.search(one.spoken.text)
        ]
        presenting = [
            one
            for one in self.readings
            if self.grid.table.label in one.spoken.tables and is_decent(one) and _PRESENTS.search(one.spoken.text)
        ]
        return direct or presenting or named or plain

    def is_late(self, spoken: Spoken) -> bool:
        """Whether a sentence stands behind the references, in an appendix."""
        return bool(self.references) and spoken.sentence.places[0].page > self.references


def _present(finding: Finding, said: _Said) -> Iterator[Presented]:
    """The finding at its best anchor, and the own row's value where another is ahead; nothing without an anchor."""
    heats = [(_heat(finding, reading), reading) for reading in said.readings]
    warm = max((heat for heat, _ in heats), default=0.0)
    anchors = sorted(
        ((heat, reading) for heat, reading in heats if heat >= 4 and tells(finding, reading)),
        key=lambda one: (-one[0], one[1].spoken.order),
    )
    presenters = (one for one in said.presenters if presents(finding, one))
    anchor = anchors[0][1] if anchors else next(presenters, None)
    if anchor is None:
        return
    if finding.kind == "usual" and warm < 3:
        return
    late = 5 if said.is_late(anchor.spoken) else 0
    weight = _PRIOR[finding.kind] + min(warm, 9) - 0.8 * min(finding.place, 9) - late + 2 * finding.flagship
    yield Presented(_bound(finding, anchor), anchor.spoken, weight, finding.kind, warm >= 3)
    if finding.kind == "exception" and finding.flagship:
        level = Bound("absolute", finding.baseline, None, None, ())
        yield Presented(level, anchor.spoken, weight - 0.5, finding.kind, warm >= 3)


def _bound(finding: Finding, reading: Reading) -> Bound:
    """The difference alone where a part of a method is at stake; else the better row's value as well."""
    leads = finding.kind in _LEADS or (
        finding.kind == "exception" and not is_own(part_of(finding.baseline, finding), reading.own_names)
    )
    return Bound("comparison" if leads else "difference", finding.treatment, finding.baseline, None, ())


def _heat(finding: Finding, reading: Reading) -> float:
    """How much a sentence speaks of a finding: of its rows and of its column; 0 where it speaks of another column."""
    setting = reading.fits_setting(finding.treatment)
    if setting is None and reading.excepted.isdisjoint(finding.treatment.heads):
        return 0.0
    setting = 2 if setting is None else min(setting, 2)
    treatment, baseline = (named_in(one, finding, reading) for one in (finding.treatment, finding.baseline))
    groups = sum(
        reading.strengths.get(part, 0)
        for depth, part in enumerate(finding.treatment.condition)
        if depth != finding.depth
    )
    if denies(finding, reading):
        return 0.0
    if finding.kind == "usual" and not (
        baseline if is_own(part_of(finding.treatment, finding), reading.own_names) else treatment
    ):
        return 0.0
    if not (treatment or baseline):
        return setting * 0.5
    refers = 1.0 if reading.grid.table.label in reading.spoken.tables else 0.0
    return refers + 1.5 * treatment + baseline + 1.5 * setting + min(groups, 2)
