"""A document of 10,000 pages is read within the limits of time and memory."""

import resource

import pymupdf
import pytest

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Source

pytestmark = pytest.mark.soak

PAGES = 10_000
LARGEST_MIB = 2048


def test_ten_thousand_pages_are_read():
    document = pymupdf.open()
    for number in range(PAGES):
        page = document.new_page(width=300, height=200)
        page.insert_text((20, 40), f"Page {number} holds a few words of a very long thesis.")
    read = PymupdfParser().parse(Source(kind="pdf", origin="thesis.pdf", content=document.tobytes()), "thesis")
    assert len(read.document.pages) == PAGES
    assert [word.text for word in read.words[-1].words][:2] == ["Page", str(PAGES - 1)]
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024 < LARGEST_MIB
