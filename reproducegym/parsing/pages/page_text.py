"""The text of one page as styled pieces and lines, with exact boxes and baselines."""

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import rounded, union
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.letters import UNSEEN, speller
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import PageWords, Word

__all__ = [
    "Line",
    "PageText",
    "Piece",
    "body_size",
    "joined_text",
    "line_of",
    "read_page_text",
    "spellings",
    "split_line",
]

_FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
_BOLD_NAMES = ("bold", "medi", "black", "heavy", "cmbx", "demi", "semibold", "libertinetb", "libertinetz")
_ITALIC_NAMES = ("ital", "obli", "cmti", "cmmi", "slant")
_SUPERSCRIPTS = str.maketrans("0123456789+-−=()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾")
_COMBINING = {
    "¨": "\u0308",
    "´": "\u0301",
    "`": "\u0300",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¸": "\u0327",
    "˚": "\u030a",
    "ˇ": "\u030c",
}
_ACCENT = re.compile("(?P<accent>[¨´`ˆ˜¸˚ˇ])(?P<letter>[A-Za-zıȷ])(?=[a-z]|$)")
_SPACE_EM = 0.13


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters without a space and of one style.

    `raised` is 1 for a superscript, -1 for a subscript; `colour` is 0xRRGGBB.
    """

    text: str
    box: BBox
    size: float
    font: str
    bold: bool
    italic: bool
    base: float
    raised: int
    glued: bool
    colour: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Pieces on one baseline without a wide gap; turned text is not upright: it reads upward or downward."""

    pieces: tuple[Piece, ...]
    box: BBox
    base: float
    size: float
    upright: bool
    text: str
    upward: bool = False

    @property
    def bold(self) -> bool:
        """Whether all its letters are bold."""
        lettered = [piece for piece in self.pieces if any(c.isalpha() for c in piece.text)]
        return bool(lettered) and all(piece.bold for piece in lettered)

    @property
    def italic(self) -> bool:
        """Whether all its letters are italic."""
        lettered = [piece for piece in self.pieces if any(c.isalpha() for c in piece.text)]
        return bool(lettered) and all(piece.italic for piece in lettered)


@dataclass(frozen=True, slots=True)
class PageText:
    """One page: its size, its lines in the file's own order, and its words as the page spells them."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    words: PageWords


def read_page_text(page: pymupdf.Page, number: int) -> PageText:
    """Read one page; a page's rotation must have been removed."""
    textpage = page.get_textpage(flags=_FLAGS)
    spell = speller(str(textpage.extractText()))
    lines: list[Line] = []
    seen: set[tuple[str, int, int]] = set()
    for block in textpage.extractRAWDICT()["blocks"]:
        for raw in block.get("lines", ()):
            upright = float(raw["dir"][0]) > 0.9
            pieces = [piece for piece in _pieces(raw["spans"], upright, spell) if _first_time(piece, seen)]
            if pieces:
                upward = float(raw["dir"][1]) < -0.9
                lines.extend(replace(line, upward=upward) for line in _split(_marked(pieces), upright))
    words = tuple(
        Word(text=text, bbox=rounded((float(w[0]), float(w[1]), float(w[2]), float(w[3]))))
        for w in textpage.extractWORDS()
        if (text := spell(str(w[4])))
    )
    return PageText(
        number=number,
        width=round(float(page.rect.width), 2),
        height=round(float(page.rect.height), 2),
        lines=tuple(_merged(lines)),
        words=PageWords(page=number, words=words),
    )


def _first_time(piece: Piece, seen: set[tuple[str, int, int]]) -> bool:
    """False for text that is drawn twice at one place (poor man's bold)."""
    key = (piece.text, round(piece.box[0]), round(piece.box[1]))
    if key in seen and len(piece.text) > 1:
        return False
    seen.add(key)
    return True


@dataclass(slots=True)
class _Run:
    """A piece while its characters are being read."""

    text: str
    box: tuple[float, float, float, float]
    base: float
    glued: bool

    def add(self, text: str, box: tuple[float, float, float, float]) -> None:
        self.text += text
        x0, y0, x1, y1 = self.box
        self.box = (min(x0, box[0]), min(y0, box[1]), max(x1, box[2]), max(y1, box[3]))


def _pieces(spans: Iterable[dict[str, object]], upright: bool, spell: Callable[[str], str]) -> list[Piece]:
    pieces: list[Piece] = []
    end: float | None = None
    spaced = False
    for span in spans:
        size = float(str(span["size"]))
        runs: list[_Run] = []
        chars = span["chars"]
        for char in chars if isinstance(chars, list) else ():
            text = spell(str(char["c"]))
            if not text:
                spaced = spaced or char["c"] not in UNSEEN
                continue
            box = tuple(map(float, char["bbox"]))
            start = box[0] if upright else -box[3]
            apart = end is None or spaced or start - end > _SPACE_EM * size
            if apart or not runs:
                runs.append(_Run(text, (box[0], box[1], box[2], box[3]), float(char["origin"][1]), not apart))
            else:
                runs[-1].add(text, (box[0], box[1], box[2], box[3]))
            end, spaced = (box[2] if upright else -box[1]), False
        pieces += _styled(runs, str(span["font"]), size, int(str(span["flags"])), int(str(span["color"])))
    return pieces


def _styled(runs: Iterable[_Run], font: str, size: float, flags: int, colour: int) -> list[Piece]:
    name = font.lower()
    bold = bool(flags & 16) or any(part in name for part in _BOLD_NAMES)
    italic = bool(flags & 2) or any(part in name for part in _ITALIC_NAMES)
    return [Piece(run.text, run.box, size, font, bold, italic, run.base, 0, run.glued, colour) for run in runs]


def _marked(pieces: list[Piece]) -> list[Piece]:
    """Tell superscripts and subscripts from the line's main text by size and baseline."""
    sizes: Counter[float] = Counter()
    for piece in pieces:
        sizes[round(piece.size, 1)] += len(piece.text)
    largest = max(sizes)
    main = max((size for size in sizes if size > 0.82 * largest), key=lambda size: (sizes[size], size), default=largest)
    bases = Counter(round(piece.base, 1) for piece in pieces if round(piece.size, 1) >= 0.82 * largest)
    base = bases.most_common(1)[0][0]
    marked = []
    for piece in pieces:
        raised = 0
        if piece.size < 0.86 * main:
            shift = base - piece.base
            raised = 1 if shift > 0.12 * main else -1 if shift < -0.05 * main else 0
        marked.append(replace(piece, raised=raised) if raised != piece.raised else piece)
    return marked


def line_of(pieces: Sequence[Piece], *, upright: bool = True) -> Line:
    """A line from pieces in reading order; at least one must be given."""
    main = [piece for piece in pieces if piece.raised == 0] or list(pieces)
    sizes: Counter[float] = Counter()
    for piece in main:
        sizes[round(piece.size, 1)] += len(piece.text)
    bases: Counter[float] = Counter()
    for piece in main:
        bases[round(piece.base, 1)] += len(piece.text)
    base = max(bases, key=lambda value: (bases[value], value))
    size = max(sizes, key=lambda value: (sizes[value], value))
    return Line(tuple(pieces), union(piece.box for piece in pieces), base, size, upright, joined_text(pieces))


def joined_text(pieces: Iterable[Piece]) -> str:
    """The text of pieces: a space where the page has one, raised digits as superscript digits."""
    text = ""
    ordered = list(pieces)
    for piece, shown in zip(ordered, spellings(ordered), strict=True):
        text += shown if piece.glued or not text else " " + shown
    return text


def spellings(pieces: Sequence[Piece]) -> list[str]:
    """The text of each piece: exponents in superscript digits and signs, letters with their accents."""
    return [
        piece.text.translate(_SUPERSCRIPTS) if _is_raised_sign(piece, following) else _spelled(piece)
        for piece, following in itertools.zip_longest(pieces, pieces[1:])
    ]


def _is_raised_sign(piece: Piece, following: Piece | None) -> bool:
    """Whether a piece is the sign of an exponent, which fonts for mathematics set apart from its digits."""
    if piece.raised != 1 or piece.text not in ("−", "-", "+") or following is None:
        return False
    return following.raised == 1 and following.glued and following.text[:1].isdigit()


def _spelled(piece: Piece) -> str:
    if piece.raised == 1 and piece.text.translate(_SUPERSCRIPTS) != piece.text and piece.text[-1].isdigit():
        return piece.text.translate(_SUPERSCRIPTS)
    if len(piece.text) > 2 and _ACCENT.search(piece.text):
        return _ACCENT.sub(_accented, piece.text)
    return piece.text


def _accented(match: re.Match[str]) -> str:
    """The letter with the accent that old fonts draw before it ("na¨ıve")."""
    letter = {"ı": "i", "ȷ": "j"}.get(match["letter"], match["letter"])
    return unicodedata.normalize("NFC", letter + _COMBINING[match["accent"]])


def _split(pieces: list[Piece], upright: bool) -> list[Line]:
    return split_line(pieces, 1.8, upright=upright)


def split_line(pieces: Sequence[Piece], ems: float, *, upright: bool = True) -> list[Line]:
    """Cut pieces in reading order into lines wherever a gap is wider than so many ems."""
    if not upright:
        return [line_of(pieces, upright=False)]
    lines: list[Line] = []
    start = 0
    for i, (left, right) in enumerate(itertools.pairwise(pieces), 1):
        if right.box[0] - left.box[2] > ems * max(left.size, right.size):
            lines.append(line_of(pieces[start:i]))
            start = i
    return [*lines, line_of(pieces[start:])]


def _merged(lines: list[Line]) -> list[Line]:
    """Join neighbours that the file wrote as separate lines but that touch on one baseline."""
    merged: list[Line] = []
    for line in lines:
        last = merged[-1] if merged else None
        if last is not None and last.upright and line.upright and _touch(last, line):
            gap = line.box[0] - last.box[2]
            first = replace(line.pieces[0], glued=gap < _SPACE_EM * line.size)
            merged[-1] = line_of(_marked([*last.pieces, first, *line.pieces[1:]]))
        else:
            merged.append(line)
    return merged


def _touch(left: Line, right: Line) -> bool:
    size = max(left.size, right.size)
    gap = right.box[0] - left.box[2]
    if not -0.3 * size < gap < 0.6 * size:
        return False
    overlap = min(left.box[3], right.box[3]) - max(left.box[1], right.box[1])
    return overlap > 0.4 * min(left.box[3] - left.box[1], right.box[3] - right.box[1])


def body_size(pages: Iterable[PageText]) -> float:
    """The font size in which most of the text is set."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            if line.upright:
                sizes[round(line.size * 2) / 2] += len(line.text)
    return max(sizes, key=lambda size: (sizes[size], size), default=10.0)
