"""Decides whether printed numbers speak of the same thing: unit, condition, data set, panel, and which of several."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from reproducegym.schema.claim import Candidate, Reason, ReasonCode, TargetPoint

__all__ = ["agree", "bind", "check_pair", "choose", "convert", "unit_agrees"]

_HUNDRED = Decimal(100)
_PERCENT = frozenset({"%", "pp"})
_NO_SHARES = frozenset({"count", "time", "loss", "return"})
"""Kinds of metric whose numbers are no fractions, so that no percentage is one of them in another unit."""
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
    if claimed == "pp" and "point" in words:
        return True
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
    """The most precise of several printings of one quantity, with the places of all; or why none binds.

    A printed value wins over one read off a figure, which corroborates where it agrees within its reading, and is left
    out where it does not.
    """
    if not points:
        return _reason("no_grounded_target", "no candidate value")
    printed = [point for point in points if not _only_read(point)]
    if printed and len(printed) < len(points):
        chosen = choose(printed)
        if isinstance(chosen, Reason):
            return chosen
        agreeing = [point for point in points if _only_read(point) and _read_agrees(chosen, point)]
        return _with_places(chosen, agreeing)
    best = min(points, key=lambda point: (_in_fractions(point), -len(point.provenance)))
    for point in points:
        if not agree(best, point) and not (_only_read(point) and _read_agrees(best, point)):
            return _reason(
                "ambiguous_target",
                f"{_said(best)} and {_said(point)} are printed for one quantity and differ by more than rounding",
            )
    return _with_places(best, points)


def _with_places(best: TargetPoint, points: Sequence[TargetPoint]) -> TargetPoint:
    places = list(best.provenance)
    for point in points:
        places.extend(place for place in point.provenance if place not in places)
    return best.model_copy(update={"provenance": tuple(places)})


def _only_read(point: TargetPoint) -> bool:
    """Whether a value stands in figures alone."""
    return bool(point.provenance) and all(place.kind == "figure_series" for place in point.provenance)


def _read_agrees(best: TargetPoint, read: TargetPoint) -> bool:
    """Whether a reading off a figure can be of this value: the digits of both and the errors of reading allow it."""
    value = convert(read.value, read.unit, best.unit)
    error = sum((place.read_error or Decimal(0) for place in read.provenance[:1]), Decimal(0))
    slack = convert(error + read.resolution / 2, read.unit, best.unit)
    return value is not None and slack is not None and abs(best.value - value) <= best.resolution / 2 + slack


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
    return _other_panel((treatment, baseline))


def _other_panel(points: Sequence[TargetPoint]) -> Reason | None:
    """Values read off figures are compared within one panel only."""
    places = [place for point in points for place in point.provenance if place.kind == "figure_series"]
    panels = {(place.figure, place.panel) for place in places}
    if len(panels) > 1:
        named = ", ".join(sorted(f"{panel} of figure {figure}" for figure, panel in panels))
        return _reason("panel_mismatch", f"values from panels {named}")
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
    controls = _of_role(candidate, "control")
    for control in controls:
        reasons += [
            one for other in (*treatments, *baselines) for one in [check_pair(control, other)] if one is not None
        ]
    for chance in _of_role(candidate, "chance"):
        for treatment in treatments:
            if _key(chance.metric) != _key(treatment.metric) or _key(chance.dataset) != _key(treatment.dataset):
                reasons.append(_reason("condition_mismatch", f"the chance level {_said(chance)} is of something else"))
    parts = _of_role(candidate, "part")
    if candidate.pattern == "order":
        reasons += [one for pair in pairwise(parts) for one in [check_pair(*pair)] if one is not None]
    reasons.extend(_check_parts(parts))
    series = _of_role(candidate, "series")
    reasons.extend(_check_series(series))
    unit = candidate.metric.unit
    others = (*parts, *series, *_of_role(candidate, "level"), *_of_role(candidate, "chance"))
    for point in (*treatments, *baselines, *controls, *others):
        if convert(Decimal(1), point.unit, unit) is None:
            reasons.append(_reason("unit_mismatch", f'{_said(point)} for a metric in "{unit}"'))
        elif (point.unit in _PERCENT) != (unit in _PERCENT) and candidate.metric.kind in _NO_SHARES:
            reasons.append(_reason("unit_mismatch", f'{_said(point)} is no {candidate.metric.kind} in "{unit}"'))
    return tuple(dict.fromkeys(reasons))


def _check_series(points: Sequence[TargetPoint]) -> list[Reason]:
    """All points of a trend are one quantity on one data set, and of figures' points in one panel."""
    reasons = []
    for other in points[1:]:
        if _key(other.metric) != _key(points[0].metric):
            reasons.append(_reason("unit_mismatch", f'"{points[0].metric}" and "{other.metric}" are one trend'))
        if _key(other.dataset) != _key(points[0].dataset):
            reasons.append(_reason("condition_mismatch", f'"{points[0].dataset}" and "{other.dataset}" are one trend'))
    reasons.extend(one for one in [_other_panel(points)] if one is not None)
    return reasons


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
