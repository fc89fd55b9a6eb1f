"""Ranks what tables show by what the text says of it, and anchors it at the sentence that says or presents it."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from reproducegym.extraction.rules.assertion import reports_others, states
from reproducegym.extraction.rules.baselines import Parts
from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.entries import Entry, Grid
from reproducegym.extraction.rules.findings import Finding, Kind, findings_of
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.printed import numbers_said
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.roles import Cue, cue_of, is_hedged, sense_holds
from reproducegym.extraction.rules.sentences import Spoken
from reproducegym.extraction.rules.wording import is_placeholder, is_prose
from reproducegym.pipeline.numbers import read_numbers

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
_SETS_UP = re.compile(
    r"hyper-?param|search space|\blist\b|definitions?|defines?|notation|configuration|architecture of|prompt"
    r"|details? of|statistics|settings?\b",
    re.IGNORECASE,
)
_ALIKE = re.compile(
    r"\b(?:identical|similar\w*|comparabl\w+|alike|close|competitive\w*)"
    r"(?: \w+)? (?:results?|performances?|scores?|accurac\w+|values?|quality|perform\w*)\b",
    re.IGNORECASE,
)
_SWEEPING = re.compile(
    r"\b(?:significant\w*|clear(?:ly)?|substantial\w*|consistent\w*|considerabl\w*|dramatic\w*|vast\w*"
    r"|far|almost|nearly|most|mostly|generally|often|strong\w*|remarkabl\w*|drastic\w*)\b",
    re.IGNORECASE,
)
"""Words of praise that no number stands behind: such a sentence claims too much to be pinned to one cell."""
_PRAISES = re.compile(r"\b(?:very|poor\w*|well|superior|excellent|promising|fail\w*|inferior)\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:with|for|of|under|in|on|at) (?:\w+ly )?$")
"""Before a comparative that describes a setting: "with more labels"."""
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
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
_OTHER_NAME = re.compile(r"[,;]\s+(?:[a-z]+\s)?[A-Z][\w-]*")
"""Another subject between a row's name and the comparative."""
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
        quiet = [one for one in self.readings if _is_decent(one) and _is_quiet(one.spoken.text)]
        direct = [one for one in quiet if self.grid.table.label in one.spoken.tables]
        neutral = [one for one in quiet if _is_sound(one)]
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
            if self.grid.table.label in one.spoken.tables and _is_sound(one) and not _SWEEPING.search(one.spoken.text)
        ]
        presenting = [
            one
            for one in self.readings
            if self.grid.table.label in one.spoken.tables and _is_decent(one) and _PRESENTS.search(one.spoken.text)
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
        ((heat, reading) for heat, reading in heats if heat >= 4 and _tells(finding, reading)),
        key=lambda one: (-one[0], one[1].spoken.order),
    )
    presenters = (one for one in said.presenters if _presents(finding, one))
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
        finding.kind == "exception" and not is_own(_part(finding.baseline, finding), reading.own_names)
    )
    return Bound("comparison" if leads else "difference", finding.treatment, finding.baseline, None, ())


def _heat(finding: Finding, reading: Reading) -> float:
    """How much a sentence speaks of a finding: of its rows and of its column; 0 where it speaks of another column."""
    setting = reading.fits_setting(finding.treatment)
    if setting is None and reading.excepted.isdisjoint(finding.treatment.heads):
        return 0.0
    setting = 2 if setting is None else min(setting, 2)
    treatment, baseline = (_named(one, finding, reading) for one in (finding.treatment, finding.baseline))
    groups = sum(
        reading.strengths.get(part, 0)
        for depth, part in enumerate(finding.treatment.condition)
        if depth != finding.depth
    )
    if _denies(finding, reading):
        return 0.0
    if finding.kind == "usual" and not (
        baseline if is_own(_part(finding.treatment, finding), reading.own_names) else treatment
    ):
        return 0.0
    if not (treatment or baseline):
        return setting * 0.5
    refers = 1.0 if reading.grid.table.label in reading.spoken.tables else 0.0
    return refers + 1.5 * treatment + baseline + 1.5 * setting + min(groups, 2)


def _part(entry: Entry, finding: Finding) -> str:
    return entry.condition[min(finding.depth, len(entry.condition) - 1)]


def _named(entry: Entry, finding: Finding, reading: Reading) -> int:
    named = 2 if reading.subject_before() == _part(entry, finding) else reading.strengths.get(_part(entry, finding), 0)
    return max(named, 1) if reading.says_own and is_own(_part(entry, finding), reading.own_names) else named


def _presents(finding: Finding, reading: Reading) -> bool:
    """Whether a sentence may introduce a finding: it says nothing else, and prints no other result."""
    text = reading.spoken.text
    if not reading.may_speak_of(finding.treatment) or not _numbers_agree(finding, reading):
        return False
    cue = cue_of(text)
    if cue is None:
        return not _PRAISES.search(text)
    subject, objects = _subject_and_objects(reading, cue, finding)
    rows = {_part(one, finding) for one in (finding.treatment, finding.baseline)}
    if (objects and objects.isdisjoint(rows)) or (subject is not None and objects and subject not in rows):
        return False
    if _is_quiet(text):
        return not (_BOTH.search(text) and _joined_before(reading, cue, *rows))
    return _says_which(finding, reading, cue)


def _numbers_agree(finding: Finding, reading: Reading) -> bool:
    """Whether the results that a sentence prints, if any, are the finding's: one of its values or their difference."""
    text = reading.spoken.text
    said = [one.number for one in numbers_said(text, reading.mentions) if one.effect is not None]
    said += [
        one
        for one in read_numbers(text)
        if one.resolution < 1
        and not any(mention.start < one.end and one.start < mention.end for mention in reading.mentions)
        and not re.match(r"\s?(?:CI|confidence)", text[one.end :])
    ]
    first, second = finding.treatment.value, finding.baseline.value
    gap = abs(first - second)
    results = [abs(first), abs(second), gap, *(100 * gap / abs(one) for one in (first, second) if one)]
    results += [one * 100 for one in results[:3]] + [
        max(first, second) / low for low in [min(first, second)] if low > 0
    ]
    return not said or any(abs(abs(one.value) - result) * 2 <= one.resolution for one in said for result in results)


def _is_quiet(text: str) -> bool:
    """Whether a sentence judges nothing."""
    cue = cue_of(text)
    aside = cue is not None and cue.sense in {"more", "less"} and _BESIDE.search(text[: cue.start])
    return (cue is None or cue.sense == "any" or bool(aside)) and not _PRAISES.search(text)


def _is_decent(reading: Reading) -> bool:
    """Whether a sentence may present a table: prose of the authors about results."""
    text = reading.spoken.text
    return (
        is_prose(text)
        and not is_placeholder(text)
        and not reading.spoken.is_cited
        and not reports_others(text, reading.mentions)
        and not _SETS_UP.search(text)
        and not _ALIKE.search(text)
    )


def _is_sound(reading: Reading) -> bool:
    """Whether what a sentence says is said without reserve."""
    return _is_decent(reading) and states(reading.spoken.text, reading.mentions)


def _tells(finding: Finding, reading: Reading) -> bool:
    """Whether a sentence says this very thing of this very column: which row is ahead of which."""
    text = reading.spoken.text
    if not _is_sound(reading) or is_hedged(text) or not _numbers_agree(finding, reading):
        return False
    setting = reading.fits_setting(finding.treatment)
    if setting is None or (setting == 0 and len(reading.grid.heads) > 1):
        return False
    cue = cue_of(text)
    if cue is None:
        named = _named(finding.treatment, finding, reading)
        return named > 0 and reading.grid.table.label in reading.spoken.tables
    return _says_which(finding, reading, cue)


def _says_which(finding: Finding, reading: Reading, cue: Cue) -> bool:
    """Whether a comparative's subject is one of the rows, and stands to the other as it says."""
    subject, objects = _subject_and_objects(reading, cue, finding)
    first, second = (_part(one, finding) for one in (finding.treatment, finding.baseline))
    if not objects and _joined_before(reading, cue, first, second):
        return False
    if subject == first and (second in objects or not objects):
        return sense_holds(cue.sense, finding.treatment, finding.baseline)
    if subject == second and (first in objects or not objects):
        return sense_holds(cue.sense, finding.baseline, finding.treatment)
    return False


def _joined_before(reading: Reading, cue: Cue, *rows: str) -> bool:
    """ "Both A and B are better …": neither is said to be ahead of the other."""
    return set(rows) <= {one.label for one in reading.mentions if one.end <= cue.start}


def _denies(finding: Finding, reading: Reading) -> bool:
    """Whether a sentence that compares these very rows says the opposite of what this column holds."""
    cue = cue_of(reading.spoken.text)
    if cue is None:
        return False
    subject, objects = _subject_and_objects(reading, cue, finding)
    first, second = finding.treatment, finding.baseline
    if subject == _part(second, finding):
        first, second = second, first
    rows = subject == _part(first, finding) and _part(second, finding) in objects
    return rows and not sense_holds(cue.sense, first, second)


def _subject_and_objects(reading: Reading, cue: Cue, finding: Finding) -> tuple[str | None, frozenset[str]]:
    """The row named last before the comparative, or the authors' own, and the rows named behind it."""
    rows = [one for one in reading.mentions if one.label in reading.grid.condition_labels]
    text = reading.spoken.text
    before = [
        one.label
        for one in rows
        if one.end <= cue.start and not _OTHER_NAME.search(text[one.end : cue.start].partition("(")[0])
    ]
    behind = frozenset(one.label for one in rows if one.start >= cue.end)
    if not before and reading.subject_before() is not None:
        before = [reading.subject_before() or ""]
    if not before and reading.says_own:
        ours = [_part(one, finding) for one in (finding.treatment, finding.baseline)]
        before = [one for one in ours if is_own(one, reading.own_names)]
    return (before[-1] if before else None), behind
