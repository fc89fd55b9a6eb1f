"""What a sentence says of a finding: whether it names its rows and its column, tells it, presents it, or denies it."""

import re

from reproducegym.extraction.rules.assertion import reports_others, states
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.findings import Finding
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.printed import numbers_said
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.roles import Cue, cue_of, is_hedged, sense_holds
from reproducegym.extraction.rules.wording import is_placeholder, is_prose
from reproducegym.pipeline.printed.numbers import read_numbers

__all__ = ["denies", "is_decent", "is_quiet", "is_sound", "named_in", "part_of", "presents", "tells"]

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
_PRAISES = re.compile(r"\b(?:very|poor\w*|well|superior|excellent|promising|fail\w*|inferior)\b", re.IGNORECASE)
_BESIDE = re.compile(r"\b(?:with|for|of|under|in|on|at) (?:\w+ly )?$")
"""Before a comparative that describes a setting: "with more labels"."""
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
_OTHER_NAME = re.compile(r"[,;]\s+(?:[a-z]+\s)?[A-Z][\w-]*")
"""Another subject between a row's name and the comparative."""


def part_of(entry: Entry, finding: Finding) -> str:
    """The label by which a finding tells its rows apart."""
    return entry.condition[min(finding.depth, len(entry.condition) - 1)]


def named_in(entry: Entry, finding: Finding, reading: Reading) -> int:
    """How surely a sentence names one of a finding's rows; "we" names the authors' own weakly."""
    named = (
        2 if reading.subject_before() == part_of(entry, finding) else reading.strengths.get(part_of(entry, finding), 0)
    )
    return max(named, 1) if reading.says_own and is_own(part_of(entry, finding), reading.own_names) else named


def presents(finding: Finding, reading: Reading) -> bool:
    """Whether a sentence may introduce a finding: it says nothing else, and prints no other result."""
    text = reading.spoken.text
    if not reading.may_speak_of(finding.treatment) or not _numbers_agree(finding, reading):
        return False
    cue = cue_of(text)
    if cue is None:
        return not _PRAISES.search(text)
    subject, objects = _subject_and_objects(reading, cue, finding)
    rows = {part_of(one, finding) for one in (finding.treatment, finding.baseline)}
    if (objects and objects.isdisjoint(rows)) or (subject is not None and objects and subject not in rows):
        return False
    if is_quiet(text):
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


def is_quiet(text: str) -> bool:
    """Whether a sentence judges nothing."""
    cue = cue_of(text)
    aside = cue is not None and cue.sense in {"more", "less"} and _BESIDE.search(text[: cue.start])
    return (cue is None or cue.sense == "any" or bool(aside)) and not _PRAISES.search(text)


def is_decent(reading: Reading) -> bool:
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


def is_sound(reading: Reading) -> bool:
    """Whether what a sentence says is said without reserve."""
    return is_decent(reading) and states(reading.spoken.text, reading.mentions)


def tells(finding: Finding, reading: Reading) -> bool:
    """Whether a sentence says this very thing of this very column: which row is ahead of which."""
    text = reading.spoken.text
    if not is_sound(reading) or is_hedged(text) or not _numbers_agree(finding, reading):
        return False
    setting = reading.fits_setting(finding.treatment)
    if setting is None or (setting == 0 and len(reading.grid.heads) > 1):
        return False
    cue = cue_of(text)
    if cue is None:
        named = named_in(finding.treatment, finding, reading)
        return named > 0 and reading.grid.table.label in reading.spoken.tables
    return _says_which(finding, reading, cue)


def _says_which(finding: Finding, reading: Reading, cue: Cue) -> bool:
    """Whether a comparative's subject is one of the rows, and stands to the other as it says."""
    subject, objects = _subject_and_objects(reading, cue, finding)
    first, second = (part_of(one, finding) for one in (finding.treatment, finding.baseline))
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


def denies(finding: Finding, reading: Reading) -> bool:
    """Whether a sentence that compares these very rows says the opposite of what this column holds."""
    cue = cue_of(reading.spoken.text)
    if cue is None:
        return False
    subject, objects = _subject_and_objects(reading, cue, finding)
    first, second = finding.treatment, finding.baseline
    if subject == part_of(second, finding):
        first, second = second, first
    rows = subject == part_of(first, finding) and part_of(second, finding) in objects
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
        ours = [part_of(one, finding) for one in (finding.treatment, finding.baseline)]
        before = [one for one in ours if is_own(one, reading.own_names)]
    return (before[-1] if before else None), behind
