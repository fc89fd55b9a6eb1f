"""Cuts the lines of a table's area into chunks: text with no wide gap inside, with what stands small beside it."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import union
from reproducegym.parsing.cell_text import cell_text, tidy
from reproducegym.parsing.pages.drawings import Rule
from reproducegym.parsing.pages.page_text import Line, Piece
from reproducegym.parsing.tables.wraps import Wraps
from reproducegym.schema.base import BBox

__all__ = ["SPREAD_GAP", "Chunk", "joined_chunk", "split_chunk", "turned_chunks", "upright_chunks"]

SPREAD_GAP = 1.6
"""Widest gap, in ems, between a number and its `±`."""
_CELL_GAP = 0.62
_TIGHT_GAP = 0.44
_SPACE = 0.24
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
    return gap > _CELL_GAP * size


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


def split_chunk(chunk: Chunk, zones: Sequence[tuple[float, float]]) -> list[Chunk]:
    """A chunk cut where it reaches from one column to the next with more than a space between its words."""
    if not chunk.upright or len(chunk.pieces) < 2:
        return [chunk]
    gaps = [(end, start) for (_, end), (start, _) in itertools.pairwise(zones)]
    least = _SPACE if _is_one_a_zone(chunk, zones) else _TIGHT_GAP
    parts: list[list[Piece]] = [[chunk.pieces[0]]]
    for left, right in itertools.pairwise(chunk.pieces):
        wide = right.box[0] - left.box[2] > least * chunk.size and "±" not in left.text + right.text
        if wide and any(end < right.box[0] and start > left.box[2] for end, start in gaps):
            parts.append([right])
        else:
            parts[-1].append(right)
    if len(parts) == 1:
        return [chunk]
    return [replace(chunk, pieces=tuple(p), text=cell_text(p), box=union(one.box for one in p)) for p in parts]


def _is_one_a_zone(chunk: Chunk, zones: Sequence[tuple[float, float]]) -> bool:
    """Whether columns stand tight and each word of a chunk stands in a column of its own."""
    over = [zone for zone in zones if min(zone[1], chunk.box[2]) - max(zone[0], chunk.box[0]) > 0]
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
