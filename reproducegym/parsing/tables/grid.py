"""Cuts the text of a table's area into chunks, rows and columns, from exact boxes only."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import contains_center, union
from reproducegym.parsing.cell_text import cell_text, is_value, tidy
from reproducegym.parsing.pdf.drawings import Drawings, Rule
from reproducegym.parsing.pdf.page_text import Line, Piece
from reproducegym.parsing.tables.wraps import Wraps, wraps_of
from reproducegym.schema.base import BBox

__all__ = ["Chunk", "Grid", "grid_of", "joined_chunk"]

_CELL_GAP = 0.62
_SPREAD_GAP = 1.6


@dataclass(frozen=True, slots=True)
class Chunk:
    """Text with no wide gap inside; `first`..`last` are the columns that it touches. Turned text is not upright."""

    pieces: tuple[Piece, ...]
    text: str
    box: BBox
    base: float
    size: float
    upright: bool
    first: int = -1
    last: int = -1

    @property
    def center(self) -> float:
        """Middle of its x extent."""
        return (self.box[0] + self.box[2]) / 2

    @property
    def middle(self) -> float:
        """Middle of its y extent."""
        return (self.box[1] + self.box[3]) / 2


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
    upright = [chunk for line in inside if line.upright for chunk in _chunks(line, vertical, wraps)]
    turned = tuple(_turned([line for line in inside if not line.upright]))
    if not upright:
        return None
    rows = _unwrapped(_rows(_with_scripts(upright), wraps), wraps)
    rows, turned = _with_turned_heads(rows, turned)
    zones = _zones(rows, turned, vertical, box)
    if len(zones) < 2:
        return None
    placed = tuple(tuple(_placed(chunk, zones) for chunk in row) for row in rows)
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


def _near(at: float, heights: Sequence[float]) -> bool:
    """Whether a rule ends at another one, as those of a table do and strokes of a chart don't."""
    return any(abs(at - height) < 5 for height in heights)


def _chunk(pieces: Sequence[Piece], line: Line) -> Chunk:
    main = [piece.base for piece in pieces if piece.raised == 0]
    base = line.base if line.base in {round(b, 1) for b in main} or not main else main[0]
    return Chunk(tuple(pieces), cell_text(pieces), union(p.box for p in pieces), base, line.size, line.upright)


def _chunks(line: Line, vertical: Sequence[Rule], wraps: Wraps) -> list[Chunk]:
    parts: list[list[Piece]] = []
    for piece in line.pieces:
        joins = parts and parts[-1][-1] not in wraps.ends and piece not in wraps.above
        if joins and not _cut(parts[-1], piece, line, vertical):
            parts[-1].append(piece)
        else:
            parts.append([piece])
    return [_chunk(part, line) for part in parts]


def _cut(left: Sequence[Piece], right: Piece, line: Line, vertical: Sequence[Rule]) -> bool:
    """Whether a new cell begins between two neighbours of a line."""
    last = left[-1]
    gap = right.box[0] - last.box[2]
    middle = (right.box[1] + right.box[3]) / 2
    if any(last.box[2] - 1 < rule.at < right.box[0] + 1 and rule.start < middle < rule.end for rule in vertical):
        return True
    size = max(line.size, 1.0)
    if last.text in ("±", "+/-") or right.text.startswith(("±", "+/-")):
        return gap > _SPREAD_GAP * size
    return gap > _CELL_GAP * size


def joined_chunk(chunks: Sequence[Chunk], *, stacked: bool) -> Chunk:
    """One chunk from several: side by side, or lines below one another (a hyphen at a line's end joins)."""
    ordered = sorted(chunks, key=lambda c: (c.base, c.box[0]) if stacked else (c.box[0], c.base))
    text = ""
    for chunk in ordered:
        if stacked and text.endswith(("-", "\u00ad")) and (chunk.text[:1].islower() or text[-1] == "\u00ad"):
            text = text[:-1] + chunk.text
        else:
            text = f"{text} {chunk.text}".strip()
    return replace(
        ordered[0],
        pieces=tuple(piece for chunk in ordered for piece in chunk.pieces),
        text=text,
        box=union(chunk.box for chunk in ordered),
        first=min(chunk.first for chunk in ordered),
        last=max(chunk.last for chunk in ordered),
    )


def _turned(lines: Sequence[Line]) -> list[Chunk]:
    """Turned lines side by side are one label."""
    labels: list[list[Line]] = []
    for line in sorted(lines, key=lambda item: (item.box[1], item.box[0])):
        for label in labels:
            box = union(item.box for item in label)
            overlap = min(box[3], line.box[3]) - max(box[1], line.box[1])
            if (
                overlap > 0.4 * min(box[3] - box[1], line.box[3] - line.box[1])
                and abs(line.box[0] - box[2]) < 0.45 * line.size
            ):
                label.append(line)
                break
        else:
            labels.append([line])
    result = []
    for label in labels:
        ordered = sorted(label, key=lambda item: item.box[0], reverse=not label[0].upward)
        pieces = tuple(piece for line in ordered for piece in line.pieces)
        text = tidy(" ".join(line.text for line in ordered))
        box = union(line.box for line in ordered)
        result.append(Chunk(pieces, text, box, (box[1] + box[3]) / 2, ordered[0].size, upright=False))
    return result


def _with_scripts(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Small texts that stand right behind a larger one, raised or lowered, put to it: `+0.2` over `−0.1`."""
    kept: list[Chunk] = []
    scripts: list[Chunk] = []
    largest = max(chunk.size for chunk in chunks)
    for chunk in chunks:
        (scripts if chunk.size < 0.86 * largest else kept).append(chunk)
    for script in sorted(scripts, key=lambda chunk: (chunk.box[0], chunk.base)):
        host = next((i for i, chunk in enumerate(kept) if _is_script_of(script, chunk)), None)
        if host is None:
            kept.append(script)
            continue
        whole = kept[host]
        raised = 1 if script.base < whole.base else -1
        small = [replace(piece, raised=raised, glued=True) for piece in script.pieces]
        pieces = (*whole.pieces, *small)
        kept[host] = replace(whole, pieces=pieces, text=cell_text(pieces), box=union((whole.box, script.box)))
    return kept


def _is_script_of(script: Chunk, host: Chunk) -> bool:
    """Whether a small text stands behind the main text of another, above or below its baseline."""
    main = [piece for piece in host.pieces if piece.raised == 0]
    if not main or script.size > 0.86 * host.size:
        return False
    gap, shift = script.box[0] - main[-1].box[2], abs(script.base - host.base)
    return -0.1 * host.size < gap < 0.3 * host.size and 0.1 * host.size < shift < 0.75 * host.size


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
            if gap < 0.25 * chunk.size or (spread and gap < _SPREAD_GAP * chunk.size):
                first = replace(chunk.pieces[0], glued=gap < 0.13 * chunk.size)
                pieces = (*last.pieces, first, *chunk.pieces[1:])
                result[-1] = replace(last, pieces=pieces, text=cell_text(pieces), box=union((last.box, chunk.box)))
                continue
        result.append(chunk)
    return result


def _zones(
    rows: Sequence[Sequence[Chunk]], turned: Sequence[Chunk], vertical: Sequence[Rule], box: BBox
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
    zones = _with_rules(zones, vertical, box)
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
        if end < chunk.center < start and chunk.box[0] < end - 3 and chunk.box[2] > start + 3:
            touched = sorted({*touched, i, i + 1})
    if not touched:
        distances = [
            (max(start - chunk.box[2], chunk.box[0] - end, 0.0) + 0.01 * abs((start + end) / 2 - chunk.center), i)
            for i, (start, end) in enumerate(zones)
        ]
        touched = [min(distances)[1]]
    return replace(chunk, first=touched[0], last=touched[-1])
