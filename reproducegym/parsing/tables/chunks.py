"""Cuts the lines of a table's area into chunks: text with no wide gap inside, with what stands small beside it."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import union
from reproducegym.parsing.cell_text import cell_text, is_value, tidy
from reproducegym.parsing.pages.drawings import Rule
from reproducegym.parsing.pages.page_text import Line, Piece
from reproducegym.parsing.tables.wraps import Wraps
from reproducegym.schema.base import BBox

__all__ = ["IN_PLACE", "SPREAD_GAP", "Chunk", "joined_chunk", "split_chunk", "turned_chunks", "upright_chunks"]

SPREAD_GAP = 1.6
"""Widest gap, in ems, between a number and its `±`."""
_CELL_GAP = 0.62
_TIGHT_GAP = 0.44
_SPACE = 0.24
_TYPED, _ALIKE = 3, 0.03
_TYPED_GAP = 1.35
IN_PLACE = 1.5
"""How far, in points, a text may stand off the edge or the middle of its column."""
_NUMBER = re.compile(r"[+−–-]?\d[\d,]*(?:\.\d+)?%?[*†‡]*")
_DECIMAL = re.compile(r"[+−–-]?\d+\.\d+%?[*†‡]*")
_NUMBER_OR_WORD = re.compile(r"[\w.)%*†‡]$")


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


def upright_chunks(lines: Iterable[Line], vertical: Sequence[Rule], wraps: Wraps) -> list[Chunk]:
    """The chunks of all upright lines; vertical rules part them too."""
    chunks = [chunk for line in lines if line.upright for chunk in _chunks(line, vertical, wraps)]
    return _with_scripts(chunks) if chunks else []


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
        return gap > SPREAD_GAP * size
    if _DECIMAL.fullmatch(right.text) and _DECIMAL.fullmatch(last.text):
        return gap > _SPACE * size
    if _NUMBER.fullmatch(right.text) and _NUMBER_OR_WORD.search(last.text):
        return gap > _TIGHT_GAP * size
    return gap > max(_CELL_GAP * size, _TYPED_GAP * _typed_step(last, right))


def _typed_step(left: Piece, right: Piece) -> float:
    """From one letter to the next in two words of typewriter letters, whose spaces are as wide; 0 for other words."""
    steps = [(piece.box[2] - piece.box[0]) / len(piece.text) for piece in (left, right) if len(piece.text) >= _TYPED]
    return steps[0] if len(steps) == 2 and abs(steps[0] - steps[1]) < _ALIKE * steps[0] else 0.0


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


def turned_chunks(lines: Sequence[Line]) -> list[Chunk]:
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


def split_chunk(chunk: Chunk, zones: Sequence[tuple[float, float]], slack: float) -> list[Chunk]:
    """A chunk cut where it reaches from one column to the next with more than a space between its words.

    With a mere space between them texts are cut apart where all stand at the edge, or all in the middle, of their
    columns; two texts that are no values may stand off it by no more than `slack`.
    """
    if not chunk.upright or len(chunk.pieces) < 2:
        return [chunk]
    parts = _at_their_columns(chunk, zones, IN_PLACE)
    if len(parts) == 2 and not all(is_value(cell_text(part)) for part in parts):
        parts = _at_their_columns(chunk, zones, slack)
    if len(parts) < 2:
        parts = _widely_apart(chunk, zones)
    if len(parts) == 1:
        return [chunk]
    return [replace(chunk, pieces=tuple(p), text=cell_text(p), box=union(one.box for one in p)) for p in parts]


def _widely_apart(chunk: Chunk, zones: Sequence[tuple[float, float]]) -> list[list[Piece]]:
    gaps = [(end, start) for (_, end), (start, _) in itertools.pairwise(zones)]
    least = _SPACE if _is_one_a_zone(chunk, zones) else _TIGHT_GAP
    parts: list[list[Piece]] = [[chunk.pieces[0]]]
    for left, right in itertools.pairwise(chunk.pieces):
        gap = right.box[0] - left.box[2]
        wide = (
            gap > max(least * chunk.size, _TYPED_GAP * _typed_step(left, right)) and "±" not in left.text + right.text
        )
        if wide and any(end < right.box[0] and start > left.box[2] for end, start in gaps):
            parts.append([right])
        else:
            parts[-1].append(right)
    return parts


def _over(chunk: Chunk, zones: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [zone for zone in zones if min(zone[1], chunk.box[2]) - max(zone[0], chunk.box[0]) > 0]


def _at_their_columns(chunk: Chunk, zones: Sequence[tuple[float, float]], slack: float) -> list[list[Piece]]:
    """The texts of a chunk by the columns that it is over; nothing if they are not all set alike in their columns."""
    over = _over(chunk, zones)
    for parts in (_by_middles(chunk, over), _by_starts(chunk, over)):
        if all(parts) and _are_apart(parts, chunk.size):
            extents = [(part[0].box[0], part[-1].box[2]) for part in parts]
            off = [(a - c, b - d, (a + b - c - d) / 2) for (a, b), (c, d) in zip(extents, over, strict=True)]
            if any(all(abs(one[side]) < slack for one in off) for side in range(3)):
                return parts
    return []


def _by_middles(chunk: Chunk, over: Sequence[tuple[float, float]]) -> list[list[Piece]]:
    """Each word to the column that is nearest to its middle; words out of order leave a column empty."""
    parts: list[list[Piece]] = [[] for _ in over]
    at = 0
    for piece in chunk.pieces if over else ():
        middle = (piece.box[0] + piece.box[2]) / 2
        at = max(at, min(range(len(over)), key=lambda i: max(over[i][0] - middle, middle - over[i][1])))
        parts[at].append(piece)
    return parts


def _by_starts(chunk: Chunk, over: Sequence[tuple[float, float]]) -> list[list[Piece]]:
    """All words from where a column begins to where the next one does."""
    starts = [min(range(len(chunk.pieces)), key=lambda i: abs(chunk.pieces[i].box[0] - start)) for start, _ in over]
    return [list(chunk.pieces[a:b]) for a, b in itertools.pairwise([*starts, len(chunk.pieces)])]


def _are_apart(parts: Sequence[Sequence[Piece]], size: float) -> bool:
    """Whether at least a space stands between texts, and no sign of a spread."""
    return all(
        right[0].box[0] - left[-1].box[2] >= _SPACE * size
        and not left[-1].text.endswith("±")
        and not right[0].text.startswith("±")
        for left, right in itertools.pairwise(parts)
    )


def _is_one_a_zone(chunk: Chunk, zones: Sequence[tuple[float, float]]) -> bool:
    """Whether columns stand tight and each word of a chunk stands in a column of its own."""
    over = _over(chunk, zones)
    tight = all(right[0] - left[1] < chunk.size for left, right in itertools.pairwise(over))
    if len(over) != len(chunk.pieces) or not tight:
        return False
    return all(
        zone[0] - 2 <= (piece.box[0] + piece.box[2]) / 2 <= zone[1] + 2
        for piece, zone in zip(chunk.pieces, over, strict=True)
    )


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
