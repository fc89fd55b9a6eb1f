"""Grounds the points of a candidate again and sorts them into the parts of its formula; every doubt is a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.binding import bind, choose, convert
from reproducegym.pipeline.grounding import ground
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, ConditionIdea, Pattern, Reason, RolePoint, TargetPoint
from reproducegym.schema.spec import DerivationInput

__all__ = ["Terms", "condition_of", "inputs_of", "terms_of"]

_NEEDED: dict[Pattern, tuple[str, ...]] = {
    "absolute": ("treatment",),
    "difference": ("treatment", "baseline"),
    "ratio": ("treatment", "baseline"),
    "relative_change": ("treatment", "baseline"),
    "mean": ("part",),
    "unquantified": (),
}


_OPTIONAL = ("printed", "chance")


@dataclass(frozen=True)
class Terms:
    """The grounded points of a claim by their part in it, all in the metric's unit except `printed`."""

    treatment: TargetPoint | None
    baseline: TargetPoint | None
    parts: tuple[TargetPoint, ...]
    printed: TargetPoint | None
    chance: TargetPoint | None

    def compared(self) -> tuple[TargetPoint, ...]:
        """Treatment and baseline as far as there are any, then the parts of a mean."""
        pair = tuple(one for one in (self.treatment, self.baseline) if one is not None)
        return pair + self.parts

    def hidden(self) -> tuple[Decimal, ...]:
        """Every value that the agent must not read in a name."""
        others = tuple(one for one in (self.printed, self.chance) if one is not None)
        return tuple(one.value for one in self.compared() + others)


def terms_of(paper: ReadPaper, candidate: Candidate) -> Terms | tuple[Reason, ...]:
    """The candidate's points, each re-located in the paper, or why they do not bind.

    A printed value or chance level that does not re-locate is dropped, and the claim stands without it; any other
    point is the claim.
    """
    reasons: list[Reason] = []
    grounded: list[RolePoint] = []
    for role_point in candidate.points:
        found = ground(paper, role_point.point)
        if isinstance(found, TargetPoint):
            grounded.append(RolePoint(role=role_point.role, point=found))
        elif role_point.role not in _OPTIONAL:
            reasons.append(found)
    reasons = reasons or list(bind(candidate.model_copy(update={"points": tuple(grounded)})))
    chosen: dict[str, TargetPoint | None] = {}
    for role in ("treatment", "baseline", "printed", "chance"):
        points = [one.point for one in grounded if one.role == role]
        choice = choose(points) if points else None
        if isinstance(choice, Reason):
            reasons.append(choice)
        else:
            chosen[role] = choice
    if reasons:
        return tuple(reasons)
    roles = {one.role for one in grounded}
    missing = [role for role in _NEEDED[candidate.pattern] if role not in roles]
    if missing:
        detail = f"{candidate.pattern}: no grounded {' and no '.join(missing)} value"
        return (Reason(code="no_grounded_target", argument=None, detail=detail),)
    unit = candidate.metric.unit
    parts = tuple(_in_unit(one.point, unit) for one in grounded if one.role == "part")
    if candidate.pattern == "mean" and len(parts) < 2:
        detail = "a mean needs two grounded parts or more"
        return (Reason(code="no_grounded_target", argument=None, detail=detail),)
    return Terms(
        treatment=chosen["treatment"] and _in_unit(chosen["treatment"], unit),
        baseline=chosen["baseline"] and _in_unit(chosen["baseline"], unit),
        parts=parts,
        printed=chosen["printed"],
        chance=chosen["chance"] and _in_unit(chosen["chance"], unit),
    )


def inputs_of(pattern: Pattern, terms: Terms) -> tuple[DerivationInput, ...]:
    """The formula's inputs in order: (a), (a, b) or (a_1, …, a_n)."""
    if pattern == "mean":
        return tuple(_input(f"a_{number}", point) for number, point in enumerate(terms.parts, 1))
    points = [one for one in (terms.treatment, None if pattern == "absolute" else terms.baseline) if one is not None]
    return tuple(_input(name, point) for name, point in zip("ab", points, strict=False))


def condition_of(point: TargetPoint, role: str, ideas: Sequence[ConditionIdea]) -> ConditionIdea | Reason:
    """The candidate's condition that a point was measured under."""
    roles = {"part", "treatment"} if role == "part" else {role}
    for idea in ideas:
        if idea.role in roles and _same(idea.source_label, point.condition):
            return idea
    known = ", ".join(f'"{idea.source_label}"' for idea in ideas if idea.role in roles) or "none"
    detail = f'{role} value {point.value} is of "{point.condition}"; the claim runs: {known}'
    return Reason(code="condition_mismatch", argument=None, detail=detail)


def _in_unit(point: TargetPoint, unit: str) -> TargetPoint:
    """A point whose unit binding has found to agree, in the metric's unit."""
    value, resolution = convert(point.value, point.unit, unit), convert(point.resolution, point.unit, unit)
    spread = None if point.spread is None else convert(point.spread.value, point.unit, unit)
    if value is None or resolution is None:
        raise ValueError(f'"{point.unit}" does not convert to "{unit}"')
    kept = None if point.spread is None else point.spread.model_copy(update={"value": spread})
    return point.model_copy(update={"value": value, "resolution": resolution, "spread": kept, "unit": unit})


def _input(name: str, point: TargetPoint) -> DerivationInput:
    return DerivationInput(
        name=name,
        value=point.value,
        unit=point.unit,
        resolution=point.resolution,
        spread=point.spread,
        provenance=point.provenance,
    )


def _same(one: str, other: str) -> bool:
    return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
