"""Lays out what a run must write: conditions, columns with their ranges, and the formulas over them."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from reproducegym.pipeline.naming import name_of, unique_names
from reproducegym.pipeline.terms import Terms, condition_of
from reproducegym.schema.claim import Candidate, ConditionIdea, Pattern, Reason, TargetPoint
from reproducegym.schema.contract import Column
from reproducegym.schema.spec import Condition

__all__ = ["Bounds", "Layout", "lay_out", "metric_bounds"]

Bounds = tuple[float | None, float | None]

_SUFFIX: dict[Pattern, str] = {
    "difference": "_difference",
    "ratio": "_ratio",
    "relative_change": "_relative_change",
    "mean": "_mean",
}


@dataclass(frozen=True)
class Layout:
    """The shape of metrics.csv and of the claim's metric.

    `series` names the series (`condition.column`) of each of the formula's inputs, in order. `treatment` and
    `baseline` are labels; `baseline` is None where the paper gives a value but the claim names no such condition.
    `gap_series` are treatment and baseline of the same column, where both are run.
    """

    conditions: tuple[Condition, ...]
    columns: tuple[Column, ...]
    series: tuple[str, ...]
    metric: str
    formula: str
    treatment: str | None
    baseline: str | None
    gap_series: tuple[str, str] | None

    def gap_formula(self) -> str | None:
        """Treatment less baseline, whatever the claim's own formula is."""
        if self.gap_series is None:
            return None
        treatment, baseline = self.gap_series
        return f"mean({treatment}) - mean({baseline})"


def lay_out(candidate: Candidate, pattern: Pattern, terms: Terms, hidden: tuple[Decimal, ...]) -> Layout | Reason:
    """Names and formulas for a claim whose terms are bound; no name holds a hidden value."""
    matched: list[tuple[TargetPoint, ConditionIdea]] = []
    for role, point in _points(terms):
        optional = role == "baseline" and pattern in {"absolute", "mean"}
        if optional and not any(idea.role == "baseline" for idea in candidate.conditions):
            continue
        idea = condition_of(point, role, candidate.conditions)
        if isinstance(idea, Reason):
            return idea
        matched.append((point, idea))
    conditions = _conditions(tuple(idea for _, idea in matched), hidden)
    if isinstance(conditions, Reason):
        return conditions
    label_of = {one.source_label: one.label for one in conditions}
    columns, column_of = _columns(candidate, terms, hidden)
    where = [f"{label_of[idea.source_label]}.{column_of[_dataset(point)]}" for point, idea in matched]
    parts = where[len(where) - len(terms.parts) :] if terms.parts else []
    label = {idea.role: label_of[idea.source_label] for _, idea in matched if idea.role != "part"}
    treatment, baseline = label.get("treatment"), label.get("baseline")
    compared = (where[0], where[1]) if terms.treatment is not None and baseline is not None else None
    series = tuple(parts) if pattern == "mean" else compared if compared and pattern != "absolute" else (where[0],)
    base = name_of(candidate.metric.name, hidden, "metric")
    return Layout(
        conditions=conditions,
        columns=columns,
        series=series,
        metric=base + _SUFFIX.get(pattern, ""),
        formula=_formula(pattern, series),
        treatment=treatment,
        baseline=baseline,
        gap_series=compared,
    )


def metric_bounds(pattern: Pattern, column: Bounds) -> Bounds:
    """Between what values a metric can lie when its column lies within `column`."""
    low, high = column
    if pattern in {"absolute", "mean"}:
        return column
    if pattern == "difference":
        return (None, None) if low is None or high is None else (low - high, high - low)
    if low is None or low < 0:
        return None, None
    return (0.0, None) if pattern == "ratio" else (-1.0, None)


def _points(terms: Terms) -> list[tuple[str, TargetPoint]]:
    pairs = [("treatment", terms.treatment), ("baseline", terms.baseline)]
    return [(role, point) for role, point in pairs if point is not None] + [("part", one) for one in terms.parts]


def _conditions(ideas: tuple[ConditionIdea, ...], hidden: tuple[Decimal, ...]) -> tuple[Condition, ...] | Reason:
    """One condition for each of the paper's labels, with switches that tell them apart."""
    distinct = {idea.source_label: idea for idea in ideas}
    names = unique_names(name_of(label, hidden, "condition") for label in distinct)
    conditions = tuple(
        Condition(
            label=name,
            source_label=idea.source_label,
            switches=idea.switches or {"condition": idea.source_label},
            description=idea.description,
        )
        for name, idea in zip(names, distinct.values(), strict=True)
    )
    for index, one in enumerate(conditions):
        for other in conditions[index + 1 :]:
            if one.switches == other.switches:
                return Reason(
                    code="condition_mismatch",
                    argument=None,
                    detail=f'"{one.source_label}" and "{other.source_label}" have the same switches: {one.switches}',
                )
    return conditions


def _columns(
    candidate: Candidate, terms: Terms, hidden: tuple[Decimal, ...]
) -> tuple[tuple[Column, ...], dict[str, str]]:
    """The columns and, for each data set, the name of its column: one for all unless a mean spans several data sets."""
    datasets = list(dict.fromkeys(_dataset(point) for point in terms.compared()))
    metric = candidate.metric
    if len(datasets) == 1:
        names: tuple[str, ...] = (name_of(metric.name, hidden, "metric"),)
    else:
        names = unique_names(name_of(f"{dataset} {metric.name}", hidden, "metric") for dataset in datasets)
    bounds = _bounds(candidate, terms)
    columns = tuple(
        Column(name=name, unit=metric.unit, range=bounds, stochastic=_stochastic(candidate, terms)) for name in names
    )
    return columns, dict(zip(datasets, names, strict=True))


def _dataset(point: TargetPoint) -> str:
    return " ".join((point.dataset or "").casefold().split())


def _bounds(candidate: Candidate, terms: Terms) -> Bounds:
    """What values a column can take: rates and percent scores are bounded, counts and times are not negative.

    A bound that the paper's own numbers break is none.
    """
    kind, unit = candidate.metric.kind, candidate.metric.unit
    low, high = None, None
    if kind == "rate" or (kind == "score" and unit == "%"):
        low, high = Decimal(0), Decimal(100) if unit == "%" else Decimal(1)
    elif kind in {"count", "time", "ratio"}:
        low = Decimal(0)
    values = [point.value for point in terms.compared()]
    return (
        float(low) if low is not None and min(values) >= low else None,
        float(high) if high is not None and max(values) <= high else None,
    )


def _stochastic(candidate: Candidate, terms: Terms) -> Literal["continuous", "discrete", "none"]:
    """Whether two seeds must differ: losses and times always, other measured values where the paper prints a spread.

    Rates and counts tie honestly.
    """
    kind = candidate.metric.kind
    varies = all(point.spread is not None and point.spread.value > 0 for point in terms.compared())
    continuous = kind in {"loss", "time"} or (kind in {"return", "score", "ratio"} and varies)
    return "continuous" if continuous else "discrete"


def _formula(pattern: Pattern, series: tuple[str, ...]) -> str:
    means = [f"mean({one})" for one in series]
    if pattern == "mean":
        return f"({' + '.join(means)}) / {len(means)}"
    if pattern == "absolute":
        return means[0]
    a, b = means
    if pattern == "difference":
        return f"{a} - {b}"
    return f"{a} / {b}" if pattern == "ratio" else f"({a} - {b}) / {b}"
