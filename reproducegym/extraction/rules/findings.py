"""What a results table shows: the pairs of its cells that a reader is meant to compare, whatever the text says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from reproducegym.extraction.rules.baselines import Parts, is_addition, is_removal
from reproducegym.extraction.rules.entries import Entry, Grid
from reproducegym.extraction.rules.labels import clean_label
from reproducegym.extraction.rules.table_metrics import is_average

__all__ = ["Finding", "Kind", "findings_of"]

Kind = Literal["lead", "exception", "best", "usual", "ablation", "step", "total", "gain", "scaling"]
"""How two cells of a column are meant: the own method ahead of the best other one, or behind it; the best of all;
a row against the paper's baseline; a part taken away; one step of a ladder, all of them; what was added to the row
above; the last level of a scale against the first."""

_LEVEL = re.compile(r"[<>≤≥=]?\s*[\d.,]+\s?[%kKMB×x]?")
_DENOTES_MEAN = re.compile(r"(\S+) (?:denotes?|is|are|indicates?|means?|stands? for) the (?:average|mean)\b")


@dataclass(frozen=True)
class Finding:
    """Two cells of one column. `place` says how far from the reader's eye it stands (0: the first column, or a mean).

    `flagship` marks the best of the authors' own rows.
    """

    kind: Kind
    treatment: Entry
    baseline: Entry
    depth: int
    place: float
    flagship: bool = False


def findings_of(grid: Grid, parts: Parts, settings: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Every comparison that the table's layout suggests, column by column.

    `settings` are what other tables measure on: rows of such names are data sets, not methods.
    """
    if all(path[-1] in settings for path in grid.conditions):
        return ()
    columns: dict[tuple[tuple[str, ...], str], list[Entry]] = {}
    tested = any(entry.split == "test" for entry in grid.entries)
    for entry in grid.entries:
        beside_test = tested and entry.split == "train"
        if entry.direction is None or entry.is_chance or entry.is_quoted or entry.statistic or beside_test:
            continue
        columns.setdefault((entry.heads, entry.metric_name), []).append(entry)
    places = _places(grid, [heads for heads, _ in columns])
    averages = _average_rows(grid)
    owned = any(_own_depth(entry, parts) is not None for entry in grid.entries)
    found = [
        replace(finding, place=finding.place + _aside(finding.treatment, averages, grid))
        for (heads, _), entries in columns.items()
        for finding in _of_column(entries, parts, places[heads], owned=owned)
    ]
    found += _across_levels(grid, averages, [entry for entries in columns.values() for entry in entries])
    return tuple(one for one in dict.fromkeys(found) if one.treatment.value != one.baseline.value)


def _across_levels(grid: Grid, averages: frozenset[str], entries: Sequence[Entry]) -> Iterator[Finding]:
    """Where the columns are steps of a scale: each row at every later step against itself at the first.

    The step becomes part of the condition, since it is what a run changes.
    """
    if len(grid.heads) < 3 or not all(path and _LEVEL.fullmatch(clean_label(path[-1])) for path in grid.heads):
        return
    rows: dict[tuple[tuple[str, ...], tuple[str, ...]], list[Entry]] = {}
    for entry in entries:
        rows.setdefault((entry.condition, entry.heads[:-1]), []).append(entry)
    for row in rows.values():
        first, *later = [
            replace(entry, condition=(*entry.condition, entry.heads[-1]), dataset=None, setting=()) for entry in row
        ]
        for index, entry in enumerate(later):
            place = index / 2 + _aside(entry, averages, grid)
            yield Finding("scaling", entry, first, len(entry.condition) - 1, place)


def _places(grid: Grid, columns: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], float]:
    """How far from the eye each column stands: behind others of its group, and behind means over all of them."""
    averages = {path for path in columns if any(is_average(part) for part in path)}
    places: dict[tuple[str, ...], float] = {}
    groups: dict[tuple[str, ...], int] = {}
    for path in columns:
        inner = groups[path[:-1]] = groups.get(path[:-1], -1) + 1
        outer = list(groups).index(path[:-1])
        place = 0.3 * outer + (inner if len(groups) > 1 or len(path) > 1 else 0.4 * inner)
        places[path] = 0 if path in averages else place + 6 * bool(averages)
    return places


def _aside(entry: Entry, averages: frozenset[str], grid: Grid) -> float:
    """How far a row's group is from the eye where another group holds the means."""
    if not averages or any(part in averages for part in entry.condition):
        return 0
    return 3


def _average_rows(grid: Grid) -> frozenset[str]:
    """Group labels that hold means, by their name or by what the caption says of them."""
    caption = grid.table.caption.text if grid.table.caption else ""
    said = {match.group(1) for match in _DENOTES_MEAN.finditer(caption)}
    groups = {part for path in grid.conditions for part in path[:-1]}
    return frozenset(part for part in groups if is_average(part) or part in said)


def _of_column(entries: Sequence[Entry], parts: Parts, place: float, *, owned: bool) -> Iterator[Finding]:
    own = [(entry, depth) for entry in entries for depth in [_own_depth(entry, parts)] if depth is not None]
    if own:
        best = _best([entry for entry, _ in own])
        yield from (
            Finding(kind, a, b, depth, place, flagship=any(set(one.condition) & set(best.condition) for one in (a, b)))
            for kind, a, b, depth in _against_own(entries, own)
        )
    for depth, line in _lines(entries):
        pairs = list(_built_up(line, depth, parts))
        if not owned and not pairs and depth == _methods_depth(entries, parts):
            pairs = list(_without_own(line, depth, parts))
        yield from (Finding(kind, a, b, depth, place) for kind, a, b in pairs)
    by_path = {entry.condition: entry for entry in entries}
    for entry in entries:
        above = by_path.get(entry.condition[:-1])
        if above is not None:
            yield Finding("gain", entry, above, len(entry.condition) - 1, place)
    roots = [entry for entry in entries if len(entry.condition) == 1]
    deeper = [entry for entry in entries if len(entry.condition) > 1 and entry.condition[:1] not in by_path]
    if not owned and len(roots) == 2 and deeper:
        yield Finding("lead", roots[1], roots[0], 0, place)
    if not owned and len(roots) <= 2 < len(deeper):
        yield from (Finding("usual", entry, _best(roots), len(entry.condition) - 1, place) for entry in deeper if roots)
        groups = {
            entry.condition[0]: [one for one in deeper if one.condition[0] == entry.condition[0]] for entry in deeper
        }
        for group in groups.values():
            if roots:
                yield Finding("best", _best(group), _best(roots), len(group[0].condition) - 1, place)


def _own_depth(entry: Entry, parts: Parts) -> int | None:
    """At which depth a row is called the authors' own; a row that takes a part of it away is not."""
    depths = [depth for depth, part in enumerate(entry.condition) if parts.is_own(part) and not is_removal(part)]
    return depths[0] if depths else None


def _against_own(
    entries: Sequence[Entry], own: Sequence[tuple[Entry, int]]
) -> Iterator[tuple[Kind, Entry, Entry, int]]:
    """The authors' own rows against the others of their group, and against groups in which they have no row."""
    mine = [entry for entry, _ in own]
    best = _best(mine)
    groups = {_without(entry, depth) for entry, depth in own}
    for entry, depth in own:
        group = _without(entry, depth)
        peers = [one for one, at in own if _without(one, at) == group]
        if entry is not _best(peers):
            continue
        others = [
            other
            for other in entries
            if other not in mine and not is_removal(other.condition[-1]) and not is_addition(other.condition[-1])
        ]
        beside = [other for other in others if _without(other, depth) == group]
        apart = [
            other for other in others if not any(_without(other, at) in groups for at in range(len(other.condition)))
        ]
        rivals = [other for other in others if other in beside or (entry is best and other in apart)]
        firsts = [_best(each) for each in (rivals, beside) if each]
        for rival in dict.fromkeys(firsts):
            yield ("lead", entry, rival, depth) if _is_ahead(entry, rival) else ("exception", rival, entry, depth)
        yield from (("usual", entry, other, depth) for other in rivals if other not in firsts)


def _without(entry: Entry, depth: int) -> tuple[str, ...]:
    return entry.condition[:depth] + entry.condition[depth + 1 :]


def _lines(entries: Sequence[Entry]) -> Iterator[tuple[int, list[Entry]]]:
    """Entries whose conditions differ at one depth only, with that depth; the innermost depths first."""
    for depth in reversed(range(max((len(entry.condition) for entry in entries), default=0))):
        lines: dict[tuple[int, tuple[str, ...]], list[Entry]] = {}
        for entry in entries:
            if len(entry.condition) > depth:
                lines.setdefault((len(entry.condition), _without(entry, depth)), []).append(entry)
        yield from ((depth, line) for line in lines.values() if len(line) > 1)


def _methods_depth(entries: Sequence[Entry], parts: Parts) -> int:
    """At which depth of the rows' labels the methods stand: at the baseline's, at a scale's, or at the richest."""
    depths = range(max(len(entry.condition) for entry in entries))
    labels = [{entry.condition[depth] for entry in entries if len(entry.condition) > depth} for depth in depths]
    ranks = [
        (
            any(parts.is_baseline(label) for label in found),
            len(found) > 1 and all(_LEVEL.fullmatch(clean_label(label)) for label in found),
            len(found),
            depth,
        )
        for depth, found in enumerate(labels)
    ]
    return max(ranks)[-1]


def _built_up(line: Sequence[Entry], depth: int, parts: Parts) -> Iterator[tuple[Kind, Entry, Entry]]:
    """Rows that take a part away from the whole method, and rows that each add a part to the one above."""
    labels = {id(entry): clean_label(entry.condition[depth]) for entry in line}
    steps = [entry for entry in line if is_addition(entry.condition[depth])]
    variants = [entry for entry in line if is_removal(entry.condition[depth])]
    whole = [
        entry
        for entry in line
        if entry not in steps
        and entry not in variants
        and (parts.is_own(entry.condition[depth]) or parts.is_full(labels[id(entry)]))
    ]
    if variants and whole:
        yield from (("ablation", variant, _best(whole)) for variant in variants)
    if len(steps) > 1:
        yield from _of_ladder(line, steps)


def _without_own(line: Sequence[Entry], depth: int, parts: Parts) -> Iterator[tuple[Kind, Entry, Entry]]:
    """Where no row is called the authors' own: against the baseline, along a scale, or the best against the rest."""
    labels = [clean_label(entry.condition[depth]) for entry in line]
    usual = [entry for entry in line if parts.is_baseline(entry.condition[depth])]
    if len(usual) == 1:
        rest = [entry for entry in line if entry is not usual[0]]
        best = _best(rest)
        yield ("lead", best, usual[0]) if _is_ahead(best, usual[0]) else ("exception", usual[0], best)
        yield from (("usual", entry, usual[0]) for entry in rest if entry is not best)
    elif all(_LEVEL.fullmatch(one) for one in labels):
        yield ("scaling", line[-1], line[0])
        yield from (("step", after, before) for before, after in [*pairwise(line)][-1:] if len(line) > 2)
    else:
        best = _best(line)
        if parts.is_baseline(best.condition[depth]):
            return
        yield ("best", best, _best([entry for entry in line if entry is not best]))


def _of_ladder(line: Sequence[Entry], steps: Sequence[Entry]) -> Iterator[tuple[Kind, Entry, Entry]]:
    """Each "+ part" against the row before it, and the last against the row on which the first was put."""
    first = line.index(steps[0])
    for index in range(max(first, 1), len(line)):
        if line[index] in steps:
            yield ("step", line[index], line[index - 1])
    if first > 0:
        yield ("total", steps[-1], line[first - 1])


def _best(entries: Sequence[Entry]) -> Entry:
    high = entries[0].direction == "higher_is_better"
    return max(entries, key=lambda entry: entry.value) if high else min(entries, key=lambda entry: entry.value)


def _is_ahead(first: Entry, second: Entry) -> bool:
    return (first.value > second.value) == (first.direction == "higher_is_better") or first.value == second.value
