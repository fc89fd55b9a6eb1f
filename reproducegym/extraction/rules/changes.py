"""Binds "falls from 28.7% to 17.4%": the first number is the baseline's cell, the second the treatment's."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.extraction.rules.bound import Bound, prints
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.roles import sense_holds, sense_of_change
from reproducegym.pipeline.printed.numbers import Number, read_numbers
from reproducegym.schema.claim import Reason

__all__ = ["Change", "bind_change"]

_FROM = re.compile(r"\bfrom\s(?:(?:about|around|roughly|the|an?|its)\s)*$", re.IGNORECASE)
_TO = re.compile(r"\b(?:to|down to|up to)\s(?:(?:about|around|roughly|the|an?|only)\s)*$", re.IGNORECASE)


@dataclass(frozen=True)
class Change:
    """What "from A to B" is bound to, if anything; `taken` are A and B, which are no results by themselves."""

    bound: Bound | None
    taken: tuple[Number, ...]


def bind_change(readings: Sequence[Reading]) -> Change:
    """The difference of the one pair of cells that prints A and B in a column that the sentence can mean."""
    text = readings[0].spoken.text if readings else ""
    ends = _ends(text)
    if ends is None:
        return Change(None, ())
    before, after = ends
    pairs = [
        (treatment, baseline)
        for reading in readings
        for treatment in reading.grid.entries
        if prints(after, treatment) and _can_be_meant(reading, treatment)
        for baseline in reading.grid.peers(treatment)
        if prints(before, baseline) and _named(reading, treatment, baseline)
    ]
    if not pairs:
        return Change(None, ends)
    treatment, baseline = pairs[0]
    doubts: tuple[Reason, ...] = ()
    if len(pairs) > 1:
        names = ", ".join(f'"{one.name}" against "{other.name}" on {one.dataset}' for one, other in pairs)
        doubts = (Reason(code="ambiguous_target", argument=None, detail=f"the change fits several pairs: {names}"),)
    elif not sense_holds(sense_of_change(text), treatment, baseline):
        detail = f"the sentence says otherwise than {baseline.number.text} and then {treatment.number.text}"
        doubts = (Reason(code="inconsistent_with_table", argument=None, detail=detail),)
    bound = Bound("difference", treatment, baseline, None, ((treatment, after), (baseline, before)), doubts)
    return Change(bound, ends)


def _ends(text: str) -> tuple[Number, Number] | None:
    """The numbers of the first "from A … to B"."""
    numbers = read_numbers(text)
    starts = [number for number in numbers if _FROM.search(text[: number.start])]
    if len(starts) != 1:
        return None
    later = [number for number in numbers if number.start >= starts[0].end and _TO.search(text[: number.start])]
    if not later or re.search(r"[.;]\s", text[starts[0].end : later[0].start]):
        return None
    return starts[0], later[0]


def _can_be_meant(reading: Reading, entry: Entry) -> bool:
    return reading.fits_setting(entry) is not None and reading.groups_agree(entry) and not entry.is_chance


def _named(reading: Reading, treatment: Entry, baseline: Entry) -> bool:
    """Whether the sentence names (or calls its own) one of the two rows, and no third one."""
    mentions = reading.label_mentions()
    pair = {*treatment.condition, *baseline.condition}
    others = any(mention.strength == 2 and mention.label not in pair for mention in mentions)
    own = reading.says_own and reading.is_own(treatment)
    return not others and (own or any(mention.label in pair for mention in mentions))
