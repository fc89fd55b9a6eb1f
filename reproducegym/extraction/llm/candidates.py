"""Makes candidates: of drafts before they are bound, of bound claims, and of what no model answered for."""

from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.extraction.llm.binding import Bound
from reproducegym.extraction.llm.drafts import Draft
from reproducegym.extraction.llm.places import flat, reason
from reproducegym.extraction.llm.protocol import budget_of, protocol_of
from reproducegym.extraction.llm.replies import Refined
from reproducegym.extraction.llm.sections import SectionText
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.llm.wording import wording_of
from reproducegym.extraction.rules.own_names import is_own
from reproducegym.extraction.rules.sentences import Spoken, anchor_of
from reproducegym.extraction.rules.wording import claims_something, is_prose, slug
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.pipeline.printed.sections import ROLE_WEIGHT
from reproducegym.ports import Unanswered
from reproducegym.schema.claim import (
    Candidate,
    ClaimType,
    ConditionIdea,
    MetricIdea,
    Pattern,
    Protocol,
    Reason,
    RolePoint,
    Trend,
)

__all__ = ["NOTHING", "Made", "bound_candidate", "candidate_of", "unanswered", "unread_candidates"]

NOTHING = Protocol(method=None, dataset=None, evaluation=None, numbers=())
"""The protocol of a claim that nobody has read."""


@dataclass(frozen=True)
class Made:
    """A candidate with what was dropped on the way; `answered` says whether a model bound it."""

    draft: Draft
    candidate: Candidate
    answered: bool
    notes: tuple[str, ...]


def unanswered(why: Unanswered) -> Reason:
    """No usable reply, as a reason of the claim."""
    return Reason(code="unanswered", argument=why.reason, detail=f"no model answered for it: {why.detail}")


def bound_candidate(view: View, draft: Draft, reply: Refined, bound: Bound) -> tuple[Candidate, tuple[str, ...]]:
    """A bound claim, and notes on what was dropped of its protocol."""
    protocol, notes = protocol_of(view, reply.protocol, bound.metric, bound.points)
    used = {one.point.condition for one in bound.points}
    conditions, strange = _conditions(reply, bound)
    doubts = bound.doubts
    if reply.pattern == "unquantified":
        doubts = (*doubts, reason("no_quantity", "the evidence names no quantity for it"))
    trend = reply.trend and Trend(statistic=reply.trend.statistic, x_name=reply.trend.x_name, x_unit=reply.trend.x_unit)
    candidate = candidate_of(
        view,
        draft,
        statement=" ".join(reply.statement.split()),
        claim_type=reply.claim_type,
        pattern=reply.pattern,
        metric=bound.metric,
        points=bound.points if reply.pattern != "unquantified" else (),
        conditions=tuple(one for one in conditions if one.source_label in used),
        protocol=protocol,
        budget=budget_of(reply.budget, protocol),
        doubts=doubts,
    )
    guards = tuple(bound.guards[name] for name in bound.guards if any(one.point.metric == name for one in bound.points))
    changes = {"relation": reply.relation, "guards": guards, "trend": trend}
    return candidate.model_copy(update=changes), (*notes, *strange)


def unread_candidates(view: View, section: SectionText, why: Unanswered) -> tuple[Candidate, ...]:
    """The sentences of an unread section that find something: kept, with the reason why nobody read them."""
    found = []
    for sentence in section.sentences:
        spoken = view.spoken[sentence.id]
        if claims_something(spoken.text) and is_prose(spoken.text):
            found.append(_kept(view, spoken, ROLE_WEIGHT[section.role], unanswered(why)))
    return tuple(found)


def candidate_of(
    view: View,
    draft: Draft,
    *,
    statement: str,
    claim_type: ClaimType,
    pattern: Pattern,
    metric: MetricIdea,
    points: tuple[RolePoint, ...],
    conditions: tuple[ConditionIdea, ...],
    protocol: Protocol,
    budget: str | None,
    doubts: tuple[Reason, ...],
) -> Candidate:
    agent_statement, title = wording_of(pattern, metric, points)
    return Candidate(
        statement=statement,
        agent_statement=agent_statement,
        title=title,
        claim_type=claim_type,
        pattern=pattern,
        anchors=tuple(anchor_of(view.spoken[one], view.paper) for one in draft.anchors),
        metric=metric,
        points=points,
        conditions=conditions,
        protocol=protocol,
        budget_knob=budget,
        requires_training=view.demands.requires_training,
        requires_gpu=view.demands.requires_gpu,
        cost=view.demands.cost,
        importance=_importance(view, draft, pattern, points, doubts),
        doubts=doubts,
    )


def _importance(
    view: View, draft: Draft, pattern: Pattern, points: Sequence[RolePoint], doubts: Sequence[Reason]
) -> int:
    """On the scale of the rules: a printed quantity, where it is said, whether it is the authors' own, no doubts."""
    weight = max(ROLE_WEIGHT[view.sentences[one].role] for one in draft.anchors)
    if pattern == "unquantified":
        return weight
    values = {one.point.value for one in points}
    texts = [view.spoken[one].text for one in draft.anchors]
    printed = any(number.value in values for text in texts for number in read_numbers(text))
    ours = any(is_own(one.point.condition, view.own_names) for one in points if one.role == "treatment")
    compared = 20 if any(one.role == "baseline" for one in points) else 0
    return (1000 if printed else 700) + weight + (60 if ours else 0) + compared + (0 if doubts else 100)


def _kept(view: View, spoken: Spoken, weight: int, why: Reason) -> Candidate:
    return Candidate(
        statement=spoken.text,
        agent_statement="A finding that was not read",
        title="A finding that was not read",
        claim_type="diagnostic",
        pattern="unquantified",
        anchors=(anchor_of(spoken, view.paper),),
        metric=MetricIdea(name="unnamed", unit="", kind="score", direction=None),
        points=(),
        conditions=(),
        protocol=NOTHING,
        budget_knob=None,
        requires_training=view.demands.requires_training,
        requires_gpu=view.demands.requires_gpu,
        cost=view.demands.cost,
        importance=weight,
        doubts=(why,),
    )


def _conditions(reply: Refined, bound: Bound) -> tuple[list[ConditionIdea], list[str]]:
    """The settings to run, by our own reading of their rows; a model's switch must be in the evidence's words."""
    conditions: list[ConditionIdea] = []
    notes: list[str] = []
    evidence = [flat(text) for text in bound.seen]
    for said in reply.conditions:
        name = bound.names[said.label]
        entry = bound.entries.get(said.label)
        switches = dict(entry.switches) if entry is not None else {}
        for switch in said.switches:
            if flat(switch.value) and any(flat(switch.value) in text for text in evidence):
                switches.setdefault(slug(switch.name), " ".join(switch.value.split()))
            else:
                notes.append(
                    f'switch "{switch.name}" of "{said.label}": "{switch.value}" stands nowhere in the evidence'
                )
        where = f" on {entry.dataset}" if entry is not None and entry.dataset else ""
        idea = ConditionIdea(role=said.role, source_label=name, switches=switches, description=f"{name}{where}")
        if not any((one.role, one.source_label) == (idea.role, idea.source_label) for one in conditions):
            conditions.append(idea)
    return conditions, notes
