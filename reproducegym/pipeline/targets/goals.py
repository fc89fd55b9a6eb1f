"""Says what a claim is paid for: one goal for each primary metric, with the value that the paper's numbers give it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.grounding.binding import convert
from reproducegym.pipeline.printed.decimals import rounded
from reproducegym.pipeline.targets.derived import Derived, Measure, check_printed, derive, relative_or_points
from reproducegym.pipeline.targets.terms import SeriesPoint, Terms, input_of, inputs_of, series_inputs
from reproducegym.pipeline.targets.trends import derive_trend
from reproducegym.schema.claim import Candidate, Reason, Relation, TargetPoint

__all__ = ["Goal", "Goals", "goals_of"]

_PLAIN: dict[str, Measure] = {
    "absolute": "absolute",
    "difference": "difference",
    "ratio": "ratio",
    "relative_change": "relative_change",
    "mean": "mean",
    "order": "order",
}


@dataclass(frozen=True)
class Goal:
    """One value that a reproduction must meet.

    `points` are the grounded points of the derivation's inputs with their roles, in the same order. `printed` is the
    paper's own print of the value, in its unit. A `spare` goal stays a diagnostic where noise hides it, and the claim
    stands without it. A `part` of a claim is named after its condition, not after its measure. A goal `beside` the
    claim's own takes no share of the error from these, which are as wide with it as without.
    """

    measure: Measure
    derived: Derived
    points: tuple[tuple[str, TargetPoint], ...]
    printed: Decimal | None = None
    relation: Relation = "equals"
    spare: bool = False
    part: bool = False
    beside: bool = False


@dataclass(frozen=True)
class Goals:
    """All goals of a claim, the one that its sentence states first; and the pair of points whose gap probes ask for."""

    all: tuple[Goal, ...]
    pair: tuple[tuple[str, TargetPoint], tuple[str, TargetPoint]] | None

    @property
    def first(self) -> Goal:
        """What the claim's sentence states."""
        return self.all[0]


def goals_of(candidate: Candidate, terms: Terms) -> Goals | Reason:
    """The goals of a bound claim; its values are checked against what the paper prints of them."""
    if candidate.pattern == "comparison":
        return _comparison(candidate, terms)
    if candidate.pattern == "contrast":
        return _contrast(candidate, terms)
    if candidate.pattern == "near_zero":
        return _near_zero(candidate, terms)
    if candidate.pattern == "trend":
        return _trend(candidate, terms)
    return _single(candidate, terms)


def _single(candidate: Candidate, terms: Terms) -> Goals | Reason:
    """A claim of one value."""
    unit, measure = candidate.metric.unit, _PLAIN[candidate.pattern]
    inputs = inputs_of(measure, terms)
    printed = terms.printed
    rate = unit == "%" or candidate.metric.kind == "rate"
    if printed is not None and printed.unit == "%" and rate and measure in {"difference", "relative_change"}:
        decided = relative_or_points(inputs, unit, printed.value, printed.resolution)
        if isinstance(decided, Reason):
            return decided
        measure = decided
    derived = derive(measure, inputs, unit)
    if isinstance(derived, Reason):
        return derived
    if measure == "order" and derived.value <= 0:
        values = ", ".join(f"{part.condition}: {part.value}" for part in terms.parts)
        return _inconsistent(f"the claim orders its conditions from the largest value down, the paper has {values}")
    said = None if measure == "absolute" else _as_printed(derived, terms)
    if isinstance(said, Reason):
        return said
    points = _pointed(measure, terms)
    relation = "at_least" if measure == "order" else candidate.relation
    stated = Goal(measure, derived, points, said, relation)
    beside = _beside(candidate, terms) if measure == "absolute" else ()
    return Goals((stated, *beside), _pair(measure, terms))


def _beside(candidate: Candidate, terms: Terms) -> tuple[Goal, ...]:
    """How far a plain value must stay from that of the baseline which is run beside it, where noise leaves it seen.

    A submission with one number for both would else meet the value, and close every gap that probes ask for.
    """
    if terms.baseline is None or not any(idea.role == "baseline" for idea in candidate.conditions):
        return ()
    apart = derive("difference", inputs_of("difference", terms), candidate.metric.unit)
    if isinstance(apart, Reason):
        return ()
    return (Goal("difference", apart, _pointed("difference", terms), relation="at_least", spare=True, beside=True),)


def _comparison(candidate: Candidate, terms: Terms) -> Goals | Reason:
    """The value of a condition, and by how much it is ahead of another where noise leaves that to be seen."""
    goals = []
    for measure in ("absolute", "difference"):
        derived = derive(measure, inputs_of(measure, terms), candidate.metric.unit)
        if isinstance(derived, Reason):
            return derived
        goals.append(Goal(measure, derived, _pointed(measure, terms), spare=measure == "difference"))
    return Goals(tuple(goals), _pair("difference", terms))


def _contrast(candidate: Candidate, terms: Terms) -> Goals | Reason:
    """The gap between two ablations, and by how many times the one matters more where noise leaves that to be seen."""
    inputs = inputs_of("gap", terms)
    gap = derive("gap", inputs, candidate.metric.unit)
    if isinstance(gap, Reason):
        return gap
    a, b, full = (one.value for one in inputs)
    if abs(full - a) <= abs(full - b):
        return _inconsistent(f"the first ablation moves {full} to {a}, which is no more than the second does ({b})")
    dominance = derive("dominance", inputs, candidate.metric.unit)
    goals = [Goal("gap", gap, _pointed("gap", terms))]
    if isinstance(dominance, Derived):
        goals.append(Goal("dominance", dominance, _pointed("dominance", terms), spare=True))
    if terms.printed is not None:
        at = 1 if terms.printed.unit == "×" and len(goals) > 1 else 0
        said = _as_printed(goals[at].derived, terms)
        if isinstance(said, Reason):
            return said
        goals[at] = Goal(goals[at].measure, goals[at].derived, goals[at].points, said, spare=goals[at].spare)
    return Goals(tuple(goals), _pair("gap", terms))


def _near_zero(candidate: Candidate, terms: Terms) -> Goals | Reason:
    """Two conditions that do not differ: their difference, both values, and a condition that does differ."""
    unit = candidate.metric.unit
    treatment, baseline, control = terms.treatment, terms.baseline, terms.control
    if treatment is None or baseline is None or control is None:
        raise ValueError("a near zero has treatment, baseline and control; terms_of looks for them")
    goals = []
    plans: tuple[tuple[Measure, tuple[tuple[str, TargetPoint], ...], bool], ...] = (
        ("near_zero", (("treatment", treatment), ("baseline", baseline)), False),
        ("absolute", (("treatment", treatment),), True),
        ("absolute", (("baseline", baseline),), True),
        ("difference", (("control", control), ("baseline", baseline)), True),
    )
    for measure, points, part in plans:
        inputs = [input_of(name, point) for name, (_, point) in zip("ab", points, strict=False)]
        derived = derive(measure, inputs, unit)
        if isinstance(derived, Reason):
            return derived
        goals.append(Goal(measure, derived, points, part=part))
    return Goals(tuple(goals), (("control", control), ("baseline", baseline)))


def _trend(candidate: Candidate, terms: Terms) -> Goals | Reason:
    """A statistic over the points of one series."""
    trend = candidate.trend
    if trend is None:
        raise ValueError("a trend says which statistic it is; terms_of looks for it")
    derived = derive_trend(
        trend.statistic,
        series_inputs("a", terms.series),
        (candidate.metric.unit, trend.x_unit),
        None if terms.level is None else terms.level.value,
        series_inputs("b", terms.base_series),
    )
    if isinstance(derived, Reason):
        return derived
    said = _as_printed(derived, terms)
    if isinstance(said, Reason):
        return said
    points = tuple(("series", one.point) for one in terms.series)
    pair = None
    if terms.series and terms.base_series:
        pair = (("series", _level_of(terms.series)), ("series", _level_of(terms.base_series)))
    return Goals((Goal(trend.statistic, derived, points, said, candidate.relation),), pair)


def _level_of(series: Sequence[SeriesPoint]) -> TargetPoint:
    """The mean over a series, as the point that a probe of its condition compares."""
    points = [one.point for one in series]
    changed = {
        "value": rounded(sum((one.value for one in points), Decimal(0)) / len(points)),
        "resolution": max(one.resolution for one in points),
        "spread": None,
        "provenance": tuple(place for one in points for place in one.provenance),
    }
    return points[0].model_copy(update=changed)


def _as_printed(derived: Derived, terms: Terms) -> Decimal | Reason | None:
    """The paper's own print of a derived value in its unit, if it agrees; None where there is none."""
    printed = terms.printed
    if printed is None:
        return None
    value = convert(printed.value, printed.unit, derived.unit)
    resolution = convert(printed.resolution, printed.unit, derived.unit)
    if value is None or resolution is None:
        detail = f'the paper prints "{printed.provenance[0].quote}", but {derived.formula} is in "{derived.unit}"'
        return Reason(code="unit_mismatch", argument=None, detail=detail)
    fault = check_printed(derived, value, resolution)
    return value if fault is None else fault


def _pointed(measure: Measure, terms: Terms) -> tuple[tuple[str, TargetPoint], ...]:
    """The points of a measure's inputs, in the order of `inputs_of`."""
    if measure in {"mean", "order"}:
        return tuple(("part", one) for one in terms.parts)
    roles = {"absolute": ("treatment",), "gap": _ABLATIONS, "dominance": _ABLATIONS}.get(measure, _COMPARED)
    by_role = {"treatment": terms.treatment, "baseline": terms.baseline, "control": terms.control}
    return tuple((role, point) for role in roles for point in [by_role[role]] if point is not None)


def _pair(measure: Measure, terms: Terms) -> tuple[tuple[str, TargetPoint], tuple[str, TargetPoint]] | None:
    """What a probe compares: treatment and baseline, or the ends of an order."""
    if measure == "order":
        return ("part", terms.parts[0]), ("part", terms.parts[-1])
    if terms.treatment is None or terms.baseline is None:
        return None
    return ("treatment", terms.treatment), ("baseline", terms.baseline)


def _inconsistent(detail: str) -> Reason:
    return Reason(code="inconsistent_with_table", argument=None, detail=detail)


_ABLATIONS = ("treatment", "control", "baseline")
_COMPARED = ("treatment", "baseline")
