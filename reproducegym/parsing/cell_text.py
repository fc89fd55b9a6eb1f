"""What the text of a cell says: whether it is a number, a blank mark, and how its pieces join."""

import re
from collections.abc import Sequence

from reproducegym.parsing.pdf.page_text import Piece, joined_text
from reproducegym.pipeline.numbers import read_number
from reproducegym.schema.paper import Mark

__all__ = ["is_numeric", "is_value", "marks_of", "tidy"]

_MARKS = "†‡*∗⋆★§¶↑↓⁎✓✗∼~≈<>≤≥"
_BLANK = re.compile(r"[-–—−./]+|n/?a|N/?A|x|✗|✓|OOM|TBD")
_DAGGER = re.compile(r"[†‡*∗⋆★§¶⁎]")


def is_numeric(text: str) -> bool:
    """Whether a cell holds one number and nothing else but marks."""
    bare = text.strip().strip(_MARKS + " ").rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜ ") or text.strip()
    if not any(c.isdigit() for c in bare):
        return False
    if read_number(bare) is not None:
        return True
    return re.fullmatch(r"[\d\s.,%±+/()\[\]×:·⋅−–kKMBsh<>-]+", bare) is not None


def is_value(text: str) -> bool:
    """A number, or a mark that stands where a number could."""
    return is_numeric(text) or _BLANK.fullmatch(text.strip()) is not None


def tidy(text: str) -> str:
    """One space between words and none around the parts of a number with its spread."""
    return re.sub(r"\s+", " ", text).strip()


def marks_of(pieces: Sequence[Piece], *, underlined: bool) -> tuple[Mark, ...]:
    """Typographic marks of a cell."""
    main = [piece for piece in pieces if piece.raised == 0 and any(c.isalnum() for c in piece.text)] or list(pieces)
    text = joined_text(pieces)
    marks: list[Mark] = []
    if main and sum(piece.bold for piece in main) * 2 > len(main):
        marks.append("bold")
    if main and all(piece.italic for piece in main) and any(c.isalnum() for c in text):
        marks.append("italic")
    if underlined:
        marks.append("underline")
    if any(piece.raised == 1 for piece in pieces):
        marks.append("superscript")
    if any(piece.raised == -1 for piece in pieces):
        marks.append("subscript")
    if _DAGGER.search(text):
        marks.append("dagger")
    return tuple(marks)
