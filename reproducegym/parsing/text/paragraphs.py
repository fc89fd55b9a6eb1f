"""Tells which rows make one paragraph and what role it has; cuts it into sentences with their places."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.text.joining import joined_rows, places_of
from reproducegym.parsing.text.sentences import sentence_spans
from reproducegym.schema.paper import Equation, Paragraph, Section, Sentence

__all__ = [
    "RUN_IN_ABSTRACT",
    "Draft",
    "Role",
    "begins_paragraph",
    "foot_rows",
    "gap_between",
    "is_prose",
    "paragraph_of",
    "resumable",
    "row_role",
    "same_paragraph",
    "stands_out",
]

Role = Literal["body", "abstract", "footnote", "reference", "list", "front"]
_BULLETS = "•◦▪‣●■∙–—*·➢"
_BULLET = re.compile(rf"[{_BULLETS}]\s|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]\s+\S")
_NOTE = re.compile(r"\d{1,2}(?:\.\s+|\s?)(?=[A-Z“\"(]|https?:|[\w.]+\.\w+/)")
_MIN_NOTE = 25
_NAMES_NUMBER = re.compile(r"(?:\b(?:Fig|Eq|Eqn|Tab|Sec|App|Ref|Alg|Thm|No|Vol|cf|al)s?\.|,)$")
RUN_IN_ABSTRACT = re.compile(r"(?:Abstract|ABSTRACT|Zusammenfassung)(?:\s*[.:—–-]+\s*|\s+(?=[A-Z]))")
_MAX_PAGES_ON = 3
_MIN_PROSE_ROWS = 4
_MIN_PROSE_WORDS = 30
_END = (".", "!", "?", ":", ".”", '."', ".)", "?)")


@dataclass(slots=True)
class Draft:
    """A paragraph being built: rows, and the role they have."""

    section: str | None
    role: Role
    rows: list[Row] = field(default_factory=list)


def gap_between(rows: Sequence[Row], first: int, second: int) -> float:
    """Distance of two rows' baselines in font sizes; large where they don't follow each other in one column."""
    if first < 0 or second >= len(rows):
        return 9.0
    upper, lower = rows[first], rows[second]
    if upper.page != lower.page or upper.column != lower.column or lower.line.base < upper.line.base:
        return 9.0
    return (lower.line.base - upper.line.base) / max(upper.line.size, lower.line.size)


def foot_rows(rows: Sequence[Row], body: float) -> frozenset[int]:
    """Indices of the rows below which a page's column has nothing but small print, their own size included."""
    found: set[int] = set()
    ended: set[tuple[int, int]] = set()
    for i in range(len(rows) - 1, -1, -1):
        place = (rows[i].page, rows[i].column)
        if rows[i].line.size >= 0.93 * body:
            ended.add(place)
        elif place not in ended:
            found.add(i)
    return frozenset(found)


def is_prose(draft: Draft, body: float) -> bool:
    """Whether front matter is running text: rows of one width in about the text's size, most words in lower case."""
    rows = [row for row in draft.rows if row.line.size > 0.85 * body]
    words = [word for row in rows for word in row.text.split()]
    if len(rows) < _MIN_PROSE_ROWS or len(words) < _MIN_PROSE_WORDS:
        return False
    left, right = rows[-2].line.box[0], rows[-2].line.box[2]
    even = sum(abs(row.line.box[0] - left) < 3 and abs(row.line.box[2] - right) < 3 for row in rows)
    lower = sum(word[:1].islower() for word in words)
    return even >= _MIN_PROSE_ROWS - 1 and lower > 0.55 * len(words)


def row_role(row: Row, role: Role, body: float, last: Draft | None, *, at_foot: bool = False) -> Role:
    """What a row is by its look, within the role that its section gives it; `at_foot` says only small print follows."""
    if role in ("reference", "front"):
        return role
    note = at_foot and len(row.text) > _MIN_NOTE and _NOTE.match(row.text) is not None
    if row.column == 3 or note or _is_footnote(row, body, last):
        return "footnote"
    return "list" if role == "body" and _is_item(row, last) else role


def _is_item(row: Row, last: Draft | None) -> bool:
    """Whether a row begins with a bullet, or with a number that cannot belong to the sentence before it."""
    if not _BULLET.match(row.text):
        return False
    if row.text[0] in _BULLETS or last is None:
        return True
    before = last.rows[-1].text.rstrip()
    return before.endswith((*_END, ";", ",")) and not _NAMES_NUMBER.search(before)


def _is_footnote(row: Row, body: float, last: Draft | None) -> bool:
    """Smaller than the text, and marked, or following a footnote."""
    if row.line.size >= 0.93 * body:
        return False
    if row.line.pieces[0].raised == 1 or re.match(r"[*∗†‡§¹²³⁴⁵⁶⁷⁸⁹⁰]", row.text):
        return True
    if last is None or last.role != "footnote" or last.rows[-1].column == 3:
        return False
    previous = last.rows[-1]
    return previous.page == row.page and previous.column == row.column and previous.line.base < row.line.base


def stands_out(row: Row) -> bool:
    """Whether the first word of a row has another style than its last."""
    first, last = row.line.pieces[0], row.line.pieces[-1]
    return (first.bold, first.italic, first.font) != (last.bold, last.italic, last.font) or "Abstract" not in first.text


def same_paragraph(last: Draft, row: Row, kind: Role, above: float) -> bool:
    """Whether a row goes on with the paragraph before it; `above` is the distance of their baselines in font sizes."""
    if last.rows[-1].page != row.page or last.rows[-1].column != row.column:
        return False
    previous = _full_row(last)
    if _is_scrap(row, previous) and above < 0.95 and kind == last.role:
        return True
    size = row.line.size
    if previous is not last.rows[-1]:
        above = (row.line.base - previous.line.base) / max(size, previous.line.size)
    if not _same_size(previous, row, 0.12) or above > 1.62:
        return False
    if kind in ("list", "footnote") and kind != last.role:
        return False
    indent = row.line.box[0] - previous.line.box[0]
    if last.role == "reference":
        hanging = row.line.box[0] - last.rows[0].line.box[0]
        return not (re.match(r"\[\w{1,8}\]|\d{1,3}\.\s", row.text) or (hanging < 0.5 * size and _hangs(last)))
    if kind == "list" and _BULLET.match(row.text):
        return False
    marked = row.line.pieces[0].raised == 1 or re.match(r"[*∗†‡§]", row.text) or _NOTE.match(row.text)
    if kind == "footnote" and marked:
        return False
    if (kind == "footnote") != (last.role == "footnote"):
        return False
    if above < 0.4:
        return True
    if last.role == "list" and kind != "list" and previous.text.rstrip().endswith(_END) and not _aligned(last, row):
        return False
    short = previous.line.box[2] < row.right - 0.2 * (row.right - row.left)
    if short and previous.text.rstrip().endswith(_END):
        return False
    starts = 0.7 * size < indent < 4.5 * size and row.line.box[0] < row.left + 5 * size
    if starts and last.role not in ("list", "footnote"):
        first_indent = previous.line.box[0] - row.left
        return not (abs(first_indent) < 0.6 * size or previous.text.rstrip().endswith(_END))
    return True


def _full_row(draft: Draft) -> Row:
    """The last row that is no numerator or denominator of a fraction in the text."""
    largest = max(draft.rows, key=lambda row: row.line.size)
    return next(row for row in reversed(draft.rows) if not _is_scrap(row, largest))


def _is_scrap(row: Row, text: Row) -> bool:
    """Whether a row is a part of a fraction or a limit that stands between two lines of text."""
    return (
        row.line.size < 0.86 * text.line.size and len(row.text) < 40 and not re.search(r"[a-z]{3,} [a-z]{3,}", row.text)
    )


def _same_size(first: Row, second: Row, share: float) -> bool:
    """Whether two rows have words of one size; code among them may be smaller."""
    if abs(first.line.size - second.line.size) <= share * second.line.size:
        return True
    larger, smaller = (first, second) if first.line.size > second.line.size else (second, first)
    words = [piece for piece in smaller.line.pieces if sum(c.isalpha() for c in piece.text) > 2]
    return len(words) > 1 and any(abs(piece.size - larger.line.size) < 0.03 * larger.line.size for piece in words)


def _is_indented(draft: Draft) -> bool:
    """Whether the first row of a paragraph is set in and the second is not: then one that is not set in goes on."""
    rows = draft.rows
    size = rows[0].line.size
    return len(rows) > 1 and rows[0].line.box[0] - rows[0].left > 0.7 * size > rows[1].line.box[0] - rows[1].left


def _is_full(row: Row) -> bool:
    return row.line.box[2] > row.right - 0.05 * (row.right - row.left)


def _aligned(last: Draft, row: Row) -> bool:
    """Whether a row begins where the text of a list's item does."""
    first = last.rows[0].line.pieces
    text = last.rows[1].line.box[0] if len(last.rows) > 1 else first[min(1, len(first) - 1)].box[0]
    return abs(row.line.box[0] - text) < 0.25 * row.line.size


def _hangs(last: Draft) -> bool:
    """Whether the entry so far is complete or its second line is indented."""
    if len(last.rows) > 1:
        return last.rows[1].line.box[0] - last.rows[0].line.box[0] > 3
    return last.rows[-1].text.rstrip().endswith(".")


def resumable(drafts: Sequence[Draft | Section | Equation], row: Row, kind: Role) -> Draft | None:
    """The paragraph that a row at the top of a column or page carries on; it steps over footnotes and smaller print."""
    for draft in reversed(drafts):
        if not isinstance(draft, Draft):
            return None
        if draft.role == "footnote":
            continue
        previous = _full_row(draft)
        if not _same_size(previous, row, 0.1):
            if len(draft.rows) > 2 and previous.line.size > row.line.size:
                return None
            continue
        moved = previous.page != row.page or previous.column != row.column or previous.line.base > row.line.base
        if not moved or (draft.role != kind and not (draft.role == "list" and kind == "body")):
            return None
        if row.page - previous.page > _MAX_PAGES_ON:
            return None
        text = previous.text.rstrip()
        open_end = not text.endswith(_END) or text.endswith(("et al.", "e.g.", "i.e.", "Fig.", "Eq."))
        indented = row.line.box[0] > row.left + 0.7 * row.line.size
        if draft.role in ("list", "reference"):
            inner = draft.rows[-1].line.box[0] - previous.left
            indented = abs(row.line.box[0] - row.left - inner) > 0.7 * row.line.size and len(draft.rows) > 1
        if text.endswith(("-", "\u00ad")) or (open_end and not indented):
            return draft
        if not indented and kind == "body" and _is_indented(draft) and _is_full(previous):
            return draft
        if not indented and kind != "reference" and row.text[:1].islower() and not text.endswith((".", "!", "?")):
            return draft
        return None
    return None


def begins_paragraph(last: Draft | Section | Equation | None, row: Row, above: float) -> bool:
    """Whether a row can only be the first of a paragraph: by what stands before it, the space above, or its indent."""
    if not isinstance(last, Draft) or above > 1.3:
        return True
    previous = last.rows[-1]
    indented = (
        row.line.box[0] - row.left > 0.7 * row.line.size and previous.line.box[0] - row.left < 0.5 * row.line.size
    )
    short = previous.line.box[2] < previous.right - 0.1 * (previous.right - previous.left)
    return previous.text.rstrip().endswith(_END) and (indented or short)


def paragraph_of(name: str, draft: Draft, vocabulary: frozenset[str], language: str) -> Paragraph | None:
    """The paragraph of a draft, without the word "Abstract" that may begin it; None if that is all there is."""
    text, spans = joined_rows(draft.rows, vocabulary)
    if draft.role == "abstract":
        match = RUN_IN_ABSTRACT.match(text)
        if match:
            spans = [(max(0, a - match.end()), max(0, b - match.end()), page, box) for a, b, page, box in spans]
            spans = [span for span in spans if span[1] > 0]
            text = text[match.end() :]
    if not text.strip():
        return None
    sentences = tuple(
        Sentence(id=f"{name}.{k}", text=text[a:b], start=a, end=b, places=places_of(spans, a, b))
        for k, (a, b) in enumerate(sentence_spans(text, language), 1)
    )
    return Paragraph(
        id=name,
        section=draft.section,
        role=draft.role,
        text=text,
        places=places_of(spans, 0, len(text)),
        sentences=sentences,
    )
