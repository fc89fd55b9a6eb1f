"""A parsed paper: its text, tables, figures, and the place (page and box) of every piece."""

from collections.abc import Set
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from reproducegym.schema.base import BBox, Frozen, PageNumber, Sha256
from reproducegym.schema.chart import Chart

__all__ = [
    "Caption",
    "Cell",
    "Document",
    "Equation",
    "Figure",
    "Mark",
    "Page",
    "PageWords",
    "Panel",
    "Paragraph",
    "ParseRecord",
    "Parsed",
    "Place",
    "Reference",
    "Section",
    "Sentence",
    "Source",
    "Table",
    "Word",
]

Mark = Literal["bold", "italic", "underline", "superscript", "subscript", "dagger", "colour"]
ParsedFile = Annotated[str, Field(pattern=r"^([a-z]+(\.index)?\.(json|md)|figures/[^/]+)$")]
"""A file of `00-parse/`, by its name there."""
_ALWAYS: Set[str] = frozenset({"document.json", "words.json", "paper.md", "figures.index.json", "charts.json"})


class Place(Frozen):
    """Where something stands: a page and a box on it."""

    page: PageNumber
    bbox: BBox


class Word(Frozen):
    """One word as the page itself spells it, independent of our reading of tables; boxes in points."""

    text: str
    bbox: BBox


class PageWords(Frozen):
    """All words of one page in the page's own order: the witness that grounding asks."""

    page: PageNumber
    words: tuple[Word, ...]


class Page(Frozen):
    """Size of one page in points (Markdown: longest line and number of lines).

    `content` says what can be read: `text`, a `scan` (an image of text without a text layer), or nothing (`empty`).
    """

    number: PageNumber
    width: float
    height: float
    content: Literal["text", "scan", "empty"]


class Section(Frozen):
    """A heading. `level` 1 is a top section; `parent` is the id of the section it stands in."""

    id: str
    number: str | None
    title: str
    level: int
    parent: str | None
    place: Place


class Sentence(Frozen):
    """One sentence of a paragraph; `start:end` are its offsets in the paragraph's text; one place a page."""

    id: str
    text: str
    start: int
    end: int
    places: tuple[Place, ...]


class Paragraph(Frozen):
    """A paragraph in reading order. Role `abstract` marks the abstract, `reference` the bibliography."""

    id: str
    section: str | None
    role: Literal["body", "abstract", "footnote", "reference", "list", "front"]
    text: str
    places: tuple[Place, ...]
    sentences: tuple[Sentence, ...]


class Caption(Frozen):
    """A caption's whole text and its place."""

    text: str
    place: Place


class Cell(Frozen):
    """One cell. Paths name it: group rows then row labels; outer then inner column headers.

    `kind` is `header` for header cells, `stub` for row labels, `group` for group rows, `body` for values.
    `unit` ("%", "ms") and `multiplier` (a decimal number, "1000" for "in thousands") are what header or caption say of
    the value; the text stays as printed. `page` differs from the table's where a table goes on over several pages.
    """

    page: PageNumber
    row: int
    column: int
    row_span: int
    column_span: int
    kind: Literal["header", "stub", "group", "body"]
    text: str
    bbox: BBox
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]
    marks: tuple[Mark, ...]
    unit: str | None
    multiplier: str | None


class Table(Frozen):
    """A table. `label` is its printed number ("2", "A1"); `stub_headers` head the row-label columns ("Method").

    `page` and `bbox` are those of its first part; `continued` holds the places of the others.
    """

    id: str
    label: str | None
    page: PageNumber
    bbox: BBox
    continued: tuple[Place, ...]
    caption: Caption | None
    stub_headers: tuple[str, ...]
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]


class Panel(Frozen):
    """One panel of a figure, with the words that stand in it (axis titles, tick labels, legend)."""

    label: str | None
    title: str | None
    bbox: BBox
    words: tuple[Word, ...]


class Figure(Frozen):
    """A figure. `image` is the file in `figures/` that shows it; `source` says how it is drawn in the paper."""

    id: str
    label: str | None
    page: PageNumber
    bbox: BBox
    caption: Caption | None
    image: str | None
    source: Literal["vector", "raster", "mixed"]
    panels: tuple[Panel, ...]


class Equation(Frozen):
    """A displayed equation, as the page spells it; `label` is its printed number ("3")."""

    id: str
    label: str | None
    text: str
    place: Place


class Reference(Frozen):
    """Where a sentence or caption refers to another piece: "Table 3", "Fig. 5 (b)", "Appendix G", "Eq. (2)".

    `source` is the id of a sentence, table or figure (in its caption), `start:end` the offsets in its text. `target`
    is the id of what is meant; None where the paper has no such piece, or we did not find it.
    """

    source: str
    start: int
    end: int
    kind: Literal["table", "figure", "section", "equation"]
    label: str
    panel: str | None
    target: str | None


class Document(Frozen):
    """A whole paper as read. `coordinates` says what the boxes mean; `warnings` what could not be read.

    `language` is an ISO 639-1 code; None where there is too little text to tell.
    """

    schema_version: Literal[1]
    paper_id: str
    title: str
    language: str | None
    coordinates: Literal["pdf_points", "markdown_lines", "latex_lines"]
    pages: tuple[Page, ...]
    sections: tuple[Section, ...]
    paragraphs: tuple[Paragraph, ...]
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    equations: tuple[Equation, ...]
    references: tuple[Reference, ...]
    warnings: tuple[str, ...]


class Source(Frozen):
    """Bytes to parse, and where they came from (a file name, URL or arXiv id; never a local directory).

    `beside` holds files that belong to it, by relative name: images of a Markdown paper, every file of a LaTeX source
    (`content` is then the main one), the LaTeX source of a PDF (names below `latex/`).
    """

    kind: Literal["pdf", "markdown", "latex"]
    origin: str
    content: bytes
    beside: dict[str, bytes] = Field(default_factory=dict)


class ParseRecord(Frozen):
    """`parse.json`: what was parsed, with what. `files` holds the digest of every other file of `00-parse/`."""

    schema_version: Literal[1]
    paper_id: str
    origin: str
    sha256: str
    licence: str
    parser: str
    parser_version: str
    reproducegym_version: str
    pages: int
    tables: int
    figures: int
    warnings: tuple[str, ...]
    links: Annotated[tuple[str, ...], Field(exclude_if=lambda links: not links)] = ()
    """Addresses that its links lead to behind words; those that are printed may be missing."""
    files: dict[ParsedFile, Sha256]

    @model_validator(mode="after")
    def _names_its_files(self) -> Self:
        missing = sorted(_ALWAYS - self.files.keys())
        if missing:
            raise ValueError(f"the digest of {missing[0]} is missing")
        return self


class Parsed(Frozen):
    """What a parser gives: the document, the page's own words, Markdown for readers, image files by name, and the
    addresses that its links lead to."""

    document: Document
    words: tuple[PageWords, ...]
    charts: tuple[Chart, ...]
    paper_md: str
    figures: dict[str, bytes]
    parser: str
    parser_version: str
    links: tuple[str, ...] = ()
