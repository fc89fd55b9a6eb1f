"""Finds headings that run into the text: "**Datasets.** We use …", "Jacobi method — Setting …"."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import union
from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.pages.page_text import Piece, joined_text, line_of
from reproducegym.parsing.text.mathematics import is_mathematical
from reproducegym.schema.base import BBox

__all__ = ["RunIn", "run_in_at"]

_NUMBER = re.compile(r"(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})*)[.)]?\s+(?P<title>\S.*)")
_STATEMENT = re.compile(
    r"(?:theorem|lemma|proposition|corollary|definition|remarks?|proof|conjecture|keywords?|index terms|ccs concepts|"
    r"abstract|fig|require|ensure|beispiel|satz|beweis|bemerkung|korollar|behauptung)\b"
    r"|(?:assumption|example|claim|fact|observation|algorithm|property|hypothesis|exercise|table|figure|listing|step|line|"
    r"case|input|output)\s*(?:\d|:|[A-Z]\.?\d)",
    re.IGNORECASE,
)
_CODE_FONT = re.compile(r"mono|courier|cour|consol|typewriter|cmtt|sftt|lmtt|inconsolata|tt\d", re.IGNORECASE)
_STOPS = (".", ":", "?", "!")
_DASHES = ("—", "–", "-")
_MAX_WORDS = 12
_MAX_LIGHT_WORDS = 6


@dataclass(frozen=True, slots=True)
class RunIn:
    """The heading, its box, and the row with what stands behind it; `rows` is how many rows it touches."""

    number: str | None
    title: str
    box: BBox
    rest: Row
    rows: int


def run_in_at(rows: Sequence[Row], i: int) -> RunIn | None:
    """The run-in heading with which a paragraph begins at a row; it may go on in the next one."""
    row = rows[i]
    pieces = row.line.pieces
    count = _leading(pieces)
    if count < len(pieces):
        return _made(row, pieces, count, (), rows=1)
    if not pieces[0].bold or i + 1 >= len(rows) or rows[i + 1].page != row.page or rows[i + 1].column != row.column:
        return None
    following = rows[i + 1]
    more = _leading(following.line.pieces)
    if not 0 < more < len(following.line.pieces) or _style(following.line.pieces[0]) != _style(pieces[0]):
        return None
    return _made(following, following.line.pieces, more, pieces, rows=2)


def _made(row: Row, pieces: Sequence[Piece], count: int, before: Sequence[Piece], *, rows: int) -> RunIn | None:
    """The heading of `before` and the first pieces of a row, if that is what they are."""
    if count == 0:
        return None
    head, rest = [*before, *pieces[:count]], list(pieces[count:])
    text = joined_text(head).strip()
    dashed = text.endswith(("—", "–"))
    if not dashed and not text.endswith(_STOPS) and rest[0].text in _DASHES and len(rest) > 1:
        rest, dashed = rest[1:], True
    stopped = dashed or text.endswith(_STOPS)
    apart = rest[0].box[0] - pieces[count - 1].box[2] > 0.7 * row.line.size
    if not (stopped or (apart and pieces[0].bold)) or not _is_name(text, plain=head[0].bold or dashed):
        return None
    if not head[0].bold and text.endswith(("?", "!")):
        return None
    match = _NUMBER.fullmatch(text)
    title = (match["title"] if match else text).rstrip(".:—– ")
    left = replace(row, line=line_of([replace(rest[0], glued=False), *rest[1:]]))
    return RunIn(match["number"] if match else None, title, union(piece.box for piece in head), left, rows)


def _is_name(text: str, *, plain: bool) -> bool:
    """Whether a text may name what follows; it may be longer where bold type or a dash make that plain."""
    words = text.split()
    numbered = _NUMBER.fullmatch(text)
    title = numbered["title"] if numbered else text
    letters = sum(c.isalpha() for c in title)
    if not letters >= 3 or letters < 0.6 * len(title.replace(" ", "")) or not (text[0].isupper() or text[0].isdigit()):
        return False
    inner_stop = re.search(r"[a-z]{3}[.!?]\s+[A-Z]", text) is not None
    return len(words) <= (_MAX_WORDS if plain else _MAX_LIGHT_WORDS) and not inner_stop and not _STATEMENT.match(text)


def _leading(pieces: Sequence[Piece]) -> int:
    """How many pieces at the start have one style that the rest has not; 0 if it is no style of headings."""
    first = pieces[0]
    if is_mathematical(first) or first.raised or _CODE_FONT.search(first.font):
        return 0
    count = 1
    while count < len(pieces) and _goes_on(pieces, count):
        count += 1
    if first.bold or count == len(pieces):
        return count
    usual = Counter[str]()
    for piece in pieces[count:]:
        usual[_family(piece)] += len(piece.text)
    light = first.italic or _family(first) != max(usual, key=lambda name: (usual[name], name))
    return count if light and not first.text.isdigit() else 0


def _goes_on(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a piece has the style of the first one; formulas and quotation marks within it do not break it."""
    if _style(pieces[i]) == _style(pieces[0]):
        return True
    inner = is_mathematical(pieces[i]) or not any(c.isalnum() for c in pieces[i].text)
    return (
        inner and i + 1 < len(pieces) and _style(pieces[i + 1]) == _style(pieces[0]) and pieces[i].text not in _DASHES
    )


def _style(piece: Piece) -> tuple[bool, bool, str]:
    return piece.bold, piece.italic and not piece.bold, "" if piece.bold else _family(piece)


def _family(piece: Piece) -> str:
    return re.split(r"[-,+]", piece.font)[0].rstrip("0123456789")
