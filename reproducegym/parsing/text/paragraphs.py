"""Joins rows of text into paragraphs with sections, roles and sentences, each with its places."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from reproducegym.parsing.boxes import rounded, union
from reproducegym.parsing.pdf.columns import Row
from reproducegym.parsing.pdf.page_text import spelled
from reproducegym.parsing.text.headings import Heading, heading_of
from reproducegym.parsing.text.sentences import sentence_spans
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Paragraph, Place, Section, Sentence

__all__ = ["Role", "TextFlow", "flow_of"]

Role = Literal["body", "abstract", "footnote", "reference", "list", "front"]
_BULLET = re.compile(r"[•◦▪‣●■∙–—*·➢]\s|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+\S")
_REFERENCES = frozenset({"references", "bibliography", "literaturverzeichnis", "literature cited", "works cited"})
_RUN_IN_ABSTRACT = re.compile(r"(?:Abstract|ABSTRACT|Zusammenfassung)(?:\s*[.:—–-]+\s*|\s+(?=[A-Z]))")
_END = (".", "!", "?", ":", ".”", '."', ".)", "?)")


@dataclass(slots=True)
class _Draft:
    """A paragraph being built: rows, and the role they have."""

    section: str | None
    role: Role
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TextFlow:
    """Sections and paragraphs in reading order; `order` lists their ids as they follow each other."""

    sections: tuple[Section, ...]
    paragraphs: tuple[Paragraph, ...]
    order: tuple[str, ...]


def flow_of(rows: Sequence[Row], body: float, title_rows: int, vocabulary: frozenset[str]) -> TextFlow:
    """Sections and paragraphs of all rows of a paper in reading order; the first rows are its title."""
    sections: list[Section] = []
    drafts: list[_Draft | Section] = []
    ranks = _Ranks()
    role: Role = "front"
    section: str | None = None
    skip = title_rows
    for i, row in enumerate(rows):
        if i < skip:
            continue
        above, below = _gap(rows, i - 1, i), _gap(rows, i, i + 1)
        heading = heading_of(row, body, above, below) if row.column != 3 else None
        if heading is not None and role == "reference" and not _ends_references(heading, body):
            heading = None
        if heading is not None and role == "front" and heading.number is None and not _opens(heading):
            heading = None
        if heading is not None:
            count = _continued(rows, i, heading, body)
            title = _heading_text([heading.title, *(rows[k].text for k in range(i + 1, i + count))], vocabulary)
            box = union(rows[k].line.box for k in range(i, i + count))
            made = ranks.section(heading, title, Place(page=row.page, bbox=rounded(box)), sections)
            sections.append(made)
            drafts.append(made)
            section, role = made.id, _role_after(title)
            skip = i + count
            continue
        if role == "front" and _RUN_IN_ABSTRACT.match(row.text) and _stands_out(row):
            role = "abstract"
            drafts.append(_Draft(section, role, [row]))
            continue
        last = drafts[-1] if drafts else None
        kind = _row_role(row, role, body, last if isinstance(last, _Draft) else None)
        if isinstance(last, _Draft) and _same_paragraph(last, row, kind, above, body):
            last.rows.append(row)
        else:
            earlier = _resumable(drafts, row, kind)
            if earlier is not None:
                earlier.rows.append(row)
            else:
                drafts.append(_Draft(section, kind, [row]))
    return _finished(drafts, sections, vocabulary)


def _heading_text(lines: Sequence[str], vocabulary: frozenset[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        head, separator = _line_end(text, line, vocabulary)
        text = head + separator + line
    return text


def _gap(rows: Sequence[Row], first: int, second: int) -> float:
    """Distance of two rows' baselines in font sizes; large where they don't follow each other in one column."""
    if first < 0 or second >= len(rows):
        return 9.0
    upper, lower = rows[first], rows[second]
    if upper.page != lower.page or upper.column != lower.column or lower.line.base < upper.line.base:
        return 9.0
    return (lower.line.base - upper.line.base) / max(upper.line.size, lower.line.size)


def _opens(heading: Heading) -> bool:
    return heading.title.lower().replace(" ", "") in ("abstract", "introduction", "zusammenfassung", "summary")


def _ends_references(heading: Heading, body: float) -> bool:
    name = heading.title.lower()
    lettered = heading.number is not None and not heading.number[0].isdigit()
    known = name.startswith(("appendi", "supplement", "acknowledg", "checklist", "author", "reviewer"))
    return (heading.bold or heading.size > 1.05 * body) and (lettered or known or heading.size > 1.12 * body)


def _continued(rows: Sequence[Row], start: int, heading: Heading, body: float) -> int:
    """How many rows a heading takes."""
    count = 1
    while start + count < len(rows) and count < 3:
        row = rows[start + count]
        same = abs(row.line.size - heading.size) < 0.3 and row.line.bold == heading.bold
        near = _gap(rows, start + count - 1, start + count) < 1.45
        styled = heading.bold or heading.size > 1.08 * body
        numbered = re.match(r"(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*)[.:]?\s+[A-Z]", row.text) is not None
        upper = rows[start + count - 1]
        full = upper.line.box[2] > upper.right - 0.35 * (upper.right - upper.left)
        full = full or upper.text.endswith("-") or row.text[:1].islower()
        if not (same and near and styled and full) or numbered:
            break
        count += 1
    return count


def _role_after(title: str) -> Role:
    name = re.sub(r"[^a-z ]", "", title.lower()).strip()
    if name.replace(" ", "") in ("abstract", "zusammenfassung"):
        return "abstract"
    return "reference" if name in _REFERENCES else "body"


def _row_role(row: Row, role: Role, body: float, last: _Draft | None) -> Role:
    """What a row is by its look, within the role that its section gives it."""
    if role in ("reference", "front"):
        return role
    if row.column == 3 or _is_footnote(row, body, last):
        return "footnote"
    return "list" if role == "body" and _BULLET.match(row.text) else role


def _is_footnote(row: Row, body: float, last: _Draft | None) -> bool:
    """Smaller than the text, and marked, or following a footnote."""
    if row.line.size >= 0.93 * body:
        return False
    if row.line.pieces[0].raised == 1 or re.match(r"[*∗†‡§¹²³⁴⁵⁶⁷⁸⁹⁰]", row.text):
        return True
    if last is None or last.role != "footnote" or last.rows[-1].column == 3:
        return False
    previous = last.rows[-1]
    return previous.page == row.page and previous.column == row.column and previous.line.base < row.line.base


def _stands_out(row: Row) -> bool:
    """Whether the first word of a row has another style than its last."""
    first, last = row.line.pieces[0], row.line.pieces[-1]
    return (first.bold, first.italic, first.font) != (last.bold, last.italic, last.font) or "Abstract" not in first.text


def _same_paragraph(last: _Draft, row: Row, kind: Role, above: float, body: float) -> bool:
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
    short = previous.line.box[2] < row.right - 0.2 * (row.right - row.left)
    if short and previous.text.rstrip().endswith(_END):
        return False
    starts = 0.7 * size < indent < 4.5 * size and row.line.box[0] < row.left + 5 * size
    if starts and len(last.rows) >= 1 and last.role != "list":
        first_indent = previous.line.box[0] - row.left
        return not (first_indent < 0.6 * size or previous.text.rstrip().endswith(_END))
    return True


def _hangs(last: _Draft) -> bool:
    """Whether the entry so far is complete or its second line is indented."""
    if len(last.rows) > 1:
        return last.rows[1].line.box[0] - last.rows[0].line.box[0] > 3
    return last.rows[-1].text.rstrip().endswith(".")


def _resumable(drafts: Sequence[_Draft | Section], row: Row, kind: Role) -> _Draft | None:
    """The paragraph that a row at the top of a column or page carries on, if any; footnotes are stepped over."""
    for draft in reversed(drafts):
        if isinstance(draft, Section):
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
            if len(draft.rows) > 2:
                return None
            continue
        text = previous.text.rstrip()
        open_end = not text.endswith(_END) or text.endswith(("et al.", "e.g.", "i.e.", "Fig.", "Eq."))
        indented = row.line.box[0] > row.left + 0.7 * row.line.size
        if text.endswith(("-", "\u00ad")) or (open_end and not indented):
            return draft
        if not indented and kind != "reference" and row.text[:1].islower() and not text.endswith((".", "!", "?")):
            return draft
        return None
    return None


class _Ranks:
    """Gives sections ids, levels and parents: by number where there is one, else by font size."""

    def __init__(self) -> None:
        self._sizes: list[tuple[float, int]] = []

    def section(self, heading: Heading, title: str, place: Place, earlier: Sequence[Section]) -> Section:
        """The next section."""
        level = heading.depth if heading.depth is not None else self._level(heading)
        if heading.depth is not None:
            self._sizes.append((heading.size, heading.depth))
        parent = next((s.id for s in reversed(earlier) if s.level < level), None)
        if parent is None and level > 1 and not earlier:
            level = 1
        return Section(
            id=f"s{len(earlier) + 1}", number=heading.number, title=title, level=level, parent=parent, place=place
        )

    def _level(self, heading: Heading) -> int:
        known = [level for size, level in self._sizes if abs(size - heading.size) < 0.25]
        if known:
            return min(known)
        larger = {round(size, 1): level for size, level in self._sizes if size > heading.size + 0.25}
        level = max(larger.values()) + 1 if larger else 1
        self._sizes.append((heading.size, level))
        return level


def _finished(drafts: Sequence[_Draft | Section], sections: Sequence[Section], vocabulary: frozenset[str]) -> TextFlow:
    paragraphs: list[Paragraph] = []
    order: list[str] = []
    for draft in drafts:
        if isinstance(draft, Section):
            order.append(draft.id)
            continue
        made = _paragraph(f"p{len(paragraphs) + 1}", draft, vocabulary)
        if made is not None:
            paragraphs.append(made)
            order.append(made.id)
    return TextFlow(tuple(sections), tuple(paragraphs), tuple(order))


def _paragraph(name: str, draft: _Draft, vocabulary: frozenset[str]) -> Paragraph | None:
    text, spans = _joined(draft.rows, vocabulary)
    if draft.role == "abstract":
        match = _RUN_IN_ABSTRACT.match(text)
        if match:
            spans = [(max(0, a - match.end()), max(0, b - match.end()), page, box) for a, b, page, box in spans]
            spans = [span for span in spans if span[1] > 0]
            text = text[match.end() :]
    if not text.strip():
        return None
    sentences = tuple(
        Sentence(id=f"{name}.{k}", text=text[a:b], start=a, end=b, places=_places(spans, a, b))
        for k, (a, b) in enumerate(sentence_spans(text), 1)
    )
    return Paragraph(
        id=name,
        section=draft.section,
        role=draft.role,
        text=text,
        places=_places(spans, 0, len(text)),
        sentences=sentences,
    )


_Span = tuple[int, int, int, BBox]


def _joined(rows: Iterable[Row], vocabulary: frozenset[str]) -> tuple[str, list[_Span]]:
    """The text of rows with line-end hyphens joined, and for each piece its offsets, page and box."""
    text = ""
    spans: list[_Span] = []
    for row in rows:
        for k, piece in enumerate(row.line.pieces):
            shown = spelled(piece)
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
    if f"{head}-{tail}".lower() in vocabulary or following[0].isupper() or re.search(r"-\w+$", text[:-1]):
        return text, ""
    return text[:-1], ""


def _places(spans: Sequence[_Span], start: int, end: int) -> tuple[Place, ...]:
    pages: dict[int, list[BBox]] = {}
    for a, b, page, box in spans:
        if a < end and b > start:
            pages.setdefault(page, []).append(box)
    return tuple(Place(page=page, bbox=rounded(union(boxes))) for page, boxes in sorted(pages.items()))
