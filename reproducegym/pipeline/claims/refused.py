"""What a refused claim would have been paid for: its derived values, then the numbers that they rest on, as printed."""

from collections.abc import Iterator

from reproducegym.pipeline.targets.goals import Goals, goals_of
from reproducegym.pipeline.targets.terms import Terms, terms_of
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, Provenance, Reason
from reproducegym.schema.spec import Derivation, Target, Tolerance

__all__ = ["refused_targets"]

_UNGROUNDED = frozenset({"no_grounded_target", "no_quantity"})


def refused_targets(paper: ReadPaper, candidate: Candidate, reasons: tuple[Reason, ...]) -> tuple[Target, ...]:
    """The targets that a refusal names, with the last printed digit as tolerance; none where no number was found."""
    if any(reason.code in _UNGROUNDED for reason in reasons):
        return ()
    return (*_derived(paper, candidate), *_printed(candidate))


def _derived(paper: ReadPaper, candidate: Candidate) -> Iterator[Target]:
    """Differences, ratios and their like, as far as the claim's numbers bind."""
    if candidate.pattern == "unquantified":
        return
    terms = terms_of(paper, candidate)
    goals = goals_of(candidate, terms) if isinstance(terms, Terms) else None
    if not isinstance(goals, Goals):
        return
    for goal in goals.all:
        if goal.measure == "absolute":
            continue
        derived = goal.derived
        places: list[Provenance] = [place for one in derived.inputs for place in one.provenance]
        yield Target(
            metric=f"{candidate.metric.name} {goal.measure}",
            value=derived.value,
            unit=derived.unit,
            no_effect=derived.no_effect,
            spread=None,
            provenance=tuple(dict.fromkeys(places)),
            derivation=Derivation(
                formula=derived.formula, inputs=derived.inputs, rounding=derived.rounding, printed=goal.printed
            ),
            tolerance=Tolerance(abs=derived.rounding, rule="rounding", inputs={}),
        )


def _printed(candidate: Candidate) -> Iterator[Target]:
    for role in candidate.points:
        if role.role != "chance":
            yield Target(
                metric=role.point.metric,
                value=role.point.value,
                unit=role.point.unit,
                no_effect=None,
                spread=role.point.spread,
                provenance=role.point.provenance,
                derivation=None,
                tolerance=Tolerance(abs=role.point.resolution, rule="rounding", inputs={}),
            )
