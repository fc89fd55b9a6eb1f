"""Draws an area of a page as a PNG of bounded size."""

import math

from reproducegym.parsing.mupdf import pymupdf

__all__ = ["png_of"]


def png_of(page: pymupdf.Page, area: pymupdf.Rect, *, dots: int, most: int) -> bytes:
    """PNG of an area, of so many dots an inch, or of fewer where it would have more than `most` pixels.

    Raises:
        PDF_ERRORS: MuPDF cannot draw it.
    """
    inches = max(area.width * area.height / 72**2, 1e-6)
    fit = min(float(dots), math.sqrt(most / inches))
    if fit >= 1:
        return bytes(page.get_pixmap(clip=area, dpi=int(fit), alpha=False).tobytes("png"))
    zoom = pymupdf.Matrix(fit / 72, fit / 72)  # of a page of hundreds of metres
    return bytes(page.get_pixmap(clip=area, matrix=zoom, alpha=False).tobytes("png"))
