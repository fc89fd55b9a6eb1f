"""Turns bound claims into candidates: points with their places, conditions, protocol, wording, doubts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.rules.bound import Bound
from reproducegym.extraction.rules.entries import Entry, Grid
from reproducegym.extraction.rules.labels import find_mentions
from reproducegym.extraction.rules.metric_words import metric_word
from reproducegym.extraction.rules.printed import Said
from reproducegym.extraction.rules.protocol import Demands, SetUp
from reproducegym.extraction.rules.sentences import Spoken, anchor_of, number_place
from reproducegym.extraction.rules.statements import word_claim
from reproducegym.pipeline.grounding.binding import convert
from reproducegym.pipeline.printed.numbers import Number
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import (
    Anchor,
    Candidate,
    ClaimType,
    MetricIdea,
    Protocol,
    Reason,
    RolePoint,
    TargetPoint,
)

__all__ = ["Proposer", "clause_around", "clause_of", "printed_unit"]

_MISTAKES = re.compile(r"error|loss|regret|mistake|miss|perplexity|wrong|failure", re.IGNORECASE)
_ABLATION = re.compile(r"ablat|\bw/o\b|without|remov", re.IGNORECASE)
_SCALING = re.compile(r"\bscal(?:e|es|ing)\b|larger|model size|more data", re.IGNORECASE)


@dataclass(frozen=True)
class Proposer:
    """Writes candidates for one paper."""

    paper: ReadPaper
    grids: Sequence[Grid]
    set_up: SetUp
    demands: Demands
    data: str | None = None

    def anchor(self, spoken: Spoken) -> Anchor:
        """The sentence at its place."""
        return anchor_of(spoken, self.paper)

    def quantified(
        self, bounds: Sequence[Bound], spokens: Sequence[Spoken], anchors: tuple[Anchor, ...], weight: int
    ) -> Candidate:
        """The candidate of one claim, from every sentence that states it."""
        bound = _best(bounds)
        entry, baseline = bound.treatment, bound.baseline
        wording = word_claim(bound)
        ideas = [entry.idea("treatment")]
        points = [RolePoint(role="treatment", point=self._point(entry, bounds, spokens))]
        if baseline is not None:
            ideas.append(baseline.idea("baseline"))
            points.append(RolePoint(role="baseline", point=self._point(baseline, bounds, spokens)))
        printed = self._printed(bounds, spokens)
        if printed is not None:
            points.append(RolePoint(role="printed", point=printed))
        chance = self._chance(entry)
        if chance is not None and (baseline is None or chance.condition != baseline.condition):
            points.append(RolePoint(role="chance", point=chance.point()))
        return Candidate(
            statement=wording.statement,
            agent_statement=wording.agent_statement,
            title=wording.title,
            claim_type=self._claim_type(bound, spokens[0]),
            pattern=bound.pattern,
            anchors=anchors,
            metric=entry.metric(),
            points=tuple(points),
            conditions=tuple(ideas),
            protocol=self._protocol(entry),
            budget_knob=self.set_up.budget_for(entry.dataset),
            requires_training=self.demands.requires_training,
            requires_gpu=self.demands.requires_gpu,
            cost=self.demands.cost,
            importance=weight,
            doubts=self._doubts(bounds, entry),
            relation=bound.printed.relation if bound.printed else "equals",
        )

    def unquantified(self, spoken: Spoken, weight: int) -> Candidate:
        """A finding without a quantity: kept, with the reason why it is no task."""
        word = metric_word(spoken.text)
        metric = MetricIdea(
            name=word.name if word else "unnamed",
            unit="",
            kind=word.kind if word else "score",
            direction=word.direction if word else None,
        )
        return Candidate(
            statement=spoken.text,
            agent_statement="A finding that the paper states without a quantity",
            title="A finding without a quantity",
            claim_type="diagnostic",
            pattern="unquantified",
            anchors=(self.anchor(spoken),),
            metric=metric,
            points=(),
            conditions=(),
            protocol=Protocol(method=None, dataset=None, evaluation=None, numbers=()),
            budget_knob=None,
            requires_training=self.demands.requires_training,
            requires_gpu=self.demands.requires_gpu,
            cost=self.demands.cost,
            importance=weight,
            doubts=(
                Reason(code="no_quantity", argument=None, detail="no number of a table could be bound to the sentence"),
            ),
        )

    def _point(self, entry: Entry, bounds: Sequence[Bound], spokens: Sequence[Spoken]) -> TargetPoint:
        """The cell as a point, corroborated by sentences; the most precise printing gives the value."""
        placed = [
            (number, place)
            for bound, spoken in zip(bounds, spokens, strict=True)
            for quoted, number in bound.quoted
            if quoted.cell is entry.cell
            for place in [number_place(spoken, number, self.paper)]
            if place is not None
        ]
        point = entry.point(*dict.fromkeys(place for _, place in placed))
        finer = [number for number, _ in placed if _in_unit(number, entry)[1] < point.resolution]
        if not finer:
            return point
        best = min(finer, key=lambda number: _in_unit(number, entry)[1])
        value, resolution = _in_unit(best, entry)
        return point.model_copy(update={"value": value, "resolution": resolution})

    def _printed(self, bounds: Sequence[Bound], spokens: Sequence[Spoken]) -> TargetPoint | None:
        """The derived value as the paper prints it, the most precise printing, with its places."""
        said = [
            (one.printed, bound, spoken)
            for bound, spoken in zip(bounds, spokens, strict=True)
            for one in [bound]
            if one.printed is not None
        ]
        placed = [
            (printed, place)
            for printed, _, spoken in said
            if printed is not None
            for place in [number_place(spoken, printed.number, self.paper)]
            if place is not None
        ]
        if not placed:
            return None
        best = min(placed, key=lambda one: one[0].number.resolution)[0]
        same = [place for printed, place in placed if printed.number.value == best.number.value]
        entry = bounds[0].treatment
        return TargetPoint(
            value=best.number.value,
            unit=printed_unit(best, entry.metric()),
            resolution=best.number.resolution,
            spread=None,
            metric=entry.metric_name,
            condition=entry.name,
            dataset=entry.dataset,
            provenance=tuple(dict.fromkeys(same)),
        )

    def _chance(self, entry: Entry) -> Entry | None:
        """The row of a random or untrained run in the same column, if the table has exactly one and it tells a level.

        Of a cost that is not a matter of right and wrong, a wait or a length, "Random" is one more way to do the work
        and not what one starts from.
        """
        if entry.direction == "lower_is_better" and not (entry.kind == "loss" or _MISTAKES.search(entry.metric_name)):
            return None
        peers = [
            peer
            for grid in self.grids
            if grid.table is entry.table
            for peer in grid.peers(entry)
            if peer.is_chance and peer.condition[:-1] == entry.condition[:-1]
        ]
        return peers[0] if len(peers) == 1 and not entry.is_chance else None

    def _protocol(self, entry: Entry) -> Protocol:
        numbers = self.set_up.numbers_for(entry.dataset)
        over = ", mean over seeds" if any(number.name in {"seeds", "runs"} for number in numbers) else ""
        unit = f" ({entry.unit})" if entry.unit else ""
        return Protocol(
            method=entry.name,
            dataset=entry.dataset or self.data,
            evaluation=f"{entry.metric_name}{unit} as in Table {entry.table_name}{over}",
            numbers=numbers,
        )

    @staticmethod
    def _claim_type(bound: Bound, spoken: Spoken) -> ClaimType:
        caption = bound.treatment.table.caption.text if bound.treatment.table.caption else ""
        names = f"{bound.treatment.name} {bound.baseline.name if bound.baseline else ''}"
        if _ABLATION.search(f"{caption} {names}"):
            return "ablation"
        if spoken.role == "abstract":
            return "headline"
        if _SCALING.search(spoken.text):
            return "scaling"
        return "benchmark_result" if bound.pattern == "absolute" else "method_effect"

    @staticmethod
    def _doubts(bounds: Sequence[Bound], entry: Entry) -> tuple[Reason, ...]:
        """What the best sentence leaves open; a claim that any sentence states without doubt is not doubtful."""
        doubts: list[Reason] = [] if any(not one.doubts for one in bounds) else list(bounds[0].doubts)
        if any(reason.code == "inconsistent_with_table" for one in bounds for reason in one.doubts):
            doubts = [reason for one in bounds for reason in one.doubts]
        if entry.direction is None:
            detail = f'nothing says whether more or less "{entry.metric_name}" is better'
            doubts.append(Reason(code="direction_unknown", argument=None, detail=detail))
        return tuple(dict.fromkeys(doubts))


def clause_around(spoken: Spoken, bound: Bound, whole: Anchor) -> Anchor:
    """The part of a sentence that states one of its claims; the whole where no part can be cut out."""
    numbers: list[Number] = [number for _, number in bound.quoted]
    if bound.printed is not None:
        numbers.append(bound.printed.number)
    clause = clause_of(spoken, numbers, whole)
    names = [bound.treatment.label] if bound.treatment.label in _labels(spoken.text, bound) else []
    return clause if all(name in _labels(clause.quote, bound) for name in names) else whole


def _labels(text: str, bound: Bound) -> frozenset[str]:
    return frozenset(mention.label for mention in find_mentions(text, [bound.treatment.label]))


def clause_of(spoken: Spoken, numbers: Sequence[Number], whole: Anchor) -> Anchor:
    """The part of a sentence around some of its numbers; the whole where no part can be cut out."""
    if not numbers or spoken.text != whole.quote or re.search(r"\brespective(?:ly)?\b", spoken.text):
        return whole
    start, end = min(number.start for number in numbers), max(number.end for number in numbers)
    text = spoken.text
    left = max((match.end() for match in re.finditer(r"[,;:]\s|\sand\s|\swhile\s|\sbut\s", text[:start])), default=0)
    right = re.search(r"[,;:]\s|\sand\s|\swhile\s|\sbut\s|$", text[end:])
    stop = end + (right.start() if right else 0)
    return whole.model_copy(update={"quote": text[left:stop].strip()})


def _in_unit(number: Number, entry: Entry) -> tuple[Decimal, Decimal]:
    """Value and resolution of a printed number in the unit of the cell that it repeats."""
    unit = number.unit or entry.unit
    if number.unit == "" and entry.unit == "%" and abs(number.value) <= 1 < abs(entry.value):
        unit = ""
    value, resolution = convert(number.value, unit, entry.unit), convert(number.resolution, unit, entry.unit)
    return (entry.value, entry.number.resolution) if value is None or resolution is None else (value, resolution)


def _best(bounds: Sequence[Bound]) -> Bound:
    """The binding that the most of the paper supports: without doubts, with a baseline, with a printed value."""
    return max(
        bounds, key=lambda one: (not one.doubts, one.baseline is not None, one.printed is not None, len(one.quoted))
    )


def printed_unit(said: Said, metric: MetricIdea) -> str:
    """The unit of an effect: points of a percentage are `pp`, a factor is `×`."""
    if said.effect == "ratio":
        return "×"
    if said.effect in {"percent", "relative"}:
        return "%"
    if metric.unit == "%":
        return "pp"
    return "pp" if said.effect == "points" and metric.kind == "rate" else metric.unit
