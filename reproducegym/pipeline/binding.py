"""Decides whether printed numbers speak of the same thing: unit, condition, data set, panel, and which of several."""

from collections.abc import Sequence
from decimal import Decimal

from reproducegym.schema.claim import Candidate, Reason, ReasonCode, TargetPoint

__all__ = ["agree", "bind", "check_pair", "choose", "convert", "unit_agrees"]

_HUNDRED = Decimal(100)
_PERCENT = frozenset({"%", "pp"})
_PLAIN = frozenset({"", "×"})
_SAID = {
    "s": ("(s)", "[s]", " sec", "second", "time"),
    "h": ("(h)", "[h]", "hour", "time"),
    "min": ("min", "time"),
    "ms": ("ms", "millisecond", "latency", "time"),
    "×": ("×", "ratio", "speed", "factor", "times"),
}
_RATES = ("accuracy", "acc", "rate", "precision", "recall", "f1", "pass@", "success", "top-1", "top-5", "optimal", "%")


def convert(value: Decimal, unit: str, to: str) -> Decimal | None:
    """The same quantity in another unit; None where the units measure different things.

    A percent and a fraction are one quantity in two units. Percent points are percents of a difference.
    """
    if unit == to or (unit in _PERCENT and to in _PERCENT) or (unit in _PLAIN and to in _PLAIN):
        return value
    if unit in _PERCENT and to in _PLAIN:
        return value / _HUNDRED
    if unit in _PLAIN and to in _PERCENT:
        return value * _HUNDRED
    return None


def unit_agrees(printed: str, claimed: str, context: str) -> bool:
    """Whether a number printed with `printed` after it can have unit `claimed`, given header, caption or sentence.

    A bare number is a percentage only where the words around it say so (a sign, "percent", or the name of a rate).
    """
    if claimed in {printed, ""} or {printed, claimed} <= _PERCENT:
        return True
    if printed != "":
        return convert(Decimal(1), printed, claimed) is not None
    words = context.casefold()
    if claimed in _PERCENT:
        return "percent" in words or any(rate in words for rate in _RATES)
    if claimed in _SAID:
        return any(word in words for word in _SAID[claimed])
    return claimed.casefold() in words


def agree(first: TargetPoint, second: TargetPoint) -> bool:
    """Whether two printings can be one quantity: equal within half a unit of the last digit of each."""
    value = convert(second.value, second.unit, first.unit)
    resolution = convert(second.resolution, second.unit, first.unit)
    if value is None or resolution is None:
        return False
    return abs(first.value - value) <= (first.resolution + resolution) / 2


def choose(points: Sequence[TargetPoint]) -> TargetPoint | Reason:
    """The most precise of several printings of one quantity, with the places of all; or why none binds."""
    if not points:
        return _reason("no_grounded_target", "no candidate value")
    best = min(points, key=lambda point: (_in_fractions(point), -len(point.provenance)))
    for point in points:
        if not agree(best, point):
            return _reason(
                "ambiguous_target",
                f"{_said(best)} and {_said(point)} are printed for one quantity and differ by more than rounding",
            )
    places = list(best.provenance)
    for point in points:
        places.extend(place for place in point.provenance if place not in places)
    return best.model_copy(update={"provenance": tuple(places)})


def check_pair(treatment: TargetPoint, baseline: TargetPoint) -> Reason | None:
    """Why two points cannot be compared; None when they can."""
    if convert(Decimal(1), baseline.unit, treatment.unit) is None:
        return _reason("unit_mismatch", f"{_said(treatment)} against {_said(baseline)}: units differ")
    if _key(treatment.metric) != _key(baseline.metric):
        return _reason("unit_mismatch", f'"{treatment.metric}" against "{baseline.metric}": different metrics')
    if _key(treatment.dataset) != _key(baseline.dataset):
        return _reason("condition_mismatch", f'"{treatment.dataset}" against "{baseline.dataset}": different data')
    if _key(treatment.condition) == _key(baseline.condition):
        return _reason("condition_mismatch", f'"{treatment.condition}" is compared with itself')
    panels = {place.panel for place in (*treatment.provenance, *baseline.provenance) if place.kind == "figure_series"}
    if len(panels) > 1:
        return _reason("panel_mismatch", f"values from panels {', '.join(sorted(str(panel) for panel in panels))}")
    return None


def bind(candidate: Candidate) -> tuple[Reason, ...]:
    """Every reason why a candidate's points don't belong together; empty when they do."""
    treatments = _of_role(candidate, "treatment")
    baselines = _of_role(candidate, "baseline")
    reasons = [
        reason
        for treatment in treatments
        for baseline in baselines
        for reason in [check_pair(treatment, baseline)]
        if reason is not None
    ]
    for chance in _of_role(candidate, "chance"):
        for treatment in treatments:
            if _key(chance.metric) != _key(treatment.metric) or _key(chance.dataset) != _key(treatment.dataset):
                reasons.append(_reason("condition_mismatch", f"the chance level {_said(chance)} is of something else"))
    reasons.extend(_check_parts(_of_role(candidate, "part")))
    unit = candidate.metric.unit
    for point in (*treatments, *baselines):
        if convert(Decimal(1), point.unit, unit) is None:
            reasons.append(_reason("unit_mismatch", f'{_said(point)} for a metric in "{unit}"'))
    return tuple(dict.fromkeys(reasons))


def _check_parts(parts: Sequence[TargetPoint]) -> list[Reason]:
    """The terms of a mean share unit and metric, and no term counts twice."""
    if not parts:
        return []
    first, *others = parts
    reasons = [
        _reason("unit_mismatch", f"{_said(first)} and {_said(other)} are terms of one mean")
        for other in others
        if convert(Decimal(1), other.unit, first.unit) is None
    ]
    names = [(_key(part.condition), _key(part.dataset)) for part in parts]
    if len(set(names)) != len(names):
        reasons.append(_reason("condition_mismatch", "one condition is two terms of the mean"))
    return reasons


def _of_role(candidate: Candidate, role: str) -> list[TargetPoint]:
    return [entry.point for entry in candidate.points if entry.role == role]


def _in_fractions(point: TargetPoint) -> Decimal:
    return point.resolution / _HUNDRED if point.unit in _PERCENT else point.resolution


def _key(text: str | None) -> str:
    return " ".join((text or "").casefold().split())


def _said(point: TargetPoint) -> str:
    place = point.provenance[0] if point.provenance else None
    where = "" if place is None else f" (page {place.page}{f', table {place.table}' if place.table else ''})"
    return f"{point.value}{point.unit}{where}"


def _reason(code: ReasonCode, detail: str) -> Reason:
    return Reason(code=code, argument=None, detail=detail)
