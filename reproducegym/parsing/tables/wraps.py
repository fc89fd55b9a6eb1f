"""Puts values back together that a narrow column broke over two lines: `412.3 ±` above `11.0` is one cell."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reproducegym.parsing.pages.page_text import Line, Piece
from reproducegym.schema.paper import Cell

__all__ = ["Wraps", "is_torn", "wraps_of"]

_WORD_GAP = 0.62
_SPREAD_GAP = 1.6
_LINE_STEP = 1.7
_OPEN = re.compile(r"(?:±|\+/-|\\pm)$")
_OPEN_INTERVAL = re.compile(r"[\[(][-−–+]?[\d.]+\s?[,;]$")
_VALUE = re.compile(r"[-−–+]?\.?\d")
_ENDS_AS_VALUE = re.compile(r"[\d%)][*†‡]?$")
_INTERVAL_END = re.compile(r"[-−–+]?[\d.]+\s?%?[\])]")
_SPREAD = re.compile(r"(?:±|\+/-)")
_LONE_SPREAD = re.compile(r"\((?:±\s?)?\d*\.\d+%?\)|(?:±|\+/-)\s?\d*\.?\d+%?")
_CHAIN = re.compile(r"(?:±|\+/-)\s*[-−–]?[\d.,]+%?\s*(?:±|\+/-)")


@dataclass(frozen=True, slots=True)
class Wraps:
    """Pieces after which a cell's line ends, and for each piece that goes on with a value the piece above it."""

    ends: frozenset[Piece]
    above: dict[Piece, Piece]


@dataclass(frozen=True, slots=True)
class _Spot:
    """A piece with its neighbours on the same baseline, as far as no wide gap parts them; `start` is the cell's."""

    piece: Piece
    left: Piece | None
    right: Piece | None
    start: float
    size: float


def wraps_of(lines: Iterable[Line]) -> Wraps:
    """Where values go on in the line below.

    A value is broken after `±` when nothing follows close by and a lone number stands beneath; before `±` or a
    parenthesis when nothing stands close before it and a number without a spread is above.
    """
    rows = _rows([line for line in lines if line.upright])
    ends: set[Piece] = set()
    above: dict[Piece, Piece] = {}
    for index, row in enumerate(rows):
        lower = [
            spot
            for other in rows[index + 1 : index + 4]
            for spot in other
            if spot.piece.base - row[0].piece.base < _LINE_STEP * row[0].size
        ]
        lone = _is_lone_spreads(rows[index + 1], row) if index + 1 < len(rows) else False
        for spot in row:
            below = next((one for one in lower if _goes_on(spot, one, lone=lone)), None)
            if below is not None:
                ends.add(spot.piece)
                above[below.piece] = spot.piece
    return Wraps(frozenset(ends), above)


def is_torn(cells: Iterable[Cell]) -> bool:
    """Whether a table still holds values that lost their spreads: a cell that ends in `±`, or a chain over columns."""
    return any(
        _OPEN.search(cell.text) is not None or (cell.column_span > 1 and _CHAIN.search(cell.text) is not None)
        for cell in cells
        if cell.kind != "header" and any(letter.isdigit() for letter in cell.text)
    )


def _rows(lines: Sequence[Line]) -> list[list[_Spot]]:
    """Spots of all baselines from top to bottom."""
    grouped: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: one.base):
        if grouped and line.base - grouped[-1][0].base < 0.3 * line.size:
            grouped[-1].append(line)
        else:
            grouped.append([line])
    return [_spots(row) for row in grouped]


def _spots(row: Sequence[Line]) -> list[_Spot]:
    size = max(1.0, *(line.size for line in row))
    pieces = sorted((piece for line in row for piece in line.pieces), key=lambda piece: piece.box[0])
    near = [
        after.box[0] - before.box[2] <= (_SPREAD_GAP if _OPEN.fullmatch(after.text) else _WORD_GAP) * size
        for before, after in itertools.pairwise(pieces)
    ]
    found: list[_Spot] = []
    for i, piece in enumerate(pieces):
        left = pieces[i - 1] if i and near[i - 1] else None
        right = pieces[i + 1] if i + 1 < len(pieces) and near[i] else None
        found.append(_Spot(piece, left, right, piece.box[0] if left is None else found[-1].start, size))
    return found


def _goes_on(upper: _Spot, lower: _Spot, *, lone: bool) -> bool:
    """Whether a value's end stands right below: same cell, and neither would be whole by itself."""
    middle = (lower.piece.box[0] + lower.piece.box[2]) / 2
    if lower.left is not None or upper.right is not None or not upper.start - 2 <= middle <= upper.piece.box[2] + 2:
        return False
    text, below = upper.piece.text, lower.piece.text
    if _OPEN.search(text):
        follows = "" if lower.right is None else lower.right.text
        return bool(_VALUE.match(below)) and not _SPREAD.search(below + follows)
    if _OPEN_INTERVAL.search(text):
        return _INTERVAL_END.fullmatch(below) is not None
    bare = upper.left is None and _VALUE.match(text) is not None and _ENDS_AS_VALUE.search(text) is not None
    if not bare or _SPREAD.search(text) or "(" in text:
        return False
    return _SPREAD.match(below) is not None or (lone and _LONE_SPREAD.fullmatch(below) is not None)


def _is_lone_spreads(row: Sequence[_Spot], above: Sequence[_Spot]) -> bool:
    """Whether a line holds spreads and nothing else, and leaves out the label of the line above it."""
    indented = row[0].piece.box[0] > above[0].piece.box[2]
    return indented and all(_LONE_SPREAD.fullmatch(spot.piece.text) for spot in row)
