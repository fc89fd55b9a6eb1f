"""Joins rows into one text: hyphens at line ends, offsets of every piece, and the places of a stretch."""

import re
from collections.abc import Iterable, Sequence

from reproducegym.parsing.boxes import rounded, union
from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.pages.page_text import spellings
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Place

__all__ = ["Span", "joined_lines", "joined_rows", "places_of"]

Span = tuple[int, int, int, BBox]
"""Start and end in the text, page, and box of a piece."""


def joined_rows(rows: Iterable[Row], vocabulary: frozenset[str]) -> tuple[str, list[Span]]:
    """The text of rows with line-end hyphens joined, and for each piece its offsets, page and box."""
    text = ""
    spans: list[Span] = []
    for row in rows:
        for k, (piece, shown) in enumerate(zip(row.line.pieces, spellings(row.line.pieces), strict=True)):
            if k == 0 and text:
                text, separator = _line_end(text, shown, vocabulary)
            else:
                separator = "" if piece.glued or not text else " "
            start = len(text) + len(separator)
            text += separator + shown
            spans.append((start, len(text), row.page, piece.box))
    return text, spans


def _line_end(text: str, following: str, vocabulary: frozenset[str]) -> tuple[str, str]:
    """The text so far as it goes on in the next line, and what separates them."""
    if text.endswith("\u00ad"):
        return text[:-1], ""
    if not text.endswith(("-", "‐")) or len(text) < 2 or not text[-2].isalpha() or not following[:1].isalpha():
        return text, "" if text.endswith("-") and len(text) > 1 and text[-2].isalnum() else " "
    head_match = re.search(r"[^\W\d_]+$", text[:-1])
    head = head_match[0] if head_match else ""
    tail_match = re.match(r"[^\W\d_]+", following)
    tail = tail_match[0] if tail_match else ""
    if (head + tail).lower() in vocabulary:
        return text[:-1], ""
    if min(len(head), len(tail)) > 3 and head.lower() in vocabulary and tail.lower() in vocabulary:
        return text, ""
    if re.match(r"[^\W\d_]+-[^\W\d_]", following):
        return text, ""
    if f"{head}-{tail}".lower() in vocabulary or following[0].isupper() or re.search(r"-\w+$", text[:-1]):
        return text, ""
    return text[:-1], ""


def places_of(spans: Sequence[Span], start: int, end: int) -> tuple[Place, ...]:
    pages: dict[int, list[BBox]] = {}
    for a, b, page, box in spans:
        if a < end and b > start:
            pages.setdefault(page, []).append(box)
    return tuple(Place(page=page, bbox=rounded(union(boxes))) for page, boxes in sorted(pages.items()))


def joined_lines(lines: Sequence[str], vocabulary: frozenset[str]) -> str:
    """The text of a heading or title that is set over several lines."""
    text = lines[0]
    for line in lines[1:]:
        head, separator = _line_end(text, line, vocabulary)
        text = head + separator + line
    return text
