"""Goes through the rows of a paper in reading order and makes sections, paragraphs and equations of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.boxes import rounded, union
from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.text.equations import equation_at, equation_of
from reproducegym.parsing.text.headings import Heading, contents_rows, heading_of, is_bold
from reproducegym.parsing.text.joining import joined_lines
from reproducegym.parsing.text.levels import Levels
from reproducegym.parsing.text.paragraphs import (
    RUN_IN_ABSTRACT,
    Draft,
    Role,
    begins_paragraph,
    foot_rows,
    gap_between,
    is_prose,
    paragraph_of,
    resumable,
    row_role,
    same_paragraph,
    stands_out,
)
from reproducegym.parsing.text.run_in import RunIn, run_in_at
from reproducegym.schema.paper import Equation, Paragraph, Place, Section

__all__ = ["TextFlow", "flow_of"]

_CHAPTER = re.compile(r"(?:chapter|kapitel|appendix|anhang)\s+(?P<number>\d{1,2}|[A-Z]|[IVX]{1,5})[.:]?", re.IGNORECASE)
_REFERENCES = frozenset({"references", "bibliography", "literaturverzeichnis", "literature cited", "works cited"})


@dataclass(frozen=True, slots=True)
class TextFlow:
    """Sections, paragraphs and equations in reading order; `order` lists their ids as they follow each other."""

    sections: tuple[Section, ...]
    paragraphs: tuple[Paragraph, ...]
    equations: tuple[Equation, ...]
    order: tuple[str, ...]


def flow_of(
    rows: Sequence[Row], body: float, title_rows: int, vocabulary: frozenset[str], language: str | None = None
) -> TextFlow:
    """Sections, paragraphs and equations of all rows of a paper in reading order; the first rows are its title.

    `body` is the font size of the text, `vocabulary` the words that tell whether a hyphen at a line's end stays.
    """
    flow = _Flow(rows, body, vocabulary)
    at = title_rows
    while at < len(rows):
        at += flow.take(at)
    return flow.finished(language or "en")


class _Flow:
    """What has been made of the rows so far."""

    def __init__(self, rows: Sequence[Row], body: float, vocabulary: frozenset[str]) -> None:
        self._rows = rows
        self._body = body
        self._vocabulary = vocabulary
        self._contents = contents_rows(rows)
        self._foot = foot_rows(rows, body)
        self._levels = Levels()
        self._sections: list[Section] = []
        self._equations: list[Equation] = []
        self._drafts: list[Draft | Section | Equation] = []
        self._last: Draft | Section | Equation | None = None
        self._role: Role = "front"
        self._section: str | None = None
        self._chapter: str | None = None

    def take(self, i: int) -> int:
        """Make something of a row and, where they belong to it, the following ones; how many were taken."""
        row = self._rows[i]
        above, below = gap_between(self._rows, i - 1, i), gap_between(self._rows, i, i + 1)
        chapter = _CHAPTER.fullmatch(row.text.strip()) if row.line.size > 1.15 * self._body else None
        if chapter is not None:
            self._chapter = chapter["number"]
            return 1
        heading = self._heading(i, above, below)
        if heading is not None:
            return self._take_heading(i, heading)
        if self._role == "front" and RUN_IN_ABSTRACT.match(row.text) and stands_out(row):
            self._role = "abstract"
            self._add(Draft(self._section, self._role, [row]))
            return 1
        if self._role == "body":
            equation = equation_at(self._rows, i, self._body)
            if equation is not None:
                self._take_equation(i, equation.count, equation.label)
                return equation.count
            run_in = run_in_at(self._rows, i) if begins_paragraph(self._last, row, above) else None
            if run_in is not None:
                return self._take_run_in(i, run_in)
        self._take_text(i, above)
        return 1

    def _heading(self, i: int, above: float, below: float) -> Heading | None:
        row = self._rows[i]
        if row.column == 3 or i in self._contents:
            return None
        heading = heading_of(row, self._body, above, below)
        if heading is None:
            return None
        if heading.size < 1.08 * self._body and not self._levels.follows(heading):
            return None
        if self._role == "reference" and not _ends_references(heading, self._body):
            return None
        if self._role == "front" and heading.number is None and self._chapter is None and not _opens(heading):
            return None
        return heading

    def _take_heading(self, i: int, heading: Heading) -> int:
        if heading.number is None and self._chapter is not None:
            heading = replace(heading, number=self._chapter, depth=1)
        self._chapter = None
        count = _continued(self._rows, i, heading, self._body)
        own = self._rows[i : i + count]
        title = joined_lines([heading.title, *(row.text for row in own[1:])], self._vocabulary)
        place = Place(page=own[0].page, bbox=rounded(union(row.line.box for row in own)))
        self._add_section(self._levels.section(heading, title, place, self._sections))
        self._role = _role_after(title)
        return count

    def _take_run_in(self, i: int, found: RunIn) -> int:
        place = Place(page=self._rows[i].page, bbox=rounded(found.box))
        self._add_section(self._levels.run_in(found.number, found.title, place, self._sections))
        self._add(Draft(self._section, "body", [found.rest]))
        return found.rows

    def _add(self, made: Draft | Section | Equation) -> None:
        self._drafts.append(made)
        self._last = made

    def _add_section(self, section: Section) -> None:
        if not self._sections and section.title.lower() == "introduction":
            self._name_abstract()
        self._sections.append(section)
        self._add(section)
        self._section = section.id

    def _name_abstract(self) -> None:
        """Text before an introduction is the abstract, where none is named."""
        drafts = [draft for draft in self._drafts if isinstance(draft, Draft)]
        if any(draft.role == "abstract" for draft in drafts):
            return
        for draft in drafts:
            if draft.role == "body":
                draft.role = "abstract"

    def _take_equation(self, i: int, count: int, label: str | None) -> None:
        equation = equation_of(f"eq{len(self._equations) + 1}", self._rows[i : i + count], label)
        self._equations.append(equation)
        self._add(equation)

    def _take_text(self, i: int, above: float) -> None:
        row, last = self._rows[i], self._last
        draft = last if isinstance(last, Draft) else None
        kind = row_role(row, self._role, self._body, draft, at_foot=i in self._foot)
        if draft is not None and same_paragraph(draft, row, kind, above):
            draft.rows.append(row)
            if kind == "front" and is_prose(draft, self._body):
                draft.role = self._role = "body"
            return
        earlier = resumable(self._drafts, row, kind)
        if earlier is not None:
            earlier.rows.append(row)
            self._last = earlier
        else:
            self._add(Draft(self._section, kind, [row]))

    def finished(self, language: str) -> TextFlow:
        """Everything, with texts joined and sentences cut."""
        paragraphs: list[Paragraph] = []
        order: list[str] = []
        for draft in self._drafts:
            if not isinstance(draft, Draft):
                order.append(draft.id)
                continue
            made = paragraph_of(f"p{len(paragraphs) + 1}", draft, self._vocabulary, language)
            if made is not None:
                paragraphs.append(made)
                order.append(made.id)
        return TextFlow(tuple(self._sections), tuple(paragraphs), tuple(self._equations), tuple(order))


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
        same = abs(row.line.size - heading.size) < 0.3 and is_bold(row.line.pieces) == heading.bold
        near = gap_between(rows, start + count - 1, start + count) < (1.6 if heading.size > 1.3 * body else 1.45)
        styled = heading.bold or heading.size > 1.08 * body or (heading.italic and row.line.italic)
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
