"""Lays out what a run must write: conditions, columns with their ranges, and the formulas over them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from reproducegym.pipeline.printed.decimals import rounded
from reproducegym.pipeline.printed.naming import name_of, unique_names
from reproducegym.pipeline.targets.columns import Bounds, columns_of, dataset_of
from reproducegym.pipeline.targets.derived import Measure
from reproducegym.pipeline.targets.goals import Goal, Goals
from reproducegym.pipeline.targets.terms import Terms, condition_of
from reproducegym.schema.claim import Candidate, ConditionIdea, Reason, TargetPoint
from reproducegym.schema.contract import Column
from reproducegym.schema.spec import Condition

__all__ = ["LaidMetric", "Layout", "ProbePair", "lay_out", "metric_bounds"]

_SUFFIX: dict[Measure, str] = {
    "difference": "_difference",
    "near_zero": "_difference",
    "ratio": "_ratio",
    "relative_change": "_relative_change",
    "mean": "_mean",
    "gap": "_contrast",
    "dominance": "_dominance",
    "order": "_order",
    "slope": "_slope",
    "auc": "_auc",
    "first_reach": "_first_reach",
    "spearman": "_spearman",
}


@dataclass(frozen=True)
class LaidMetric:
    """A metric's name and formula."""

    name: str
    formula: str


@dataclass(frozen=True)
class ProbePair:
    """Labels of two conditions that are both run, and the same column of each."""

    treatment: str
    baseline: str
    treatment_series: str
    baseline_series: str

    def gap_formula(self) -> str:
        """The one less the other, whatever the claim's own formula is."""
        return f"mean({self.treatment_series}) - mean({self.baseline_series})"


@dataclass(frozen=True)
class Layout:
    """The shape of metrics.csv and of the claim's metrics.

    `metrics` and `guards` stand in the order of the goals and of the guards. `steps` are the x of a trend's treatment,
    each a row of every condition; empty without one.
    """

    conditions: tuple[Condition, ...]
    columns: tuple[Column, ...]
    metrics: tuple[LaidMetric, ...]
    guards: tuple[LaidMetric, ...]
    pair: ProbePair | None
    steps: tuple[Decimal, ...]


def lay_out(candidate: Candidate, goals: Goals, terms: Terms, hidden: tuple[Decimal, ...]) -> Layout | Reason:
    """Names and formulas for a claim whose terms are bound; no name holds a hidden value."""
    matched: list[tuple[str, TargetPoint, ConditionIdea]] = []
    needed = {role for goal in goals.all for role, _ in goal.points}
    for role, point in _points(terms):
        optional = role == "baseline" and role not in needed
        if optional and not any(idea.role == "baseline" for idea in candidate.conditions):
            continue
        idea = condition_of(point, role, candidate.conditions)
        if isinstance(idea, Reason):
            return idea
        matched.append((role, point, idea))
    steps = tuple(rounded(one.x) for one in terms.series)
    conditions = _conditions(tuple(idea for _, _, idea in matched), hidden, _on_steps(candidate, steps))
    if isinstance(conditions, Reason):
        return conditions
    label_of = {one.source_label: one.label for one in conditions}
    columns, column_of, guard_columns = columns_of(candidate, terms, hidden)
    label = {(role, _key(point.condition)): label_of[idea.source_label] for role, point, idea in matched}

    def series(role: str, point: TargetPoint) -> str | None:
        found = label.get((role, _key(point.condition)))
        return None if found is None else f"{found}.{column_of[dataset_of(point)]}"

    base = name_of(candidate.metric.name, hidden, "metric")
    metrics = tuple(_laid(base, goal, _present(series(*one) for one in goal.points), terms) for goal in goals.all)
    subject = label[(matched[0][0], _key(matched[0][1].condition))]
    last = "last" if steps else "mean"
    guards = tuple(LaidMetric(f"{name}_guard", f"{last}({subject}.{name})") for name in guard_columns)
    return Layout(
        conditions=conditions,
        columns=columns,
        metrics=metrics,
        guards=guards,
        pair=_pair(goals, label, series),
        steps=steps,
    )


def metric_bounds(measure: Measure, column: Bounds) -> Bounds:
    """Between what values a metric can lie when its column lies within `column`."""
    low, high = column
    if measure in {"absolute", "mean"}:
        return column
    if measure in {"difference", "near_zero", "order"}:
        return (None, None) if low is None or high is None else (low - high, high - low)
    if measure == "spearman":
        return -1.0, 1.0
    if measure == "first_reach":
        return 0.0, None
    if measure not in {"ratio", "relative_change"} or low is None or low < 0:
        return None, None
    return (0.0, None) if measure == "ratio" else (-1.0, None)


def _points(terms: Terms) -> list[tuple[str, TargetPoint]]:
    """Every point that a condition is run for, with its role."""
    named = [("treatment", terms.treatment), ("baseline", terms.baseline), ("control", terms.control)]
    pairs = [(role, point) for role, point in named if point is not None]
    series = [("series", one.point) for one in terms.series + terms.base_series]
    return pairs + [("part", one) for one in terms.parts] + series


def _conditions(
    ideas: tuple[ConditionIdea, ...], hidden: tuple[Decimal, ...], on_steps: str
) -> tuple[Condition, ...] | Reason:
    """One condition for each of the paper's labels, with switches that tell them apart."""
    distinct = {idea.source_label: idea for idea in ideas}
    names = unique_names(name_of(label, hidden, "condition") for label in distinct)
    conditions = tuple(
        Condition(
            label=name,
            source_label=idea.source_label,
            switches=idea.switches or {"condition": idea.source_label},
            description=f"{idea.description}{on_steps}",
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


def _on_steps(candidate: Candidate, steps: Sequence[Decimal]) -> str:
    """What the agent is told of a trend's x: the first x at a level is a hidden number, so only where it may lie."""
    if candidate.trend is None or not steps:
        return ""
    name = candidate.trend.x_name or "x"
    if candidate.trend.statistic == "first_reach":
        return f". Column step is {name}: at least {len(steps)} rows from {steps[0]:f} to {steps[-1]:f}."
    return f". Column step is {name}: a row for each of {', '.join(f'{x:f}' for x in steps)}."


def _laid(base: str, goal: Goal, series: Sequence[str], terms: Terms) -> LaidMetric:
    named = f"{base}_{series[0].partition('.')[0]}" if goal.part else base
    return LaidMetric(named + _SUFFIX.get(goal.measure, ""), _formula(goal.measure, series, terms))


def _pair(
    goals: Goals, label: Mapping[tuple[str, str], str], series: Callable[[str, TargetPoint], str | None]
) -> ProbePair | None:
    """The pair of a claim, where both of its conditions are run."""
    if goals.pair is None:
        return None
    first, second = ((label.get((role, _key(point.condition))), series(role, point)) for role, point in goals.pair)
    if first[0] is None or first[1] is None or second[0] is None or second[1] is None:
        return None
    return ProbePair(first[0], second[0], first[1], second[1])


def _formula(measure: Measure, series: Sequence[str], terms: Terms) -> str:
    """A measure over the series of its inputs, which it names in the order of the derivation's own formula."""
    if measure in {"slope", "auc", "first_reach", "spearman"}:
        xs = [rounded(one.x) for one in terms.series]
        level = "" if measure != "first_reach" or terms.level is None else f", {terms.level.value:f}"
        return f"{measure}({series[0]}[step >= {xs[0]:f}][step <= {xs[-1]:f}], step{level})"
    means = [f"mean({one})" for one in series]
    if measure == "mean":
        return f"({' + '.join(means)}) / {len(means)}"
    if measure == "order":
        gaps = [f"{above} - {below}" for above, below in pairwise(means)]
        return f"min({', '.join(gaps)})" if len(gaps) > 1 else gaps[0]
    if measure == "absolute":
        return means[0]
    if measure == "gap":
        a, b, f = means
        return f"({b} - {a}) / {f}"
    if measure == "dominance":
        a, b, f = means
        return f"({f} - {a}) / ({f} - {b})"
    a, b = means
    if measure in {"difference", "near_zero"}:
        return f"{a} - {b}"
    return f"{a} / {b}" if measure == "ratio" else f"({a} - {b}) / {b}"


def _present(series: Iterable[str | None]) -> list[str]:
    """The series of a goal's points, all of which are run."""
    found = [one for one in series if one is not None]
    return list(dict.fromkeys(found))


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
