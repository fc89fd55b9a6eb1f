"""Papers of one table each, set with Typst, and what was read of them."""

from collections.abc import Callable

import pytest
import typst

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Document, Source, Table

PROSE = "We study how agents explore and report what we found in the tables of this small paper. " * 6
_HEAD = f"""#set page(width: 500pt, height: 700pt)
#set text(size: 10pt)
#set par(justify: true)
#set table(stroke: none)
#show figure.where(kind: table): set figure.caption(position: top)
#align(center, text(17pt)[*A Made Paper*])
= Introduction
{PROSE}
"""


@pytest.fixture(scope="session")
def read() -> Callable[[str], Document]:
    """Reads a paper that holds this Typst markup between two paragraphs."""

    def reading(body: str) -> Document:
        content = typst.compile(f"{_HEAD}{body}\n\n{PROSE}".encode())
        return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=content), "made").document

    return reading


@pytest.fixture(scope="session")
def read_table(read: Callable[[str], Document]) -> Callable[[str], Table]:
    """Reads the only table of such a paper."""

    def reading(body: str) -> Table:
        (table,) = read(body).tables
        return table

    return reading
