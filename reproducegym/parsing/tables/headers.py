"""Builds the header cells of a table: which columns each header spans, and which lines are one wrapped header."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.pages.drawings import Rule
from reproducegym.parsing.tables.chunks import Chunk, joined_chunk
from reproducegym.parsing.tables.grid import Grid

__all__ = ["HeaderCell", "header_cells"]

_WRAP = 1.4


@dataclass(frozen=True, slots=True)
class HeaderCell:
    """A header over columns `first`..`last`; `level` counts header rows from the top of its block."""

    level: int
    first: int
    last: int
    chunk: Chunk


def header_cells(grid: Grid, rows: Sequence[int], bottom: float) -> tuple[HeaderCell, ...]:
    """The header cells of one block of physical rows; `bottom` is where the block ends."""
    cells: list[HeaderCell] = []
    partial = [
        rule
        for rule in grid.horizontal
        if grid.row_base(rows[0]) < rule.at < bottom - 1 and rule.length < 0.95 * (grid.box[2] - grid.box[0])
    ]
    for level, row in enumerate(rows):
        lower = [chunk for other in rows[level + 1 :] for chunk in grid.rows[other]]
        boxes = [_boxed_in(grid, chunk, grid.rows[row]) if lower else None for chunk in grid.rows[row]]
        spans = [
            box or _span(grid, chunk, grid.rows[row], lower, partial)
            for chunk, box in zip(grid.rows[row], boxes, strict=True)
        ]
        ruled = lower and any(grid.row_base(row) < rule.at < grid.row_base(rows[level + 1]) for rule in partial)
        if lower and not ruled and not any(boxes):
            spans = _widened(grid, grid.rows[row], spans, lower)
        cells += [HeaderCell(level, a, b, chunk) for (a, b), chunk in zip(spans, grid.rows[row], strict=True)]
    return _levels(_unwrapped(_disjoint(cells), grid, len(grid.zones)))


def _center(grid: Grid, column: int) -> float:
    return (grid.zones[column][0] + grid.zones[column][1]) / 2


def _span(
    grid: Grid, chunk: Chunk, row: Sequence[Chunk], lower: Sequence[Chunk], partial: Sequence[Rule]
) -> tuple[int, int]:
    """Columns under a header: those above its own rule, or those that its text touches."""
    for rule in partial if lower else ():
        near = chunk.base < rule.at < chunk.base + 1.1 * chunk.size
        if near and rule.start - 2 <= chunk.center <= rule.end + 2:
            start, end = _share(grid, rule, chunk, [other for other in row if other is not chunk])
            covered = [c for c in range(len(grid.zones)) if start - 3 <= _center(grid, c) <= end + 3]
            if covered:
                return covered[0], covered[-1]
    return chunk.first, chunk.last


def _boxed_in(grid: Grid, chunk: Chunk, row: Sequence[Chunk]) -> tuple[int, int] | None:
    """Columns between the vertical rules beside a header that stands alone between them; None without two rules."""
    height = chunk.base - 0.3 * chunk.size
    rules = [rule.at for rule in grid.vertical if rule.start < height < rule.end]
    left = max((at for at in rules if at <= chunk.box[0] + 1), default=None)
    right = min((at for at in rules if at >= chunk.box[2] - 1), default=grid.box[2])
    if left is None or any(left < other.center < right for other in row if other is not chunk):
        return None
    covered = [c for c in range(len(grid.zones)) if left < _center(grid, c) < right]
    centred = abs((left + right) / 2 - chunk.center) < 0.1 * (right - left)
    if not covered or not (centred or chunk.box[0] - left < 1.2 * chunk.size):
        return None
    return covered[0], covered[-1]


def _share(grid: Grid, rule: Rule, chunk: Chunk, others: Sequence[Chunk]) -> tuple[float, float]:
    """The part of a rule that belongs to one of the headers over it, cut where its strokes meet."""
    start, end = rule.start, rule.end
    joints = {at for stroke in grid.strokes if abs(stroke.at - rule.at) < 1 for at in (stroke.start, stroke.end)}
    for other in others:
        if not rule.start < other.center < rule.end:
            continue
        low, high = sorted((chunk.center, other.center))
        middle = (low + high) / 2
        cut = min((at for at in joints if low < at < high), key=lambda at: abs(at - middle), default=middle)
        start, end = (start, min(end, cut)) if chunk.center < other.center else (max(start, cut), end)
    return start, end


def _widened(
    grid: Grid, row: Sequence[Chunk], spans: list[tuple[int, int]], lower: Sequence[Chunk]
) -> list[tuple[int, int]]:
    """Without rules a header spans the widest run of free columns whose middle it stands at, if all get covered.

    Where such runs overlap, those are taken that share the columns with the headers nearest to their middles.
    """
    beneath = {column for chunk in lower for column in range(chunk.first, chunk.last + 1)}
    taken = [set(range(a, b + 1)) for a, b in spans]
    choices: list[dict[tuple[int, int], float]] = []
    for i, chunk in enumerate(row):
        others = set().union(*(t for j, t in enumerate(taken) if j != i)) if len(taken) > 1 else set()
        choices.append({spans[i]: abs((_center(grid, spans[i][0]) + _center(grid, spans[i][1])) / 2 - chunk.center)})
        if _goes_on_below(chunk, lower):
            continue
        for a in range(spans[i][0] + 1):
            for b in range(spans[i][1], len(grid.zones)):
                columns = set(range(a, b + 1))
                if columns & others or not columns <= beneath or b - a <= spans[i][1] - spans[i][0]:
                    continue
                middle = (_center(grid, a) + _center(grid, b)) / 2
                whole = (_head_extent(grid, a, lower)[0] + _head_extent(grid, b, lower)[1]) / 2
                extent = grid.zones[b][1] - grid.zones[a][0]
                off = min(abs(middle - chunk.center), abs(whole - chunk.center))
                if off <= max(5.0, 0.08 * extent):
                    choices[i][a, b] = off
    needed = {column for column in beneath if column > 0}
    wide = [max(found, key=lambda span: span[1] - span[0]) for found in choices]
    if any(before[1] >= after[0] for before, after in itertools.pairwise(wide)):
        wide = _shared_out(choices, needed)
    covered = {column for a, b in wide for column in range(a, b + 1)}
    return wide if needed <= covered and any(b > a for a, b in wide) else spans


def _shared_out(choices: Sequence[dict[tuple[int, int], float]], needed: set[int]) -> list[tuple[int, int]]:
    """One span for each header, apart from one another and with all needed columns, nearest to their middles."""
    ways: dict[int, tuple[float, list[tuple[int, int]]]] = {-1: (0.0, [])}
    for found in choices:
        onward: dict[int, tuple[float, list[tuple[int, int]]]] = {}
        for end, (cost, spans) in ways.items():
            for (a, b), off in found.items():
                if a > end and not needed & set(range(end + 1, a)):
                    onward[b] = min(onward.get(b, (math.inf, [])), (cost + off, [*spans, (a, b)]))
        ways = onward
    whole = [way for end, way in ways.items() if not any(column > end for column in needed)]
    return min(whole, default=(math.inf, []))[1]


def _goes_on_below(chunk: Chunk, lower: Sequence[Chunk]) -> bool:
    """Whether a head is the first line of one that is set flush left: all lines below it begin where it does."""
    own = [other for other in lower if other.first == other.last and other.first <= chunk.first <= other.last]
    flush = all(abs(other.box[0] - chunk.box[0]) < 0.7 for other in own)
    return bool(own) and chunk.first == chunk.last and flush and any(abs(o.center - chunk.center) > 1.5 for o in own)


def _head_extent(grid: Grid, column: int, lower: Sequence[Chunk]) -> tuple[float, float]:
    """The extent of a column with the header that stands in it alone, where one line of them is left below."""
    single = max(chunk.base for chunk in lower) - min(chunk.base for chunk in lower) < 1
    heads = [chunk.box for chunk in lower if single and chunk.first == chunk.last == column]
    start, end = grid.zones[column]
    return min([start, *(box[0] for box in heads)]), max([end, *(box[2] for box in heads)])


def _disjoint(cells: Sequence[HeaderCell]) -> list[HeaderCell]:
    """Within a row no two headers share a column: the one whose text is nearer to the column's place keeps it."""
    result: list[HeaderCell] = []
    for level in sorted({cell.level for cell in cells}):
        row = sorted((c for c in cells if c.level == level), key=lambda c: c.chunk.box[0])
        for cell in row:
            last = result[-1] if result and result[-1].level == level else None
            if last is None or cell.first > last.last:
                result.append(cell)
            elif cell.last > last.last:
                result.append(replace(cell, first=last.last + 1))
            elif last.first < last.last:
                result[-1] = (
                    replace(last, last=cell.first - 1) if cell.first > last.first else replace(last, last=last.first)
                )
                result.append(
                    replace(cell, first=max(cell.first, result[-1].last + 1), last=max(cell.last, result[-1].last + 1))
                )
            else:
                result[-1] = replace(last, chunk=joined_chunk([last.chunk, cell.chunk], stacked=False))
    return result


def _unwrapped(cells: Sequence[HeaderCell], grid: Grid, columns: int) -> list[HeaderCell]:
    """Join lines of one wrapped header; where all columns have as many lines, two or more, they are levels."""
    stacks: dict[tuple[int, int], list[HeaderCell]] = {}
    for cell in cells:
        stacks.setdefault((cell.first, cell.last), []).append(cell)
    per_column = [sum(cell.first <= c <= cell.last for cell in cells) for c in range(columns)]
    uneven = len({n for n in per_column if n}) > 1 or 1 in per_column
    result: list[HeaderCell] = []
    for stack in stacks.values():
        stack.sort(key=lambda cell: cell.level)
        for cell in stack:
            last = result[-1] if result and (result[-1].first, result[-1].last) == (cell.first, cell.last) else None
            if last is not None and uneven and _one_text(last.chunk, cell.chunk, grid):
                result[-1] = replace(cell, chunk=joined_chunk([last.chunk, cell.chunk], stacked=True))
            else:
                result.append(cell)
    return result


def _one_text(upper: Chunk, lower: Chunk, grid: Grid) -> bool:
    bottom = max(piece.base for piece in upper.pieces)
    ruled = any(
        bottom < rule.at < lower.base - 0.5 * lower.size and rule.start < lower.center < rule.end
        for rule in grid.horizontal
    )
    return not ruled and lower.base - bottom <= _WRAP * max(upper.size, lower.size)


def _levels(cells: Sequence[HeaderCell]) -> tuple[HeaderCell, ...]:
    """Lowest headers go to the last level; levels without a header vanish."""
    deepest = max((cell.level for cell in cells), default=0)
    lowered = []
    for cell in cells:
        below = any(
            other.level > cell.level and other.first <= cell.last and cell.first <= other.last for other in cells
        )
        lowered.append(cell if below else replace(cell, level=deepest))
    used = {level: i for i, level in enumerate(sorted({cell.level for cell in lowered}))}
    return tuple(sorted((replace(cell, level=used[cell.level]) for cell in lowered), key=lambda c: (c.level, c.first)))
