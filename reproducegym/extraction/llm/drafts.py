"""Holds what a model found in a section against the section, and makes drafts of claims of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.llm.places import Located, at_cell, bare_id, cell_named, locate
from reproducegym.extraction.llm.replies import CellName, FoundClaim, SentencePlace, SeriesPlace
from reproducegym.extraction.llm.sections import SectionText
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.bound import prints
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.labels import find_mentions
from reproducegym.extraction.rules.printed import numbers_said
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.schema.claim import Reason
from reproducegym.schema.evidence import SectionRole

__all__ = ["Draft", "cell_keys", "drafts_of", "evidence_cells", "numbers_of"]

_CELLS = 6
"""Cells that a draft without any is lent, so that its evidence holds the tables that may prove it."""


@dataclass(frozen=True)
class Draft:
    """A claim before it is bound. `anchors` are ids of sentences that were shown; `places` what could be looked up."""

    id: str
    found: FoundClaim
    role: SectionRole
    anchors: tuple[str, ...]
    places: tuple[Located, ...]
    series: tuple[SeriesPlace, ...]
    notes: tuple[str, ...]


def drafts_of(view: View, section: SectionText, claims: Iterable[FoundClaim], first: int) -> tuple[Draft, ...]:
    """Drafts `c<first>`, …; a claim none of whose sentences is of the section is no claim of the paper and is left."""
    shown = {one.id for one in section.sentences}
    drafts: list[Draft] = []
    for claim in claims:
        named = [bare_id(one) for one in claim.anchors]
        anchors = tuple(dict.fromkeys(one for one in named if one in shown and one in view.spoken))
        if not anchors:
            continue
        places, notes = _places(view, claim)
        strange = [one for one in named if one not in anchors]
        notes += [f"sentence {one} was not shown" for one in strange]
        series = tuple(one for one in claim.rests_on if isinstance(one, SeriesPlace))
        number = f"c{first + len(drafts)}"
        drafts.append(Draft(number, claim, section.role, anchors, tuple(places), series, tuple(notes)))
    return tuple(drafts)


def evidence_cells(view: View, draft: Draft) -> tuple[Located, ...]:
    """The cells that a draft names; where it names none, those that print its sentences' numbers or bear its names."""
    named = tuple(one for one in draft.places if one.cell is not None)
    if named:
        return named
    texts = [view.spoken[one].text for one in draft.anchors]
    said = [one.number for text in texts for one in numbers_said(text, find_mentions(text, view.labels))]
    said += [one.number for one in draft.places]
    found = draft.found
    about = " ".join((*texts, found.metric, found.method, found.baseline or "", found.dataset or ""))
    printing = [entry for entry in view.entries if any(prints(number, entry) for number in said)]
    ranked = sorted(printing or view.entries, key=lambda entry: -_bearing(entry, about))
    if not printing:
        ranked = [entry for entry in ranked if _bearing(entry, about) >= 2]
    return tuple(at_cell(view, one.table, one.cell, one.number) for one in ranked[:_CELLS])


def cell_keys(places: Iterable[Located]) -> frozenset[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """What identifies the cells among places."""
    return frozenset(
        (one.place.table or "", one.place.row_path, one.place.column_path) for one in places if one.cell is not None
    )


def numbers_of(places: Iterable[Located]) -> frozenset[tuple[Decimal, str]]:
    """The values that places print, with their units."""
    return frozenset((one.number.value, one.number.unit) for one in places)


def _places(view: View, claim: FoundClaim) -> tuple[list[Located], list[str]]:
    places: list[Located] = []
    notes: list[str] = []
    for place in claim.rests_on:
        if isinstance(place, CellName):
            cells = cell_named(view, place.table, place.row, place.column)
            if isinstance(cells, Reason):
                notes.append(cells.detail)
                continue
            places += [
                at_cell(view, table, cell, number)
                for table, cell in cells
                for number in [read_number(cell.text)]
                if number is not None
            ]
        elif isinstance(place, SentencePlace):
            found = locate(view, place)
            if isinstance(found, Reason):
                notes.append(found.detail)
            else:
                places.append(found)
    return places, notes


def _bearing(entry: Entry, about: str) -> int:
    """How many names of a cell a text has."""
    names = [*entry.condition, *entry.heads, *entry.setting]
    return len({mention.label for mention in find_mentions(about, names)})
