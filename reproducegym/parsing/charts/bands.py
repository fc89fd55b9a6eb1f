"""Shaded bands around curves and error bars at points, in points on the page, and the series that they belong to."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reproducegym.parsing.charts.strokes import Point, Polyline, Stroke
from reproducegym.schema.base import BBox

__all__ = ["Extent", "ShadedBand", "Whisker", "band_around", "find_bands", "find_whiskers", "whiskers_at"]

_STRAIGHT = 0.05
_BACKWARDS = 0.06
_AT = 0.35
_CONTAINS = 0.9
_MOST = 0.6
_FLAT = 0.3
_LEAST_CORNERS = 5


@dataclass(frozen=True, slots=True)
class Extent:
    """From where to where a band or error bar reaches at one place; `low` is the smaller coordinate on the page."""

    at: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ShadedBand:
    """A filled shape between a lower and an upper outline, by its corners from left to right."""

    colour: str
    opacity: float
    extents: tuple[Extent, ...]
    order: int

    def over(self, x: float) -> Extent | None:
        """Its extent at a place, between corners by a straight line; None outside of it."""
        if not self.extents[0].at - _AT <= x <= self.extents[-1].at + _AT:
            return None
        after = min(bisect_left(self.extents, x, key=lambda extent: extent.at), len(self.extents) - 1)
        a, b = self.extents[max(after - 1, 0)], self.extents[after]
        share = min(max((x - a.at) / (b.at - a.at), 0.0), 1.0) if b.at > a.at else 1.0
        return Extent(x, a.low + share * (b.low - a.low), a.high + share * (b.high - a.high))


@dataclass(frozen=True, slots=True)
class Whisker:
    """A straight upright (or `level`) stroke that may be an error bar."""

    level: bool
    extent: Extent
    colour: str
    order: int


def find_bands(box: BBox, data: Iterable[Stroke]) -> list[ShadedBand]:
    """The filled shapes that have one lower and one upper end at each x, cut to the box."""
    found = []
    for stroke in data:
        if stroke.fill is None or stroke.curved:
            continue
        for line in stroke.lines:
            extents = _extents(line) if len(line) > _LEAST_CORNERS else None
            cut = _cut(box, extents) if extents is not None else []
            if len(cut) >= 2:
                found.append(ShadedBand(stroke.fill, stroke.opacity, tuple(cut), stroke.order))
    return found


def _extents(ring: Polyline) -> list[Extent] | None:
    """Lower and upper end at each corner's x; None where the ring turns back more than twice."""
    corners = list(ring[:-1]) if ring[0] == ring[-1] else list(ring)
    first = min(range(len(corners)), key=lambda i: corners[i][0])
    turned = corners[first:] + corners[:first]
    last = max(range(len(turned)), key=lambda i: turned[i][0])
    there, back = turned[: last + 1], [*turned[last:], turned[0]][::-1]
    if any(b[0] < a[0] - _BACKWARDS for way in (there, back) for a, b in itertools.pairwise(way)):
        return None
    if turned[last][0] - turned[0][0] < 1.0:
        return None
    ways = [([x for x, _ in way], way) for way in (there, back)]
    extents: list[Extent] = []
    for x in sorted({round(x, 2) for x, _ in corners}):
        ys = [y for places, way in ways for y in _heights(x, places, way)]
        extents.append(Extent(x, min(ys), max(ys)))
    return extents


def _heights(x: float, places: Sequence[float], way: Sequence[Point]) -> list[float]:
    """The y of a way from left to right at one x: of its corners there, else between two of them."""
    low, high = bisect_left(places, x - 0.006), bisect_right(places, x + 0.006)
    if low < high:
        return [y for _, y in way[low:high]]
    after = min(max(low, 1), len(way) - 1)
    (ax, ay), (bx, by) = way[after - 1], way[after]
    share = min(max((x - ax) / (bx - ax), 0.0), 1.0) if bx != ax else 1.0
    return [ay + share * (by - ay)]


def _cut(box: BBox, extents: Sequence[Extent]) -> list[Extent]:
    """What shows of them in the box, ends outside of it moved to its edge."""
    x0, y0, x1, y1 = box
    return [
        Extent(one.at, min(max(one.low, y0), y1), min(max(one.high, y0), y1))
        for one in extents
        if x0 - _AT <= one.at <= x1 + _AT
    ]


def band_around(spots: Sequence[Point], colour: str, bands: Sequence[ShadedBand]) -> ShadedBand | None:
    """The band of the series' colour that holds it, else of a tint of it; a filling from a curve to a line is none."""
    held = [band for band in bands if _holds(band, spots) and not _is_filling(band, spots)]
    own = [band for band in held if band.colour == colour]
    tinted = [band for band in held if _is_tint(band.colour, colour)]
    for choice in (own, tinted):
        if len(choice) == 1 or (choice and choice is own):
            return max(choice, key=lambda band: len(band.extents))
    return None


def _holds(band: ShadedBand, spots: Sequence[Point]) -> bool:
    over = [(extent, y) for x, y in spots if (extent := band.over(x)) is not None]
    inside = sum(extent.low - _AT <= y <= extent.high + _AT for extent, y in over)
    return len(over) >= _MOST * len(spots) and inside >= _CONTAINS * len(over)


def _is_filling(band: ShadedBand, spots: Sequence[Point]) -> bool:
    """Whether the curve is one outline of it and the other is level."""
    over = [(extent, y) for x, y in spots if (extent := band.over(x)) is not None]
    for edge in (0, 1):
        on_edge = all(abs(y - (e.low, e.high)[edge]) < _FLAT for e, y in over)
        other = [(e.high, e.low)[edge] for e, _ in over]
        if on_edge and max(other) - min(other) < _FLAT:
            return True
    return False


def _is_tint(light: str, colour: str) -> bool:
    """Whether the first is the second mixed with white."""
    parts = [(int(light[i : i + 2], 16), int(colour[i : i + 2], 16)) for i in (1, 3, 5)]
    deep = max(parts, key=lambda part: 255 - part[1])
    if deep[1] == 255:
        return False
    share = (255 - deep[0]) / (255 - deep[1])
    return 0.05 < share <= 1.02 and all(abs(255 - share * (255 - full) - tint) <= 6 for tint, full in parts)


def find_whiskers(data: Iterable[Stroke]) -> list[Whisker]:
    """Every straight upright or level piece of the paths that consist of such pieces only, caps and all."""
    found = []
    for stroke in data:
        if stroke.colour is None or stroke.fill is not None or stroke.curved or len(stroke.lines) > 400:
            continue
        pieces = [pair for line in stroke.lines for pair in itertools.pairwise(line)]
        if len(pieces) > 6 * len(stroke.lines):
            continue
        for a, b in pieces:
            if abs(a[0] - b[0]) < _STRAIGHT and a[1] != b[1]:
                extent = Extent(a[0], min(a[1], b[1]), max(a[1], b[1]))
                found.append(Whisker(False, extent, stroke.colour, stroke.order))
            elif abs(a[1] - b[1]) < _STRAIGHT and a[0] != b[0]:
                extent = Extent(a[1], min(a[0], b[0]), max(a[0], b[0]))
                found.append(Whisker(True, extent, stroke.colour, stroke.order))
    return found


def whiskers_at(
    spots: Sequence[Point], colour: str | None, whiskers: Sequence[Whisker], *, level: bool = False
) -> list[Whisker]:
    """The whisker through each spot, if most spots have one; those of one colour with the spots before others.

    `level` ones are looked for at the y of the spots. Of several at one spot the longest counts.
    """
    found: list[Whisker] = []
    able = [one for one in whiskers if one.level == level and (colour is None or one.colour == colour)]
    for x, y in spots:
        at, along = (y, x) if level else (x, y)
        here = [
            one
            for one in able
            if abs(one.extent.at - at) < _AT and one.extent.low - _AT <= along <= one.extent.high + _AT
        ]
        if here:
            found.append(max(here, key=lambda one: one.extent.high - one.extent.low))
    return found if len(found) > _MOST * len(spots) else []
