"""Reads a PDF with marker: its blocks say what stands where, the PDF's own words say what is written there."""

from collections.abc import Callable, Sequence
from functools import partial

from reproducegym.parsing.figures.finder import render
from reproducegym.parsing.guard import Limits, Progress, read_in_child
from reproducegym.parsing.marker.blocks import Block, MarkedPage, fitted, marked_pages
from reproducegym.parsing.marker.conversion import marker_json, marker_version
from reproducegym.parsing.marker.floats import captioned, figure_in, table_in
from reproducegym.parsing.marker.text import NO_TEXT, MarkedText, lines_in, rows_of
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.links import links_of
from reproducegym.parsing.pages.opening import PDF_ERRORS, first_line, open_pdf
from reproducegym.parsing.pages.page_text import Line, PageText, body_size
from reproducegym.parsing.pages.reading import ReadPages, read_pages
from reproducegym.parsing.paper_markdown import paper_markdown
from reproducegym.parsing.text.language import language_of
from reproducegym.parsing.text.references import Pieces, references_of
from reproducegym.parsing.text.vocabulary import vocabulary_of
from reproducegym.schema.paper import Document, Equation, Figure, Page, Paragraph, Parsed, Section, Source, Table

__all__ = ["MarkerParser"]

_LIMITS = Limits()


class MarkerParser:
    """Reads PDFs with marker; `convert` gives marker's JSON for the bytes and the name of a PDF."""

    name = "marker"

    def __init__(self, convert: Callable[[bytes, str], str] = marker_json) -> None:
        self._convert = convert

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """Read a PDF.

        Raises:
            MisuseError: marker is not installed, or its models cannot be had.
            UnreadablePaperError: it cannot be read; the message says why and what to do.
        """
        with open_pdf(source.content, source.origin):
            pass  # what is no PDF is told so before marker loads its models
        marked = marked_pages(self._convert(source.content, source.origin), source.origin)
        return read_in_child(partial(_read, source, paper_id, marked), source.origin, _LIMITS)


def _read(source: Source, paper_id: str, marked: Sequence[MarkedPage], progress: Progress) -> Parsed:
    with open_pdf(source.content, source.origin) as document:
        read = read_pages(document, source.origin, progress)
        reading = _Reading(document, read, {page.number: page for page in marked})
        return reading.parsed(paper_id)


class _Reading:
    """What has been made of the pages so far."""

    def __init__(self, document: pymupdf.Document, read: ReadPages, marked: dict[int, MarkedPage]) -> None:
        self._document = document
        self._read = read
        self._vocabulary = vocabulary_of(read.texts)
        self._text = MarkedText(body_size(read.texts), self._vocabulary)
        self._floats: dict[str, Table | Figure] = {}
        self._images: dict[str, bytes] = {}
        self._warnings: list[str] = list(read.warnings)
        for page in read.texts:
            blocks = self._blocks(page, marked)
            if blocks:
                self._take_page(page, blocks)

    def _blocks(self, page: PageText, marked: dict[int, MarkedPage]) -> tuple[Block, ...] | None:
        if not page.lines:
            return None
        if page.number not in marked:
            self._warnings.append(f"page {page.number}: marker says nothing of it")
            return None
        blocks = fitted(marked[page.number], page.width, page.height)
        if blocks is None:
            self._warnings.append(f"page {page.number} is left out: marker saw it turned another way")
        return blocks

    def _take_page(self, page: PageText, blocks: Sequence[Block]) -> None:
        lines = lines_in(blocks, page)
        floats = {one.index: one for one in captioned(blocks, lines)}
        captions = {one.caption for one in floats.values()}
        for i, block in enumerate(blocks):
            if i in floats:
                caption = floats[i].caption
                self._take_float(
                    page, block, floats[i].kind, None if caption is None else (blocks[caption], lines[caption])
                )
            elif i not in captions and block.kind not in NO_TEXT - {"Caption"}:
                self._text.take(block.kind, rows_of(lines[i], block, page))

    def _take_float(
        self, page: PageText, block: Block, kind: str, caption: "tuple[Block, Sequence[Line]] | None"
    ) -> None:
        box, lines = caption if caption is not None else (None, ())
        if kind == "table":
            name = f"table-{sum(isinstance(one, Table) for one in self._floats.values()) + 1}"
            table, warning = table_in(name, block, box, lines, page, self._vocabulary)
            self._warnings += [warning] if warning else []
            if table is None:
                return
            self._floats[name] = table
        else:
            name = f"figure-{sum(isinstance(one, Figure) for one in self._floats.values()) + 1}"
            drawn = self._read.drawings[page.number - 1]
            figure = figure_in(name, block, box, lines, page, drawn, self._vocabulary)
            image = self._picture(figure)
            if image is not None:
                self._images[f"{name}.png"] = image
                figure = figure.model_copy(update={"image": f"{name}.png"})
            self._floats[name] = figure
        self._text.take_float(name)

    def _picture(self, figure: Figure) -> bytes | None:
        try:
            return render(self._document[figure.page - 1], figure.bbox)
        except PDF_ERRORS as error:
            self._warnings.append(f"page {figure.page}: figure {figure.label} cannot be drawn ({first_line(error)})")
            return None

    def parsed(self, paper_id: str) -> Parsed:
        """The whole paper."""
        language = language_of(line.text for page in self._read.texts for line in page.lines)
        flow = self._text.finished(language or "en")
        blocks = [self._floats[one] if isinstance(one, str) else one for one in flow]
        pieces = Pieces(
            sections=tuple(one for one in blocks if isinstance(one, Section)),
            paragraphs=tuple(one for one in blocks if isinstance(one, Paragraph)),
            tables=tuple(one for one in blocks if isinstance(one, Table)),
            figures=tuple(one for one in blocks if isinstance(one, Figure)),
            equations=tuple(one for one in blocks if isinstance(one, Equation)),
        )
        title = self._text.title
        document = Document(
            schema_version=1,
            paper_id=paper_id,
            title=title,
            language=language,
            coordinates="pdf_points",
            pages=tuple(
                Page(number=page.number, width=page.width, height=page.height, content=content)
                for page, content in zip(self._read.texts, self._read.contents, strict=True)
            ),
            sections=tuple(pieces.sections),
            paragraphs=tuple(pieces.paragraphs),
            tables=tuple(pieces.tables),
            figures=tuple(pieces.figures),
            equations=tuple(pieces.equations),
            references=references_of(pieces),
            warnings=(*self._warnings, *(() if title else ("no title was found",))),
        )
        return Parsed(
            document=document,
            words=tuple(page.words for page in self._read.texts),
            charts=(),
            paper_md=paper_markdown(title, blocks),
            figures=self._images,
            parser="marker",
            parser_version=marker_version(),
            links=links_of(self._document),
        )
