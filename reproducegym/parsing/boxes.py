"""Boxes on a page, in points with the origin at the top left, and the arithmetic on them."""

from collections.abc import Iterable

from reproducegym.schema.base import BBox

__all__ = [
    "contains_center",
    "height",
    "horizontal_overlap",
    "intersects",
    "rounded",
    "union",
    "vertical_overlap",
    "width",
]


def width(box: BBox) -> float:
    """Horizontal size."""
    return box[2] - box[0]


def height(box: BBox) -> float:
    """Vertical size."""
    return box[3] - box[1]


def union(boxes: Iterable[BBox]) -> BBox:
    """The smallest box around all; at least one must be given."""
    every = list(boxes)
    return (
        min(box[0] for box in every),
        min(box[1] for box in every),
        max(box[2] for box in every),
        max(box[3] for box in every),
    )


def rounded(box: BBox) -> BBox:
    """Two decimals, rounded outwards, so that a rounded box still holds what it held."""
    return (
        _floor(box[0]),
        _floor(box[1]),
        -_floor(-box[2]),
        -_floor(-box[3]),
    )


def _floor(value: float) -> float:
    nearest = round(value, 2)
    return round(nearest - 0.01, 2) if nearest > value else nearest


def horizontal_overlap(first: BBox, second: BBox) -> float:
    """Length that both cover on the x axis; negative is the distance between them."""
    return min(first[2], second[2]) - max(first[0], second[0])


def vertical_overlap(first: BBox, second: BBox) -> float:
    """Length that both cover on the y axis; negative is the distance between them."""
    return min(first[3], second[3]) - max(first[1], second[1])


def intersects(first: BBox, second: BBox) -> bool:
    """Whether they share an area."""
    return horizontal_overlap(first, second) > 0 and vertical_overlap(first, second) > 0


def contains_center(outer: BBox, inner: BBox) -> bool:
    """Whether the middle of the inner box lies in the outer one."""
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
