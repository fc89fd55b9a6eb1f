"""Finds the area of each figure beside its caption, its panels and words, and renders it to PNG."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from reproducegym.parsing.boxes import contains_center, height, intersects, union, width
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.captions import FoundCaption
from reproducegym.parsing.pages.drawings import clusters
from reproducegym.parsing.pages.page_text import Line
from reproducegym.parsing.pages.pictures import png_of
from reproducegym.parsing.tables.regions import PageLayout
from reproducegym.schema.base import BBox

__all__ = ["IMAGE_MARGIN", "FoundFigure", "find_figure", "render"]

IMAGE_MARGIN = 2.0
"""Points of page that the image of a figure shows around it."""
_DPI = 150
_MAX_PIXELS = 4_000_000
_BACKGROUND_LINES = 4
_SUB_CAPTION = re.compile(r"\([a-z]\)")


@dataclass(frozen=True, slots=True)
class FoundFigure:
    """The area of a figure and how it is drawn; `parts` are its separate graphics."""

    box: BBox
    source: Literal["vector", "raster", "mixed"]
    parts: tuple[BBox, ...]


def find_figure(page: PageLayout, caption: FoundCaption, occupied: Sequence[BBox]) -> FoundFigure | None:
    """The graphics above the caption (below it when there are none), up to text, another caption or a table."""
    for above in (True, False):
        found = _on_side(page, caption, occupied, above=above)
        if found is not None:
            return found
    return None


def _on_side(page: PageLayout, caption: FoundCaption, occupied: Sequence[BBox], *, above: bool) -> FoundFigure | None:
    left, right = _zone(page, caption)
    limit = _limit(page, caption, occupied, left, right, above=above)
    low, high = (limit, caption.box[1] + 2) if above else (caption.box[3] - 2, limit)

    def inside(box: BBox) -> bool:
        return low - 1 <= (box[1] + box[3]) / 2 <= high and left - 6 <= (box[0] + box[2]) / 2 <= right + 6

    free = [box for box in page.drawings.vectors if inside(box) and not any(intersects(box, o) for o in occupied)]
    vectors = [box for box in free if not _is_background(page, box)]
    images = [box for box in page.drawings.images if inside(box) and width(box) > 8 and height(box) > 8]
    shapes = _without_rules([*vectors, *images])
    if not shapes or (height(union(shapes)) < 15 and not images):
        return None
    labels = [line.box for line in page.lines if inside(line.box) and not _is_text(page, line)]
    box = _with_sub_captions(_with_labels(union(shapes), labels), [line for line in page.lines if inside(line.box)])
    box = (box[0], max(box[1], low), box[2], min(box[3], high) if above else box[3])
    if width(box) < 20 or height(box) < 15:
        return None
    area = sum(width(b) * height(b) for b in images)
    source: Literal["vector", "raster", "mixed"] = "vector"
    if images:
        source = "raster" if area > 0.6 * width(box) * height(box) or not vectors else "mixed"
    return FoundFigure(
        box, source, tuple(_within(part, box) for part in clusters(shapes, 4.0) if intersects(part, box))
    )


def _within(part: BBox, box: BBox) -> BBox:
    return (max(part[0], box[0]), max(part[1], box[1]), min(part[2], box[2]), min(part[3], box[3]))


def _with_sub_captions(box: BBox, lines: Sequence[Line]) -> BBox:
    """The graphics with the lines between them and the caption if those begin with "(a)"."""
    under = [line for line in lines if line.upright and line.box[1] > box[3] - 2]
    if not any(_SUB_CAPTION.match(line.text) for line in under):
        return box
    return union([box, *(line.box for line in under)])


def _without_rules(shapes: Sequence[BBox]) -> list[BBox]:
    """Shapes but for long flat ones that stand apart, such as the rule under a running head, if others are left."""
    flat = [group for group in clusters(shapes, 20.0) if height(group) < 3 and width(group) > 150]
    kept = [shape for shape in shapes if not any(contains_center(group, shape) for group in flat)]
    return kept or list(shapes)


def _with_labels(box: BBox, labels: Sequence[BBox]) -> BBox:
    """The graphics with the labels beside them and those close above or below, until nothing more is near."""
    left = list(labels)
    grown = True
    while grown:
        grown = False
        for label in list(left):
            middle = (label[1] + label[3]) / 2
            beside = box[1] - 4 < middle < box[3] + 4
            close = (box[0] - 14, box[1] - 14, box[2] + 14, box[3] + 14)
            # Slanted names of categories begin at the axis; their middle may be far below it.
            touches = (
                close[0] <= (label[0] + label[2]) / 2 <= close[2] and label[1] < box[3] + 4 and label[3] > box[1] - 4
            )
            if beside or touches or contains_center(close, label):
                box = union((box, label))
                left.remove(label)
                grown = True
    return box


def _zone(page: PageLayout, caption: FoundCaption) -> tuple[float, float]:
    """The column of the caption, cut off at captions beside it."""
    left, right = page.columns.zone(caption.box)
    for other in page.captions:
        beside = min(other.box[3], caption.box[3]) - max(other.box[1], caption.box[1]) > 0
        if other == caption or not beside:
            continue
        if other.box[0] >= caption.box[2]:
            right = min(right, (other.box[0] + caption.box[2]) / 2)
        elif other.box[2] <= caption.box[0]:
            left = max(left, (other.box[2] + caption.box[0]) / 2)
    return left, right


def _is_text(page: PageLayout, line: Line) -> bool:
    """A line of running text rather than a label of a figure."""
    left, right = page.columns.zone(line.box)
    wide = line.box[2] - line.box[0] > 0.55 * (right - left)
    return line.upright and abs(line.size - page.body) < 0.8 and len(line.pieces) >= 5 and wide


def _is_background(page: PageLayout, box: BBox) -> bool:
    """A box drawn behind running text, such as that of an abstract."""
    if height(box) < 30:
        return False
    return sum(_is_text(page, line) and contains_center(box, line.box) for line in page.lines) >= _BACKGROUND_LINES


def _limit(
    page: PageLayout, caption: FoundCaption, occupied: Sequence[BBox], left: float, right: float, *, above: bool
) -> float:
    """Where the nearest thing that is no part of the figure ends."""
    limit = 0.0 if above else 1e6
    own = [line for line in page.lines if _is_text(page, line) and line.box[0] < right and line.box[2] > left]
    large = [*page.drawings.images, *(b for b in page.drawings.vectors if height(b) > 40 and width(b) > 40)]
    graphics = [box for box in large if not _is_background(page, box)]
    walls = [line.box for line in own if not any(contains_center(g, line.box) for g in graphics)]
    walls += [other.box for other in page.captions if other != caption]
    walls += list(occupied)
    for box in walls:
        shared = min(box[2], caption.box[2]) - max(box[0], caption.box[0])
        if shared <= 0.3 * min(width(box), width(caption.box)):
            continue
        if above and box[3] <= caption.box[1] + 2:
            limit = max(limit, box[3])
        elif not above and box[1] >= caption.box[3] - 2:
            limit = min(limit, box[1])
    return limit


def render(page: pymupdf.Page, box: BBox) -> bytes:
    """PNG of an area of a page, of 150 dots an inch but at most four million in all."""
    margin = (-IMAGE_MARGIN, -IMAGE_MARGIN, IMAGE_MARGIN, IMAGE_MARGIN)
    clip = (pymupdf.Rect(box) + margin) & page.rect
    return png_of(page, clip, dots=_DPI, most=_MAX_PIXELS)
