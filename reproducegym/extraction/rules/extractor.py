"""The extractor without a model: claims are sentences of the paper, bound to the cells of its tables by rules."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.extraction.rules.absolute import bind_values
from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.comparisons import bind_comparison
from reproducegym.extraction.rules.own_names import is_own, own_names_of
from reproducegym.extraction.rules.proposal import Proposer, clause_around
from reproducegym.extraction.rules.protocol import demands_of, read_set_up
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.sentences import Spoken, claim_sentences
from reproducegym.extraction.rules.spread import SpreadWords
from reproducegym.extraction.rules.superlatives import bind_superlative
from reproducegym.extraction.rules.tables import Grid, read_grids
from reproducegym.extraction.rules.wording import SectionRole, claims_something, is_placeholder, is_prose
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Anchor, Candidate

__all__ = ["RulesExtractor"]

_WEIGHT: dict[SectionRole, int] = {
    "abstract": 300,
    "conclusion": 250,
    "results": 150,
    "introduction": 120,
    "other": 50,
    "setup": 0,
    "aside": 0,
}
_COMPARES = re.compile(r"than|over|compared|outperform|improv|reduc|increas|better|worse|best|superior", re.IGNORECASE)


@dataclass(frozen=True)
class _Found:
    """A bound claim with the sentence that states it."""

    bound: Bound
    spoken: Spoken
    weight: int


class RulesExtractor:
    """Proposes claims by rules; the same paper gives the same candidates, in order of importance."""

    name = "rules"

    def extract(self, paper: ReadPaper) -> tuple[Candidate, ...]:
        """All claims found: bound ones first by importance, then findings that name no quantity."""
        document = paper.document
        own = own_names_of(document)
        grids = read_grids(document, own, SpreadWords(document))
        datasets = list(dict.fromkeys(e.dataset for grid in grids for e in grid.entries if e.dataset))
        proposer = Proposer(paper, grids, read_set_up(document, datasets), demands_of(document))
        found: list[_Found] = []
        loose: list[Spoken] = []
        for spoken in claim_sentences(document):
            bounds = _bind(spoken, grids, own)
            found.extend(_Found(bound, spoken, _weight(bound, spoken, own)) for bound in bounds)
            if not bounds and claims_something(spoken.text):
                loose.append(spoken)
        candidates = [proposer.quantified(*group) for group in _anchored(_merged(found), paper, proposer)]
        candidates += [proposer.unquantified(spoken, _WEIGHT[spoken.role]) for spoken in loose]
        return tuple(sorted(candidates, key=lambda one: -one.importance))


def _bind(spoken: Spoken, grids: Sequence[Grid], own: Sequence[str]) -> tuple[Bound, ...]:
    """Every claim of one sentence."""
    if is_placeholder(spoken.text) or spoken.is_cited or not is_prose(spoken.text):
        return ()
    readings = [Reading(spoken, grid, own) for grid in grids]
    readings = [reading for reading in readings if reading.concerns]
    comparison = bind_comparison(readings)
    if comparison is None:
        values = bind_values(readings, ())
        superlative = None if values else bind_superlative(readings)
        return values if superlative is None else (superlative,)
    used = [number for _, number in comparison.quoted]
    if comparison.printed is not None:
        used.append(comparison.printed.number)
    values = bind_values(readings, used)
    cells = {id(comparison.treatment.cell), id(comparison.baseline.cell) if comparison.baseline else 0}
    own_value = _value_of_its_own(comparison, spoken.text)
    return (comparison, *own_value, *(value for value in values if id(value.treatment.cell) not in cells))


def _value_of_its_own(comparison: Bound, text: str) -> tuple[Bound, ...]:
    """ "achieves 28.4 BLEU, improving over … by over 2 BLEU" claims the value as well as the gap.

    A value in parentheses only supports the gap.
    """
    if comparison.printed is None or comparison.doubts:
        return ()
    return tuple(
        Bound("absolute", entry, comparison.baseline, None, ((entry, number),))
        for entry, number in comparison.quoted
        if entry.cell is comparison.treatment.cell
        and text[: number.start].count("(") == text[: number.start].count(")")
        and not re.search(r"\b(?:from|to)\s$", text[: number.start])
    )


def _weight(bound: Bound, spoken: Spoken, own: Sequence[str]) -> int:
    quantity = 1000 if bound.printed or bound.quoted else 700
    ours = 60 if is_own(bound.treatment.label, own) else 0
    comparative = 20 if _COMPARES.search(spoken.text) else 0
    certain = 0 if bound.doubts else 100
    return quantity + _WEIGHT[spoken.role] + ours + comparative + certain


def _merged(found: Sequence[_Found]) -> list[list[_Found]]:
    """Claims on the same cells with the same pattern are one claim with several anchors, the weightiest first."""
    groups: dict[tuple[str, ...], list[_Found]] = {}
    for one in found:
        contradicts = tuple(reason.code for reason in one.bound.doubts if reason.code == "inconsistent_with_table")
        groups.setdefault((*one.bound.cells, *contradicts), []).append(one)
    merged = [sorted(group, key=lambda one: (-one.weight, one.spoken.order)) for group in groups.values()]
    return sorted(merged, key=lambda group: (-group[0].weight, group[0].spoken.order))


def _anchored(
    groups: Sequence[Sequence[_Found]], paper: ReadPaper, proposer: Proposer
) -> list[tuple[list[Bound], list[Spoken], tuple[Anchor, ...], int]]:
    """Each claim with its anchors. Where a sentence states several claims, each is anchored at its own clause."""
    stated: dict[str, int] = {}
    for group in groups:
        for identifier in {one.spoken.sentence.id for one in group}:
            stated[identifier] = stated.get(identifier, 0) + 1
    anchored = []
    for group in groups:
        anchors: list[Anchor] = []
        for one in group:
            whole = proposer.anchor(one.spoken)
            shared = stated[one.spoken.sentence.id] > 1
            anchor = clause_around(one.spoken, one.bound, whole) if shared else whole
            if anchor not in anchors:
                anchors.append(anchor)
        anchored.append(([one.bound for one in group], [one.spoken for one in group], tuple(anchors), group[0].weight))
    return anchored
