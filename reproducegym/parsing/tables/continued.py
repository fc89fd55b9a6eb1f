"""Tables that go on over pages: their later parts are found, with or without a caption, and joined to the first."""

import re
from collections.abc import Sequence
from dataclasses import replace

from reproducegym.parsing.boxes import horizontal_overlap, intersects
from reproducegym.parsing.cell_text import is_value
from reproducegym.parsing.pages.captions import FoundCaption
from reproducegym.parsing.tables.paths import RawTable, named_cells
from reproducegym.parsing.tables.reader import FoundTable, read_table
from reproducegym.parsing.tables.regions import PageLayout, Side, region_candidates
from reproducegym.parsing.tables.units import measured
from reproducegym.parsing.tables.wraps import is_torn
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Place

__all__ = ["joined_tables"]

_SAID = re.compile(r"(?i)\W*(?:continue[sd]|cont(?:inued|['’]?d)?)\b|.*\W(?:continued|cont['’]?d?)\W*$|\W*$")
_SIGN = re.compile(r"(?i)\W*(?:table\s+\S+\s+)?\W*continue[sd]\b(?:\s+\w+){0,4}\W*")
_BOTTOM = 0.25
_NEAR = 6.0
_OFF = 6.0


def joined_tables(
    layouts: Sequence[PageLayout], found: Sequence[Sequence[FoundTable]]
) -> tuple[tuple[FoundTable, ...], ...]:
    """The tables of each page; one that goes on is whole on its first page, and marked as `continues` on the others."""
    pages = [list(tables) for tables in found]
    for page in range(len(pages) - 1):
        for table in list(pages[page]):
            if not table.continues:
                _follow(layouts, pages, page, table)
    for page in range(len(pages) - 1, 0, -1):
        for table in list(pages[page]):
            if not table.continues:
                _trace_back(layouts, pages, page, table)
    return tuple(tuple(tables) for tables in pages)


def _follow(layouts: Sequence[PageLayout], pages: list[list[FoundTable]], first: int, table: FoundTable) -> None:
    """Join what stands on the pages after a table, as long as it goes on there."""
    whole, last = table, table
    for page in range(first + 1, len(pages)):
        part = _captioned(pages[page], table)
        captioned = part is not None
        if part is None and _ends_page(layouts, page - 1, last.area):
            part = _at_edge(layouts[page], pages[page], page + 1, last, "below")
        longer = None if part is None else _joined(whole, part, certain=captioned)
        if part is None or longer is None:
            break
        _put(pages[page], part)
        pages[first][pages[first].index(whole)] = longer
        whole, last = longer, part


def _trace_back(layouts: Sequence[PageLayout], pages: list[list[FoundTable]], last: int, table: FoundTable) -> None:
    """Join what stands on the pages before a table whose caption is below its last part."""
    whole, later = table, table
    caption = table.table.caption
    if caption is None or caption.place.bbox[1] < table.area[3] - _NEAR or table.table.continued:
        return
    for page in range(last - 1, -1, -1):
        if not _starts_page(layouts[page + 1], later.area):
            break
        part = _at_edge(layouts[page], pages[page], page + 1, later, "above")
        longer = None if part is None else _joined(part, whole, certain=False)
        if part is None or longer is None or not _ends_page(layouts, page, part.area):
            break
        pages[page + 1][pages[page + 1].index(whole)] = replace(later, continues=True)
        pages[page].append(longer)
        whole, later = longer, part


def _put(tables: list[FoundTable], part: FoundTable) -> None:
    """Mark a part as one that goes on, in its place among a page's tables or at their end."""
    if part in tables:
        tables[tables.index(part)] = replace(part, continues=True)
    else:
        tables.append(replace(part, continues=True))


def _captioned(tables: Sequence[FoundTable], first: FoundTable) -> FoundTable | None:
    """The part under a caption of the same number that says "continued", nothing else, or the same again."""
    wanted = first.table.caption.text if first.table.caption else ""
    for other in tables:
        caption, label = other.table.caption, other.table.label
        if caption is None or label is None or other.continues or label != first.table.label:
            continue
        if _SAID.match(caption.text.partition(label)[2]) or caption.text == wanted:
            return other
    return None


def _at_edge(
    layout: PageLayout, tables: Sequence[FoundTable], number: int, near: FoundTable, side: Side
) -> FoundTable | None:
    """The table without a caption at the top (`below` it) or bottom of a page, where a part of `near` may go on."""
    edge = _edge(layout, near.area, side)
    if edge is None:
        return None
    box = (near.area[0], edge, near.area[2], edge)
    caption = FoundCaption("table", near.table.label or "", "", box, frozenset(), layout.body)
    region = region_candidates(layout, caption).get(side)
    if region is None or region.distance > 2 * _NEAR:
        return None
    if any(intersects(region.box, other.area) for other in tables):
        return None
    return read_table(layout, number, caption, region)


def _edge(layout: PageLayout, area: BBox, side: Side) -> float | None:
    """Where the text of a page begins or ends in the width of an area; None when a caption is there."""
    lines = [line for line in layout.lines if line.upright and horizontal_overlap(line.box, area) > 0]
    if not lines:
        return None
    line = min(lines, key=lambda one: one.box[1]) if side == "below" else max(lines, key=lambda one: one.box[3])
    if any(intersects(line.box, caption.box) for caption in layout.captions):
        return None
    at = line.box[1] if side == "below" else line.box[3]
    beyond = [
        rule.at
        for rule in layout.drawings.horizontal
        if rule.end > area[0] and rule.start < area[2] and 0 <= (at - rule.at if side == "below" else rule.at - at) < 9
    ]
    reach = [at, *beyond]
    return min(reach) - 1 if side == "below" else max(reach) + 1


def _ends_page(layouts: Sequence[PageLayout], page: int, area: BBox) -> bool:
    """Whether nothing but small print stands below a table, near the foot of its page."""
    layout = layouts[page]
    top, bottom = _extent([line.box for one in layouts for line in one.lines if line.upright])
    below = [
        line
        for line in layout.lines
        if line.box[1] > area[3] - 2
        and horizontal_overlap(line.box, area) > 0
        and line.size > layout.body - 0.4
        and not _SIGN.fullmatch(line.text)
    ]
    under = any(c.box[1] > area[3] - 2 and horizontal_overlap(c.box, area) > 0 for c in layout.captions)
    return not below and not under and area[3] > bottom - _BOTTOM * (bottom - top)


def _starts_page(layout: PageLayout, area: BBox) -> bool:
    return not any(line.box[3] < area[1] + 2 and horizontal_overlap(line.box, area) > 0 for line in layout.lines)


def _extent(boxes: Sequence[BBox]) -> tuple[float, float]:
    return min((box[1] for box in boxes), default=0.0), max((box[3] for box in boxes), default=0.0)


def _joined(first: FoundTable, second: FoundTable, *, certain: bool) -> FoundTable | None:
    """Both as one table, or None when they don't have the same columns; `certain` when a caption says that they do."""
    if first.raw is None or second.raw is None or _columns(first.raw) != _columns(second.raw):
        return None
    upper, lower = _without_signs(first.raw), _without_signs(second.raw)
    lead = _leading(lower.header_rows)
    if upper.header_rows and _texts(upper, _leading(upper.header_rows)) == _texts(lower, lead):
        lower = _without(lower, lead)
    elif not certain and not _same_places(upper, lower):
        return None
    elif any(is_value(cell.text) for cell in lower.cells if cell.row in lead and cell.column > 0):
        lower = replace(lower, header_rows=lower.header_rows - lead)
    elif lead and not certain:
        return None
    shift = _end(upper) - min((cell.row for cell in lower.cells), default=0)
    raw = RawTable(
        (*upper.cells, *(replace(cell, row=cell.row + shift) for cell in lower.cells)),
        upper.header_rows | {row + shift for row in lower.header_rows},
        upper.group_rows | {row + shift for row in lower.group_rows},
        upper.stub_columns,
    )
    return _whole(first, second, raw)


def _whole(first: FoundTable, second: FoundTable, raw: RawTable) -> FoundTable:
    """The joined table, its cells named anew."""
    upper, lower = first.table, second.table
    caption = upper.caption if upper.caption is not None and upper.caption.text else lower.caption
    named, stub_headers = named_cells(raw, upper.page)
    table = upper.model_copy(
        update={
            "caption": caption,
            "continued": (*upper.continued, Place(page=lower.page, bbox=lower.bbox), *lower.continued),
            "stub_headers": stub_headers,
            "cells": measured(named, caption.text if caption else ""),
            "notes": tuple(dict.fromkeys((*upper.notes, *lower.notes))),
        }
    )
    return replace(first, table=table, raw=raw, is_torn=is_torn(named))


def _end(raw: RawTable) -> int:
    return max((cell.row + cell.row_span for cell in raw.cells), default=0)


def _columns(raw: RawTable) -> int:
    return max((cell.column + cell.column_span for cell in raw.cells), default=0)


def _leading(rows: frozenset[int]) -> frozenset[int]:
    """The header rows at the top."""
    return frozenset(row for row in rows if all(above in rows for above in range(row)))


def _texts(raw: RawTable, rows: frozenset[int]) -> list[tuple[int, int, str]]:
    return sorted((cell.row, cell.column, cell.text) for cell in raw.cells if cell.row in rows)


def _without(raw: RawTable, rows: frozenset[int]) -> RawTable:
    kept = tuple(cell for cell in raw.cells if cell.row not in rows)
    return replace(raw, cells=kept, header_rows=raw.header_rows - rows, group_rows=raw.group_rows - rows)


def _without_signs(raw: RawTable) -> RawTable:
    """Without first and last rows that only say "continued on the next page"."""
    said = {
        row
        for row in (0, _end(raw) - 1)
        if (texts := [cell.text for cell in raw.cells if cell.row == row]) and _SIGN.fullmatch(" ".join(texts))
    }
    return _without(raw, frozenset(said))


def _same_places(upper: RawTable, lower: RawTable) -> bool:
    """Whether the columns of both lie at the same places; on facing pages both may be moved."""
    one, other = _middles(upper), _middles(lower)
    shared = sorted(one.keys() & other.keys())
    if len(shared) < 2:
        return False
    moves = sorted(other[column] - one[column] for column in shared)
    usual = moves[len(moves) // 2]
    return sum(abs(move - usual) < _OFF for move in moves) * 5 >= 4 * len(moves)


def _middles(raw: RawTable) -> dict[int, float]:
    """The middle of the values of each column that holds some."""
    boxes: dict[int, list[BBox]] = {}
    for cell in raw.cells:
        if cell.column_span == 1 and cell.row not in raw.header_rows and is_value(cell.text):
            boxes.setdefault(cell.column, []).append(cell.bbox)
    return {column: (min(b[0] for b in own) + max(b[2] for b in own)) / 2 for column, own in boxes.items()}
