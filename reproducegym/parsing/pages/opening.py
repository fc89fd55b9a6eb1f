"""Opens the bytes of a PDF, or says in one line why it cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.mupdf import pymupdf

__all__ = ["PDF_ERRORS", "first_line", "open_pdf"]

PDF_ERRORS = (RuntimeError, ValueError, TypeError, MemoryError, pymupdf.mupdf.FzErrorBase)
"""What PyMuPDF raises for a file that is damaged; some of MuPDF's own errors come through as they are."""
_HEADER_WINDOW = 1024
_MOST_PAGES = 20_000


@contextmanager
def open_pdf(content: bytes, origin: str) -> Iterator[pymupdf.Document]:
    """The open document, closed on leaving; it says that it has at least one page.

    Raises:
        UnreadablePaperError: empty, not a PDF, encrypted, truncated, or far too long.
    """
    if not content:
        raise UnreadablePaperError(f"{origin} is empty; give the PDF of a paper")
    if b"%PDF-" not in content[:_HEADER_WINDOW]:
        raise UnreadablePaperError(
            f"{origin} is not a PDF (it does not begin with %PDF-); give a PDF, or text with --md or --latex"
        )
    document = _opened(content, origin)
    try:
        if document.needs_pass:
            raise UnreadablePaperError(f"{origin} is encrypted and needs a password; save it without one and try again")
        pages = _page_count(document, origin)
        if pages == 0:
            raise UnreadablePaperError(f"{origin} is truncated or damaged (no page can be read); download it again")
        if pages > _MOST_PAGES:
            raise UnreadablePaperError(
                f"{origin} says it has {pages} pages, more than {_MOST_PAGES}; cut the paper out"
            )
        yield document
    finally:
        document.close()


def first_line(error: Exception) -> str:
    """What an error says, in one line."""
    if isinstance(error, MemoryError) or "malloc" in str(error):
        return "it needs more memory than may be used"
    said = str(error).strip()
    return said.splitlines()[0] if said else type(error).__name__


def _opened(content: bytes, origin: str) -> pymupdf.Document:
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        return pymupdf.open(stream=content, filetype="pdf")
    except PDF_ERRORS as error:
        raise UnreadablePaperError(
            f"{origin} is truncated or damaged ({first_line(error)}); download it again"
        ) from error


def _page_count(document: pymupdf.Document, origin: str) -> int:
    try:
        return int(document.page_count)
    except PDF_ERRORS as error:
        raise UnreadablePaperError(f"{origin} is damaged ({first_line(error)}); download it again") from error
