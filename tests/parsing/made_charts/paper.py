"""Places a drawing into a page of a paper made by Typst, as Figure 1 with its caption and text around it."""

import tempfile
from dataclasses import replace
from pathlib import Path

import typst

from .truth import Drawing, MadeChart, TrueChart

_PAGE = (612.0, 792.0)
_MARGIN = 72.0
_GUTTER = 14.0

_TEXT = """#set page(width: 612pt, height: 792pt, margin: 72pt, columns: {columns})
#set columns(gutter: 14pt)
#set text(font: "New Computer Modern", size: 10pt)
#set par(justify: true)
#figure(placement: top, image("drawing.pdf", width: {width}pt), caption: [{caption}])
= Results
As Figure 1 shows, what was said before holds for every setting that was tried. {prose}
"""
_CAPTION = "Results of the study: each curve or bar is the mean over five seeds, as the text explains."
_PROSE = " ".join(
    (
        "Runs were repeated with other seeds until their means no longer moved.",
        "The learning rate was chosen on a held-out part, never on the part that is shown here.",
        "We state all other choices in the appendix, where each of them is varied on its own.",
    )
    * 4
)


def placed(drawing: Drawing, index: int, *, columns: int = 1, scale: float = 1.0) -> MadeChart:
    """The drawing, scaled to fit its column at most, at the top of a page."""
    column = (_PAGE[0] - 2 * _MARGIN - (columns - 1) * _GUTTER) / columns
    width = round(min(column, drawing.size[0] * scale), 2)
    factor = width / drawing.size[0]
    left, top = _MARGIN + (column - width) / 2, _MARGIN
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        (folder / "drawing.pdf").write_bytes(drawing.pdf)
        text = _TEXT.format(columns=columns, width=width, caption=_CAPTION, prose=_PROSE)
        (folder / "paper.typ").write_text(text, encoding="utf-8")
        pdf = typst.compile(folder / "paper.typ", ignore_system_fonts=True, timestamp=0)
    charts = tuple(_moved(chart, left, top, factor) for chart in drawing.charts)
    return MadeChart(index, pdf, charts, drawing.traits)


def _moved(chart: TrueChart, left: float, top: float, factor: float) -> TrueChart:
    x0, y0, x1, y1 = chart.area
    area = (left + x0 * factor, top + y0 * factor, left + x1 * factor, top + y1 * factor)
    return replace(chart, area=area)
