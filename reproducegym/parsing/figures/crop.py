"""Cuts one panel out of the image of its figure, by the boxes that both have on the page."""

from reproducegym.parsing.figures.finder import IMAGE_MARGIN
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.schema.base import BBox

__all__ = ["crop_panel"]


def crop_panel(image: bytes, figure: BBox, panel: BBox) -> bytes:
    """PNG of a panel with the same margin as the figure's image has; the whole image where the panel is all of it."""
    whole = pymupdf.Pixmap(image)
    left, top = figure[0] - IMAGE_MARGIN, figure[1] - IMAGE_MARGIN
    across = whole.width / (figure[2] - figure[0] + 2 * IMAGE_MARGIN)
    down = whole.height / (figure[3] - figure[1] + 2 * IMAGE_MARGIN)
    area = pymupdf.Rect(
        (panel[0] - IMAGE_MARGIN - left) * across,
        (panel[1] - IMAGE_MARGIN - top) * down,
        (panel[2] + IMAGE_MARGIN - left) * across,
        (panel[3] + IMAGE_MARGIN - top) * down,
    )
    kept = area.round() & pymupdf.IRect(0, 0, whole.width, whole.height)
    if kept.is_empty:
        return image
    part = pymupdf.Pixmap(whole.colorspace, kept, whole.alpha)
    part.copy(whole, kept)
    return bytes(part.tobytes("png"))
