"""Opens the bytes of a PDF, or says in one line why it cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager

import pymupdf

from reproducegym.errors import UnreadablePaperError

__all__ = ["open_pdf"]

_HEADER_WINDOW = 1024
_MIN_LETTERS_PER_PAGE = 20


@contextmanager
def open_pdf(content: bytes, origin: str) -> Iterator[pymupdf.Document]:
    """The open document, closed on leaving; it has at least one page and a text layer.

    Raises:
        UnreadablePaperError: empty, not a PDF, encrypted, truncated, or image-only.
    """
    if not content:
        raise UnreadablePaperError(f"{origin} is empty; give the PDF of a paper")
    if b"%PDF-" not in content[:_HEADER_WINDOW]:
        raise UnreadablePaperError(
            f"{origin} is not a PDF (it does not begin with %PDF-); give a PDF or a Markdown file"
        )
    document = _opened(content, origin)
    try:
        if document.needs_pass:
            raise UnreadablePaperError(f"{origin} is encrypted and needs a password; save it without one and try again")
        if document.page_count == 0:
            raise UnreadablePaperError(f"{origin} is truncated or damaged (no page can be read); download it again")
        if not _has_text(document, origin):
            pages = "its one page holds" if document.page_count == 1 else f"its {document.page_count} pages hold"
            if _has_images(document, origin):
                raise UnreadablePaperError(f"{origin} has no text layer ({pages} images); run OCR on it first")
            raise UnreadablePaperError(
                f"{origin} is no paper ({pages} next to no text); if text shows, run OCR on it first"
            )
        yield document
    finally:
        document.close()


def _opened(content: bytes, origin: str) -> pymupdf.Document:
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        return pymupdf.open(stream=content, filetype="pdf")
    except (RuntimeError, ValueError, TypeError) as error:
        raise UnreadablePaperError(
            f"{origin} is truncated or damaged ({_first_line(error)}); download it again"
        ) from error


def _has_text(document: pymupdf.Document, origin: str) -> bool:
    letters = 0
    wanted = _MIN_LETTERS_PER_PAGE * min(document.page_count, 5)
    try:
        for page in document:
            letters += sum(character.isalnum() for character in str(page.get_text("text")))
            if letters >= wanted:
                return True
    except (RuntimeError, ValueError, TypeError) as error:
        raise UnreadablePaperError(f"{origin} is damaged ({_first_line(error)}); download it again") from error
    return False


def _has_images(document: pymupdf.Document, origin: str) -> bool:
    try:
        return any(page.get_images() for page in document)
    except (RuntimeError, ValueError, TypeError) as error:
        raise UnreadablePaperError(f"{origin} is damaged ({_first_line(error)}); download it again") from error


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
