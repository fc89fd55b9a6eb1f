"""Words a claim for the agent and its title from the paper's own names alone: no result, nothing of a model's."""

from collections.abc import Sequence

from reproducegym.schema.claim import MetricIdea, Pattern, RolePoint, TargetPoint

__all__ = ["Wording", "wording_of"]

Wording = tuple[str, str]
"""Agent's statement and title."""


def wording_of(pattern: Pattern, metric: MetricIdea, points: Sequence[RolePoint]) -> Wording:
    """Statement and title without a result; which of two is larger is said, as the claim itself says it."""
    by_role = {one.role: one.point for one in reversed(points)}
    treatment, baseline, control = (by_role.get(role) for role in ("treatment", "baseline", "control"))
    name = metric.name
    if pattern in {"mean", "order"}:
        return _of_several(pattern, name, [one.point for one in points if one.role == "part"])
    first = treatment or by_role.get("series")
    if first is None:
        return "A finding that the paper states without a quantity", "A finding without a quantity"
    where = _where(first)
    of = first.condition
    if pattern == "trend":
        return f"The {name} of {of}{where} changes as the paper reports", f"Trend of {name}: {of}{where}"
    if pattern == "absolute" or baseline is None:
        return f"{of} reaches the {name}{where} that the paper reports", f"{name} of {of}{where}"
    against = baseline.condition
    if pattern == "near_zero":
        return (
            f"{of} and {against} have about the same {name}{where}",
            f"No difference in {name}: {of}, {against}{where}",
        )
    if pattern == "contrast" and control is not None:
        statement = f"From {against}, {of} changes the {name}{where} more than {control.condition} does"
        return statement, f"Contrast of {name}: {of} against {control.condition}{where}"
    more = "higher" if treatment and treatment.value > baseline.value else "lower"
    kind = {"ratio": "Ratio of", "relative_change": "Relative change of"}.get(pattern, "Difference in")
    return f"{of} has {more} {name} than {against}{where}", f"{kind} {name}: {of} against {against}{where}"


def _of_several(pattern: Pattern, name: str, parts: Sequence[TargetPoint]) -> Wording:
    conditions = list(dict.fromkeys(part.condition for part in parts))
    datasets = [one for one in dict.fromkeys(part.dataset for part in parts) if one is not None]
    where = f" on {', '.join(datasets)}" if datasets else ""
    if pattern == "order":
        return f"By {name}{where} the conditions rank as the paper reports", f"Order by {name}: {', '.join(conditions)}"
    return (
        f"The mean {name} of {', '.join(conditions)}{where} is as reported",
        f"Mean {name} of {', '.join(conditions)}",
    )


def _where(point: TargetPoint) -> str:
    return f" on {point.dataset}" if point.dataset else ""
