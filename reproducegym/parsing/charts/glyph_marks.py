"""Markers set as text: R draws its dots as the circle of the font ZapfDingbats."""

import math
from typing import TypedDict, cast

from reproducegym.parsing.charts.strokes import Point, Stroke
from reproducegym.parsing.mupdf import pymupdf

__all__ = ["glyph_marks", "is_mark_font"]

_FONT = "dingbats"
# The circle's glyph is called a71, which MuPDF takes for the number of a character.
_CIRCLES = frozenset((chr(71), "●"))
# Where R puts the circle's middle from the glyph's origin, and its radius, in em.
_MIDDLE = (0.396, 0.347)
_RADIUS = 0.378
_CORNERS = 16
_FIRST_ORDER = 1_000_000_000
_MOST = 20_000


class _Char(TypedDict):
    c: str
    origin: tuple[float, float]


class _Span(TypedDict):
    font: str
    size: float
    color: int
    chars: list[_Char]


class _Line(TypedDict):
    spans: list[_Span]


class _Block(TypedDict):
    lines: list[_Line]


def is_mark_font(name: str) -> bool:
    """Whether a font holds signs that charts use as markers, and no words."""
    return _FONT in name.lower()


def glyph_marks(page: pymupdf.Page) -> list[Stroke]:
    """The page's circles that are text, as filled paths after all that is drawn; at most 20,000."""
    if not any(is_mark_font(str(font[3])) for font in page.get_fonts()):
        return []
    text = page.get_text("rawdict", flags=pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP)
    blocks = cast("list[_Block]", text["blocks"])
    spans = [span for block in blocks for line in block.get("lines", []) for span in line["spans"]]
    circles = [
        (char["origin"], span["size"], f"#{span['color'] & 0xFFFFFF:06x}")
        for span in spans
        if is_mark_font(span["font"])
        for char in span["chars"]
        if char["c"] in _CIRCLES
    ]
    return [_circle(_FIRST_ORDER + i, *circle) for i, circle in enumerate(circles[:_MOST])]


def _circle(order: int, origin: Point, size: float, colour: str) -> Stroke:
    x, y, radius = origin[0] + _MIDDLE[0] * size, origin[1] - _MIDDLE[1] * size, _RADIUS * size
    turns = (2 * math.pi * k / _CORNERS for k in range(_CORNERS))
    ring = tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)
    box = (x - radius, y - radius, x + radius, y + radius)
    return Stroke(
        order=order,
        lines=((*ring, ring[0]),),
        box=box,
        colour=None,
        fill=colour,
        width=0.0,
        dash=None,
        opacity=1.0,
        clip=box,
        curved=True,
        closed=True,
    )
