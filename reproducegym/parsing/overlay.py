"""Draws what was read onto the pages: boxes of tables, cells, figures, panels and axes, and the points of series.

| drawn | how |
| --- | --- |
| table, with its label; body, stub, header and group cells | dark blue; blue, green, orange, purple |
| figure, with its label; panels | dark red; pink, dashed |
| plot area and the ticks of its axes | teal |
| points, bands and reference lines of series | black rings filled with the series' colour; grey; dashed |
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from reproducegym.errors import MisuseError
from reproducegym.parsing.guard import Limits, Progress, read_in_child
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.opening import PDF_ERRORS, open_pdf
from reproducegym.parsing.pages.pictures import png_of
from reproducegym.parsing.pages.reading import seen_page
from reproducegym.schema.base import BBox
from reproducegym.schema.chart import Axis, Chart, Series
from reproducegym.schema.paper import Cell, Document, Place, Source, Table

__all__ = ["check_drawable", "overlay_pages"]

_DPI = 110
_MOST_PIXELS = 12_000_000
_MOST_RINGS = 200
_Colour = tuple[float, float, float]
_TABLE: _Colour = (0.0, 0.1, 0.5)
_FIGURE: _Colour = (0.6, 0.0, 0.0)
_PANEL: _Colour = (0.95, 0.3, 0.6)
_AXIS: _Colour = (0.0, 0.55, 0.55)
_GREY: _Colour = (0.4, 0.4, 0.4)
_BLACK: _Colour = (0.0, 0.0, 0.0)
_CELLS: tuple[tuple[str, _Colour], ...] = (
    ("body", (0.2, 0.5, 1.0)),
    ("stub", (0.1, 0.65, 0.2)),
    ("header", (1.0, 0.55, 0.0)),
    ("group", (0.6, 0.2, 0.8)),
)


@dataclass(frozen=True, slots=True)
class _PageScope:
    """A page of the open document, and what was read on it."""

    page: pymupdf.Page
    number: int
    document: Document
    charts: tuple[Chart, ...]


def check_drawable(source: Source) -> None:
    """Nothing, when the source has pages to draw on.

    Raises:
        MisuseError: it is no PDF.
    """
    if source.kind != "pdf":
        raise MisuseError(f"--overlay draws on the pages of a PDF, and {source.origin} is none; leave it out")


def overlay_pages(source: Source, document: Document, charts: Sequence[Chart]) -> dict[str, bytes]:
    """PNG images `page-001.png`, … of all pages on which something was found, drawn from what was read alone.

    Raises:
        MisuseError: the paper is no PDF.
        UnreadablePaperError: the PDF cannot be opened.
    """
    check_drawable(source)
    return read_in_child(partial(_drawn, source, document, tuple(charts)), source.origin, Limits())


def _drawn(source: Source, document: Document, charts: tuple[Chart, ...], progress: Progress) -> dict[str, bytes]:
    busy = {place.page for table in document.tables for place in _places(table)}
    busy |= {figure.page for figure in document.figures} | {chart.page for chart in charts}
    images = {}
    with open_pdf(source.content, source.origin) as opened:
        for number in sorted(busy - progress.lost.keys()):
            progress.at_page(number)
            try:
                page, _, _ = seen_page(opened, number)
                here = tuple(chart for chart in charts if chart.page == number)
                images[f"page-{number:03d}.png"] = _image(_PageScope(page, number, document, here))
            except PDF_ERRORS:  # a page that MuPDF cannot draw has no image
                continue
    return images


def _image(scope: _PageScope) -> bytes:
    _draw_tables(scope)
    _draw_figures(scope)
    for chart in scope.charts:
        _draw_chart(scope.page, chart)
    return png_of(scope.page, scope.page.rect, dots=_DPI, most=_MOST_PIXELS)


def _draw_tables(scope: _PageScope) -> None:
    tables = scope.document.tables
    cells = [cell for table in tables for cell in table.cells if cell.page == scope.number and cell.text]
    for kind, colour in _CELLS:
        _boxes(scope.page, _boxes_of(cells, kind), colour, width=0.5, fill=True)
    for table in tables:
        for place in _places(table):
            if place.page == scope.number:
                _boxes(scope.page, [place.bbox], _TABLE, width=1.2)
                _label(scope.page, place.bbox, f"table {table.label or '?'}", _TABLE)


def _places(table: Table) -> tuple[Place, ...]:
    return (Place(page=table.page, bbox=table.bbox), *table.continued)


def _boxes_of(cells: Iterable[Cell], kind: str) -> list[BBox]:
    return [cell.bbox for cell in cells if cell.kind == kind]


def _draw_figures(scope: _PageScope) -> None:
    for figure in scope.document.figures:
        if figure.page == scope.number:
            _boxes(scope.page, [panel.bbox for panel in figure.panels], _PANEL, width=0.8, dashes="[3] 0")
            _boxes(scope.page, [figure.bbox], _FIGURE, width=1.2)
            _label(scope.page, figure.bbox, f"figure {figure.label or '?'} ({figure.source})", _FIGURE)


def _draw_chart(page: pymupdf.Page, chart: Chart) -> None:
    _boxes(page, [chart.bbox], _AXIS, width=0.8)
    x0, y0, x1, y1 = chart.bbox
    shape = page.new_shape()
    for axis in chart.axes:
        for tick in axis.ticks:
            if axis.side in ("bottom", "top"):
                end = y1 if axis.side == "bottom" else y0
                shape.draw_line((tick.at, end - 4), (tick.at, end + 4))
            else:
                end = x0 if axis.side == "left" else x1
                shape.draw_line((end - 4, tick.at), (end + 4, tick.at))
    shape.finish(color=_AXIS, width=0.8)
    shape.commit()
    across = next((axis for axis in chart.axes if axis.side in ("bottom", "top")), None)
    for series in chart.series:
        along = next((axis for axis in chart.axes if axis.side == series.y_axis), None)
        if across is not None and along is not None:
            _draw_series(page, chart.bbox, series, across, along)
    for line in chart.reference_lines:
        _draw_reference(page, chart, line.axis, line.value)


def _draw_series(page: pymupdf.Page, area: BBox, series: Series, across: Axis, along: Axis) -> None:
    shape = page.new_shape()
    for band in series.band:
        x = _across(area, across, band.x)
        low, high = _along(area, along, band.low), _along(area, along, band.high)
        if x is not None and low is not None and high is not None:
            shape.draw_line((x, low), (x, high))
    shape.finish(color=_GREY, width=0.3)
    shape.commit()
    shape = page.new_shape()
    step = max(1, len(series.points) // _MOST_RINGS)
    for point in series.points[::step]:
        x, y = _across(area, across, point.x), _along(area, along, point.y)
        if x is not None and y is not None:
            shape.draw_circle((x, y), 1.3)
    shape.finish(color=_BLACK, fill=_rgb(series.colour), width=0.15)
    shape.commit()


def _draw_reference(page: pymupdf.Page, chart: Chart, axis: str, value: float) -> None:
    x0, y0, x1, y1 = chart.bbox
    sides = ("bottom", "top") if axis == "x" else ("left", "right")
    scale = next((one for one in chart.axes if one.side in sides), None)
    at = None if scale is None else (_across if axis == "x" else _along)(chart.bbox, scale, value)
    if at is not None:
        shape = page.new_shape()
        shape.draw_line(*(((at, y0), (at, y1)) if axis == "x" else ((x0, at), (x1, at))))
        shape.finish(color=_BLACK, width=0.6, dashes="[2] 0")
        shape.commit()


def _across(area: BBox, axis: Axis, value: float) -> float | None:
    share = _share(axis, value)
    return None if share is None else area[0] + share * (area[2] - area[0])


def _along(area: BBox, axis: Axis, value: float) -> float | None:
    share = _share(axis, value)
    return None if share is None else area[3] - share * (area[3] - area[1])


def _share(axis: Axis, value: float) -> float | None:
    """How far along its axis a value lies, from 0 to 1; None where the axis cannot hold it."""
    low, high = axis.low, axis.high
    if axis.scale == "log":
        if min(low, high, value) <= 0:
            return None
        low, high, value = math.log10(low), math.log10(high), math.log10(value)
    return None if low == high else (value - low) / (high - low)


def _boxes(
    page: pymupdf.Page,
    boxes: Sequence[BBox],
    colour: _Colour,
    *,
    width: float,
    fill: bool = False,
    dashes: str | None = None,
) -> None:
    if not boxes:
        return
    shape = page.new_shape()
    for box in boxes:
        shape.draw_rect(pymupdf.Rect(box))
    shape.finish(color=colour, fill=colour if fill else None, fill_opacity=0.18, width=width, dashes=dashes)
    shape.commit()


def _label(page: pymupdf.Page, box: BBox, text: str, colour: _Colour) -> None:
    page.insert_text((box[0], max(7.0, box[1] - 2)), text, fontsize=7, color=colour)


def _rgb(colour: str) -> _Colour:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue
