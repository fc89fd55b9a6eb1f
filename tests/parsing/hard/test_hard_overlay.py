"""Overlays show a PDF's pages that hold tables or figures; other papers have no pages to draw on."""

import pymupdf
import pytest
from hard_files import small_paper
from sample_paper import ROOT

from reproducegym.errors import MisuseError
from reproducegym.parsing import PymupdfParser
from reproducegym.parsing.overlay import overlay_pages
from reproducegym.schema.paper import Source


def test_pages_with_tables_or_figures_are_drawn_with_their_cells():
    content = (ROOT / "examples" / "papers" / "optimism-small-budgets" / "paper.pdf").read_bytes()
    source = Source(kind="pdf", origin="paper.pdf", content=content)
    read = PymupdfParser().parse(source, "x")
    images = overlay_pages(source, read.document, read.charts)
    assert list(images) == ["page-002.png", "page-003.png"]
    plain = pymupdf.open(stream=content, filetype="pdf")[1].get_pixmap(dpi=110)
    drawn = pymupdf.Pixmap(images["page-002.png"])
    assert (drawn.width, drawn.height) == (plain.width, plain.height)
    cell = next(cell for cell in read.document.tables[0].cells if cell.kind == "body")
    x, y = (round(edge * 110 / 72) for edge in cell.bbox[:2])
    assert drawn.pixel(x + 1, y + 1) != plain.pixel(x + 1, y + 1)
    text = source.model_copy(update={"kind": "markdown"})
    with pytest.raises(MisuseError, match="draws on the pages of a PDF"):
        overlay_pages(text, read.document, read.charts)


def test_a_page_of_hundreds_of_metres_is_drawn_small():
    document = small_paper()
    document[0].draw_rect((72, 300, 300, 380))
    document[0].insert_text((72, 400), "Figure 1: A box on a wide page.")
    document.xref_set_key(document[0].xref, "MediaBox", "[0 0 1000000 1000000]")
    source = Source(kind="pdf", origin="wide.pdf", content=document.tobytes())
    read = PymupdfParser().parse(source, "x")
    (image,) = overlay_pages(source, read.document, read.charts).values()
    assert pymupdf.Pixmap(image).width < 4000
