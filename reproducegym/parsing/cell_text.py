"""What the text of a cell says: whether it is a number, a blank mark, and how its pieces join."""

import itertools
import re
from collections.abc import Sequence

from reproducegym.parsing.pages.page_text import Piece, joined_text, spellings
from reproducegym.pipeline.printed.numbers import read_number
from reproducegym.schema.paper import Mark

__all__ = ["cell_text", "is_numeric", "is_value", "marks_of", "tidy"]

_MARKS = "†‡*∗⋆★§¶↑↓⁎✓✗∼~≈<>≤≥"
_BLANK = re.compile(r"[-–—−./·⋅…⋯⋮]+|[.·⋅](?: [.·⋅])+|n/?a|N/?A|x|✗|✓|OOM|TBD")
_DAGGER = re.compile(r"[†‡*∗⋆★§¶⁎]")
_SIGNED = re.compile(r"[±+−–-]\s?\d*\.?\d+\s?%?")
_BARE_SPREAD = re.compile(r"\d*\.\d+%?")
_ENDS_IN_DIGIT = re.compile(r"\d[)%]?$")
_HUE, _LIGHT, _WHITE = 40, 90, 235
_POWER_OF_TEN = re.compile(r"(?<!\d)10$")


def is_numeric(text: str) -> bool:
    """Whether a cell holds one number and nothing else but marks."""
    whole = text.strip().strip(_MARKS + " ")
    bare = whole.rstrip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵃᵇᶜ ") or text.strip()
    if not any(c.isdigit() for c in bare):
        return False
    if read_number(whole) is not None or read_number(bare) is not None:
        return True
    return re.fullmatch(r"[\d\s.,%±+/()\[\]×:·⋅−–↑↓▲▼kKMBsh<>-]+", bare) is not None


def is_value(text: str) -> bool:
    """A number, or a mark that stands where a number could."""
    return is_numeric(text) or _BLANK.fullmatch(text.strip()) is not None


def tidy(text: str) -> str:
    """One space between words and none around the parts of a number with its spread."""
    return re.sub(r"\s+", " ", text).strip()


def cell_text(pieces: Sequence[Piece]) -> str:
    """The text of a cell's pieces in reading order; a spread set small above or below its value stands beside it.

    `47.3` with a small `±0.4` becomes `47.3 ± 0.4`, with `+0.2` over `−0.1` it becomes `47.3 +0.2 −0.1`, with a bare
    `0.4` below it becomes `47.3 (0.4)`. Exponents and marks stay raised.
    """
    text = ""
    for raised, run in itertools.groupby(pieces, key=lambda piece: piece.raised):
        script = list(run)
        spread = _spread(tidy("".join(piece.text for piece in script)), text, raised) if raised else None
        if spread is not None:
            text = f"{text} {spread}"
            continue
        for piece, shown in zip(script, spellings(script), strict=True):
            text += shown if piece.glued or not text else " " + shown
    return tidy(text)


def _spread(script: str, value: str, raised: int) -> str | None:
    """A raised or lowered text as the spread of the value before it, or None when it is none."""
    if not _ENDS_IN_DIGIT.search(value) or _POWER_OF_TEN.search(value):
        return None
    if _SIGNED.fullmatch(script):
        return f"± {script[1:].strip()}" if script[0] == "±" else script
    return f"({script})" if raised < 0 and _BARE_SPREAD.fullmatch(script) else None


def _is_coloured(colour: int) -> bool:
    """Whether text stands out by a hue, or by a light grey; white on dark does not."""
    red, green, blue = colour >> 16 & 255, colour >> 8 & 255, colour & 255
    return max(red, green, blue) - min(red, green, blue) > _HUE or _LIGHT < min(red, green, blue) < _WHITE


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
    if any(_is_coloured(piece.colour) for piece in main):
        marks.append("colour")
    return tuple(marks)
