"""The words of a chart with size, colour and direction; small raised digits are kept as exponents (`10^-3`)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict, cast

from reproducegym.parsing.boxes import union
from reproducegym.parsing.charts.glyph_marks import is_mark_font
from reproducegym.parsing.charts.segments import Segment, segments_of
from reproducegym.parsing.charts.strokes import Stroke
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.schema.base import BBox

__all__ = ["Direction", "Label", "joined", "read_labels"]

Direction = Literal["right", "up", "down", "slanted"]

_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_WORD_GAP = 0.4
_DIGIT_GAP = 0.16
_DIGIT_OVERLAP = 0.06
_SPINE = 24.0
_TOUCH = 0.4
_MINUS_GAP = 0.7
_SMALL = 0.86
_DIGITS = "0123456789."
_DIGIT_MIDDLE = 0.35
_TIMES = "×·⋅*x"


class _Char(TypedDict):
    c: str
    bbox: tuple[float, float, float, float]
    origin: tuple[float, float]


class _Span(TypedDict):
    font: str
    size: float
    color: int
    chars: list[_Char]


class _Line(TypedDict):
    dir: tuple[float, float]
    spans: list[_Span]


class _Block(TypedDict):
    lines: list[_Line]


@dataclass(frozen=True, slots=True)
class Label:
    """A word, or words of one line. `base` is its baseline (x of it where the text stands upright on its side)."""

    text: str
    box: BBox
    base: float
    size: float
    colour: str
    direction: Direction

    @property
    def middle(self) -> tuple[float, float]:
        """Its middle; across the line that of its digits, which is not that of its box."""
        x, y = (self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2
        if self.direction == "right":
            return x, self.base - _DIGIT_MIDDLE * self.size
        if self.direction == "slanted":
            return x, y
        return self.base - (_DIGIT_MIDDLE if self.direction == "up" else -_DIGIT_MIDDLE) * self.size, y


def read_labels(page: pymupdf.Page, area: BBox, strokes: Sequence[Stroke]) -> tuple[Label, ...]:
    """All words in an area, from top to bottom and left to right, exponents joined to their base.

    A minus sign that is a path among `strokes` and no text is put before its number.
    """
    text = page.get_text("rawdict", flags=_FLAGS, clip=pymupdf.Rect(area))
    words: list[Label] = []
    for block in cast("list[_Block]", text["blocks"]):
        for line in block.get("lines", []):
            direction = _direction(line["dir"])
            for span in line["spans"]:
                if not is_mark_font(span["font"]):
                    words += _words(span, direction)
    words = _with_exponents(_with_minus(_digits_joined(words), strokes))
    return tuple(sorted(words, key=lambda word: (word.box[1], word.box[0], word.text)))


def _direction(along: tuple[float, float]) -> Direction:
    x, y = along
    if x > 0.99:
        return "right"
    if y < -0.99:
        return "up"
    return "down" if y > 0.99 else "slanted"


def _words(span: _Span, direction: Direction) -> list[Label]:
    """The span's words, parted at spaces and wide gaps."""
    words: list[list[_Char]] = []
    part = True
    for char in span["chars"]:
        if char["c"].isspace():
            part = True
            continue
        if words and not part:
            digits = words[-1][-1]["c"].isdigit() and char["c"].isdigit()
            overlap = words[-1][-1]["bbox"][2] - char["bbox"][0] if digits and direction == "right" else 0.0
            apart = _apart(words[-1][-1], char) > (_DIGIT_GAP if digits else _WORD_GAP) * span["size"]
            part = apart or overlap > _DIGIT_OVERLAP * span["size"]
        if part:
            words.append([])
        words[-1].append(char)
        part = False
    return [_label(word, span, direction) for word in words]


def _apart(first: _Char, second: _Char) -> float:
    (ax0, ay0, ax1, ay1), (bx0, by0, bx1, by1) = first["bbox"], second["bbox"]
    return max(bx0 - ax1, ax0 - bx1, by0 - ay1, ay0 - by1, 0.0)


def _label(chars: Sequence[_Char], span: _Span, direction: Direction) -> Label:
    origin = chars[0]["origin"]
    return Label(
        text="".join(char["c"] for char in chars),
        box=union(char["bbox"] for char in chars),
        base=origin[1] if direction in ("right", "slanted") else origin[0],
        size=span["size"],
        colour=f"#{span['color'] & 0xFFFFFF:06x}",
        direction=direction,
    )


def _digits_joined(words: Sequence[Label]) -> list[Label]:
    """Words, digits that were set one by one joined to the digits that they touch."""
    whole: list[Label] = []
    for word in sorted(words, key=lambda one: (one.box[0], one.box[1], one.text)):
        before = next((i for i, other in enumerate(whole) if _goes_on(other, word)), None)
        if before is None:
            whole.append(word)
            continue
        first = whole[before]
        whole[before] = replace(first, text=first.text + word.text, box=union((first.box, word.box)))
    return whole


def _goes_on(first: Label, word: Label) -> bool:
    """Whether a word begins with a digit right where a number of its size and line ends."""
    alike = first.direction == word.direction == "right" and first.colour == word.colour
    level = abs(first.size - word.size) < 0.01 * word.size and abs(first.base - word.base) < 0.02 * word.size
    touch = abs(word.box[0] - first.box[2]) < _DIGIT_OVERLAP * word.size
    return alike and level and touch and word.text[0] in _DIGITS and first.text[-1] in _DIGITS


def _with_minus(words: Sequence[Label], strokes: Sequence[Stroke]) -> list[Label]:
    """Words, with a minus before each number that a short flat path stands right before, if it is no tick mark."""
    spines = [one for one in segments_of(strokes) if not one.level and one.length > _SPINE]
    flat = [stroke for stroke in strokes if _is_flat(stroke.box)]
    ticks = [one for one in flat if any(_touches(spine, one) for spine in spines)]
    looks = {look for look, count in Counter(map(_look, ticks)).items() if count > 2}
    bars = [one for one in flat if one not in ticks and _look(one) not in looks]
    zeros = [word for word in words if word.text.strip("0.") == ""]
    if any(_is_minus(bar.box, zero) for bar in bars for zero in zeros):
        # Zero has no sign: these are tick marks.
        return list(words)
    return [
        replace(word, text="−" + word.text, box=union((bar.box, word.box)))
        if word.text[0] in _DIGITS and (bar := next((b for b in bars if _is_minus(b.box, word)), None)) is not None
        else word
        for word in words
    ]


def _touches(spine: Segment, flat: Stroke) -> bool:
    """Whether a flat path begins or ends at an upright line, as tick marks do."""
    at_end = min(abs(spine.at - flat.box[0]), abs(spine.at - flat.box[2])) < _TOUCH
    return at_end and spine.start - 1 < flat.box[1] < spine.end + 1


def _look(flat: Stroke) -> tuple[float, float, str]:
    """What tick marks of one chart have in common: length, width and colour."""
    return round(flat.box[2] - flat.box[0], 1), round(flat.width, 1), flat.main_colour


def _is_flat(box: BBox) -> bool:
    return 1.0 < box[2] - box[0] < 12 and box[3] - box[1] < 0.3 * (box[2] - box[0])


def _is_minus(bar: BBox, word: Label) -> bool:
    wide = 0.25 * word.size < bar[2] - bar[0] < word.size and bar[3] - bar[1] < 0.16 * word.size
    before = -0.2 * word.size < word.box[0] - bar[2] < _MINUS_GAP * word.size
    return wide and before and abs((bar[1] + bar[3]) / 2 - word.middle[1]) < 0.3 * word.size


def _with_exponents(words: Sequence[Label]) -> list[Label]:
    """Words, each small raised one joined to the word that it stands right after."""
    upright = [word for word in words if word.direction == "right"]
    left = [word for word in words if word.direction != "right"]
    for word in sorted(upright, key=lambda w: w.box[0]):
        base = next((i for i, other in enumerate(left) if _is_exponent(word, other)), None)
        if base is None:
            left.append(word)
            continue
        other = left[base]
        mark = "" if "^" in other.text else "^"
        left[base] = replace(other, text=f"{other.text}{mark}{word.text}", box=union((other.box, word.box)))
    return left


def _is_exponent(word: Label, base: Label) -> bool:
    if base.direction != "right" or word.size > _SMALL * base.size or not base.text.lstrip(_TIMES)[:1].isdigit():
        return False
    gap = word.box[0] - base.box[2]
    raised = base.base - word.base
    return -0.15 * base.size < gap < 0.3 * base.size and 0.15 * base.size < raised < 0.9 * base.size


def joined(words: Sequence[Label], gap: float) -> list[Label]:
    """Upright words of one line joined with a space where they are at most `gap` em apart.

    With a gap below half an em, as between labels of ticks, two numbers stay apart.
    """
    lines: list[Label] = []
    for word in sorted((w for w in words if w.direction == "right"), key=lambda w: (w.box[0], w.box[1], w.text)):
        best: int | None = None
        for i, line in enumerate(lines):
            apart = word.box[0] - line.box[2]
            size = max(word.size, line.size)
            if gap < 0.5 and word.text[0].isdigit() and line.text[-1].isdigit():
                continue
            level = abs(word.base - line.base) < 0.45 * size and abs(word.size - line.size) < 0.5 * size
            if (
                level
                and -0.3 * size < apart < gap * size
                and (best is None or apart < word.box[0] - lines[best].box[2])
            ):
                best = i
        if best is None:
            lines.append(word)
            continue
        line = lines[best]
        tight = word.box[0] - line.box[2] < 0.12 * max(word.size, line.size)
        lines[best] = replace(
            line,
            text=line.text + ("" if tight else " ") + word.text,
            box=union((line.box, word.box)),
            size=max(line.size, word.size),
            base=line.base if line.size >= word.size else word.base,
        )
    return sorted(lines, key=lambda line: (line.box[1], line.box[0], line.text))
