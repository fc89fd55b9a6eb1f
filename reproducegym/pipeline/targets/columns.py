"""The columns of metrics.csv: one for each thing that a claim measures, with unit, range, and whether seeds differ."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from reproducegym.pipeline.printed.naming import name_of, unique_names
from reproducegym.pipeline.targets.terms import Terms
from reproducegym.schema.claim import Candidate, MetricIdea, TargetPoint
from reproducegym.schema.contract import Column

__all__ = ["Bounds", "columns_of", "dataset_of"]

Bounds = tuple[float | None, float | None]


def columns_of(
    candidate: Candidate, terms: Terms, hidden: tuple[Decimal, ...]
) -> tuple[tuple[Column, ...], dict[str, str], tuple[str, ...]]:
    """The columns; for each data set the name of the claim's column of it; and the names of the guards' columns.

    The claim's metric has one column unless a mean spans several data sets.
    """
    datasets = list(dict.fromkeys(dataset_of(point) for point in terms.compared()))
    metric = candidate.metric
    if len(datasets) == 1:
        own = [name_of(metric.name, hidden, "metric")]
    else:
        own = [name_of(f"{dataset} {metric.name}", hidden, "metric") for dataset in datasets]
    names = unique_names([*own, *(name_of(guard.metric.name, hidden, "metric") for guard in terms.guards)])
    columns = [_column(name, metric, terms.compared()) for name in names[: len(own)]]
    for name, guard in zip(names[len(own) :], terms.guards, strict=True):
        points = [guard.reference] + ([] if guard.own is None else [guard.own])
        columns.append(_column(name, guard.metric, points))
    return tuple(columns), dict(zip(datasets, names, strict=False)), names[len(own) :]


def dataset_of(point: TargetPoint) -> str:
    """The data set of a point, as columns tell them apart."""
    return " ".join((point.dataset or "").casefold().split())


def _column(name: str, metric: MetricIdea, points: Sequence[TargetPoint]) -> Column:
    return Column(name=name, unit=metric.unit, range=_bounds(metric, points), stochastic=_stochastic(metric, points))


def _bounds(metric: MetricIdea, points: Sequence[TargetPoint]) -> Bounds:
    """What values a column can take: rates and percent scores are bounded, counts and times are not negative.

    A bound that the paper's own numbers break is none.
    """
    kind, unit = metric.kind, metric.unit
    low, high = None, None
    if kind == "rate" or (kind == "score" and unit == "%"):
        low, high = Decimal(0), Decimal(100) if unit == "%" else Decimal(1)
    elif kind in {"count", "time", "ratio"}:
        low = Decimal(0)
    values = [point.value for point in points]
    return (
        float(low) if low is not None and min(values) >= low else None,
        float(high) if high is not None and max(values) <= high else None,
    )


def _stochastic(metric: MetricIdea, points: Sequence[TargetPoint]) -> Literal["continuous", "discrete", "none"]:
    """Whether two seeds must differ: losses and times always, other measured values where the paper prints a spread.

    Rates and counts tie honestly.
    """
    kind = metric.kind
    varies = all(point.spread is not None and point.spread.value > 0 for point in points)
    continuous = kind in {"loss", "time"} or (kind in {"return", "score", "ratio"} and varies)
    return "continuous" if continuous else "discrete"
