"""Turns a page in the open document, so that its text, drawings and images all lie as they are seen."""

from reproducegym.parsing.mupdf import pymupdf

__all__ = ["turn_page"]


def turn_page(document: pymupdf.Document, page: pymupdf.Page, degrees: int) -> pymupdf.Page:
    """The page turned clockwise by a multiple of 90 degrees and by its own rotation, which is 0 afterwards.

    Its visible area (the crop box) becomes the whole page, with the origin in its corner. PyMuPDF's own
    `remove_rotation` loses pages whose crop box is smaller than the media box.
    """
    turn = (page.rotation + degrees) % 360
    if turn == 0:
        return page
    # PyMuPDF gives the crop box with y downwards from the top of the media box; the page itself has y upwards.
    media, crop = page.mediabox, page.cropbox
    x0, y0, x1, y1 = crop.x0, media.y1 - crop.y1, crop.x1, media.y1 - crop.y0
    matrices = {90: (0, -1, 1, 0, -y0, x1), 180: (-1, 0, 0, -1, x1, y1), 270: (0, 1, -1, 0, y1, -x0)}
    matrix = " ".join(f"{value:.6f}" for value in matrices[turn])
    wide, high = (x1 - x0, y1 - y0) if turn == 180 else (y1 - y0, x1 - x0)
    first = document.get_new_xref()
    document.update_object(first, "<<>>")
    document.update_stream(first, f"{matrix} cm\n".encode())
    contents = " ".join(f"{xref} 0 R" for xref in (first, *page.get_contents()))
    document.xref_set_key(page.xref, "Contents", f"[{contents}]")
    for box in ("MediaBox", "CropBox"):
        document.xref_set_key(page.xref, box, f"[0 0 {wide:.6f} {high:.6f}]")
    document.xref_set_key(page.xref, "Rotate", "0")
    return document.reload_page(page)
