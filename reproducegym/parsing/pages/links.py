"""Addresses that links of a PDF lead to; many stand behind words that do not say them."""

import contextlib

from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.opening import PDF_ERRORS

__all__ = ["links_of"]

_MOST, _LONGEST = 2000, 500


def links_of(document: pymupdf.Document) -> tuple[str, ...]:
    """Each address once, sorted; a page whose links are damaged has none."""
    found: set[str] = set()
    for page in document:
        with contextlib.suppress(*PDF_ERRORS):
            found |= {str(link["uri"])[:_LONGEST] for link in page.get_links() if "uri" in link}
        if len(found) > _MOST:
            break
    return tuple(sorted(found)[:_MOST])
