"""Grounds the points of a candidate again and sorts them into the parts of its formula; every doubt is a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.grounding.binding import bind, choose, convert
from reproducegym.pipeline.grounding.places import ground
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.pipeline.targets.derived import Measure
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import (
    Candidate,
    ConditionIdea,
    MetricIdea,
    Pattern,
    Provenance,
    Reason,
    RolePoint,
    TargetPoint,
)
from reproducegym.schema.spec import DerivationInput

__all__ = ["GuardTerm", "SeriesPoint", "Terms", "condition_of", "input_of", "inputs_of", "series_inputs", "terms_of"]

_NEEDED: dict[Pattern, tuple[str, ...]] = {
    "absolute": ("treatment",),
    "difference": ("treatment", "baseline"),
    "ratio": ("treatment", "baseline"),
    "relative_change": ("treatment", "baseline"),
    "comparison": ("treatment", "baseline"),
    "mean": ("part",),
    "contrast": ("treatment", "baseline", "control"),
    "near_zero": ("treatment", "baseline"),
    "order": ("part",),
    "trend": ("series",),
    "unquantified": (),
}


_OPTIONAL = ("printed", "chance")
_COMPARED = ("treatment", "baseline", "control")
_SINGLE = ("treatment", "baseline", "control", "printed", "chance", "level")


@dataclass(frozen=True)
class SeriesPoint:
    """One point of a trend: where on the axis it stands, and what was measured there."""

    x: Decimal
    point: TargetPoint


@dataclass(frozen=True)
class GuardTerm:
    """What must not get worse than a grounded reference; `own` is what the paper's own treatment has, if it says."""

    metric: MetricIdea
    reference: TargetPoint
    own: TargetPoint | None


@dataclass(frozen=True)
class Terms:
    """The grounded points of a claim by their part in it, all in the metric's unit except `printed` and guards.

    `series` and `base_series` are a trend's points under the treatment and the baseline, in ascending x.
    """

    treatment: TargetPoint | None
    baseline: TargetPoint | None
    parts: tuple[TargetPoint, ...]
    printed: TargetPoint | None
    chance: TargetPoint | None
    control: TargetPoint | None = None
    series: tuple[SeriesPoint, ...] = ()
    base_series: tuple[SeriesPoint, ...] = ()
    level: TargetPoint | None = None
    guards: tuple[GuardTerm, ...] = ()

    def compared(self) -> tuple[TargetPoint, ...]:
        """Treatment, baseline and control as far as there are any, then the parts of a mean, then points of series."""
        single = tuple(one for one in (self.treatment, self.baseline, self.control) if one is not None)
        return single + self.parts + tuple(one.point for one in self.series + self.base_series)

    def hidden(self) -> tuple[Decimal, ...]:
        """Every value that the agent must not read in a name."""
        others = tuple(one for one in (self.printed, self.chance) if one is not None)
        return tuple(one.value for one in (*self.compared(), *others, *(guard.reference for guard in self.guards)))


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
            grounded.append(role_point.model_copy(update={"point": found}))
        elif role_point.role not in _OPTIONAL:
            reasons.append(found)
    reasons = reasons or list(bind(candidate.model_copy(update={"points": tuple(grounded)})))
    chosen: dict[str, TargetPoint | None] = {}
    for role in _SINGLE:
        points = [one.point for one in grounded if one.role == role]
        choice = (_apart(role, points) or choose(points)) if points else None
        if isinstance(choice, Reason):
            reasons.append(choice)
        else:
            chosen[role] = choice
    if reasons:
        return tuple(reasons)
    missing = _missing(candidate, grounded)
    if missing is not None:
        return (missing,)
    unit = candidate.metric.unit
    series = _series(candidate, grounded)
    guards = _guards(candidate, [one.point for one in grounded if one.role == "guard"])
    if isinstance(series, Reason) or isinstance(guards, Reason):
        return tuple(one for one in (series, guards) if isinstance(one, Reason))
    return Terms(
        treatment=chosen["treatment"] and _in_unit(chosen["treatment"], unit),
        baseline=chosen["baseline"] and _in_unit(chosen["baseline"], unit),
        parts=tuple(_in_unit(one.point, unit) for one in grounded if one.role == "part"),
        printed=chosen["printed"],
        chance=chosen["chance"] and _in_unit(chosen["chance"], unit),
        control=chosen["control"] and _in_unit(chosen["control"], unit),
        series=series[0],
        base_series=series[1],
        level=chosen["level"] and _in_unit(chosen["level"], unit),
        guards=guards,
    )


def _apart(role: str, points: Sequence[TargetPoint]) -> Reason | None:
    """Why several points of a compared role are not prints of one quantity: their conditions differ."""
    names = dict.fromkeys(_key(point.condition) for point in points)
    if role not in _COMPARED or len(names) < 2:
        return None
    detail = f"{role}: {' and '.join(names)} are not one condition"
    return Reason(code="condition_mismatch", argument=None, detail=detail)


def _missing(candidate: Candidate, grounded: Sequence[RolePoint]) -> Reason | None:
    """What a pattern needs and the grounded points do not give."""
    pattern = candidate.pattern
    roles = [one.role for one in grounded]
    missing = [role for role in _NEEDED[pattern] if role not in roles]
    if missing:
        detail = f"{pattern}: no grounded {' and no '.join(missing)} value"
        return Reason(code="no_grounded_target", argument=None, detail=detail)
    if pattern in {"mean", "order"} and roles.count("part") < 2:
        detail = f"{'an order' if pattern == 'order' else 'a mean'} needs two grounded parts or more"
        return Reason(code="no_grounded_target", argument=None, detail=detail)
    if pattern == "near_zero" and "control" not in roles:
        detail = "the claim says that two conditions do not differ, and nothing in the paper shows one that does"
        return Reason(code="no_control", argument=None, detail=detail)
    if pattern == "trend" and candidate.trend is None:
        detail = "a trend without a statistic over x"
        return Reason(code="formula_unsupported", argument=None, detail=detail)
    return None


def _series(
    candidate: Candidate, grounded: Sequence[RolePoint]
) -> tuple[tuple[SeriesPoint, ...], tuple[SeriesPoint, ...]] | Reason:
    """A trend's points under the treatment and under the baseline; the x of each is looked up at its place."""
    found: dict[str, dict[Decimal, list[TargetPoint]]] = {"treatment": {}, "baseline": {}}
    for one in grounded:
        if one.role != "series":
            continue
        if one.x is None or not all(_stands_at(place, one.x) for place in one.point.provenance):
            where = f"x = {one.x}" if one.x is not None else "no x"
            detail = f"{one.point.value} is said to stand at {where}; its row, column or place on the figure is another"
            return Reason(code="condition_mismatch", argument=None, detail=detail)
        idea = condition_of(one.point, "series", candidate.conditions)
        if isinstance(idea, Reason):
            return idea
        found[idea.role].setdefault(one.x, []).append(one.point)
    series: list[tuple[SeriesPoint, ...]] = []
    for by_x in found.values():
        points: list[SeriesPoint] = []
        for x in sorted(by_x):
            chosen = choose(by_x[x])
            if isinstance(chosen, Reason):
                return chosen
            points.append(SeriesPoint(x, _in_unit(chosen, candidate.metric.unit)))
        series.append(tuple(points))
    if any(point.x < 0 for points in series for point in points):
        detail = "a trend over negative x: steps of metrics.csv are 0 or more"
        return Reason(code="formula_unsupported", argument=None, detail=detail)
    return series[0], series[1]


def _stands_at(place: Provenance, x: Decimal) -> bool:
    """Whether a place is labelled with this x: a figure's own x, or a number that labels the cell's row or column."""
    if place.kind == "figure_series":
        return place.x == x
    labels = [read_numbers(label) for label in (*place.row_path, *place.column_path)]
    return any(number.value == x for numbers in labels for number in numbers if len(numbers) == 1)


def _guards(candidate: Candidate, points: Sequence[TargetPoint]) -> tuple[GuardTerm, ...] | Reason:
    """The guards of a claim: for each metric the reference, and the treatment's own value where that is printed too."""
    treated = [idea.source_label for idea in candidate.conditions if idea.role in {"treatment", "part"}][:1]
    found = []
    for name in dict.fromkeys(_key(point.metric) for point in points):
        metric = next((idea for idea in candidate.guards if _key(idea.name) == name), None)
        if metric is None or _key(candidate.metric.name) == name:
            detail = f'a guard on "{name}", which is not among the claim\'s guards or is what the claim itself is about'
            return Reason(code="formula_unsupported", argument=None, detail=detail)
        if metric.direction is None:
            detail = f'nothing says whether more or less "{metric.name}" is better'
            return Reason(code="direction_unknown", argument=None, detail=detail)
        mine = [point for point in points if _key(point.metric) == name]
        for point in mine:
            if convert(Decimal(1), point.unit, metric.unit) is None:
                detail = f'{point.value}{point.unit} for a guard in "{metric.unit}"'
                return Reason(code="unit_mismatch", argument=None, detail=detail)
        own = [point for point in mine if any(_same(point.condition, label) for label in treated)]
        others = [point for point in mine if point not in own]
        chosen = [choose(group) if group else None for group in (others or own, own if others else [])]
        reference, its_own = chosen
        for one in chosen:
            if isinstance(one, Reason):
                return one
        if not isinstance(reference, TargetPoint) or isinstance(its_own, Reason):
            raise ValueError(f'no reference for the guard "{name}"')
        found.append(GuardTerm(metric, _in_unit(reference, metric.unit), its_own and _in_unit(its_own, metric.unit)))
    return tuple(found)


def inputs_of(measure: Measure, terms: Terms) -> tuple[DerivationInput, ...]:
    """A formula's inputs in order: (a), (a, b), (a, b, f) or (a_1, …, a_n)."""
    if measure in {"mean", "order"}:
        return tuple(input_of(f"a_{number}", point) for number, point in enumerate(terms.parts, 1))
    if measure in {"gap", "dominance"}:
        three = (terms.treatment, terms.control, terms.baseline)
        return tuple(input_of(name, point) for name, point in zip("abf", three, strict=True) if point is not None)
    points = [one for one in (terms.treatment, None if measure == "absolute" else terms.baseline) if one is not None]
    return tuple(input_of(name, point) for name, point in zip("ab", points, strict=False))


def series_inputs(name: str, series: Sequence[SeriesPoint]) -> tuple[DerivationInput, ...]:
    """A trend's inputs in ascending x."""
    return tuple(input_of(f"{name}_{n}", one.point, x=one.x) for n, one in enumerate(series, 1))


def condition_of(point: TargetPoint, role: str, ideas: Sequence[ConditionIdea]) -> ConditionIdea | Reason:
    """The candidate's condition that a point was measured under."""
    roles = {"part": {"part", "treatment"}, "series": {"treatment", "baseline"}}.get(role, {role})
    for idea in ideas:
        if idea.role in roles and _same(idea.source_label, point.condition):
            return idea
    known = ", ".join(f'"{idea.source_label}"' for idea in ideas if idea.role in roles) or "none"
    detail = f'{role} value {point.value} is of "{point.condition}"; the claim runs: {known}'
    return Reason(code="condition_mismatch", argument=None, detail=detail)


def _in_unit(point: TargetPoint, unit: str) -> TargetPoint:
    """A point whose unit binding has found to agree, in the metric's unit, with what a figure's reading may be off."""
    value, resolution = convert(point.value, point.unit, unit), convert(point.resolution, point.unit, unit)
    spread = None if point.spread is None else convert(point.spread.value, point.unit, unit)
    if value is None or resolution is None:
        raise ValueError(f'"{point.unit}" does not convert to "{unit}"')
    kept = None if point.spread is None else point.spread.model_copy(update={"value": spread})
    places = tuple(
        place
        if place.read_error is None
        else place.model_copy(update={"read_error": convert(place.read_error, point.unit, unit)})
        for place in point.provenance
    )
    changed = {"value": value, "resolution": resolution, "spread": kept, "unit": unit, "provenance": places}
    return point.model_copy(update=changed)


def input_of(name: str, point: TargetPoint, *, x: Decimal | None = None) -> DerivationInput:
    """A grounded point as a term of a formula."""
    return DerivationInput(
        name=name,
        value=point.value,
        unit=point.unit,
        resolution=point.resolution,
        spread=point.spread,
        provenance=point.provenance,
        x=x,
    )


def _same(one: str, other: str) -> bool:
    return _key(one) == _key(other)


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
