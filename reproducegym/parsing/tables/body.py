"""Builds the body rows of a table: wrapped labels joined, group rows told apart, labels that span rows found."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from reproducegym.parsing.cell_text import is_value
from reproducegym.parsing.tables.bands import Band
from reproducegym.parsing.tables.chunks import Chunk
from reproducegym.parsing.tables.grid import Grid

__all__ = ["BodyRow", "SpanLabel", "body_rows", "span_labels"]

_CONTINUES = re.compile(r"[a-zà-ÿ(+&]|w/")


@dataclass(slots=True)
class BodyRow:
    """One row as a reader sees it: the chunks of each column (several where text wraps)."""

    band: int
    base: float
    cells: dict[tuple[int, int], list[Chunk]] = field(default_factory=dict)
    group: bool = False

    def has(self, column: int) -> bool:
        """Whether a column holds text here."""
        return any(first <= column <= last for first, last in self.cells)

    def add(self, chunk: Chunk) -> None:
        """Put a chunk to its place."""
        self.cells.setdefault((chunk.first, chunk.last), []).append(chunk)


@dataclass(frozen=True, slots=True)
class SpanLabel:
    """A label of several rows, `start`..`end` (inclusive) of the body rows."""

    column: int
    start: int
    end: int
    chunks: tuple[Chunk, ...]


def body_rows(grid: Grid, bands: Sequence[Band], stub: int) -> tuple[list[BodyRow], list[Chunk]]:
    """Rows of all body bands in order, and chunks that label several rows (between rows, or turned)."""
    rows: list[BodyRow] = []
    spanning: list[Chunk] = list(grid.turned)
    pitch = _pitch(grid, bands, stub)
    bodies = [band for band in bands if band.kind == "body"]
    for number, band in enumerate(bands):
        if band.kind == "title":
            row = _row(grid, band.rows[0], number)
            row.group = True
            rows.append(row)
        elif band.kind == "body":
            if len(bodies) >= 2 and _is_one_row(grid, band, stub, pitch):
                rows.append(_merged(grid, band, number))
            else:
                rows += _rows_of(grid, band, number, stub, pitch, spanning)
    return rows, spanning


def _row(grid: Grid, physical: int, band: int) -> BodyRow:
    row = BodyRow(band, grid.row_base(physical))
    for chunk in grid.rows[physical]:
        row.add(chunk)
    return row


def _merged(grid: Grid, band: Band, number: int) -> BodyRow:
    row = _row(grid, band.rows[0], number)
    for physical in band.rows[1:]:
        for chunk in grid.rows[physical]:
            row.add(chunk)
    return row


def _pitch(grid: Grid, bands: Sequence[Band], stub: int) -> float:
    """Usual distance of two rows that hold values."""
    steps: list[float] = []
    for band in bands:
        bases = [grid.row_base(i) for i in band.rows if band.kind == "body" and _valued(grid.rows[i], stub)]
        steps += [after - before for before, after in itertools.pairwise(bases)]
    return median(steps) if steps else 12.0


def _valued(row: Sequence[Chunk], stub: int) -> bool:
    return any(chunk.last >= stub and (chunk.first >= stub or len(row) > 1) for chunk in row)


def _is_one_row(grid: Grid, band: Band, stub: int, pitch: float) -> bool:
    """Lines between two rules that make up one row: at most one line of numbers, tightly set."""
    if len(band.rows) == 1:
        return False
    numeric = sum(any(is_value(c.text) for c in grid.rows[i] if c.first >= stub) for i in band.rows)
    bases = [grid.row_base(i) for i in band.rows]
    size = grid.rows[band.rows[0]][0].size
    tight = all(after - before < 1.3 * size for before, after in itertools.pairwise(bases))
    alone = len(grid.rows[band.rows[0]]) == 1 and _emphatic(grid.rows[band.rows[0]][0])
    full = sum(len(grid.rows[i]) >= max(2, len(grid.zones) - 1) for i in band.rows)
    return numeric <= 1 and tight and not alone and full <= 1 and len(band.rows) <= 8


def _emphatic(chunk: Chunk) -> bool:
    letters = [piece for piece in chunk.pieces if any(c.isalpha() for c in piece.text)]
    return bool(letters) and all(piece.bold or piece.italic for piece in letters)


def _rows_of(grid: Grid, band: Band, number: int, stub: int, pitch: float, spanning: list[Chunk]) -> list[BodyRow]:
    rows: list[BodyRow] = []
    pending: list[Chunk] = []
    order = band.rows
    for position, physical in enumerate(order):
        chunks = grid.rows[physical]
        base = grid.row_base(physical)
        before = base - grid.row_base(order[position - 1]) if position else 1e9
        after = grid.row_base(order[position + 1]) - base if position + 1 < len(order) else 1e9
        following = grid.rows[order[position + 1]] if position + 1 < len(order) else ()
        if _heads_group(grid, chunks, stub):
            row = _row(grid, physical, number)
            row.group = True
            rows.append(row)
            continue
        if _valued(chunks, stub):
            if len(chunks) == 1 and rows and not rows[-1].group and _wraps_value(chunks[0], rows[-1], before, pitch):
                rows[-1].add(chunks[0])
                continue
            row = _row(grid, physical, number)
            for chunk in pending:
                row.add(chunk)
            pending = []
            rows.append(row)
            continue
        fate = _fate(chunks, rows[-1] if rows else None, following, before, after, pitch, stub)
        if fate == "span":
            spanning += chunks
        elif fate == "next":
            pending += chunks
        elif fate == "previous":
            for chunk in chunks:
                rows[-1].add(chunk)
        else:
            row = _row(grid, physical, number)
            row.group = True
            rows.append(row)
    if pending:
        spanning += pending
    return rows


def _heads_group(grid: Grid, chunks: Sequence[Chunk], stub: int) -> bool:
    """A text alone in its row, in a column that holds values else: it names the rows below, set in their middle."""
    (chunk, *others) = chunks
    if others or chunk.first < stub or is_value(chunk.text) or len(grid.zones) < 3 or not chunk.text[:1].isalpha():
        return False
    column = [c for row in grid.rows if len(row) > 1 for c in row if c.first <= chunk.first <= c.last]
    same = [c for c in column if len(c.text) > 1 and c.first == c.last]
    return sum(is_value(c.text) for c in same) * 2 >= max(1, len(same))


def _wraps_value(chunk: Chunk, row: BodyRow, before: float, pitch: float) -> bool:
    """A lone text under a text cell, closer than a row, is its second line."""
    return not is_value(chunk.text) and row.has(chunk.first) and before < 1.25 * chunk.size and before < 1.05 * pitch


def _fate(
    chunks: Sequence[Chunk],
    last: BodyRow | None,
    following: Sequence[Chunk],
    before: float,
    after: float,
    pitch: float,
    stub: int,
) -> str:
    """What a row with labels only is: `span` of several rows, part of the `next` or `previous` label, or `group`."""
    leaf = stub - 1
    next_label = next((chunk for chunk in following if chunk.first <= leaf <= chunk.last), None)
    next_valued = bool(following) and _valued(following, stub)
    close_before, close_after = before < 0.85 * pitch, after < 0.85 * pitch
    if all(chunk.last < leaf for chunk in chunks) and (close_before or close_after or (stub > 1 and not following)):
        return "span"
    if (
        last is not None
        and not last.group
        and close_before
        and close_after
        and not last.has(leaf)
        and next_label is None
    ):
        return "span"
    if next_valued and next_label is None and after < 1.05 * pitch and all(chunk.last <= leaf for chunk in chunks):
        return "next"
    first = chunks[0].text
    if last is not None and not last.group and last.has(leaf):
        tight = before < 0.95 * after or before < 0.9 * pitch
        if (close_before and not close_after) or (
            tight and _CONTINUES.match(first) and not _CONTINUES.match(_label(last, leaf))
        ):
            return "previous"
    if (
        close_after
        and next_valued
        and next_label is not None
        and not close_before
        and _CONTINUES.match(next_label.text)
    ):
        return "next"
    return "group"


def _label(row: BodyRow, column: int) -> str:
    return next((c[0].text for (first, last), c in row.cells.items() if first <= column <= last), "")


def span_labels(grid: Grid, rows: Sequence[BodyRow], spanning: Sequence[Chunk], stub: int) -> list[SpanLabel]:
    """Which rows each spanning label names: between rules that cross its column, else those around its middle."""
    found: list[SpanLabel] = []
    for column in range(stub):
        center = (grid.zones[column][0] + grid.zones[column][1]) / 2
        cuts = sorted(rule.at for rule in grid.horizontal if rule.start - 1 <= center <= rule.end + 1)
        floats = [chunk for chunk in spanning if chunk.first == column]
        for members in _between(rows, cuts):
            top, bottom = _limits(rows, members, cuts)
            here = [chunk for chunk in floats if top < chunk.middle < bottom]
            own = [i for i in members if rows[i].has(column)]
            lines = _lines_of_one(rows, members, own, here, column) if column < stub - 1 else ()
            if lines:
                for i in own:
                    rows[i].cells.pop((column, column), None)
                found.append(SpanLabel(column, members[0], members[-1], lines))
                continue
            centred = _all_centred(rows, members, own, here, column) if column < stub - 1 else []
            if centred:
                for i in own:
                    rows[i].cells.pop((column, column), None)
                found += centred
            elif not here and len(own) == 1 and len(members) > 1 and stub >= 1:
                found += _spread_own(rows, members, own[0], column, stub)
            elif len(here) == 1 and not own:
                found.append(SpanLabel(column, members[0], members[-1], (here[0],)))
            elif here and not own and _one_label(here, rows, members):
                ordered = tuple(sorted(here, key=lambda chunk: chunk.base))
                found.append(SpanLabel(column, members[0], members[-1], ordered))
            elif here:
                found += _centered(rows, members, own, here, column)
    return found


def _lines_of_one(
    rows: Sequence[BodyRow], members: Sequence[int], own: Sequence[int], here: Sequence[Chunk], column: int
) -> tuple[Chunk, ...]:
    """The lines of one wrapped label at the middle of more rows than it has lines, closer than rows; else nothing."""
    if any((column, column) not in rows[i].cells for i in own):
        return ()
    lines = [*here, *(chunk for i in own for chunk in rows[i].cells[column, column])]
    lines.sort(key=lambda chunk: chunk.base)
    if not 2 <= len(lines) < len(members) or any(is_value(chunk.text) for chunk in lines):
        return ()
    step = (rows[members[-1]].base - rows[members[0]].base) / (len(members) - 1)
    close = all(after.base - before.base < 1.02 * step for before, after in itertools.pairwise(lines))
    off = (lines[0].base + lines[-1].base) / 2 - (rows[members[0]].base + rows[members[-1]].base) / 2
    first = members[0] in own or members[-1] in own
    return tuple(lines) if close and not first and abs(off) < 0.3 * step else ()


def _all_centred(
    rows: Sequence[BodyRow], members: Sequence[int], own: Sequence[int], here: Sequence[Chunk], column: int
) -> list[SpanLabel]:
    """Labels each at the middle of its rows, the first of which have none beside them; empty when they aren't so."""
    keyed = all((column, column) in rows[i].cells for i in own)
    if not own or members[0] in own or not keyed or len(members) < 3:
        return []
    anchors = [(rows[i].base, tuple(rows[i].cells[column, column])) for i in own]
    anchors = sorted([*anchors, *((chunk.base, (chunk,)) for chunk in here)], key=lambda anchor: anchor[0])
    steps = [rows[b].base - rows[a].base for a, b in itertools.pairwise(members)]
    start, found = 0, []
    for base, chunks in anchors:
        if start >= len(members):
            return []
        first = rows[members[start]].base
        off, end = min((abs((first + rows[members[i]].base) / 2 - base), i) for i in range(start, len(members)))
        if off > 0.3 * median(steps):
            return []
        found.append(SpanLabel(column, members[start], members[end], chunks))
        start = end + 1
    return found if start == len(members) else []


def _between(rows: Sequence[BodyRow], cuts: Sequence[float]) -> list[list[int]]:
    """Runs of ordinary rows with no cut, group row or other band between them."""
    runs: list[list[int]] = []
    for i, row in enumerate(rows):
        if row.group:
            runs.append([])
            continue
        previous = rows[runs[-1][-1]] if runs and runs[-1] else None
        if previous is None or any(previous.base < cut < row.base - 1 for cut in cuts):
            runs.append([])
        runs[-1].append(i)
    return [run for run in runs if run]


def _limits(rows: Sequence[BodyRow], members: Sequence[int], cuts: Sequence[float]) -> tuple[float, float]:
    first, last = rows[members[0]].base, rows[members[-1]].base
    top = max((cut for cut in cuts if cut < first), default=first - 14)
    bottom = min((cut for cut in cuts if cut > last), default=last + 8)
    return max(top, first - 40), min(bottom, last + 40)


def _spread_own(rows: Sequence[BodyRow], members: Sequence[int], own: int, column: int, stub: int) -> list[SpanLabel]:
    """A label that stands in one row but names all rows between the rules around it."""
    key = next((k for k in rows[own].cells if k == (column, column)), None)
    if key is None or (column == stub - 1 and stub > 1):
        return []
    chunks = tuple(rows[own].cells.pop(key))
    return [SpanLabel(column, members[0], members[-1], chunks)]


def _one_label(here: Sequence[Chunk], rows: Sequence[BodyRow], members: Sequence[int]) -> bool:
    """Lines of one wrapped label lie as near as lines do."""
    bases = sorted(chunk.base for chunk in here)
    return all(after - before < 1.3 * here[0].size for before, after in itertools.pairwise(bases))


def _centered(
    rows: Sequence[BodyRow], members: Sequence[int], own: Sequence[int], here: Sequence[Chunk], column: int
) -> list[SpanLabel]:
    """Several labels in one run: each row goes to the label whose middle is nearest, so that all are centred."""
    anchors = [(chunk.base, chunk) for chunk in here]
    bases = sorted([base for base, _ in anchors] + [rows[i].base for i in own])
    found: list[SpanLabel] = []
    for base, chunk in anchors:
        near = [
            i
            for i in members
            if i not in own and min(bases, key=lambda other: (abs(other - rows[i].base), other)) == base
        ]
        if near and near[-1] - near[0] == len(near) - 1:
            found.append(SpanLabel(column, near[0], near[-1], (chunk,)))
    return found
