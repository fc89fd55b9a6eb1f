"""Binds "X has the best score" to X's cell, when the table bears it out and no number is printed."""

import re
from collections.abc import Sequence

from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.roles import is_hedged

__all__ = ["bind_superlative"]

_VERB = (
    r"(?:presents?|achieves?|obtains?|yields?|gives?|gets?|reach(?:es)?|attains?|shows?|has|have|performs?|delivers?"
    r"|provides?|is|are|achieved|obtained|performed|reached|had|was)"
)
_SUPERLATIVE = re.compile(
    rf"\b{_VERB}\s(?:(?:the|overall|clearly|by far|consistently)\s)*(best|highest|lowest)\b", re.IGNORECASE
)
_CLAUSE_END = re.compile(r"\b(?:while|whereas|although|though|but|however|because|since|if|when)\b|;", re.IGNORECASE)


def bind_superlative(readings: Sequence[Reading]) -> Bound | None:
    """An absolute claim on the one cell that the sentence calls best; None unless it is, in the one column meant."""
    if not readings:
        return None
    text = readings[0].spoken.text
    match = _SUPERLATIVE.search(text)
    if match is None or is_hedged(_clause(text, match.start())):
        return None
    found = [
        entry
        for reading in readings
        if reading.grid.table.label in (reading.spoken.tables or reading.spoken.near)
        for entry in _cells_meant(reading, match)
    ]
    if len(found) != 1:
        return None
    return Bound("absolute", found[0], None, None, (), at=match.start())


def _clause(text: str, at: int) -> str:
    starts = [match.end() for match in _CLAUSE_END.finditer(text) if match.end() <= at]
    ends = [match.start() for match in _CLAUSE_END.finditer(text) if match.start() >= at]
    return text[max(starts, default=0) : min(ends, default=len(text))]


def _cells_meant(reading: Reading, match: re.Match[str]) -> list[Entry]:
    """The subject's cells in the columns that sentence and paragraph name best, where it is the best of its column."""
    clause = _clause(reading.spoken.text, match.start())
    start = reading.spoken.text.find(clause)
    subjects = [one for one in reading.label_mentions() if start <= one.start < match.start() and one.strength == 2]
    if len({one.label for one in subjects}) != 1:
        return []
    cells = [
        entry
        for entry in reading.grid.entries
        if entry.label == subjects[0].label and reading.groups_agree(entry) and reading.fits_setting(entry) is not None
    ]
    ranks = {entry.heads: (reading.fits_setting(entry) or 0, reading.near_setting(entry)) for entry in cells}
    best = max(ranks.values(), default=(0, 0))
    meant = [entry for entry in cells if ranks[entry.heads] == best]
    return meant if len(meant) == 1 and _is_extreme(meant[0], reading, match.group(1).casefold()) else []


def _is_extreme(entry: Entry, reading: Reading, word: str) -> bool:
    """Whether no other row of the column is as good."""
    if word == "best" and entry.direction is None:
        return False
    high = word == "highest" or (word == "best" and entry.direction == "higher_is_better")
    others = [peer.value for peer in reading.grid.peers(entry)]
    return bool(others) and (entry.value > max(others) if high else entry.value < min(others))
