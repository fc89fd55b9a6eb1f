"""The logical tables of made papers: column paths, row paths and values, before anything is set."""

import random
from dataclasses import dataclass, replace

from . import words
from .plan import Plan
from .values import Scale, Value, emphasised, number, quoted

SCALES = (Scale(10, 99, 1), Scale(10, 99, 2), Scale(0.1, 0.99, 3), Scale(100, 990, 1), Scale(0.3, 9.9, 2))


@dataclass(frozen=True, slots=True)
class Column:
    """A column of values: its headers from outer to inner; the unit that its header prints, and what it means.

    A `checked` column holds ticks and crosses.
    """

    path: tuple[str, ...]
    printed_unit: str = ""
    unit: str | None = None
    multiplier: str | None = None
    checked: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row: the group above it, its labels from outer to inner, its values."""

    group: str | None
    labels: tuple[str, ...]
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One grid: names of its label columns, columns, rows; a second header and its rows where it goes on with one."""

    corners: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    then: "Sheet | None" = None


def sheet_of(draw: random.Random, plan: Plan) -> Sheet:
    """A table with the structure of the plan and values drawn at random."""
    columns = _columns(draw, plan)
    rows = _rows(draw, plan, columns)
    corners = ("Setting", draw.choice(words.CORNERS)) if plan.stub == 2 else (draw.choice(words.CORNERS),)
    if plan.corner == "empty":
        corners = ("",) * plan.stub
    sheet = Sheet(corners, columns, rows)
    if plan.arrangement != "stacked":
        return sheet
    names = [name for name in words.DATASETS if name not in {column.path[-1] for column in columns}]
    others = tuple(Column((name,)) for name in draw.sample(names, len(columns)))
    return replace(sheet, then=Sheet(corners, others, _rows(draw, plan, others)))


def _columns(draw: random.Random, plan: Plan) -> tuple[Column, ...]:
    wanted = {"narrow": (2, 3), "usual": (3, 5), "wide": (6, 8), "very wide": (12, 14)}[plan.width]
    count = draw.randint(*wanted)
    if plan.wrap == "lines":
        return tuple(Column((name,)) for name in draw.sample(words.LINES, min(count, 6)))
    if plan.wrap == "header":
        return tuple(Column((name,)) for name in draw.sample(words.LONG_HEADERS, min(count, 5)))
    if plan.names == "units":
        return _with_units(draw, plan, count)
    if plan.names == "years":
        first = draw.randint(2012, 2018)
        return tuple(Column((str(first + i),)) for i in range(count))
    if plan.names == "numbers":
        names = draw.choice(words.NUMBERS)
        if plan.levels == 1:
            return tuple(Column((name,)) for name in names[: min(count, 6)])
        tops = draw.sample(words.TITLES, 2)
        return tuple(Column((top, name)) for top in tops for name in names[: max(2, min(count // 2, 4))])
    if plan.levels == 1:
        source = words.DATASETS if draw.random() < 0.5 else words.METRICS
        names = draw.sample(source, min(count, len(source)))
        if plan.names == "arrows":
            names = [f"{name} {draw.choice('↑↑↓')}" for name in draw.sample(words.METRICS, count)]
        checks = draw.sample(words.CHECKS, draw.randint(2, 3)) if plan.checks else []
        return tuple(Column((name,), checked=i < len(checks)) for i, name in enumerate([*checks, *names]))
    return _levelled(draw, plan, count)


def _levelled(draw: random.Random, plan: Plan, count: int) -> tuple[Column, ...]:
    if plan.levels == 3:
        leaves = draw.sample(words.METRICS, 2)
        middle = draw.sample(words.DATASETS, 4)
        tops = draw.sample(words.OVER, 2)
        return tuple(Column((tops[i // 2], middle[i], leaf)) for i in range(4) for leaf in leaves)
    tops = draw.sample(words.DATASETS if draw.random() < 0.6 else words.OVER, max(2, min(4, count // 2)))
    each = 2 if count < 9 else 3
    leaves = draw.sample(words.METRICS, each)
    columns = [Column((top, leaf)) for top in tops for leaf in leaves]
    if plan.lone_column:
        lone = Column((draw.choice(("Avg.", "Params", "Mean", "Rank")),))
        columns.insert(0 if draw.random() < 0.3 else len(columns), lone)
    return tuple(columns)


def _with_units(draw: random.Random, plan: Plan, count: int) -> tuple[Column, ...]:
    tops = draw.sample(words.DATASETS, 2) if plan.levels >= 2 else [""]
    chosen = draw.sample(words.UNITS, max(2, min(count // len(tops), len(words.UNITS))))
    return tuple(
        Column((top, name) if top else (name,), printed, unit, multiplier)
        for top in tops
        for name, printed, unit, multiplier in chosen
    )


def _rows(draw: random.Random, plan: Plan, columns: tuple[Column, ...]) -> tuple[Row, ...]:
    count = draw.randint(*{"usual": (4, 7), "long": (34, 44)}[plan.length])
    scales = [draw.choice(SCALES)] * len(columns)
    if draw.random() < 0.4:
        scales = [draw.choice(SCALES) for _ in columns]
    names = _names(draw, plan)
    labels: list[tuple[str | None, tuple[str, ...]]] = []
    if plan.groups == "none" and plan.stub == 1:
        drawn = names[:count] if plan.labels in {"parameters", "counts"} else draw.sample(names, min(count, len(names)))
        labels = [(None, (name,)) for name in drawn]
        if plan.last == "average":
            labels.append((None, (draw.choice(("Average", "Mean", "Overall", "Avg. (all)")),)))
    else:
        groups = draw.sample(words.GROUPS, max(2, min(count // 4, 4))) if plan.groups != "none" else [None]
        outers = draw.sample(words.OUTER, max(2, min(count // 3, 4))) if plan.stub == 2 else [None]
        inner = draw.sample(names, max(2, min(4, len(names), count // (len(groups) * len(outers)) + 1)))
        for group in groups:
            for outer in outers:
                each = inner if outer is not None or draw.random() < 0.5 else draw.sample(names, len(inner))
                labels += [(group, (name,) if outer is None else (outer, name)) for name in each]
    marked = [
        _emphasised(draw, plan, [_drawn(draw, plan, c, s) for _ in labels])
        for c, s in zip(columns, scales, strict=True)
    ]
    return tuple(Row(group, path, tuple(column[r] for column in marked)) for r, (group, path) in enumerate(labels))


def _names(draw: random.Random, plan: Plan) -> list[str]:
    """Row labels to choose from."""
    if plan.labels == "parameters":
        return list(draw.choice(words.PARAMETERS))
    if plan.labels == "counts":
        return list(draw.choice(words.COUNTS))
    return list({"long": words.LONG_METHODS, "cited": words.CITED}.get(plan.labels, words.METHODS))


def _drawn(draw: random.Random, plan: Plan, column: Column, scale: Scale) -> Value:
    if column.checked:
        sign = draw.choice("✓✓✗")
        return Value(sign, quoted(sign))
    return number(draw, plan, scale)


def _emphasised(draw: random.Random, plan: Plan, column: list[Value]) -> list[Value]:
    if not plan.emphasis:
        return column
    order = draw.sample(range(len(column)), len(column))
    return [emphasised(draw, plan, value, order[i]) for i, value in enumerate(column)]
