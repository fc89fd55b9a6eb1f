"""Parts of one table that stand beside one another under one caption, and how they become one list of rows."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import contains_center, rounded
from reproducegym.parsing.cell_text import is_value
from reproducegym.parsing.pages.drawings import Drawings, Rule
from reproducegym.parsing.pages.page_text import Line
from reproducegym.parsing.tables.chunks import Chunk
from reproducegym.parsing.tables.grid import Grid
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Cell

__all__ = ["PartTitle", "area_beside", "clipped", "cuts_above", "cuts_beside", "part_titles", "stacked_cells"]

_CORRIDOR = 6.0
_TITLE = re.compile(r"\(?[a-h1-9ivx]{1,3}\)\s*\S")


@dataclass(frozen=True, slots=True)
class PartTitle:
    """The words "(a) First data" over or under a part."""

    text: str
    box: BBox


def cuts_beside(lines: Sequence[Line], drawings: Drawings, box: BBox, grid: Grid) -> tuple[float, ...]:
    """Where to cut an area into tables beside one another, from left to right; empty when it is one table.

    Either the rules are parted at one place from top to bottom, with no text in the gap, or a column of words has the
    same header as the first one: the table begins again.
    """
    return _parted_rules(lines, drawings, box) or _repeated_stub(grid)


def _parted_rules(lines: Sequence[Line], drawings: Drawings, box: BBox) -> tuple[float, ...]:
    rules = [r for r in drawings.horizontal if box[1] - 2 <= r.at <= box[3] + 2 and box[0] - 3 <= r.start < box[2]]
    if len(rules) < 4:
        return ()
    cuts: list[float] = []
    end = box[0]
    for rule in sorted(rules, key=lambda one: one.start):
        if rule.start - end > _CORRIDOR and end > box[0]:
            cuts.append((end + rule.start) / 2)
        end = max(end, rule.end)
    texts = [line.box for line in lines if line.upright and contains_center(box, line.box)]
    free = [cut for cut in cuts if not any(text[0] < cut < text[2] for text in texts)]
    bounds = [box[0], *free, box[2]]
    for left, right in itertools.pairwise(bounds):
        own = [rule for rule in rules if left - 3 <= rule.start and rule.end <= right + 3]
        longest = max((rule.length for rule in own), default=0.0)
        if sum(rule.length > 0.9 * longest for rule in own) < 2 or longest < 0.6 * (right - left) - 20:
            return ()
    return tuple(free)


def _repeated_stub(grid: Grid) -> tuple[float, ...]:
    for number, row in enumerate(grid.rows[:3]):
        if not row or row[0].first != 0 or not any(letter.isalpha() for letter in row[0].text):
            continue
        again = [chunk.first for chunk in row[1:] if chunk.text == row[0].text and chunk.first >= 2]
        below = [chunk for other in grid.rows[number + 1 :] for chunk in other]
        if again and all(_holds_words(below, column) for column in (0, *again)):
            return tuple((grid.zones[column - 1][1] + grid.zones[column][0]) / 2 for column in again)
    return ()


def _holds_words(chunks: Sequence[Chunk], column: int) -> bool:
    own = [chunk.text for chunk in chunks if chunk.first == column == chunk.last]
    return bool(own) and sum(not is_value(text) for text in own) * 2 > len(own)


def clipped(drawings: Drawings, box: BBox) -> Drawings:
    """Only the rules in an area, cut at its edges."""
    return replace(
        drawings,
        horizontal=_cut(drawings.horizontal, box[0], box[2]),
        strokes=_cut(drawings.strokes, box[0], box[2]),
        vertical=tuple(rule for rule in drawings.vertical if box[0] <= rule.at <= box[2]),
    )


def _cut(rules: Sequence[Rule], left: float, right: float) -> tuple[Rule, ...]:
    return tuple(
        Rule(rule.at, max(rule.start, left), min(rule.end, right))
        for rule in rules
        if min(rule.end, right) - max(rule.start, left) > 2
    )


def area_beside(drawings: Drawings, box: BBox, left: float, right: float) -> BBox:
    """The area between two cuts, as wide as its rules where it has some."""
    rules = [r for r in drawings.horizontal if box[1] - 2 <= r.at <= box[3] + 2 and left - 3 <= r.start < right]
    own = [rule for rule in rules if rule.end <= right + 3]
    if len(own) < len(rules) or not own:
        return (left, box[1], right, box[3])
    return (min(rule.start for rule in own) - 2, box[1], max(rule.end for rule in own) + 2, box[3])


def cuts_above(lines: Sequence[Line], drawings: Drawings, box: BBox) -> tuple[BBox, ...]:
    """The areas of tables above one another, each between its own rules with an "(a) …" between; empty for one."""
    titles = [
        line
        for line in lines
        if line.upright
        and _TITLE.match(line.text)
        and line.box[1] >= box[1] - 2
        and line.box[3] <= box[3] + 2
        and line.box[0] > box[0] - 2
        and line.box[2] < box[2] + 2
    ]
    heights = [r.at for r in drawings.horizontal if r.length > 0.5 * (box[2] - box[0]) and box[0] - 3 <= r.start]
    edges = [box[1], *(line.base for line in titles), box[3] + 1]
    areas: list[BBox] = []
    for top, bottom in itertools.pairwise(sorted(edges)):
        inside = [at for at in heights if top - 2 <= at <= bottom + 2]
        if len(inside) >= 3:
            rules = [
                r for r in drawings.horizontal if min(inside) - 1 <= r.at <= max(inside) + 1 and box[0] - 3 <= r.start
            ]
            left, right = min(r.start for r in rules), max(r.end for r in rules if r.end <= box[2] + 3)
            areas.append((left - 2, min(inside) - 1, right + 2, max(inside) + 1))
        elif inside:
            return ()
    return tuple(areas) if len(areas) > 1 else ()


def part_titles(lines: Sequence[Line], areas: Sequence[BBox]) -> tuple[PartTitle | None, ...]:
    """The "(a) …" of each area, within its width: above all of them when the first has one there, else below."""
    over = _title_at(lines, areas[0], above=True) is not None
    return tuple(_title_at(lines, area, above=over) for area in areas)


def _title_at(lines: Sequence[Line], box: BBox, *, above: bool) -> PartTitle | None:
    for line in lines:
        distance = box[1] - line.box[3] if above else line.box[1] - box[3]
        if -4 < distance < 2.2 * line.size and box[0] < sum(line.box[::2]) / 2 < box[2] and _TITLE.match(line.text):
            return PartTitle(line.text, line.box)
    return None


def stacked_cells(parts: Sequence[tuple[PartTitle | None, Sequence[Cell]]]) -> tuple[Cell, ...]:
    """The cells of all parts, each below the one before; a part's title is a group row over its own rows."""
    result: list[Cell] = []
    top = 0
    for title, cells in parts:
        if not cells:
            continue
        if title is not None:
            span = max(cell.column + cell.column_span for cell in cells)
            result.append(_title_cell(title, cells[0].page, top, span))
            top += 1
        group = () if title is None else (title.text,)
        result += [
            cell.model_copy(
                update={
                    "row": cell.row + top,
                    "row_path": cell.row_path if cell.kind == "header" else (*group, *cell.row_path),
                }
            )
            for cell in cells
        ]
        top += max(cell.row + cell.row_span for cell in cells)
    return tuple(result)


def _title_cell(title: PartTitle, page: int, row: int, span: int) -> Cell:
    return Cell(
        page=page,
        row=row,
        column=0,
        row_span=1,
        column_span=span,
        kind="group",
        text=title.text,
        bbox=rounded(title.box),
        row_path=(),
        column_path=(),
        marks=(),
        unit=None,
        multiplier=None,
    )
