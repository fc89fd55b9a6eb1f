"""A PDF that cannot be read says in one line why and what to do."""

import pymupdf
import pytest

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Source


def _pdf(**save: object) -> bytes:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_textbox((72, 72, 500, 300), "A paper with some words. " * 20)
    return document.tobytes(**save)


def _image_only() -> bytes:
    text = pymupdf.open(stream=_pdf(), filetype="pdf")
    document = pymupdf.open()
    page = document.new_page()
    page.insert_image(page.rect, pixmap=text[0].get_pixmap(dpi=40))
    return document.tobytes()


CASES = {
    "empty": (b"", "is empty"),
    "text": (b"hello, I am a text file", "is not a PDF"),
    "html": (b"<html><body>404</body></html>", "is not a PDF"),
    "encrypted": (_pdf(encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="u", owner_pw="o"), "password"),
    "truncated": (_pdf()[:200], "truncated or damaged"),
    "header only": (b"%PDF-1.7\n", "truncated or damaged"),
    "image only": (_image_only(), "no text layer"),
}


@pytest.mark.parametrize("name", CASES)
def test_unreadable(name: str) -> None:
    content, words = CASES[name]
    with pytest.raises(UnreadablePaperError, match=words) as caught:
        PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=content), "x")
    message = str(caught.value)
    assert message.startswith("paper.pdf ")
    assert "\n" not in message
    assert ";" in message, "it says what to do"


def test_a_paper_with_an_owner_password_only_is_readable() -> None:
    content = _pdf(encryption=pymupdf.PDF_ENCRYPT_AES_256, owner_pw="o")
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="p.pdf", content=content), "x")
    assert "A paper with some words." in parsed.paper_md


def test_any_cut_of_a_paper_is_read_or_refused() -> None:
    whole = _pdf()
    for length in range(0, len(whole), max(1, len(whole) // 25)):
        source = Source(kind="pdf", origin="p.pdf", content=whole[:length])
        try:
            PymupdfParser().parse(source, "x")
        except UnreadablePaperError as error:
            assert "\n" not in str(error)
