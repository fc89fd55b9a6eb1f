"""Page numbers and running heads are no text; numbers and heads of tables at the edge of a page are none of them."""

import pymupdf

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Document, Source, Table

PROSE = "We measure how agents explore and tell what we found in the tables of this small paper. "
ROWS = (("Base", "12.5", "300"), ("Wide", "14.5", "350"), ("Ours", "16.5", "400"))


def _read(document: pymupdf.Document) -> Document:
    return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=document.tobytes()), "made").document


def _page(document: pymupdf.Document, number: int, shown: str) -> pymupdf.Page:
    page = document.new_page(width=500, height=700)
    page.insert_text((180, 40), "A Running Head of the Paper", fontsize=9)
    page.insert_text((247, 680), shown, fontsize=9)
    page.insert_textbox((72, 300, 430, 440), f"Page {number}. " + PROSE * 8, fontsize=10)
    return page


def _table(page: pymupdf.Page, top: float, *, number: int, below: bool) -> None:
    """A table whose first row stands at `top`, with its caption above it or `below` it."""
    caption = f"Table {number}: Scores of the runs, number {number}."
    page.insert_text((72, top + 13 * 4 + 10 if below else top - 22), caption, fontsize=10)
    for row, texts in enumerate((("Method", "Return", "Steps"), *ROWS)):
        for column, text in enumerate(texts):
            page.insert_text((90 + 110 * column, top + 13 * row + (3 if row else 0)), text, fontsize=10)
    for y in (top - 10, top + 4.5, top + 13 * 3 + 8):
        page.draw_line((85, y), (360, y), width=0.6)


def _values(table: Table) -> list[str]:
    return [cell.text for cell in table.cells if cell.kind == "body"]


def test_the_last_row_of_a_page_keeps_whole_numbers_that_look_like_page_numbers() -> None:
    document = pymupdf.open()
    for number in range(1, 7):
        page = document.new_page(width=500, height=700)
        page.insert_textbox((72, 200, 430, 500), f"Page {number}. " + PROSE * 12, fontsize=10)
        if number == 4:
            _table(page, 634, number=1, below=False)
        else:
            page.insert_text((247, 676), str(number), fontsize=9)
    read = _read(document)
    (table,) = read.tables
    assert _values(table) == [text for row in ROWS for text in row[1:]]


def test_rows_of_tables_at_the_foot_of_many_pages_are_no_running_feet() -> None:
    document = pymupdf.open()
    for number in range(1, 7):
        _table(_page(document, number, str(number)), 612, number=number, below=False)
    read = _read(document)
    assert [_values(table) for table in read.tables] == [[text for row in ROWS for text in row[1:]]] * 6


def test_heads_of_tables_at_the_top_of_many_pages_are_no_running_heads() -> None:
    document = pymupdf.open()
    for number in range(1, 7):
        page = _page(document, number, str(number))
        _table(page, 66, number=number, below=True)
    read = _read(document)
    paths = [[cell.column_path for cell in table.cells if cell.kind == "body"] for table in read.tables]
    assert paths == [[("Return",), ("Steps",)] * 3] * 6


def test_page_numbers_that_begin_anywhere_and_running_heads_are_no_text() -> None:
    document = pymupdf.open()
    for number in range(1, 6):
        _page(document, number, str(number + 417))
    texts = " ".join(paragraph.text for paragraph in _read(document).paragraphs)
    assert "Running Head" not in texts
    assert not any(str(number + 417) in texts for number in range(1, 6))
