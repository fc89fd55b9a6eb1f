"""Tells which rows make one paragraph and what role it has; cuts it into sentences with their places."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from reproducegym.parsing.pdf.columns import Row
from reproducegym.parsing.text.joining import joined_rows, places_of
from reproducegym.parsing.text.sentences import sentence_spans
from reproducegym.schema.paper import Equation, Paragraph, Section, Sentence

__all__ = [
    "RUN_IN_ABSTRACT",
    "Draft",
    "Role",
    "begins_paragraph",
    "gap_between",
    "paragraph_of",
    "resumable",
    "row_role",
    "same_paragraph",
    "stands_out",
]

Role = Literal["body", "abstract", "footnote", "reference", "list", "front"]
_BULLETS = "•◦▪‣●■∙–—*·➢"
_BULLET = re.compile(rf"[{_BULLETS}]\s|\(?(?:\d{{1,2}}|[a-z]|[ivx]{{1,4}})[.)]\s+\S")
_NAMES_NUMBER = re.compile(r"(?:\b(?:Fig|Eq|Eqn|Tab|Sec|App|Ref|Alg|Thm|No|Vol|cf|al)s?\.|,)$")
RUN_IN_ABSTRACT = re.compile(r"(?:Abstract|ABSTRACT|Zusammenfassung)(?:\s*[.:—–-]+\s*|\s+(?=[A-Z]))")
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


def row_role(row: Row, role: Role, body: float, last: Draft | None) -> Role:
    """What a row is by its look, within the role that its section gives it."""
    if role in ("reference", "front"):
        return role
    if row.column == 3 or _is_footnote(row, body, last):
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
    previous = last.rows[-1]
    if previous.page != row.page or previous.column != row.column:
        return False
    size = row.line.size
    if abs(previous.line.size - size) > 0.12 * size or above > 1.62:
        return False
    if kind in ("list", "footnote") and kind != last.role:
        return False
    indent = row.line.box[0] - previous.line.box[0]
    if last.role == "reference":
        hanging = row.line.box[0] - last.rows[0].line.box[0]
        return not (re.match(r"\[\w{1,8}\]|\d{1,3}\.\s", row.text) or (hanging < 0.5 * size and _hangs(last)))
    if kind == "list" and _BULLET.match(row.text):
        return False
    if kind == "footnote" and (row.line.pieces[0].raised == 1 or re.match(r"[*∗†‡§]", row.text)):
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
    if starts and len(last.rows) >= 1 and last.role != "list":
        first_indent = previous.line.box[0] - row.left
        return not (first_indent < 0.6 * size or previous.text.rstrip().endswith(_END))
    return True


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
    """The paragraph that a row at the top of a column or page carries on, if any; footnotes are stepped over."""
    for draft in reversed(drafts):
        if not isinstance(draft, Draft):
            return None
        if draft.role == "footnote":
            continue
        previous = draft.rows[-1]
        moved = previous.page != row.page or previous.column != row.column or previous.line.base > row.line.base
        if not moved or (draft.role != kind and not (draft.role == "list" and kind == "body")):
            return None
        if row.page - previous.page > 1:
            return None
        if abs(previous.line.size - row.line.size) > 0.1 * row.line.size:
            if len(draft.rows) > 2 and previous.line.size > row.line.size:
                return None
            continue
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
