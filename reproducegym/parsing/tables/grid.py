"""Cuts the text of a table's area into chunks, rows and columns, from exact boxes only."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.cell_text import cell_text, is_value
from reproducegym.parsing.pages.drawings import Drawings, Rule
from reproducegym.parsing.pages.page_text import Line
from reproducegym.parsing.tables.chunks import (
    IN_PLACE,
    SPREAD_GAP,
    Chunk,
    joined_chunk,
    split_chunk,
    turned_chunks,
    upright_chunks,
)
from reproducegym.parsing.tables.wraps import Wraps, wraps_of
from reproducegym.schema.base import BBox

__all__ = ["Grid", "grid_of"]

_LABELS_IN_PLACE = 0.6


@dataclass(frozen=True, slots=True)
class Grid:
    """Physical rows of chunks from top to bottom, turned chunks, column extents, and the rules inside."""

    box: BBox
    rows: tuple[tuple[Chunk, ...], ...]
    turned: tuple[Chunk, ...]
    zones: tuple[tuple[float, float], ...]
    horizontal: tuple[Rule, ...]
    vertical: tuple[Rule, ...]
    strokes: tuple[Rule, ...]

    def row_base(self, row: int) -> float:
        """Baseline of a physical row."""
        return self.rows[row][0].base

    def full_rules(self) -> tuple[float, ...]:
        """Heights of rules that cross the whole table; double rules count once."""
        span = self.box[2] - self.box[0] - 4
        heights: list[float] = []
        for rule in self.horizontal:
            covered = sum(r.length for r in self.horizontal if abs(r.at - rule.at) < 1.0)
            if covered >= 0.85 * span and (not heights or rule.at - heights[-1] > 3.5):
                heights.append(rule.at)
        return tuple(heights)


def grid_of(lines: Sequence[Line], drawings: Drawings, box: BBox) -> Grid | None:
    """The grid of an area, or None when it has no two columns."""
    inside = [line for line in lines if contains_center(box, line.box)]
    horizontal = tuple(
        rule
        for rule in drawings.horizontal
        if box[1] - 2 <= rule.at <= box[3] + 2 and min(rule.end, box[2]) - max(rule.start, box[0]) > 0.6 * rule.length
    )
    vertical = tuple(
        rule
        for rule in drawings.vertical
        if box[0] - 2 <= rule.at <= box[2] + 2 and min(rule.end, box[3]) - max(rule.start, box[1]) > 0.9 * rule.length
    )
    ends = [box[1], box[3], *(rule.at for rule in horizontal)]
    vertical = tuple(rule for rule in vertical if _near(rule.start, ends) and _near(rule.end, ends))
    wraps = wraps_of(inside)
    upright = upright_chunks(inside, vertical, wraps)
    turned = tuple(turned_chunks([line for line in inside if not line.upright]))
    if not upright:
        return None
    rows = _unwrapped(_rows(upright, wraps), wraps)
    rows, turned = _with_turned_heads(rows, turned)
    full = [rule.at for rule in horizontal if rule.length > 0.85 * (box[2] - box[0])]
    zones = _zones(rows, turned, vertical, box, full)
    if len(zones) < 2:
        return None
    placed = tuple(
        tuple(
            _placed(part, zones)
            for chunk in row
            for part in split_chunk(chunk, zones, _slack(rows, number, chunk, zones))
        )
        for number, row in enumerate(rows)
    )
    strokes = tuple(rule for rule in drawings.strokes if box[1] - 2 <= rule.at <= box[3] + 2)
    return Grid(
        box, placed, tuple(_placed(chunk, zones) for chunk in turned), tuple(zones), horizontal, vertical, strokes
    )


def _with_turned_heads(
    rows: list[list[Chunk]], turned: tuple[Chunk, ...]
) -> tuple[list[list[Chunk]], tuple[Chunk, ...]]:
    """Turned texts above the first values stand in the lowest header row beside them; the other turned texts remain."""
    values = [row for row in rows if sum(is_value(chunk.text) for chunk in row) >= 2]
    if not values or not turned:
        return rows, turned
    top = min(min(chunk.box[1] for chunk in row) for row in values)
    heads = [chunk for chunk in turned if chunk.box[3] < top + 2]
    for head in heads:
        beside = [row for row in rows if row[0].base < top and head.box[1] - 2 < row[0].base < head.box[3] + 2]
        if beside:
            base = beside[-1][0].base
            beside[-1].append(replace(head, base=base))
            beside[-1].sort(key=lambda chunk: chunk.box[0])
        else:
            rows = sorted([*rows, [replace(head, base=head.box[3])]], key=lambda row: row[0].base)
    return rows, tuple(chunk for chunk in turned if chunk not in heads)


def _slack(rows: Sequence[Sequence[Chunk]], number: int, chunk: Chunk, zones: Sequence[tuple[float, float]]) -> float:
    """How far two texts with a mere space between them may stand off the places of their columns to be two cells."""
    others = [one for one in rows[number] if one is not chunk]
    if any(is_value(one.text) for one in others):
        return _LABELS_IN_PLACE
    below = rows[number + 1] if number + 1 < len(rows) else ()
    placed = [_placed(one, zones) for one in others]
    heads = sum(is_value(one.text) for one in below) > 1 and placed and all(one.first == one.last for one in placed)
    return IN_PLACE if heads else 0.0


def _near(at: float, heights: Sequence[float]) -> bool:
    """Whether a rule ends at another one, as those of a table do and strokes of a chart don't."""
    return any(abs(at - height) < 5 for height in heights)


def _rows(chunks: Sequence[Chunk], wraps: Wraps) -> list[list[Chunk]]:
    rows: list[list[Chunk]] = []
    for chunk in sorted(chunks, key=lambda c: (c.base, c.box[0])):
        if rows and chunk.base - rows[-1][0].base < 0.3 * chunk.size:
            rows[-1].append(chunk)
        else:
            rows.append([chunk])
    return [_rejoined(sorted(row, key=lambda c: c.box[0]), wraps) for row in rows]


def _unwrapped(rows: Sequence[list[Chunk]], wraps: Wraps) -> list[list[Chunk]]:
    """One row from the lines of a row whose values are broken; all that stands in those lines goes with them."""
    joined: list[list[Chunk]] = []
    line = {piece: number for number, row in enumerate(rows) for chunk in row for piece in chunk.pieces}
    ends = {line[upper]: line[lower] for lower, upper in wraps.above.items() if upper in line and lower in line}
    last = -1
    for number, row in enumerate(rows):
        if number <= last or (joined and last >= 0 and _is_word_end(joined[-1], row)):
            joined[-1] = _stacked(joined[-1], row)
        else:
            joined.append(row)
            last = -1
        last = max(last, ends.get(number, -1))
    return joined


def _is_word_end(upper: Sequence[Chunk], row: Sequence[Chunk]) -> bool:
    """Whether a line holds the end of a label that a hyphen cut, and nothing else."""
    if len(row) != 1 or not row[0].text[:1].isalpha():
        return False
    lowest = [max(chunk.pieces, key=lambda piece: piece.base) for chunk in upper if _overlap(chunk, row[0]) > 0]
    return any(
        piece.text.endswith(("-", "\u00ad")) and row[0].base - piece.base < 1.4 * row[0].size for piece in lowest
    )


def _stacked(upper: Sequence[Chunk], row: Sequence[Chunk]) -> list[Chunk]:
    """A line put under the chunks that it stands below; what stands below nothing is a chunk of its own."""
    chunks = list(upper)
    for chunk in row:
        best = max(range(len(chunks)), key=lambda i: _overlap(chunks[i], chunk))
        if _overlap(chunks[best], chunk) > 0:
            chunks[best] = joined_chunk([chunks[best], chunk], stacked=True)
        else:
            chunks.append(chunk)
    return sorted(chunks, key=lambda chunk: chunk.box[0])


def _overlap(one: Chunk, other: Chunk) -> float:
    return min(one.box[2], other.box[2]) - max(one.box[0], other.box[0])


def _rejoined(row: list[Chunk], wraps: Wraps) -> list[Chunk]:
    """Join what the file wrote as separate lines but is one cell: a number and its spread."""
    result: list[Chunk] = []
    for chunk in row:
        if result and result[-1].pieces[-1] not in wraps.ends and chunk.pieces[0] not in wraps.above:
            last = result[-1]
            gap = chunk.box[0] - last.box[2]
            spread = chunk.text.startswith("±") or last.text.endswith("±")
            if gap < 0.25 * chunk.size or (spread and gap < SPREAD_GAP * chunk.size):
                first = replace(chunk.pieces[0], glued=gap < 0.13 * chunk.size)
                pieces = (*last.pieces, first, *chunk.pieces[1:])
                result[-1] = replace(last, pieces=pieces, text=cell_text(pieces), box=union((last.box, chunk.box)))
                continue
        result.append(chunk)
    return result


def _zones(
    rows: Sequence[Sequence[Chunk]],
    turned: Sequence[Chunk],
    vertical: Sequence[Rule],
    box: BBox,
    rules: Sequence[float],
) -> list[tuple[float, float]]:
    """Extents of the columns: where the rows that hold values have text, apart from a few that cross."""
    values = [row for row in rows if len(row) >= 2 and any(is_value(chunk.text) for chunk in row)]
    if len(values) < 2:
        values = [row for row in rows if len(row) >= 2]
    if not values:
        return []
    widest = max(len(row) for row in values)
    allowed = len(values) // 15
    zones = _covered([chunk.box for row in values for chunk in row if not _spans(chunk, values)], allowed)
    if len(zones) < widest // 2:
        zones = _covered([chunk.box for row in values for chunk in row if len(row) >= widest - 1], 0)
    zones = _with_rules(_without_torn_labels(zones, rows, values, vertical, rules), vertical, box)
    known = {id(row) for row in values}
    first_value = min(row[0].base for row in values)
    others = [
        chunk.box
        for row in rows
        if id(row) not in known
        for chunk in row
        if row[0].base > first_value or chunk.box[2] < zones[0][0]
    ]
    first_start = zones[0][0]
    for boxes in (others, [chunk.box for chunk in turned]):
        for extra in _covered(boxes, 0):
            apart = all(min(extra[1], end) - max(extra[0], start) < -1 for start, end in zones)
            if apart and extra[0] < first_start:
                zones.append(extra)
    return sorted(zones)


def _without_torn_labels(
    zones: list[tuple[float, float]],
    rows: Sequence[Sequence[Chunk]],
    values: Sequence[Sequence[Chunk]],
    vertical: Sequence[Rule],
    rules: Sequence[float],
) -> list[tuple[float, float]]:
    """Join label columns that only the wide spaces of justified, wrapped labels keep apart.

    They are one column when a header stands over the left one and none over the right one, and the texts of the right
    one begin anywhere.
    """
    first = max((at for at in rules if at < values[0][0].base), default=values[0][0].base)
    body = [chunk for row in rows if row[0].base >= first for chunk in row]
    heads = [chunk for row in rows if row[0].base < first for chunk in row]
    joined: list[tuple[float, float]] = []
    for start, end in zones:
        own = [chunk for chunk in body if start - 1 <= chunk.center <= end + 1]
        wordy = not any(is_value(chunk.text) for chunk in own)
        if joined and wordy and _is_torn(joined[-1], (start, end), own, heads):
            cut = any(joined[-1][1] - 1 < rule.at < start + 1 for rule in vertical)
            joined[-1:] = [joined[-1], (start, end)] if cut else [(joined[-1][0], end)]
        else:
            joined.append((start, end))
    return joined


def _is_torn(
    left: tuple[float, float], right: tuple[float, float], own: Sequence[Chunk], heads: Sequence[Chunk]
) -> bool:
    over_left = any(chunk.box[0] < left[1] and chunk.box[2] > left[0] for chunk in heads)
    over_right = any(chunk.box[2] > right[0] + 1 and chunk.box[0] < right[1] for chunk in heads)
    if not own or not over_left or over_right or right[0] - left[1] > 1.6 * own[0].size:
        return False
    starts, ends = [chunk.box[0] for chunk in own], [chunk.box[2] for chunk in own]
    centers = [chunk.center for chunk in own]
    return max(starts) - min(starts) > 3 and max(centers) - min(centers) > 3 and max(ends) - right[1] < 3


def _spans(chunk: Chunk, rows: Sequence[Sequence[Chunk]]) -> bool:
    """Whether most rows have two separate texts where this one stands."""
    single = several = 0
    for row in rows:
        count = sum(min(c.box[2], chunk.box[2]) - max(c.box[0], chunk.box[0]) > 1 for c in row if c is not chunk)
        single += count == 1
        several += count > 1
    return several > single


def _covered(boxes: Sequence[BBox], allowed: int) -> list[tuple[float, float]]:
    """Maximal stretches of x that more than `allowed` boxes cover."""
    events = sorted([(box[0], 1) for box in boxes] + [(box[2], -1) for box in boxes])
    zones: list[tuple[float, float]] = []
    depth, start = 0, 0.0
    for x, step in events:
        before = depth
        depth += step
        if before <= allowed < depth:
            start = x
        elif depth <= allowed < before:
            zones.append((start, x))
    merged: list[tuple[float, float]] = []
    for zone in zones:
        if merged and zone[0] - merged[-1][1] < 1.0:
            merged[-1] = (merged[-1][0], zone[1])
        else:
            merged.append(zone)
    return merged


def _with_rules(zones: list[tuple[float, float]], vertical: Sequence[Rule], box: BBox) -> list[tuple[float, float]]:
    """Cut columns also at vertical rules that run along half of the table."""
    for at in sorted({round(rule.at, 1) for rule in vertical if rule.length > 0.5 * (box[3] - box[1])}):
        cut: list[tuple[float, float]] = []
        for start, end in zones:
            cut += [(start, at), (at, end)] if start + 3 < at < end - 3 else [(start, end)]
        zones = cut
    return zones


def _placed(chunk: Chunk, zones: Sequence[tuple[float, float]]) -> Chunk:
    """The columns that a chunk touches: those it covers by a good part, or else the nearest."""
    touched = []
    for i, (start, end) in enumerate(zones):
        overlap = min(end, chunk.box[2]) - max(start, chunk.box[0])
        if overlap > 0.5 * min(end - start, chunk.box[2] - chunk.box[0]) or overlap > 0.8 * chunk.size * 2:
            touched.append(i)
    for i, ((_, end), (start, _)) in enumerate(itertools.pairwise(zones)):
        over = end < chunk.center < start and chunk.box[0] < end - 3 and chunk.box[2] > start + 3
        left, right = zones[i][0], zones[i + 1][1]
        if over and abs((left + right) / 2 - chunk.center) < 0.25 * (right - left):
            touched = sorted({*touched, i, i + 1})
    if not touched:
        distances = [
            (max(start - chunk.box[2], chunk.box[0] - end, 0.0) + 0.01 * abs((start + end) / 2 - chunk.center), i)
            for i, (start, end) in enumerate(zones)
        ]
        touched = [min(distances)[1]]
    return replace(chunk, first=touched[0], last=touched[-1])
