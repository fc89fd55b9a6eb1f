"""Finds conditions of a claim's own table that the claim does not mention: what a probe may ask of a reproduction."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.pipeline.grounding.places import ground
from reproducegym.pipeline.printed.naming import name_of, unique_names
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.pipeline.probing.assets import unavailable
from reproducegym.pipeline.targets.columns import Bounds, dataset_of
from reproducegym.pipeline.targets.layout import Layout
from reproducegym.pipeline.targets.terms import Terms
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Candidate, Protocol, Provenance, Spread, TargetPoint
from reproducegym.schema.paper import Cell, Document
from reproducegym.schema.spec import Condition

__all__ = ["OtherRow", "other_rows"]

_NOT_RUN = re.compile(
    r"\[\d|\bet al\b|\b(?:19|20)\d\d\b|[†‡§]"
    r"|\b(?:avg|averages?|means?|medians?|totals?|overall|sums?|std|stdev|diff(?:erence)?|gains?|improvements?|rank)\b"
    r"|[Δ∆]|\bhumans?\b|\boracles?\b|\b(?:upper|lower)\s?bound\b|\bsota\b|\bstate[- ]of[- ]the[- ]art\b"
    r"|\b(?:previous|prior|published|reported)\b",
    re.IGNORECASE,
)
"""Rows that are no run of the paper's own: cited results, summaries, bounds."""
_PLAIN = Protocol(method=None, dataset=None, evaluation=None, numbers=())


@dataclass(frozen=True)
class OtherRow:
    """A condition that only a probe runs, with its grounded cell in the metric's unit."""

    condition: Condition
    point: TargetPoint


def other_rows(paper: ReadPaper, candidate: Candidate, terms: Terms, layout: Layout) -> tuple[OtherRow, ...]:
    """Every cell beside those of a claim's compared points that differs from one of them by its condition alone.

    It must ground like any target, print a spread of the same kind as its neighbour, and be told apart by the one
    switch that names the neighbour's condition. None for trends and for claims over several data sets.
    """
    points = terms.compared()
    if terms.series or len({dataset_of(point) for point in points}) != 1:
        return ()
    for point in points:
        own = next((one for one in layout.conditions if _key(one.source_label) == _key(point.condition)), None)
        places = [place for place in point.provenance if place.kind == "table_cell"]
        if own is None or not places or point.spread is None:
            continue
        beside = _beside(paper, point, places[0], own, _mentioned(candidate, terms))
        found = tuple(one for one in beside if _within(one.point.value, layout.columns[0].range))
        if found:
            return _named(found, layout, (*terms.hidden(), *(one.point.value for one in found)))
    return ()


def _within(value: Decimal, bounds: Bounds) -> bool:
    low, high = bounds
    return (low is None or float(value) >= low) and (high is None or float(value) <= high)


def _mentioned(candidate: Candidate, terms: Terms) -> frozenset[str]:
    named = [idea.source_label for idea in candidate.conditions]
    named += [point.condition for point in terms.compared()]
    return frozenset(_key(name) for name in named + ([] if terms.chance is None else [terms.chance.condition]))


def _beside(
    paper: ReadPaper, point: TargetPoint, place: Provenance, own: Condition, mentioned: frozenset[str]
) -> Iterator[OtherRow]:
    switch = [name for name, value in own.switches.items() if _key(value) == _key(own.source_label)]
    if len(switch) != 1:
        return
    path = (*place.row_path, *place.column_path)
    at = [number for number, part in enumerate(path) if _key(part) == _key(own.source_label)]
    printed = read_number(place.quote)
    if len(at) != 1 or printed is None or printed.value != point.value:
        return
    for cell in _cells(paper.document, place):
        other = (*cell.row_path, *cell.column_path)
        if len(cell.row_path) != len(place.row_path) or len(other) != len(path):
            continue
        name = other[at[0]]
        same = [*other[: at[0]], *other[at[0] + 1 :]] == [*path[: at[0]], *path[at[0] + 1 :]]
        if not same or _key(name) in mentioned or _NOT_RUN.search(name):
            continue
        condition = Condition(
            label=own.label,
            source_label=name,
            switches={**own.switches, switch[0]: name},
            description=own.description.replace(own.source_label, name),
        )
        grounded = _grounded(paper, point, cell, name, place)
        if grounded is not None and unavailable((condition,), _PLAIN) is None:
            yield OtherRow(condition, grounded)


def _grounded(paper: ReadPaper, point: TargetPoint, cell: Cell, name: str, place: Provenance) -> TargetPoint | None:
    """The cell as a point like its neighbour's, looked up in the paper like any other."""
    number = read_number(cell.text)
    if number is None or number.spread is None or point.spread is None:
        return None
    seen = Provenance(
        kind="table_cell",
        page=cell.page,
        bbox=cell.bbox,
        quote=number.text,
        table=place.table,
        row_path=cell.row_path,
        column_path=cell.column_path,
    )
    spread = Spread(value=number.spread, kind=point.spread.kind, over=point.spread.over, n=point.spread.n)
    changed = {
        "value": number.value,
        "resolution": number.resolution,
        "spread": spread,
        "condition": name,
        "provenance": (seen,),
    }
    found = ground(paper, point.model_copy(update=changed))
    return found if isinstance(found, TargetPoint) else None


def _cells(document: Document, place: Provenance) -> Iterator[Cell]:
    """The body of the place's table, in order."""
    for table in document.tables:
        if place.table in {table.label, table.id} and place.page in {
            table.page,
            *(one.page for one in table.continued),
        }:
            yield from (cell for cell in table.cells if cell.kind == "body")


def _named(found: Sequence[OtherRow], layout: Layout, hidden: tuple[Decimal, ...]) -> tuple[OtherRow, ...]:
    """The rows under labels of their own, free of hidden values; of two cells of one name neither is taken."""
    names = [_key(one.condition.source_label) for one in found]
    once = [one for one in found if names.count(_key(one.condition.source_label)) == 1]
    taken = [one.label for one in layout.conditions]
    labels = unique_names([*taken, *(name_of(one.condition.source_label, hidden, "condition") for one in once)])
    return tuple(
        OtherRow(one.condition.model_copy(update={"label": label}), one.point)
        for one, label in zip(once, labels[len(taken) :], strict=True)
    )


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()
