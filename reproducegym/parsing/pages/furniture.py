"""Finds what repeats around the text and is not part of it: running heads, page numbers, review line numbers."""

import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from reproducegym.parsing.pages.page_text import Line, PageText, body_size

__all__ = ["furniture_of"]

_EDGE = 0.1
_PAGE_NUMBER = re.compile(r"(page\s+)?[-–]?\s*(\d{1,4}|[ivxl]{1,6})\s*[-–]?(\s*(of|/)\s*\d+)?", re.IGNORECASE)
_IMPRINT = re.compile(r"©|Copyright|\bConference\b|\bWorkshop\b|\bProceedings\b|\bPreprint\b|[Uu]nder review")
_WHOLE = re.compile(r"\d{1,4}")
_MIN_LINE_NUMBERS = 8
_MIN_RUNNING = 3
_APART = 1.9
"""How far, in ems, furniture stands from the text next to it at the least; rows of a table stand closer."""


def furniture_of(pages: Sequence[PageText]) -> tuple[frozenset[int], ...]:
    """For each page the indices of lines that are furniture."""
    repeated = _repeated(pages)
    offset = _offset(pages)
    running = _running_baselines(pages)
    body = body_size(pages)
    found = []
    for page in pages:
        again = {i for i, line in _edge_lines(page) if _key(page, line) in repeated and line.size < 1.5 * body}
        indices = _apart(page, again)
        if offset is not None:
            indices |= {i for i, line in _edge_lines(page) if _counts(page, line) == offset}
        indices |= _apart(
            page, {i for i, line in enumerate(page.lines) if line.upright and round(line.base) in running}
        )
        indices |= _line_numbers(page)
        indices |= _page_numbers(page, indices, offset)
        indices |= {i for i, line in enumerate(page.lines) if _is_imprint(page, line, body)}
        indices |= {i for i, line in enumerate(page.lines) if not line.upright and _in_margin(page, line)}
        found.append(frozenset(indices))
    return tuple(found)


def _edge_lines(page: PageText) -> list[tuple[int, Line]]:
    """Lines near the top or bottom of the page, and its first and last upright ones, with their indices."""
    upright = [line.box for line in page.lines if line.upright]
    first = min((box[1] for box in upright), default=-math.inf) + 1
    last = max((box[3] for box in upright), default=math.inf) - 1
    return [
        (i, line)
        for i, line in enumerate(page.lines)
        if line.box[3] < _EDGE * page.height
        or line.box[1] > (1 - _EDGE) * page.height
        or line.box[1] <= first
        or line.box[3] >= last
    ]


def _key(page: PageText, line: Line) -> tuple[str, bool]:
    return re.sub(r"\d+", "#", line.text.lower()), line.box[3] < page.height / 2


def _repeated(pages: Sequence[PageText]) -> set[tuple[str, bool]]:
    counts: Counter[tuple[str, bool]] = Counter()
    for page in pages:
        counts.update({_key(page, line) for _, line in _edge_lines(page)})
    needed = max(2, min(4, len(pages) // 3))
    return {key for key, count in counts.items() if count >= needed}


def _counts(page: PageText, line: Line) -> int | None:
    """By how much a bare whole number is more than the place of its page in the file."""
    return int(line.text) - page.number if _WHOLE.fullmatch(line.text) else None


def _offset(pages: Sequence[PageText]) -> int | None:
    """By how much page numbers are more than the place of their page in the file; None when no pages agree."""
    counts: Counter[int] = Counter()
    for page in pages:
        counts.update({found for _, line in _edge_lines(page) if (found := _counts(page, line)) is not None})
    offset, count = max(counts.items(), key=lambda item: (item[1], item[0] == 0), default=(0, 0))
    return offset if count >= max(2, len(pages) // 3) else None


def _apart(page: PageText, again: set[int]) -> set[int]:
    """Of the lines that come again at the edges of pages those apart from the text: no rows of tables."""
    upright = [(i, line) for i, line in enumerate(page.lines) if line.upright]
    kept = {i for i in again if not page.lines[i].upright}
    for half in (-1, 1):
        ours = {i for i, line in upright if i in again and (line.base > page.height / 2) == (half > 0)}
        inward = sorted(ours, key=lambda i: half * page.lines[i].base)
        bases = [line.base for i, line in upright if i not in ours]
        for i in inward:
            line = page.lines[i]
            gap = min((abs(base - line.base) for base in bases if abs(base - line.base) > 2), default=math.inf)
            if gap < _APART * line.size:
                bases.append(line.base)
            else:
                kept.add(i)
    return kept


def _running_baselines(pages: Sequence[PageText]) -> frozenset[int]:
    """Heights at which most pages have a row at their top or bottom apart from the text: running heads that change."""
    counts: Counter[int] = Counter()
    for page in pages:
        counts.update(round(base) for base in _outer_rows(page))
    needed = max(_MIN_RUNNING, 0.6 * len(pages))
    return frozenset(base for base in counts if counts[base - 1] + counts[base] + counts[base + 1] >= needed)


def _outer_rows(page: PageText) -> set[float]:
    """Baselines of the top and the bottom row of a page where they stand apart from what is next to them."""
    upright = sorted((line for line in page.lines if line.upright), key=lambda line: line.base)
    if len(upright) < _MIN_LINE_NUMBERS:
        return set()
    found = set()
    for first, others, edge in ((upright[0], upright, 0), (upright[-1], upright[::-1], 1)):
        next_row = next((o for o in others if abs(o.base - first.base) > 0.5 * first.size), first)
        in_margin = first.base > (1 - _EDGE) * page.height if edge else first.base < _EDGE * page.height
        if in_margin and abs(next_row.base - first.base) > 1.9 * max(first.size, next_row.size):
            found.add(first.base)
    return found


def _page_numbers(page: PageText, known: set[int], offset: int | None) -> set[int]:
    upright = [line for i, line in enumerate(page.lines) if line.upright and i not in known]
    if not upright:
        return set()
    lowest = max(line.box[3] for line in upright)
    highest = min(line.box[1] for line in upright)
    return {
        i
        for i, line in enumerate(page.lines)
        if line.upright
        and _PAGE_NUMBER.fullmatch(line.text.strip())
        and not _has_neighbour(upright, line)
        and (offset is None or _counts(page, line) in (None, offset))
        and (
            (line.box[3] > lowest - 3 and line.box[1] > (1 - 1.6 * _EDGE) * page.height)
            or (line.box[1] < highest + 3 and line.box[3] < 1.2 * _EDGE * page.height)
        )
    }


def _has_neighbour(lines: Sequence[Line], line: Line) -> bool:
    """Whether text follows close by on the same baseline, as after the number of a heading."""
    return any(abs(o.base - line.base) < 2 and 0 < o.box[0] - line.box[2] < 4 * line.size for o in lines)


def _line_numbers(page: PageText) -> set[int]:
    """Rising whole numbers that stand in one narrow column at the side of the text."""
    columns: dict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(page.lines):
        if line.upright and re.fullmatch(r"\d{1,4}", line.text) and _at_side(page, line):
            columns[round(line.box[2] / 6)].append(i)
    found: set[int] = set()
    for indices in columns.values():
        if len(indices) < _MIN_LINE_NUMBERS:
            continue
        ordered = sorted(indices, key=lambda i: page.lines[i].base)
        values = [int(page.lines[i].text) for i in ordered]
        steps = sum(after - before == 1 for before, after in itertools.pairwise(values))
        if steps >= 0.8 * (len(values) - 1):
            found.update(indices)
    return found


def _at_side(page: PageText, line: Line) -> bool:
    return line.box[2] < 0.16 * page.width or line.box[0] > 0.84 * page.width


def _is_imprint(page: PageText, line: Line, body: float) -> bool:
    """The line at a page's foot that says where the paper appeared: smaller than the text, or apart from it."""
    if line.box[1] <= (1 - _EDGE) * page.height or _IMPRINT.search(line.text) is None:
        return False
    near = any(other is not line and 0 < line.base - other.base < 1.5 * line.size for other in page.lines)
    return line.size < 0.95 * body or not near


def _in_margin(page: PageText, line: Line) -> bool:
    return line.box[2] < 0.09 * page.width or line.box[0] > 0.93 * page.width
