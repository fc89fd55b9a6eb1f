"""Drafts as candidates before they are bound: what their evidence is gathered by, what is kept of them unanswered."""

from decimal import Decimal

from reproducegym.extraction.llm.candidates import NOTHING, candidate_of
from reproducegym.extraction.llm.contradictions import strange_numbers
from reproducegym.extraction.llm.drafts import Draft, evidence_cells
from reproducegym.extraction.llm.places import Located
from reproducegym.extraction.llm.replies import SeriesPlace
from reproducegym.extraction.llm.series import figure_named, panel_named
from reproducegym.extraction.llm.view import View
from reproducegym.schema.claim import Candidate, ConditionIdea, MetricIdea, Provenance, Reason, RolePoint, TargetPoint

__all__ = ["draft_candidate", "evidence_candidate"]


def draft_candidate(view: View, draft: Draft, doubts: tuple[Reason, ...]) -> Candidate:
    """A claim as it was found, with the cells that may prove it: what its evidence is gathered by."""
    found = draft.found
    metric = MetricIdea(name=found.metric, unit="", kind="score", direction=None)
    points = tuple(
        RolePoint(role="treatment", point=_loose_point(one, metric, found.method))
        for one in evidence_cells(view, draft)
    )
    conditions = [ConditionIdea(role="treatment", source_label=found.method, switches={}, description=found.method)]
    if found.baseline is not None:
        base = found.baseline
        conditions.append(ConditionIdea(role="baseline", source_label=base, switches={}, description=base))
    return candidate_of(
        view,
        draft,
        statement=_safe_statement(view, draft),
        claim_type=found.claim_type,
        pattern=found.pattern,
        metric=metric,
        points=() if found.pattern == "unquantified" else points,
        conditions=tuple(conditions),
        protocol=NOTHING,
        budget=None,
        doubts=doubts,
    )


def evidence_candidate(view: View, draft: Draft) -> Candidate:
    """A draft with everything that it names, panels of figures too: only what its evidence is gathered by."""
    candidate = draft_candidate(view, draft, ())
    panels = tuple(
        point for one in draft.series for point in [_panel_of(view, one, candidate.metric)] if point is not None
    )
    return candidate.model_copy(update={"points": (*candidate.points, *panels)})


def _safe_statement(view: View, draft: Draft) -> str:
    """The model's wording; the sentence's own where the model has a number that none of the sentences prints."""
    texts = [view.spoken[one].text for one in draft.anchors]
    said = " ".join(draft.found.statement.split())
    return texts[0] if strange_numbers(said, texts, [one.number for one in draft.places]) else said


def _loose_point(one: Located, metric: MetricIdea, condition: str) -> TargetPoint:
    if one.entry is not None:
        return one.entry.point()
    return TargetPoint(
        value=one.number.value,
        unit=one.number.unit,
        resolution=one.number.resolution,
        spread=None,
        metric=metric.name,
        condition=condition,
        dataset=None,
        provenance=(one.place,),
    )


def _panel_of(view: View, place: SeriesPlace, metric: MetricIdea) -> RolePoint | None:
    """A point that says nothing but in which panel to look; no value is read yet."""
    figure = figure_named(view, place.figure)
    panel = None if figure is None else panel_named(figure, place.panel)
    if figure is None or panel is None:
        return None
    provenance = Provenance(
        kind="figure_series",
        page=figure.page,
        bbox=figure.panels[panel].bbox,
        quote=place.series,
        figure=figure.id,
        panel=figure.panels[panel].label,
        series=place.series,
    )
    unread = TargetPoint(
        value=Decimal(0),
        unit="",
        resolution=Decimal(1),
        spread=None,
        metric=metric.name,
        condition=place.series,
        dataset=None,
        provenance=(provenance,),
    )
    return RolePoint(role="treatment", point=unread)
