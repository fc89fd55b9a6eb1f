"""Tells headings from text by number, font and known names."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.pages.page_text import Piece
from reproducegym.parsing.text.mathematics import is_mathematical

__all__ = ["KNOWN", "Heading", "contents_rows", "heading_of", "is_bold"]

_NUMBERED = re.compile(
    r"(?P<number>(?:Appendix\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){0,4}|[IVX]{1,5}))(?P<dot>[.:)]?)\s+(?P<title>\S.*)"
)
KNOWN = frozenset(
    [
        "abstract",
        "introduction",
        "references",
        "bibliography",
        "acknowledgments",
        "acknowledgements",
        "acknowledgment",
        "acknowledgement",
        "conclusion",
        "conclusions",
        "discussion",
        "appendix",
        "background",
        "methods",
        "method",
        "results",
        "experiments",
        "zusammenfassung",
        "broader impact",
        "limitations",
        "ethics statement",
        "reproducibility statement",
        "literaturverzeichnis",
        "summary",
    ]
)
_STATEMENT = re.compile(
    r"(?:theorem|lemma|proposition|corollary|definition|remark|assumption|example|claim|conjecture|algorithm|exercise|satz|lemma|"
    r"bemerkung|beispiel|korollar|proposition|aufgabe|behauptung)\s+\d",
    re.IGNORECASE,
)
_MIN_CONTENTS = 4
_MAX_PLAIN_WORDS = 14


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as printed; `depth` is that of its number, None without one."""

    number: str | None
    title: str
    depth: int | None
    size: float
    bold: bool
    italic: bool


def heading_of(row: Row, body: float, gap_above: float, gap_below: float) -> Heading | None:
    """The heading that a row is, or None; gaps are distances to the neighbouring baselines in the row's font size."""
    text = row.text.strip()
    if (
        len(text) > 130
        or sum(c.isalpha() for c in text) < 3
        or (text.endswith((",", ";")) and row.line.size < 1.3 * body)
    ):
        return None
    line = row.line
    large, bold = line.size >= 1.08 * body, is_bold(line.pieces)
    capitals = text.upper() == text and sum(c.isalpha() for c in text) > 4
    name = re.sub(r"[\s.:—-]+$", "", text).lower()
    spread_name = name.replace(" ", "")
    known = name in KNOWN or spread_name in KNOWN
    match = _NUMBERED.fullmatch(text)
    if (
        known
        and (bold or large or capitals or gap_above > 1.6 or text == text.title())
        and (bold or large or gap_below > 1.3 or capitals)
    ):
        return Heading(
            None,
            name.capitalize() if spread_name != name and spread_name in KNOWN else text.rstrip(".:—- "),
            None,
            line.size,
            bold,
            line.italic,
        )
    if match is not None and _titled(match["title"]) and not _is_word(row, match["number"], match["dot"]):
        depth = match["number"].count(".") + 1
        emphatic = large or bold or (capitals and gap_above > 1.2) or (line.italic and gap_above > 1.3)
        apart = gap_above > 1.5 and gap_below > 1.2 and (_small_caps(row) or (depth > 1 and _is_short(row)))
        if (emphatic or apart) and not (text.endswith(".") and not bold and not large):
            return Heading(match["number"], match["title"].strip(), depth, line.size, bold, line.italic)
        return None
    if (text.endswith((".", ":")) and not large) or _STATEMENT.match(text) or (not large and _has_cells(row)):
        return None
    capitalised = sum(word[0].isupper() for word in text.split()) > 0.6 * len(text.split())
    narrow = line.box[2] - line.box[0] < 0.9 * (row.right - row.left)
    isolated = gap_above > 1.3 and (narrow or (capitalised and gap_below > 1.3))
    if not (large or bold) or not isolated or not text[0].isalnum() or not _titled(text):
        return None
    if not large and (text[0].islower() or len(text.split()) > (18 if capitalised else 12)):
        return None
    return Heading(None, text, None, line.size, bold, line.italic)


def _is_word(row: Row, number: str, dot: str) -> bool:
    """Whether a letter in the place of a number is the word "A" or "I": nothing but a space follows."""
    pieces = row.line.pieces
    return number in ("A", "I") and not dot and pieces[1].box[0] - pieces[0].box[2] < 0.42 * pieces[0].size


def is_bold(pieces: Sequence[Piece]) -> bool:
    """Whether words are bold; formulas among them may be light."""
    lettered = [piece for piece in pieces if any(c.isalpha() for c in piece.text)]
    worded = [piece for piece in lettered if not (is_mathematical(piece) or len(piece.text) == 1)] or lettered
    return bool(worded) and all(piece.bold for piece in worded)


def contents_rows(rows: Sequence[Row]) -> frozenset[int]:
    """Indices of the rows of a table of contents: a page number stands apart at the right, row after row."""
    found = [i for i, row in enumerate(rows) if _ends_in_page_number(row)]
    near = Counter[int]()
    for first, second in itertools.pairwise(found):
        if second - first <= 3 and rows[second].page - rows[first].page <= 1:
            near[first] += 1
            near[second] += 1
    pages = Counter(rows[i].page for i in near)
    return frozenset(i for i in near if pages[rows[i].page] >= _MIN_CONTENTS)


def _ends_in_page_number(row: Row) -> bool:
    pieces = row.line.pieces
    if len(pieces) < 2 or not re.fullmatch(r"[. ]*(?:\d{1,3}|[ivxl]{1,6})", pieces[-1].text):
        return False
    if row.right - pieces[-1].box[2] > 2 * row.line.size:
        return False
    dotted = re.search(r"(?:[.·]\s?){4,}", row.text) is not None
    return dotted or pieces[-1].box[0] - pieces[-2].box[2] > 2 * row.line.size


def _titled(title: str) -> bool:
    letters = sum(c.isalpha() for c in title)
    worded = re.search(r"[^\W\d_]{3}", title) is not None or any(c > "\u2e7f" for c in title)
    return worded and letters > 0.55 * len(title.replace(" ", "")) and "=" not in title and not title[0].islower()


def _is_short(row: Row) -> bool:
    """Whether a row leaves much of its line free and has few words: what stands behind the number of a heading."""
    return (
        row.line.box[2] - row.line.box[0] < 0.8 * (row.right - row.left) and len(row.text.split()) <= _MAX_PLAIN_WORDS
    )


def _has_cells(row: Row) -> bool:
    """Whether words stand apart as the cells of a table's header do."""
    gaps = [right.box[0] - left.box[2] for left, right in itertools.pairwise(row.line.pieces)]
    return any(gap > 1.2 * row.line.size for gap in gaps)


def _small_caps(row: Row) -> bool:
    letters = [c for piece in row.line.pieces for c in piece.text if c.isalpha()]
    return bool(letters) and all(c.isupper() for c in letters)
