"""The extractor without a model: claims are sentences of the paper, bound to the cells of its tables by rules."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from reproducegym.extraction.rules.absolute import bind_values
from reproducegym.extraction.rules.assertion import reports_others, states
from reproducegym.extraction.rules.baselines import Parts
from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.changes import bind_change
from reproducegym.extraction.rules.comparisons import bind_comparison
from reproducegym.extraction.rules.entries import Grid
from reproducegym.extraction.rules.labels import Mention, clean_label
from reproducegym.extraction.rules.own_names import is_own, own_names_of
from reproducegym.extraction.rules.presented import presented_findings
from reproducegym.extraction.rules.proposal import Proposer, clause_around
from reproducegym.extraction.rules.protocol import demands_of, read_set_up
from reproducegym.extraction.rules.reading import Reading
from reproducegym.extraction.rules.sentences import Spoken, claim_sentences
from reproducegym.extraction.rules.settings import data_described
from reproducegym.extraction.rules.spread import SpreadWords
from reproducegym.extraction.rules.superlatives import bind_superlative
from reproducegym.extraction.rules.tables import read_grids
from reproducegym.extraction.rules.wording import claims_something, is_placeholder, is_prose
from reproducegym.pipeline.printed.sections import ROLE_WEIGHT
from reproducegym.ports import ReadPaper
from reproducegym.schema.base import Frozen
from reproducegym.schema.claim import Anchor, Candidate, Reason, ReasonCode

__all__ = ["RulesExtractor"]

_STATED, _PRESENTED = 700, 300
"""What a claim weighs at least that a sentence states by itself, and what a finding that it only presents starts at."""
_PEOPLE = re.compile(
    r"(?:average |expert |professional )?humans?(?:[ -](?:level|performance|expert|score"
    r"|baseline)s?)?",
    re.IGNORECASE,
)
_APART = frozenset({"inconsistent_with_table", "condition_mismatch"})
"""Doubts about the sentence, not about the cells: another sentence may state the claim without them."""
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
    prompts: Mapping[str, str] = MappingProxyType({})

    def records(self) -> Mapping[str, Frozen]:
        """Nothing: the rules keep no papers of their own."""
        return {}

    def extract(self, paper: ReadPaper) -> tuple[Candidate, ...]:
        """All claims found: bound ones first by importance, then findings that name no quantity."""
        document = paper.document
        own = own_names_of(document)
        grids = read_grids(document, own, SpreadWords(document))
        datasets = list(dict.fromkeys(e.dataset for grid in grids for e in grid.entries if e.dataset))
        proposer = Proposer(
            paper, grids, read_set_up(document, datasets), demands_of(document), data_described(document)
        )
        found: list[_Found] = []
        loose: list[Spoken] = []
        spokens = claim_sentences(document)
        for spoken in spokens:
            bounds = _bind(spoken, grids, own)
            found.extend(_Found(bound, spoken, _weight(bound, spoken, own)) for bound in bounds)
            if not bounds and claims_something(spoken.text):
                loose.append(spoken)
        labels = tuple(dict.fromkeys(label for grid in grids for label in grid.condition_labels))
        parts = Parts(document, own, labels)
        said = {one.bound.cells for one in found}
        contested = {one.spoken.sentence.id for one in found if one.bound.doubts}
        calm = [spoken for spoken in spokens if spoken.sentence.id not in contested]
        found += [
            _Found(_doubted(bound), one.spoken, _PRESENTED + int(20 * one.weight))
            for one in presented_findings(grids, calm, parts, own)
            for bound in [_unsaid(one.bound, said)]
            if bound is not None
        ]
        groups = _merged(_contradicted(found))
        candidates = [proposer.quantified(*group) for group in _anchored(groups, paper, proposer)]
        candidates += [proposer.unquantified(spoken, ROLE_WEIGHT[spoken.role]) for spoken in loose]
        return _named_apart(sorted(candidates, key=lambda one: -one.importance))


def _named_apart(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Candidates whose wordings for the agent differ: those of equal ones name their tables."""
    times = Counter(one.title for one in candidates if one.points)
    return tuple(_with_table(one) if times[one.title] > 1 and one.points else one for one in candidates)


def _with_table(candidate: Candidate) -> Candidate:
    table = f" (Table {candidate.points[0].point.provenance[0].table})"
    renamed = {"title": candidate.title + table, "agent_statement": candidate.agent_statement + table}
    return candidate.model_copy(update=renamed)


def _unsaid(bound: Bound, said: Collection[tuple[str, ...]]) -> Bound | None:
    """What a comparison adds to the claims that sentences state themselves: its value, its difference, or nothing."""
    if bound.pattern != "comparison":
        return bound
    halves = (replace(bound, pattern="absolute"), replace(bound, pattern="difference"))
    left = [one for one in halves if one.cells not in said]
    return bound if len(left) == 2 else next(iter(left), None)


def _bind(spoken: Spoken, grids: Sequence[Grid], own: Sequence[str]) -> tuple[Bound, ...]:
    """Every claim of one sentence; what binds only on another split or data set than the sentence's is in doubt."""
    if is_placeholder(spoken.text) or spoken.is_cited or not is_prose(spoken.text):
        return ()
    readings = [reading for grid in grids for reading in [Reading(spoken, grid, own)] if reading.concerns]
    mentions = [
        mention
        for reading in readings
        for mention in reading.mentions
        if mention.label in reading.grid.condition_labels
    ]
    if reports_others(spoken.text, mentions):
        return ()
    bounds = _stated(_claims(readings), spoken.text, mentions)
    if bounds:
        return tuple(_doubted(bound) for bound in bounds)
    readings = [replace(reading, lenient=True) for reading in readings]
    bounds = _stated(_claims(readings), spoken.text, mentions)
    return tuple(_misplaced(bound, readings) for bound in bounds if not bound.doubts)


def _stated(bounds: Sequence[Bound], text: str, mentions: Sequence[Mention]) -> tuple[Bound, ...]:
    return tuple(bound for bound in bounds if states(text, mentions, bound.places))


def _claims(readings: Sequence[Reading]) -> tuple[Bound, ...]:
    """The comparison, the values and the superlative of one sentence."""
    if not readings:
        return ()
    text = readings[0].spoken.text
    change = bind_change(readings)
    taken = change.taken
    comparison = bind_comparison(readings)
    if comparison is None or comparison.printed is None:
        comparison = change.bound or bind_comparison(readings, taken)
    if comparison is None:
        values = bind_values(readings, taken)
        superlative = None if values or taken else bind_superlative(readings)
        return values if superlative is None else (superlative,)
    used = [*taken, *comparison.numbers]
    values = bind_values(readings, used)
    cells = {id(comparison.treatment.cell), id(comparison.baseline.cell) if comparison.baseline else 0}
    own_value = () if taken else _value_of_its_own(comparison, text)
    return (comparison, *own_value, *(value for value in values if id(value.treatment.cell) not in cells))


def _doubted(bound: Bound) -> Bound:
    """The claim with the doubts that its cells raise: a statistic that is no mean, a number of other authors."""
    doubts = list(bound.doubts)
    entry = bound.treatment
    if entry.is_quoted:
        detail = f'table {entry.table_name} marks "{entry.label}" as taken from other papers'
        doubts.append(Reason(code="condition_mismatch", argument=None, detail=detail))
    people = [
        one.label for one in (entry, bound.baseline) if one is not None and _PEOPLE.fullmatch(clean_label(one.label))
    ]
    if people:
        detail = f'"{people[0]}" was measured on people, who cannot be run again'
        doubts.append(Reason(code="needs_unavailable_asset", argument=None, detail=detail))
    statistic = entry.statistic or (bound.baseline.statistic if bound.baseline else None)
    if statistic is not None:
        detail = f'table {entry.table_name} prints "{statistic}", and a task scores the mean over runs'
        doubts.append(Reason(code="formula_unsupported", argument=None, detail=detail))
    return replace(bound, doubts=tuple(doubts))


def _misplaced(bound: Bound, readings: Sequence[Reading]) -> Bound:
    """The claim with the reason why its cells are not what the sentence speaks of."""
    entry = bound.treatment
    reading = next(one for one in readings if one.grid.table is entry.table)
    other = [
        one
        for each in readings
        for one in each.grid.entries
        if one.split == reading.said_split and one.label == entry.label and one.split is not None
    ]
    said = reading.foreign or f"the {reading.said_split} split"
    detail = (
        f'the sentence speaks of "{said}", table {entry.table_name} of {entry.split or entry.dataset or "no such data"}'
    )
    inconsistent = reading.foreign is None and bool(other)
    code: ReasonCode = "inconsistent_with_table" if inconsistent else "condition_mismatch"
    return replace(bound, doubts=(*bound.doubts, Reason(code=code, argument=None, detail=detail)))


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
    quantity = 1000 if bound.printed or bound.quoted else _STATED
    ours = 60 if is_own(bound.treatment.label, own) else 0
    comparative = 20 if _COMPARES.search(spoken.text) else 0
    certain = 0 if bound.doubts else 100
    return quantity + ROLE_WEIGHT[spoken.role] + ours + comparative + certain


def _contradicted(found: Sequence[_Found]) -> list[_Found]:
    """Where one sentence prints another value of a cell than the table, no sentence's claim on that value is sure."""
    contradictions = {
        one.bound.cells: reason
        for one in found
        for reason in one.bound.doubts
        if reason.code == "inconsistent_with_table" and one.bound.places == ()
    }
    return [_with_doubt(one, contradictions) for one in found]


def _with_doubt(one: _Found, contradictions: Mapping[tuple[str, ...], Reason]) -> _Found:
    """A claim with the contradiction of its own cells; a comparison that no sentence states, with that of its parts."""
    bound = one.bound
    keys = [bound.cells]
    if bound.pattern == "comparison":
        keys += [replace(bound, pattern="absolute").cells, replace(bound, pattern="difference").cells]
    reasons = [contradictions[key] for key in keys if key in contradictions and contradictions[key] not in bound.doubts]
    return replace(one, bound=replace(bound, doubts=(*bound.doubts, *reasons))) if reasons else one


def _merged(found: Sequence[_Found]) -> list[list[_Found]]:
    """Claims on the same cells with the same pattern are one claim with several anchors, the weightiest first."""
    groups: dict[tuple[str, ...], list[_Found]] = {}
    for one in found:
        contradicts = tuple(reason.code for reason in one.bound.doubts if reason.code in _APART)
        groups.setdefault((*one.bound.cells, *contradicts), []).append(one)
    merged = [sorted(group, key=lambda one: (-one.weight, one.spoken.order)) for group in groups.values()]
    return sorted(merged, key=lambda group: (-group[0].weight, group[0].spoken.order))


def _anchored(
    groups: Sequence[Sequence[_Found]], paper: ReadPaper, proposer: Proposer
) -> list[tuple[list[Bound], list[Spoken], tuple[Anchor, ...], int]]:
    """Each claim with its anchors, whole sentences.

    Where a sentence states several claims, each is anchored at its own clause as well, which tells them apart.
    """
    stated: dict[str, int] = {}
    for group in (one for one in groups if one[0].weight >= _STATED):
        for identifier in {one.spoken.sentence.id for one in group}:
            stated[identifier] = stated.get(identifier, 0) + 1
    anchored = []
    for group in groups:
        anchors: list[Anchor] = []
        for one in group:
            whole = proposer.anchor(one.spoken)
            shared = stated.get(one.spoken.sentence.id, 0) > 1
            for anchor in (whole, clause_around(one.spoken, one.bound, whole)) if shared else (whole,):
                if anchor not in anchors:
                    anchors.append(anchor)
        anchored.append(([one.bound for one in group], [one.spoken for one in group], tuple(anchors), group[0].weight))
    return anchored
