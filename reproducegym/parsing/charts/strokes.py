"""The vector paths of a page as polylines with style, drawing order and the box that clips them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NotRequired, TypedDict, cast

from reproducegym.parsing.mupdf import pymupdf
from reproducegym.schema.base import BBox

__all__ = ["Point", "Polyline", "Stroke", "Strokes", "read_strokes"]

Point = tuple[float, float]
Polyline = tuple[Point, ...]
_Colour = tuple[float, ...]

_MAX_ITEMS = 400_000
_MAX_PATHS = 40_000
_CURVE_STEPS = 8
_SMALL_CURVE = 4.0
_JOINED = 0.01


class _Drawing(TypedDict):
    """What PyMuPDF says of a path, clip or group; the last two have no style."""

    type: str
    level: int
    items: NotRequired[list[tuple[object, ...]]]
    scissor: NotRequired[tuple[float, float, float, float]]
    rect: NotRequired[tuple[float, float, float, float]]
    color: NotRequired[_Colour | None]
    fill: NotRequired[_Colour | None]
    width: NotRequired[float | None]
    dashes: NotRequired[str | None]
    stroke_opacity: NotRequired[float | None]
    fill_opacity: NotRequired[float | None]
    closePath: NotRequired[bool | None]


@dataclass(frozen=True, slots=True)
class Stroke:
    """One path as drawn, in points; `order` counts what was drawn before it. `colour` or `fill` is None where not used.

    `lines` are its sub-paths; `curved` says that Bézier curves were made into polylines, `closed` that it ends where
    it began. `dash` holds the lengths of dashes and gaps, None for a solid line. `clip` is the box outside of which
    nothing of it shows.
    """

    order: int
    lines: tuple[Polyline, ...]
    box: BBox
    colour: str | None
    fill: str | None
    width: float
    dash: str | None
    opacity: float
    clip: BBox | None
    curved: bool
    closed: bool

    @property
    def main_colour(self) -> str:
        """The colour it is seen in: a white filling or edge says nothing."""
        if self.fill is not None and self.fill != "#ffffff":
            return self.fill
        return self.colour or self.fill or "#000000"


@dataclass(frozen=True, slots=True)
class Strokes:
    """The paths of a page. `cut` says that the page holds more than we read."""

    paths: tuple[Stroke, ...]
    cut: bool


def read_strokes(page: pymupdf.Page) -> Strokes:
    """All paths of a page in drawing order; at most 40,000 of them, of 400,000 pieces."""
    paths: list[Stroke] = []
    clips: list[BBox | None] = []
    items = 0
    for order, drawing in enumerate(cast("list[_Drawing]", page.get_cdrawings(extended=True))):
        level = drawing["level"]
        del clips[level:]
        if drawing["type"] in ("clip", "group"):
            box = drawing.get("scissor") or drawing.get("rect")
            clips.append(_within(clips[-1] if clips else None, box))
            continue
        pieces = drawing.get("items", [])
        items += len(pieces)
        if items > _MAX_ITEMS or len(paths) >= _MAX_PATHS:
            return Strokes(tuple(paths), cut=True)
        stroke = _stroke(order, drawing, pieces, clips[-1] if clips else None)
        if stroke is not None:
            paths.append(stroke)
    return Strokes(tuple(paths), cut=False)


def _within(outer: BBox | None, box: tuple[float, float, float, float] | None) -> BBox | None:
    if box is None:
        return outer
    x0, y0, x1, y1 = box
    if outer is None:
        return (x0, y0, x1, y1)
    return (max(x0, outer[0]), max(y0, outer[1]), min(x1, outer[2]), min(y1, outer[3]))


def _stroke(order: int, drawing: _Drawing, items: Sequence[tuple[object, ...]], clip: BBox | None) -> Stroke | None:
    lines, curved = _polylines(items)
    if drawing.get("closePath"):
        lines = [line if line[0] == line[-1] else [*line, line[0]] for line in lines]
    points = [point for line in lines for point in line]
    if not points:
        return None
    kind = drawing["type"]
    colour = _hex(drawing.get("color")) if "s" in kind else None
    fill = _hex(drawing.get("fill")) if "f" in kind else None
    opacity = drawing.get("stroke_opacity") if fill is None else drawing.get("fill_opacity")
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Stroke(
        order=order,
        lines=tuple(tuple(line) for line in lines),
        box=(min(xs), min(ys), max(xs), max(ys)),
        colour=colour,
        fill=fill,
        width=drawing.get("width") or 0.0,
        dash=_dash(drawing.get("dashes")) if colour is not None else None,
        opacity=1.0 if opacity is None else round(opacity, 3),
        clip=clip,
        curved=curved,
        closed=len(lines) == 1 and len(lines[0]) > 2 and math.dist(lines[0][0], lines[0][-1]) < _JOINED,
    )


def _polylines(items: Sequence[tuple[object, ...]]) -> tuple[list[list[Point]], bool]:
    """Sub-paths as lists of points; a piece that doesn't begin where the last one ended begins a new one."""
    lines: list[list[Point]] = []
    curved = False
    for item in items:
        if item[0] == "re":
            x0, y0, x1, y1 = cast("tuple[float, float, float, float]", item[1])
            lines.append([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
            continue
        if item[0] == "qu":
            ul, ur, ll, lr = cast("tuple[Point, Point, Point, Point]", item[1])
            lines.append([ul, ur, lr, ll, ul])
            continue
        points = cast("tuple[Point, ...]", item[1:])
        if not lines or math.dist(lines[-1][-1], points[0]) > _JOINED:
            lines.append([points[0]])
        if item[0] == "c":
            curved = True
            lines[-1] += _flattened(points)
        else:
            lines[-1].append(points[1])
    return lines, curved


def _flattened(points: Sequence[Point]) -> list[Point]:
    """Points on a cubic Bézier curve after its first; a short one by its end alone."""
    a, b, c, d = points
    if math.dist(a, b) + math.dist(b, c) + math.dist(c, d) < _SMALL_CURVE:
        return [d]
    found = []
    for step in range(1, _CURVE_STEPS):
        t = step / _CURVE_STEPS
        u = 1 - t
        weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
        x, y = (sum(w * p[i] for w, p in zip(weights, (a, b, c, d), strict=True)) for i in (0, 1))
        found.append((x, y))
    return [*found, d]


def _hex(colour: _Colour | None) -> str | None:
    if not colour:
        return None
    if len(colour) == 1:
        colour = (*colour, *colour, *colour)
    return "#" + "".join(f"{round(255 * min(max(part, 0.0), 1.0)):02x}" for part in colour[:3])


def _dash(dashes: str | None) -> str | None:
    """The lengths in points; None where nothing is left out."""
    inside = (dashes or "").partition("[")[2].partition("]")[0].split()
    lengths = [round(float(length), 2) for length in inside]
    if len(lengths) % 2:
        lengths *= 2
    if not any(lengths[1::2]):
        return None
    return " ".join(f"{length:g}" for length in lengths)
