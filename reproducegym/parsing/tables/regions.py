"""Finds the area of each table from its caption, the ruling lines and rows that look tabular."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.boxes import contains_center, horizontal_overlap, union
from reproducegym.parsing.pages.captions import FoundCaption
from reproducegym.parsing.pages.columns import Columns
from reproducegym.parsing.pages.drawings import Drawings, Rule
from reproducegym.parsing.pages.page_text import Line, split_line
from reproducegym.schema.base import BBox

__all__ = ["PageLayout", "Region", "Side", "choose_regions", "region_candidates"]

Side = Literal["below", "above"]
_FULL = 0.9
_SIDES: tuple[Side, ...] = ("below", "above")
_FAR = 80.0
_NEAR = 24.0
_PART_GAP = 60.0
_RUNNING = 6
"""So many words in a line make it running text."""
_MANY = 10
_PART = re.compile(r"\(?[a-h]\)\s*\S")


@dataclass(frozen=True, slots=True)
class PageLayout:
    """What region finding looks at: lines that may be table text, captions, columns, drawings, body font size."""

    lines: tuple[Line, ...]
    captions: tuple[FoundCaption, ...]
    columns: Columns
    drawings: Drawings
    body: float


@dataclass(frozen=True, slots=True)
class Region:
    """The area of a table; `distance` is that to its caption."""

    box: BBox
    distance: float


def region_candidates(page: PageLayout, caption: FoundCaption) -> dict[Side, Region]:
    """The areas that could belong to a table caption, on either side of it."""
    found: dict[Side, Region] = {}
    for side in _SIDES:
        region = _ruled(page, caption, side) or _unruled(page, caption, side)
        if region is not None:
            found[side] = region
    return found or {side: region for side in _SIDES if (region := _boxed(page, caption, side)) is not None}


def _boxed(page: PageLayout, caption: FoundCaption, side: Side) -> Region | None:
    """Running text between rules of one extent, the nearest of which stands right at the caption."""
    edge = _edge(caption, side)
    rules = [
        rule
        for rule in page.drawings.horizontal
        if rule.length > 100 and _beyond(rule.at, edge, side) > -2.5 and _aligned(rule, caption.box, page.columns)
    ]
    rules.sort(key=lambda rule: _beyond(rule.at, edge, side))
    same = [rule for rule in rules if _same_extent(rule, rules[0])]
    if len(same) < 2 or _beyond(same[0].at, edge, side) > _NEAR:
        return None
    top, bottom = sorted((same[0].at, same[-1].at))
    inside = [line for line in page.lines if top < line.base < bottom]
    left, right = same[0].start - 4, same[0].end + 4
    crossed = any(other != caption and top < other.box[1] < bottom for other in page.captions)
    if not inside or crossed or any(line.box[0] < left or line.box[2] > right for line in inside):
        return None
    return Region((left, top - 1, right, bottom + 1), _beyond(same[0].at, edge, side))


def choose_regions(pages: Sequence[tuple[int, dict[Side, Region]]]) -> tuple[Region | None, ...]:
    """One area for each caption, given with its page number and candidates, from the first page to the last.

    The paper's habit (captions above or below) decides where both sides are possible; no two captions of a page get
    the same area where another choice gives each its own.
    """
    votes = {"below": 0, "above": 0}
    for _, candidates in pages:
        if len(candidates) == 1:
            votes[next(iter(candidates))] += 1
        elif candidates:
            votes[min(candidates, key=lambda side: candidates[side].distance)] += 1
    habit: Side = "below" if votes["below"] >= votes["above"] else "above"
    ranked = [_ranked(candidates, habit) for _, candidates in pages]
    chosen: list[Region | None] = []
    for _, group in itertools.groupby(zip(pages, ranked, strict=True), key=lambda one: one[0][0]):
        chosen += _apart([options for _, options in group])
    return tuple(chosen)


def _ranked(candidates: dict[Side, Region], habit: Side) -> tuple[Region, ...]:
    """The candidates of a caption, the likelier first."""
    usual = candidates.get(habit)
    other = candidates.get("above" if habit == "below" else "below")
    if usual is not None and other is not None and other.distance < 14 and usual.distance > 4 * other.distance + 10:
        usual, other = other, usual
    return tuple(region for region in (usual, other) if region is not None)


def _apart(options: Sequence[tuple[Region, ...]]) -> tuple[Region | None, ...]:
    """The likeliest choice for the captions of a page in which the most areas differ."""
    first = tuple(regions[0] if regions else None for regions in options)
    if _shared(first) == 0 or len(options) > _MANY:
        return first
    choices = itertools.product(*(regions or (None,) for regions in options))
    unlike = [
        (_shared(choice), sum(a is not b for a, b in zip(choice, first, strict=True)), choice) for choice in choices
    ]
    return min(unlike, key=lambda one: one[:2])[2]


def _shared(choice: Sequence[Region | None]) -> int:
    """How many pairs of areas are one area."""
    boxes = [region.box for region in choice if region is not None]
    return sum(_is_same(one, other) for one, other in itertools.combinations(boxes, 2))


def _is_same(one: BBox, other: BBox) -> bool:
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    smaller = min((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other))
    return width > 0 and height > 0 and width * height > 0.5 * smaller


def _edge(caption: FoundCaption, side: Side) -> float:
    return caption.box[3] if side == "below" else caption.box[1]


def _beyond(at: float, edge: float, side: Side) -> float:
    return at - edge if side == "below" else edge - at


def _ruled(page: PageLayout, caption: FoundCaption, side: Side) -> Region | None:
    """From the nearest rule on that side to the last one of the same extent, with no foreign text between."""
    edge = _edge(caption, side)
    beyond = [rule for rule in page.drawings.horizontal if rule.length > 30 and _beyond(rule.at, edge, side) > -2.5]
    rules = [rule for rule in beyond if _aligned(rule, caption.box, page.columns)]
    beside = _beside(page, caption, beyond, side)
    rules = [rule for rule in beside if _aligned(rule, caption.box, page.columns)] or rules
    rules.sort(key=lambda rule: (_beyond(rule.at, edge, side), -rule.length))
    if not rules or _beyond(rules[0].at, edge, side) > _FAR:
        return None
    near = [rule for rule in rules if _beyond(rule.at, edge, side) < _beyond(rules[0].at, edge, side) + 3]
    first = max(near, key=lambda rule: rule.length)
    if _blocked(page, caption, edge, first.at, first):
        return None
    last = first
    for rule in rules:
        if _beyond(rule.at, first.at, side) <= 0.5 or not _same_extent(rule, first):
            continue
        if _blocked(page, caption, last.at, rule.at, first):
            break
        last = rule
    last, widest = _with_parts(page, caption, first, last, side)
    top, bottom = sorted((first.at, last.at))
    box = _extended(page, caption, (widest.start - 2, top - 1, widest.end + 2, bottom + 1))
    if bottom - top < 8 and box[3] - box[1] < 12:
        return None
    # A lone rule may lie under a few columns only.
    free = _unruled(page, caption, side) if bottom - top < 8 else None
    if free is not None and (free.box[0] < box[0] - 8 or free.box[2] > box[2] + 8):
        return free
    return Region(box, abs(_beyond(box[1] if side == "below" else box[3], edge, side)))


def _with_parts(page: PageLayout, caption: FoundCaption, first: Rule, last: Rule, side: Side) -> tuple[Rule, Rule]:
    """The last rule of further parts "(b) …" with the same middle, beyond the last one, and the widest extent."""
    widest = first
    middle = (first.start + first.end) / 2
    titles = [line for line in page.lines if line.upright and _PART.match(line.text)]
    rules = [
        rule
        for rule in page.drawings.horizontal
        if rule.length > 30 and abs((rule.start + rule.end) / 2 - middle) < 8 and _beyond(rule.at, last.at, side) > 0.5
    ]
    for head in sorted(rules, key=lambda rule: _beyond(rule.at, last.at, side)):
        if _beyond(head.at, last.at, side) <= 0.5 or _beyond(head.at, last.at, side) > _PART_GAP:
            continue
        low, high = sorted((head.at, last.at))
        between = [
            line for line in page.lines if low < line.base < high and first.start < sum(line.box[::2]) / 2 < first.end
        ]
        if not any(line in titles for line in between) or len(between) > 2:
            return last, widest
        again = [r for r in rules if _same_extent(r, head) and _beyond(r.at, head.at, side) > 0.5]
        end = head
        for rule in sorted(again, key=lambda rule: _beyond(rule.at, last.at, side)):
            if _blocked(page, caption, end.at, rule.at, head) or any(
                min(end.at, rule.at) < line.base < max(end.at, rule.at) for line in titles
            ):
                break
            end = rule
        if end is head:
            return last, widest
        last, widest = end, max(widest, head, key=lambda rule: rule.length)
    return last, widest


def _beside(page: PageLayout, caption: FoundCaption, rules: Sequence[Rule], side: Side) -> list[Rule]:
    """Rules of tables that stand beside one another under one caption, each line of rules as one; empty when none do.

    They do when the nearest rule and others apart from it each come again with the same extent, and all begin or all
    end at one height.
    """
    left, right = _zone(page, caption)
    edge = _edge(caption, side)
    here = [rule for rule in rules if rule.start > left - 12 and rule.end < right + 12]
    nearest = min(here, key=lambda rule: _beyond(rule.at, edge, side), default=None)
    if nearest is None or _beyond(nearest.at, edge, side) >= _FAR:
        return []
    alike = _alike(nearest, here)
    level = [r for r in here if any(abs(r.at - end) < 1.5 for end in (alike[0].at, alike[-1].at))]
    heads = [nearest]
    for rule in level:
        if all(rule.start > head.end or rule.end < head.start for head in heads):
            heads.append(rule)
    heads.sort(key=lambda rule: rule.start)
    if len(heads) < 2:
        return []
    for head in heads:
        crossing = [r for r in here if r.start < head.start - 3 < r.end or r.start < head.end + 3 < r.end]
        if len(_alike(head, here)) < 2 or any(_beyond(r.at, edge, side) < _FAR + 60 for r in crossing):
            return []
    ends = [rule for head in heads for rule in _alike(head, here)]
    return [Rule(rule.at, heads[0].start, heads[-1].end) for rule in ends]


def _alike(rule: Rule, rules: Sequence[Rule]) -> list[Rule]:
    """The rules of the same extent, sorted by height as all rules are; the rule itself among them."""
    return [other for other in rules if abs(other.start - rule.start) < 3 and abs(other.end - rule.end) < 3]


def _aligned(rule: Rule, box: BBox, columns: Columns) -> bool:
    left, right = columns.zone(box)
    middle, center = (rule.start + rule.end) / 2, (box[0] + box[2]) / 2
    inside = rule.start - 3 <= center <= rule.end + 3 or box[0] - 3 <= middle <= box[2] + 3
    overlap = min(rule.end, box[2]) - max(rule.start, box[0])
    return (inside or overlap > 0.6 * min(rule.length, box[2] - box[0])) and (rule.start < right and rule.end > left)


def _same_extent(rule: Rule, first: Rule) -> bool:
    if abs(rule.start - first.start) < 4 and abs(rule.end - first.end) < 4:
        return True
    inside = rule.start > first.start - 4 and rule.end < first.end + 4
    return inside and rule.length > _FULL * first.length


def _blocked(page: PageLayout, caption: FoundCaption, start: float, end: float, rule: Rule) -> bool:
    """Whether something between two heights cannot stand inside one table."""
    low, high = sorted((start, end))
    for other in page.captions:
        middle = (other.box[1] + other.box[3]) / 2
        if other != caption and low < middle < high and min(other.box[2], rule.end) - max(other.box[0], rule.start) > 0:
            return True
    long_rows = 0
    for line in page.lines:
        middle = (line.box[1] + line.box[3]) / 2
        if not (low < middle < high) or min(line.box[2], rule.end) - max(line.box[0], rule.start) <= 0:
            continue
        words = len(line.pieces)
        if words >= 6 and (line.box[0] < rule.start - 8 or line.box[2] > rule.end + 8):
            return True
        if re.match(r"Algorithm\s+\d", line.text):
            return True
        long_rows += words >= 7 and line.box[2] - line.box[0] > 0.8 * rule.length and line.size > 0.85 * page.body
    crossing = any(v.start < high and v.end > low and rule.start < v.at < rule.end for v in page.drawings.vertical)
    return long_rows >= 3 and not crossing


def _extended(page: PageLayout, caption: FoundCaption, box: BBox) -> BBox:
    """Take in tabular rows that stand directly outside the first or last rule, and turned heads above the first."""
    inside = [line for line in page.lines if contains_center(box, line.box)]
    for side in ("above", "below"):
        rows = _rows(page, caption, box, side)
        edge = box[1] if side == "above" else box[3]
        for row in rows:
            top, bottom = min(line.box[1] for line in row), max(line.box[3] for line in row)
            distance = edge - bottom if side == "above" else top - edge
            going_on = side == "above" or not inside or _numeric_row(row) or _is_crossed(row, page, box)
            if distance > 9 or not (_tabular(row) or _numeric_row(row)) or not going_on:
                break
            if any(line.box[0] < box[0] - 12 or line.box[2] > box[2] + 12 for line in row):
                break
            box = union([box, *(line.box for line in row)])
            edge = box[1] if side == "above" else box[3]
    heads = [
        line.box
        for line in page.lines
        if not line.upright
        and (line.box[0] > box[0] - 3 and line.box[2] < box[2] + 3)
        and -3 < box[1] - line.box[3] < 9
    ]
    return union([box, *heads]) if len(heads) >= 2 else box


def _is_crossed(row: Sequence[Line], page: PageLayout, box: BBox) -> bool:
    """Whether a rule between the columns of a table crosses a row outside of it."""
    middle = (row[0].box[1] + row[0].box[3]) / 2
    return any(box[0] + 3 < v.at < box[2] - 3 and v.start < middle < v.end for v in page.drawings.vertical)


def _numeric_row(row: Sequence[Line]) -> bool:
    chunks = [chunk for line in row for chunk in split_line(line.pieces, 0.5)]
    values = sum(bool(re.match(r"[−–+-]?\.?\d", chunk.text)) for chunk in chunks)
    return values >= 2 and 2 * values >= len(chunks)


def _rows(page: PageLayout, caption: FoundCaption, box: BBox, side: Side) -> list[list[Line]]:
    """Rows of lines beyond a box on one side, nearest first."""
    left, right = box[0], box[2]
    chosen = [
        line
        for line in page.lines
        if line.upright
        and min(line.box[2], right) - max(line.box[0], left) > 0
        and (line.box[1] > box[3] - 3 if side == "below" else line.box[3] < box[1] + 3)
        and not any(contains_center(other.box, line.box) for other in page.captions)
        and not contains_center(caption.box, line.box)
    ]
    chosen.sort(key=lambda line: line.base, reverse=side == "above")
    rows: list[list[Line]] = []
    for line in chosen:
        if rows and abs(line.base - rows[-1][0].base) < 0.35 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _tabular(row: Sequence[Line]) -> bool:
    """At least two separate short texts."""
    chunks = [chunk for line in row for chunk in split_line(line.pieces, 0.8)]
    return len(chunks) >= 2 and max(len(chunk.pieces) for chunk in chunks) < 9


def _unruled(page: PageLayout, caption: FoundCaption, side: Side) -> Region | None:
    """Rows that look tabular, going away from the caption until text, a heading or a wide gap."""
    left, right = _zone(page, caption)
    edge = _edge(caption, side)
    taken: list[Line] = []
    pending: list[Line] = []
    tabular = 0
    for row in _rows(page, caption, (left, caption.box[1], right, caption.box[3]), side):
        top, bottom = min(line.box[1] for line in row), max(line.box[3] for line in row)
        distance = top - edge if side == "below" else edge - bottom
        if distance > (32 if not taken and not pending else 2.6 * row[0].size):
            break
        captions = [other for other in page.captions if other != caption]
        if any(_between(other.box, edge, top if side == "below" else bottom, left, right) for other in captions):
            break
        if _tabular(row):
            taken += [*pending, *row]
            pending = []
            tabular += 1
        elif len(pending) < 2 and max(len(line.pieces) for line in row) <= 6:
            pending += row
        else:
            break
        edge = bottom if side == "below" else top
    numeric = sum(any(c.isdigit() for c in line.text) for line in taken)
    if tabular < 2 or numeric < 2:
        return None
    box = union(line.box for line in taken)
    return Region(
        (box[0] - 1, box[1] - 1, box[2] + 1, box[3] + 1),
        abs(_beyond(box[1] if side == "below" else box[3], _edge(caption, side), side)),
    )


def _between(box: BBox, start: float, end: float, left: float, right: float) -> bool:
    low, high = sorted((start, end))
    return low - 1 < (box[1] + box[3]) / 2 < high + 1 and min(box[2], right) - max(box[0], left) > 0


def _zone(page: PageLayout, caption: FoundCaption) -> tuple[float, float]:
    """Left and right edge of where a caption's table may stand: its column, less what other text beside it takes."""
    left, right = page.columns.zone(caption.box)
    others = [other.box for other in page.captions if other != caption]
    for box in [*others, *(line.box for line in page.lines if line.upright and len(line.pieces) >= _RUNNING)]:
        if min(box[3], caption.box[3]) - max(box[1], caption.box[1]) <= 0 or horizontal_overlap(box, caption.box) >= 0:
            continue
        middle = (max(box[0], caption.box[0]) + min(box[2], caption.box[2])) / 2
        left, right = (left, min(right, middle)) if caption.box[0] < box[0] else (max(left, middle), right)
    return left, right
