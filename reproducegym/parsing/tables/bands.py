"""Tells which physical rows of a table are headers, titles of parts, and body, by rules and content."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.cell_text import is_numeric, is_value
from reproducegym.parsing.tables.chunks import Chunk
from reproducegym.parsing.tables.grid import Grid

__all__ = ["Band", "bands_of", "stub_columns"]

_MAX_HEADER_ROWS = 5


@dataclass(frozen=True, slots=True)
class Band:
    """Physical rows between two full rules, and what they are."""

    kind: Literal["header", "title", "body"]
    rows: tuple[int, ...]


def bands_of(grid: Grid) -> tuple[Band, ...]:
    """The table's bands from top to bottom; the first header comes from rules, or from where numbers begin."""
    parts = _parts(grid)
    has_numbers = any(is_numeric(chunk.text) for row in grid.rows for chunk in row[1:])
    if len(parts) < 2 or (len(parts[0]) > _MAX_HEADER_ROWS):
        head = _leading_text_rows(grid, parts[0])
        rest = [part for part in (parts[0][len(head) :], *parts[1:]) if part]
        first = [Band("header", tuple(head))] if head else []
        return (*first, *(Band("body", tuple(part)) for part in rest))
    bands: list[Band] = []
    seen_body = False
    for i, part in enumerate(parts):
        following = parts[i + 1] if i + 1 < len(parts) else None
        if _is_title(grid, part) and following is not None:
            bands.append(Band("title", tuple(part)))
        elif following is not None and (
            _heads_table(grid, part, bands)
            if not seen_body
            else has_numbers and _repeats_header(grid, part, following, bands)
        ):
            bands.append(Band("header", tuple(part)))
        else:
            head = [] if seen_body or _has_header(bands) else _leading_text_rows(grid, part)
            seen_body = True
            bands += [Band("header", tuple(head))] if head else []
            bands += _cut_at_headers(grid, part[len(head) :], bands)
    return _with_whole_headers(bands)


def _with_whole_headers(bands: Sequence[Band]) -> tuple[Band, ...]:
    """The bands, with header rows that rules part from one another as one band: the upper ones span the lower ones."""
    whole: list[Band] = []
    for band in bands:
        last = whole[-1] if whole else None
        if last is not None and last.kind == band.kind == "header":
            whole[-1] = Band("header", (*last.rows, *band.rows))
        else:
            whole.append(band)
    return tuple(whole)


def _has_header(bands: Sequence[Band]) -> bool:
    return any(band.kind == "header" for band in bands)


def _heads_table(grid: Grid, part: Sequence[int], bands: Sequence[Band]) -> bool:
    """The first rows, and words below a header that go on with it: they, or that header, have no label before them."""
    heads = [band for band in bands if band.kind == "header"]
    if not heads:
        return True
    chunks = [chunk for i in part for chunk in grid.rows[i]]
    if len(chunks) < 2 or any(is_value(chunk.text) for chunk in chunks):
        return False
    top, bottom = min(chunk.box[1] for chunk in chunks), max(chunk.box[3] for chunk in chunks)
    if any(label.first == 0 and top < label.middle < bottom for label in grid.turned):
        return False
    above = [chunk for i in heads[-1].rows for chunk in grid.rows[i]]
    unlabelled = all(chunk.first > 0 for chunk in chunks) or all(chunk.first > 0 for chunk in above)
    return unlabelled or (len(chunks) > len(above) and _heads_values(grid, chunks))


def _cut_at_headers(grid: Grid, part: Sequence[int], before: Sequence[Band]) -> list[Band]:
    """A body with the header rows in its midst as bands of their own: words under the same head of the first column."""
    corners = {chunk.text for band in before if band.kind == "header" for i in band.rows for chunk in grid.rows[i][:1]}
    below = any(band.kind == "body" for band in before)
    bands: list[Band] = []
    for i in part:
        first, *others = grid.rows[i]
        again = first.first == 0 and first.text in corners and 2 * len(others) >= len(grid.zones) - 1
        kind: Literal["header", "body"] = "body"
        inner = not bands and not below and bool(before) and before[-1].kind == "header" and first.first > 0
        if again and others and not any(is_value(chunk.text) for chunk in others) and (bands or below):
            kind = "header"
        elif inner and others and not any(is_value(chunk.text) for chunk in grid.rows[i]):
            kind = "header" if _heads_values(grid, grid.rows[i]) else "body"
        if bands and bands[-1].kind == kind:
            bands[-1] = Band(kind, (*bands[-1].rows, i))
        else:
            bands.append(Band(kind, (i,)))
    return bands


def _parts(grid: Grid) -> list[list[int]]:
    cuts = grid.full_rules()
    parts: list[list[int]] = []
    current: list[int] = []
    cut = 0
    for i in range(len(grid.rows)):
        passed = cut
        while passed < len(cuts) and cuts[passed] < grid.row_base(i) - 0.15 * grid.rows[i][0].size:
            passed += 1
        if passed != cut and current:
            parts.append(current)
            current = []
        cut = passed
        current.append(i)
    return [*parts, current] if current else parts


def _leading_text_rows(grid: Grid, rows: Sequence[int]) -> list[int]:
    head: list[int] = []
    for i in rows[:-1]:
        values = [chunk for chunk in grid.rows[i] if chunk.first > 0 or chunk.last > 0]
        if sum(is_value(chunk.text) for chunk in values) * 2 >= max(1, len(values)) and values:
            break
        head.append(i)
    if len(head) > _MAX_HEADER_ROWS:
        return head[:1]
    while len(head) > 1 and len(grid.rows[head[-1]]) == 1 and grid.rows[head[-1]][0].first == 0:
        head.pop()
    return head


def _is_title(grid: Grid, part: Sequence[int]) -> bool:
    chunks = [chunk for i in part for chunk in grid.rows[i]]
    return len(part) == 1 and len(chunks) == 1 and not is_value(chunks[0].text) and len(grid.zones) > 2


def _repeats_header(grid: Grid, part: Sequence[int], following: Sequence[int], bands: Sequence[Band]) -> bool:
    chunks = [chunk for i in part for chunk in grid.rows[i]]
    if len(part) > 3 or len(chunks) < 2 or any(is_value(chunk.text) for chunk in chunks if chunk.first > 0):
        return False
    if not any(is_numeric(chunk.text) for i in following for chunk in grid.rows[i]):
        return False
    earlier = {chunk.text for band in bands if band.kind == "header" for i in band.rows for chunk in grid.rows[i]}
    after_title = bool(bands) and bands[-1].kind in ("title", "header")
    if _heads_values(grid, chunks):
        return True
    repeated = sum(chunk.text in earlier for chunk in chunks) * 2 >= len(chunks)
    styled = all(_styled(chunk) for chunk in chunks)
    return after_title or repeated or (styled and len(chunks) * 2 >= len(grid.zones))


def _heads_values(grid: Grid, chunks: Sequence[Chunk]) -> bool:
    """Words over most columns, all of which hold mostly values elsewhere: the head of another part."""
    columns = {chunk.first for chunk in chunks if chunk.first == chunk.last and chunk.first > 0}
    if len(columns) * 2 < len(grid.zones):
        return False
    balance = dict.fromkeys(columns, 0)
    for row in grid.rows:
        for chunk in row:
            if chunk.first == chunk.last and chunk.first in balance and chunk not in chunks:
                balance[chunk.first] += 1 if is_value(chunk.text) else -1
    return all(surplus > 0 for surplus in balance.values())


def _styled(chunk: Chunk) -> bool:
    letters = [piece for piece in chunk.pieces if any(c.isalpha() for c in piece.text)]
    return bool(letters) and all(piece.bold or piece.italic for piece in letters)


def stub_columns(grid: Grid, bands: Sequence[Band]) -> int:
    """How many leading columns hold labels: at least one, at most three, never all."""
    body = [i for band in bands if band.kind == "body" for i in band.rows]
    texts: list[int] = [0] * len(grid.zones)
    numbers: list[int] = [0] * len(grid.zones)
    for i in body:
        if len(grid.rows[i]) < 2:
            continue
        for chunk in grid.rows[i]:
            if chunk.first == chunk.last:
                if is_value(chunk.text):
                    numbers[chunk.first] += 1
                else:
                    texts[chunk.first] += 1
    numeric_columns = [c for c in range(1, len(grid.zones)) if numbers[c] > texts[c]]
    if not numeric_columns:
        return 1
    stubs = 1
    for column in range(1, min(3, len(grid.zones) - 1)):
        if texts[column] > numbers[column] and any(c > column for c in numeric_columns):
            stubs = column + 1
        elif texts[column] == numbers[column] == 0 and column < numeric_columns[0]:
            continue
    return stubs
