"""Makes tables and figures of marker's blocks, each with the caption that belongs to it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.boxes import height, horizontal_overlap, intersects, rounded, vertical_overlap
from reproducegym.parsing.marker.blocks import Block
from reproducegym.parsing.marker.tables import read_grid
from reproducegym.parsing.pages.drawings import Drawings
from reproducegym.parsing.pages.page_text import Line, PageText
from reproducegym.parsing.text.joining import joined_lines
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Caption, Figure, Place, Table

__all__ = ["Captioned", "captioned", "figure_in", "table_in"]

_FLOATS = {"Table": "table", "Form": "table", "Figure": "figure", "Picture": "figure", "Diagram": "figure"}
_LABEL = re.compile(
    r"(?P<word>Table|Tab\.|Figure|Fig\.)\s*(?P<label>[A-Z]?\.?\d+(?:\.\d+)?[a-z]?|[IVXL]+)(?=[\s:.|–—-]|$)",
    re.IGNORECASE,
)
_NEAR = 40.0
_LEAST = 5.0


@dataclass(frozen=True, slots=True)
class Captioned:
    """A block that is a table or figure, and the index of the block that is its caption."""

    index: int
    kind: str
    caption: int | None


def captioned(blocks: Sequence[Block], lines: Sequence[Sequence[Line]]) -> tuple[Captioned, ...]:
    """The tables and figures of a page: a caption in the same group is theirs, else the nearest of their own kind."""
    taken: set[int] = set()
    found = []
    floats = [(i, _FLOATS[b.kind]) for i, b in enumerate(blocks) if b.kind in _FLOATS and height(b.box) > _LEAST]
    for i, kind in sorted(floats, key=lambda entry: blocks[entry[0]].group is None):
        own = [
            (_distance(blocks[i], block), c)
            for c, block in enumerate(blocks)
            if c not in taken and _is_caption(kind, block, lines[c]) and _belongs(blocks[i], block)
        ]
        caption = min(own)[1] if own else None
        taken |= {caption} if caption is not None else set()
        found.append(Captioned(i, kind, caption))
    return tuple(sorted(found, key=lambda one: one.index))


def _is_caption(kind: str, block: Block, lines: Sequence[Line]) -> bool:
    match = _LABEL.match(lines[0].text) if lines and block.kind not in _FLOATS else None
    if match is None:
        return block.kind == "Caption" and bool(lines)
    return match["word"].lower().startswith("tab") == (kind == "table")


def _belongs(block: Block, caption: Block) -> bool:
    if block.group is not None and block.group == caption.group:
        return True
    return _distance(block, caption) < _NEAR and horizontal_overlap(block.box, caption.box) > 0


def _distance(block: Block, caption: Block) -> float:
    return max(0.0, -vertical_overlap(block.box, caption.box))


def _caption(lines: Sequence[Line], box: BBox, page: PageText, vocabulary: frozenset[str]) -> Caption:
    text = joined_lines([line.text for line in lines], vocabulary)
    return Caption(text=text, place=Place(page=page.number, bbox=rounded(box)))


def _label(lines: Sequence[Line]) -> str | None:
    match = _LABEL.match(lines[0].text) if lines else None
    return match["label"] if match else None


def table_in(
    name: str, block: Block, caption: Block | None, lines: Sequence[Line], page: PageText, vocabulary: frozenset[str]
) -> tuple[Table | None, str | None]:
    """The table of a block, with a warning about what of it was not found; `lines` are those of the caption."""
    read = read_grid(block.html, block.box, page)
    label = _label(lines)
    shown = f"page {page.number}: table {label or '(without a number)'}"
    if read is None:
        return None, f"{shown}: marker found a table and the page holds none of its texts"
    warning = None
    if read.missing:
        some = ", ".join(repr(text[:30]) for text in read.missing[:3])
        warning = f"{shown}: {len(read.missing)} cells of marker are left out, which do not stand there: {some}"
    table = Table(
        id=name,
        label=label,
        page=page.number,
        bbox=rounded(block.box),
        continued=(),
        caption=_caption(lines, caption.box, page, vocabulary) if caption and lines else None,
        stub_headers=read.stub_headers,
        cells=read.cells,
        notes=(),
    )
    return table, warning


def figure_in(
    name: str,
    block: Block,
    caption: Block | None,
    lines: Sequence[Line],
    page: PageText,
    drawings: Drawings,
    vocabulary: frozenset[str],
) -> Figure:
    """The figure of a block; `lines` are those of the caption."""
    box = rounded(block.box)
    images = any(intersects(box, image) for image in drawings.images)
    drawn = any(intersects(box, shape) for shape in drawings.vectors)
    return Figure(
        id=name,
        label=_label(lines),
        page=page.number,
        bbox=box,
        caption=_caption(lines, caption.box, page, vocabulary) if caption and lines else None,
        image=None,
        source="mixed" if images and drawn else "raster" if images else "vector",
        panels=(),
    )
