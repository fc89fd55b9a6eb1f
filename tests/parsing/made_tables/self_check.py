"""Checks what a made paper says of itself against the page: each cell's words are in its box and no other's."""

import pymupdf

from reproducegym.schema.base import BBox

from .score import signless
from .truth import MadePaper, TrueCell

__all__ = ["faults"]

_LEAST_SIZE = 2.3
_SHARED = 4.5


def faults(paper: MadePaper) -> list[str]:
    """What no author would print, or is not printed where the truth has it; empty for a good paper."""
    found: list[str] = []
    cells = [cell for table in paper.tables for cell in table.cells]
    with pymupdf.open(stream=paper.pdf, filetype="pdf") as document:
        words = [[(tuple(w[:4]), str(w[4])) for w in page.get_text("words")] for page in document]
        sizes = [
            float(span["size"])
            for page in document
            for block in page.get_text("dict")["blocks"]
            for line in block.get("lines", ())
            for span in line["spans"]
            if span["text"].strip()
        ]
    found += [f"text of {min(sizes):.1f} points"] if min(sizes) < _LEAST_SIZE else []
    for cell in cells:
        if cell.id not in paper.places:
            found.append(f"{cell.text!r} has no place")
            continue
        page, box = paper.places[cell.id]
        width, height = paper.page_sizes[page - 1]
        if not (18 < box[0] < box[2] < width - 18 and 18 < box[1] < box[3] < height - 18):
            found.append(f"{cell.text!r} is off the page")
        found += _misprinted(cell, box, words[page - 1])
    placed = [(cell, *paper.places[cell.id]) for cell in cells if cell.id in paper.places]
    for i, (cell, page, box) in enumerate(placed):
        found += [
            f"{cell.text!r} runs into {other.text!r}"
            for other, other_page, other_box in placed[i + 1 :]
            if page == other_page and _overlap(box, other_box)
        ]
    return found


def _misprinted(cell: TrueCell, box: BBox, words: list[tuple[tuple[float, ...], str]]) -> list[str]:
    inside = [
        text
        for at, text in words
        if box[0] - 1 <= (at[0] + at[2]) / 2 <= box[2] + 1 and box[1] - 1 <= (at[1] + at[3]) / 2 <= box[3] + 1
    ]
    if sorted(signless(cell.text)) == sorted(signless("".join(inside))):
        return []
    return [f"{cell.text!r} is printed {' '.join(inside)!r}"]


def _overlap(one: BBox, other: BBox) -> bool:
    """Whether boxes share more than their edges; lines of text may share the room of their ascenders."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > _SHARED and down > _SHARED
