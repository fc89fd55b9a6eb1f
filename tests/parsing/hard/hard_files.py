"""Makes PDFs that break readers: odd boxes, turned pages, circles, bombs, other scripts."""

from collections.abc import Callable

import pymupdf
import typst

__all__ = ["TEXT", "damaged_page", "raw_pdf", "small_paper", "typst_paper", "with_boxes"]

TEXT = "A paper about doors that says enough words to be taken for one, and then a few more of them. "


def small_paper(pages: int = 1, **size: float) -> pymupdf.Document:
    """Pages of running text."""
    document = pymupdf.open()
    for number in range(1, pages + 1):
        page = document.new_page(**size)
        page.insert_textbox((72, 72, 500, 400), f"Page {number}. " + TEXT * 5)
    return document


def with_boxes(media: str, crop: str, turn: int) -> bytes:
    """A page with the word WITNESS, a black square right after it, and text outside of the crop box."""
    document = pymupdf.open()
    page = document.new_page(width=600, height=800)
    document.xref_set_key(page.xref, "MediaBox", media)
    page = document.reload_page(page)
    page.insert_textbox((100, 300, 450, 500), TEXT * 3)
    page.insert_text((150, 250), "WITNESS", fontsize=20)
    page.insert_text((3, 12), "outside", fontsize=8)
    document.xref_set_key(page.xref, "CropBox", crop)
    document.xref_set_key(page.xref, "Rotate", str(turn))
    return document.tobytes()


def raw_pdf(*objects: str) -> bytes:
    """A PDF of these objects, numbered from 1; the first is its catalogue."""
    body = b"%PDF-1.7\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    tail = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size}/Root 1 0 R>>\n"
    return body + f"{tail}startxref\n{len(body)}\n%%EOF\n".encode()


def damaged_page(damage: Callable[[pymupdf.Document, pymupdf.Page], None]) -> bytes:
    """Three pages of text, the second one damaged."""
    document = small_paper(3)
    damage(document, document[1])
    return document.tobytes()


def typst_paper(markup: str) -> bytes:
    """A page set by Typst with the fonts that ship inside it."""
    return typst.compile(markup.encode())
