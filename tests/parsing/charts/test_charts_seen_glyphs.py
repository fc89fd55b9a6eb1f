"""Dots that R sets as text in the font ZapfDingbats are read as markers."""

import pymupdf
import pytest

from reproducegym.parsing.charts.reader import charts_of
from reproducegym.schema.paper import Figure

SIZE = 6.0


def test_dots_set_as_text_are_points() -> None:
    document = pymupdf.open()
    page = document.new_page(width=300, height=250)
    page.draw_rect((50, 30, 250, 190), color=(0, 0, 0), width=0.5)
    for k in range(5):
        x, y = 50 + 50 * k, 190 - 40 * k
        page.draw_line((x, 190), (x, 194), color=(0, 0, 0), width=0.5)
        page.draw_line((46, y), (50, y), color=(0, 0, 0), width=0.5)
        page.insert_text((x - 2, 204), str(k), fontsize=8)
        page.insert_text((36, y + 3), str(k), fontsize=8)
    wanted = [(0.5 * k, 0.4 * k) for k in range(1, 8)]
    for x, y in wanted:
        at = (50 + 50 * x - 0.396 * SIZE, 190 - 40 * y + 0.347 * SIZE)
        page.insert_text(at, "l", fontname="zadb", fontsize=SIZE, color=(0, 0, 0))
    for font in page.get_fonts():
        if font[3] == "ZapfDingbats":
            # The font's own encoding, as R leaves it.
            document.xref_set_key(font[0], "Encoding", "null")
    box = (0.0, 0.0, 300.0, 250.0)
    figure = Figure(id="figure-1", label="1", page=1, bbox=box, caption=None, image=None, source="vector", panels=())
    again = pymupdf.open(stream=document.tobytes())[0]
    (chart,) = charts_of(again, [figure]).charts
    (dots,) = chart.series
    assert (dots.kind, dots.marker) == ("points", "o")
    assert [value for point in dots.points for value in (point.x, point.y)] == pytest.approx(
        [value for point in wanted for value in point], abs=0.03
    )
