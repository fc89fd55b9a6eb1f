"""Binds a refined claim to the paper: every number looked up, every word held against the evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.llm.contradictions import formula_doubts, wording_doubts
from reproducegym.extraction.llm.metrics import measured
from reproducegym.extraction.llm.places import Located, is_called, locate, reason
from reproducegym.extraction.llm.points import condition_name, effect_said, is_vouched, point_of, printed_point
from reproducegym.extraction.llm.replies import Refined, RefinedPoint, SeriesPlace
from reproducegym.extraction.llm.series import ReadOff, read_point, series_point
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.llm.wins import winning_direction
from reproducegym.extraction.rules.entries import Entry
from reproducegym.pipeline.grounding.binding import choose
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.schema.claim import Direction, MetricIdea, Reason, RolePoint
from reproducegym.schema.evidence import ClaimEvidence

__all__ = ["Bound", "Pointed", "bind_claim", "look_up"]

_FREE = frozenset({"printed", "chance", "level"})
"""Roles whose point a claim can do without."""
_SEVERAL = frozenset({"part", "series"})
"""Roles of which a claim has several, each with a value of its own."""


@dataclass(frozen=True)
class Pointed:
    """A point of a reply with what was found at its place: a number, a series, or why there is nothing."""

    said: RefinedPoint
    at: Located | SeriesPlace | ReadOff | Reason


@dataclass(frozen=True)
class Bound:
    """What a refined claim comes to. `doubts` are contradictions, `notes` what was dropped without harm.

    `names` and `entries` give our name and our own reading of each condition's label, `seen` the texts of the evidence.
    """

    metric: MetricIdea
    guards: dict[str, MetricIdea]
    points: tuple[RolePoint, ...]
    names: dict[str, str]
    entries: dict[str, Entry]
    seen: tuple[str, ...]
    doubts: tuple[Reason, ...]
    notes: tuple[str, ...]


def look_up(view: View, reply: Refined) -> tuple[Pointed, ...]:
    """Every point of a reply at its place; series are left for the claim's metric to be known."""
    return tuple(
        Pointed(one, one.place if isinstance(one.place, SeriesPlace) else locate(view, one.place))
        for one in reply.points
    )


def bind_claim(
    view: View, evidence: ClaimEvidence, anchors: Sequence[str], reply: Refined, pointed: Sequence[Pointed]
) -> Bound:
    """The points of a claim, and every contradiction between the reply and the paper."""
    texts = [view.spoken[one].text for one in anchors]
    seen = [*texts, *(one.text for one in evidence.sentences), *_captions(evidence)]
    values = [one.at for one in pointed if isinstance(one.at, Located) and one.said.role not in {"printed", "guard"}]
    measure = measured(reply.metric, values, seen, _winner(texts, pointed))
    guards = {one.name: measured(one, (), seen, None).idea for one in reply.guards}
    entries = {
        one.said.condition: one.at.entry
        for one in reversed(pointed)
        if isinstance(one.at, Located) and one.at.entry is not None and is_called(one.said.condition, one.at)
    }
    names = {one.label: condition_name(one.label, values) for one in reply.conditions}
    doubts = [*measure.doubts]
    notes: list[str] = []
    points: list[RolePoint] = []
    for one in pointed:
        made = _point(view, one, measure.idea, guards, names)
        if isinstance(made, RolePoint):
            points.append(made)
        elif one.said.role in _FREE:
            notes.append(f"{one.said.role}: {made.detail}")
        else:
            doubts.append(made)
    doubts += [one.at.doubt for one in pointed if isinstance(one.at, ReadOff)]
    doubts += _unvouched(view, pointed, names)
    entries_by_role: dict[str, Entry] = {
        one.said.role: one.at.entry for one in pointed if isinstance(one.at, Located) and one.at.entry is not None
    }
    numbers = [one.at.number for one in pointed if isinstance(one.at, Located)]
    doubts += formula_doubts(view, texts, reply, entries_by_role, numbers)
    doubts += wording_doubts(view, texts, reply, seen, values)
    return Bound(
        metric=measure.idea,
        guards=guards,
        points=_corroborated(points),
        names=names,
        entries=entries,
        seen=tuple(seen),
        doubts=tuple(dict.fromkeys(doubts)),
        notes=tuple(notes),
    )


def _point(
    view: View, one: Pointed, metric: MetricIdea, guards: dict[str, MetricIdea], names: dict[str, str]
) -> RolePoint | Reason:
    """One point of the claim, or why it is none."""
    said, at = one.said, one.at
    if isinstance(at, Reason):
        return at
    if said.role == "guard":
        if said.metric is not None and said.metric not in guards:
            return reason("formula_unsupported", f'"{said.metric}" is a guard that the reply does not describe')
        metric = guards[said.metric] if said.metric is not None else metric
    condition = names.get(said.condition, " ".join(said.condition.split()))
    x = _number(said.x)
    if isinstance(at, SeriesPlace):
        made = series_point(view, at, metric, condition, said.dataset)
        if isinstance(made, Reason):
            return made
        return RolePoint(role=said.role, point=made, x=made.provenance[0].x if said.role == "series" else None)
    if isinstance(at, ReadOff):
        return RolePoint(role=said.role, point=read_point(at, metric, condition, said.dataset), x=x)
    if said.role == "printed":
        effect = effect_said(view, at)
        if effect is None:
            return reason("no_grounded_target", f'"{at.number.text}" is not printed as an effect')
        return RolePoint(role="printed", point=printed_point(effect, at, metric, condition, said.dataset))
    point = point_of(said, at, metric, condition)
    return point if isinstance(point, Reason) else RolePoint(role=said.role, point=point, x=x)


def _corroborated(points: Sequence[RolePoint]) -> tuple[RolePoint, ...]:
    """Prints of one quantity as one point with several places, the cell's first; those that differ stay apart."""
    groups: dict[tuple[str, str, str, str], list[RolePoint]] = {}
    for number, one in enumerate(points):
        alone = one.role in _SEVERAL or one.point.provenance[0].kind == "figure_series"
        key = (one.role, one.point.condition, one.point.metric, str(number) if alone else "")
        groups.setdefault(key, []).append(one)
    merged: list[RolePoint] = []
    for group in groups.values():
        ordered = sorted(group, key=lambda one: one.point.provenance[0].kind != "table_cell")
        first = ordered[0].point
        chosen = choose([one.point for one in ordered])
        if isinstance(chosen, Reason):
            merged += group
            continue
        point = chosen.model_copy(update={"dataset": first.dataset})
        merged.append(ordered[0].model_copy(update={"point": point}))
    return tuple(merged)


def _number(text: str | None) -> Decimal | None:
    numbers = read_numbers(text) if text is not None else ()
    return numbers[0].value if len(numbers) == 1 else None


def _winner(texts: Sequence[str], pointed: Sequence[Pointed]) -> Direction | None:
    """What is better by the sentences' word and the numbers' order, where treatment and baseline are in one unit."""
    pair = [
        next((one.at for one in pointed if one.said.role == role and isinstance(one.at, Located)), None)
        for role in ("treatment", "baseline")
    ]
    treatment, baseline = pair
    if treatment is None or baseline is None or treatment.number.unit != baseline.number.unit:
        return None
    return winning_direction(texts, treatment.number.value, baseline.number.value)


def _unvouched(view: View, pointed: Sequence[Pointed], names: dict[str, str]) -> list[Reason]:
    """Roles whose number stands in one sentence alone, and in no table, figure or other paragraph."""
    doubts = []
    for role in dict.fromkeys(one.said.role for one in pointed if one.said.role not in _FREE):
        found = [one.at for one in pointed if one.said.role == role and not isinstance(one.at, Reason)]
        in_text = [one for one in found if isinstance(one, Located) and one.spoken is not None]
        if not found or len(in_text) < len(found):
            continue
        called = [*names.values(), *names]
        if not any(is_vouched(view, one, called) for one in in_text):
            detail = f'only one sentence prints "{in_text[0].number.text}", and no table or figure does'
            doubts.append(reason("no_grounded_target", detail))
    return doubts


def _captions(evidence: ClaimEvidence) -> list[str]:
    """Captions, notes and headers of the tables and panels."""
    found: list[str] = []
    for table in evidence.tables:
        found += [table.caption or "", *table.notes]
        found += [part for cell in table.cells for part in (*cell.row_path, *cell.column_path, cell.text)]
    for panel in evidence.panels:
        found += [panel.caption or "", panel.title or ""]
    return list(dict.fromkeys(found))
