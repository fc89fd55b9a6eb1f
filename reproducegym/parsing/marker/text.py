"""Makes sections, paragraphs and equations of marker's blocks and the lines of the page that stand in them."""

import re
from collections.abc import Mapping, Sequence

from reproducegym.parsing.boxes import contains_center, height, rounded, union, width
from reproducegym.parsing.marker.blocks import Block
from reproducegym.parsing.pages.columns import Row
from reproducegym.parsing.pages.page_text import Line, PageText
from reproducegym.parsing.text.equations import equation_of
from reproducegym.parsing.text.headings import Heading, heading_of
from reproducegym.parsing.text.joining import joined_lines
from reproducegym.parsing.text.levels import Levels
from reproducegym.parsing.text.paragraphs import Draft, Role, paragraph_of, resumable
from reproducegym.schema.paper import Equation, Paragraph, Place, Section

__all__ = ["NO_TEXT", "MarkedText", "lines_in", "rows_of"]

NO_TEXT = frozenset({"Table", "Form", "TableOfContents", "Figure", "Picture", "Diagram", "Caption"})
"""Blocks that are read as something else than running text."""

_ROLES: Mapping[str, Role] = {"Footnote": "footnote", "Bibliography": "reference", "ListItem": "list"}
_FURNITURE = frozenset({"PageHeader", "PageFooter"})
_FAR = 9.0
_SLACK = 1.0
_LABEL = re.compile(r"\(([A-Z]?\.?\d+[a-z]?(?:\.\d+)?)\)\s*$")


def lines_in(blocks: Sequence[Block], page: PageText) -> tuple[tuple[Line, ...], ...]:
    """For each block the lines that stand in it from top to bottom; a line is in the smallest block that holds it."""
    found: list[list[Line]] = [[] for _ in blocks]
    sizes = [width(block.box) * height(block.box) for block in blocks]
    for line in page.lines:
        holding = [i for i, block in enumerate(blocks) if line.upright and contains_center(_grown(block), line.box)]
        if holding:
            found[min(holding, key=lambda i: (sizes[i], i))].append(line)
    return tuple(tuple(sorted(lines, key=lambda line: (round(line.base), line.box[0]))) for lines in found)


def _grown(block: Block) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = block.box
    return x0 - _SLACK, y0 - _SLACK, x1 + _SLACK, y1 + _SLACK


def rows_of(lines: Sequence[Line], block: Block, page: PageText) -> list[Row]:
    """The lines of a block as rows of its column."""
    wide = width(block.box) > 0.6 * page.width
    column = 0 if wide else 1 if (block.box[0] + block.box[2]) / 2 < page.width / 2 else 2
    return [Row(page.number, line, column, block.box[0], block.box[2]) for line in lines]


class MarkedText:
    """What has been made of the blocks so far; `body` is the font size of the text."""

    def __init__(self, body: float, vocabulary: frozenset[str]) -> None:
        self.title = ""
        self._body = body
        self._vocabulary = vocabulary
        self._levels = Levels()
        self._sections: list[Section] = []
        self._equations: list[Equation] = []
        self._items: list[Draft | Section | Equation | str] = []
        self._role: Role = "front"

    def take(self, kind: str, rows: Sequence[Row]) -> None:
        """Read the rows of one block of running text."""
        if kind in _FURNITURE or not rows:
            return
        if self._role == "front" and not self.title and rows[0].page == 1 and self._is_title(rows):
            self.title = joined_lines([row.text for row in rows], self._vocabulary)
        elif kind == "SectionHeader":
            self._take_heading(rows)
        elif kind in ("Equation", "ChemicalBlock"):
            labels = [match[1] for row in rows if (match := _LABEL.search(row.text))]
            equation = equation_of(f"eq{len(self._equations) + 1}", rows, labels[-1] if labels else None)
            self._equations.append(equation)
            self._items.append(equation)
        else:
            self._take_text(_ROLES.get(kind, self._role), rows)

    def take_float(self, name: str) -> None:
        """Remember where a table or figure stands."""
        self._items.append(name)

    def _is_title(self, rows: Sequence[Row]) -> bool:
        return max(row.line.size for row in rows) > 1.15 * self._body

    def _take_heading(self, rows: Sequence[Row]) -> None:
        line = rows[0].line
        plain = Heading(None, rows[0].text, None, line.size, line.bold, line.italic)
        heading = heading_of(rows[0], self._body, _FAR, _FAR) or plain
        title = joined_lines([heading.title, *(row.text for row in rows[1:])], self._vocabulary)
        place = Place(page=rows[0].page, bbox=rounded(union(row.line.box for row in rows)))
        section = self._levels.section(heading, title, place, self._sections)
        self._sections.append(section)
        self._items.append(section)
        self._role = _role_after(title)

    def _take_text(self, role: Role, rows: Sequence[Row]) -> None:
        drafts = [item for item in self._items if not isinstance(item, str)]
        earlier = resumable(drafts, rows[0], role)
        if earlier is not None:
            earlier.rows.extend(rows)
        else:
            self._items.append(Draft(self._sections[-1].id if self._sections else None, role, list(rows)))

    def finished(self, language: str) -> tuple[Section | Paragraph | Equation | str, ...]:
        """Everything in reading order, with texts joined and sentences cut; floats by their names."""
        done: list[Section | Paragraph | Equation | str] = []
        count = 0
        for item in self._items:
            if not isinstance(item, Draft):
                done.append(item)
                continue
            made = paragraph_of(f"p{count + 1}", item, self._vocabulary, language)
            if made is not None:
                count += 1
                done.append(made)
        return tuple(done)


def _role_after(title: str) -> Role:
    name = re.sub(r"[^a-z ]", "", title.lower()).strip()
    if name == "abstract":
        return "abstract"
    return "reference" if name in ("references", "bibliography") else "body"
