"""A plot area drawn stroke by stroke as PDF commands, the way programs other than matplotlib draw."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import matplotlib
import pymupdf

from .truth import Drawing, Kind, Point, TrueAxis, TrueChart, TrueLine, TrueSeries

Colour = tuple[float, float, float]

BLACK: Colour = (0, 0, 0)
WHITE: Colour = (1, 1, 1)
_STIX = Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "STIXGeneral.ttf"


class Canvas:
    """A page of its own with one plot area; points are given in data units, lengths in points."""

    def __init__(
        self, size: tuple[float, float], area: tuple[float, float, float, float], x: TrueAxis, y: TrueAxis, *, font: str
    ) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=size[0], height=size[1])
        self.size, self.area, self.x, self.y = size, area, x, y
        self.series: list[TrueSeries] = []
        self.lines: list[TrueLine] = []
        self.font = pymupdf.Font(fontfile=str(_STIX)) if font == "stix" else pymupdf.Font(font)
        self.font_name = "F0" if font == "stix" else font
        if font == "stix":
            self.page.insert_font(fontname="F0", fontfile=str(_STIX))

    def at(self, x: float, y: float) -> pymupdf.Point:
        """The place on the page of a point in data units."""
        x0, y0, x1, y1 = self.area
        return pymupdf.Point(x0 + self.x.place(x) * (x1 - x0), y1 - self.y.place(y) * (y1 - y0))

    def stroke(
        self,
        points: Sequence[tuple[float, float]],
        colour: Colour = BLACK,
        width: float = 0.4,
        *,
        dash: str | None = None,
        fill: Colour | None = None,
        closed: bool = False,
    ) -> None:
        """A path in page points."""
        shape = self.page.new_shape()
        shape.draw_polyline([pymupdf.Point(point) for point in points])
        shape.finish(color=colour, width=width, dashes=dash, fill=fill, closePath=closed)
        shape.commit()

    def box(
        self, box: tuple[float, float, float, float], colour: Colour | None, fill: Colour | None = None, w: float = 0.4
    ) -> None:
        """A rectangle in page points."""
        shape = self.page.new_shape()
        shape.draw_rect(pymupdf.Rect(box))
        shape.finish(color=colour, fill=fill, width=w)
        shape.commit()

    def disc(self, x: float, y: float, radius: float, colour: Colour, *, fill: Colour | None = None) -> None:
        """A circle in page points."""
        shape = self.page.new_shape()
        shape.draw_circle(pymupdf.Point(x, y), radius)
        shape.finish(color=colour, fill=fill, width=0.4)
        shape.commit()

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float = 8,
        *,
        align: Literal["left", "center", "right"] = "left",
        turned: bool = False,
    ) -> None:
        """Words whose baseline starts, is centred or ends at the place; turned ones read upwards."""
        long = self.font.text_length(words, fontsize=size)
        shift = {"left": 0.0, "center": long / 2, "right": long}[align]
        place = (x, y + shift) if turned else (x - shift, y)
        self.page.insert_text(place, words, fontsize=size, fontname=self.font_name, rotate=90 if turned else 0)

    def x_labels(
        self,
        ticks: Sequence[float],
        *,
        spell: Callable[[float], str],
        tick: float,
        gap: float = 10,
        colour: Colour = BLACK,
    ) -> None:
        """Ticks below (inside when negative) and labels under the plot area."""
        for value in ticks:
            x = self.at(value, self.y.low).x
            self.stroke([(x, self.area[3]), (x, self.area[3] + tick)], colour)
            self.text(x, self.area[3] + gap, spell(value), align="center")

    def y_labels(
        self,
        ticks: Sequence[float],
        *,
        spell: Callable[[float], str],
        tick: float,
        gap: float = 4,
        colour: Colour = BLACK,
    ) -> None:
        """Ticks left of the plot area (inside when negative) and labels."""
        for value in ticks:
            y = self.at(self.x.low, value).y
            self.stroke([(self.area[0], y), (self.area[0] - tick, y)], colour)
            self.text(self.area[0] - gap, y + 2.8, spell(value), align="right")

    def note(
        self,
        name: str | None,
        kind: Kind,
        points: Sequence[Point],
        *,
        by_point: bool = True,
        texts: Sequence[str] = (),
        band: Sequence[tuple[float, float, float]] = (),
    ) -> None:
        """Write a series down."""
        self.series.append(TrueSeries((name,), kind, tuple(points), by_point, "left", tuple(band), tuple(texts)))

    def finished(self, traits: Sequence[str]) -> Drawing:
        """The page with its truth."""
        chart = TrueChart(self.area, self.x, self.y, None, tuple(self.series), tuple(self.lines))
        self.document.set_metadata({})
        pdf = self.document.tobytes(garbage=3, deflate=True, no_new_id=True)
        return Drawing(pdf, self.size, (chart,), tuple(traits))


def plain(value: float) -> str:
    """A tick's number with the minus sign of mathematics."""
    return f"{value:g}".replace("-", "\u2212")


def ascii_plain(value: float) -> str:
    """A tick's number with a hyphen."""
    return f"{value:g}"
