"""Reads a PDF with PyMuPDF: text, sections, tables, figures, every piece with page and box."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from reproducegym.parsing.boxes import rounded
from reproducegym.parsing.charts.reader import FoundCharts, charts_of
from reproducegym.parsing.figures.finder import find_figure, render
from reproducegym.parsing.figures.panels import figure_panels
from reproducegym.parsing.guard import Limits, Progress, read_in_child
from reproducegym.parsing.latex.reconcile import reconciled
from reproducegym.parsing.mupdf import pymupdf
from reproducegym.parsing.pages.captions import FoundCaption, captions_of
from reproducegym.parsing.pages.columns import columns_of, rows_in_order, text_edges, usual_edges
from reproducegym.parsing.pages.drawings import Drawings
from reproducegym.parsing.pages.furniture import furniture_of
from reproducegym.parsing.pages.links import links_of
from reproducegym.parsing.pages.opening import PDF_ERRORS, first_line, open_pdf
from reproducegym.parsing.pages.page_text import PageText, body_size
from reproducegym.parsing.pages.reading import ReadPages, read_pages
from reproducegym.parsing.paper_markdown import Block, paper_markdown
from reproducegym.parsing.tables.continued import joined_tables
from reproducegym.parsing.tables.reader import FoundTable, line_indices, read_table
from reproducegym.parsing.tables.regions import PageLayout, Region, choose_regions, region_candidates
from reproducegym.parsing.text.flow import TextFlow, flow_of
from reproducegym.parsing.text.language import language_of
from reproducegym.parsing.text.references import Pieces, references_of
from reproducegym.parsing.text.title import paper_title
from reproducegym.parsing.text.vocabulary import vocabulary_of
from reproducegym.schema.base import BBox
from reproducegym.schema.chart import Chart
from reproducegym.schema.paper import (
    Caption,
    Document,
    Equation,
    Figure,
    Page,
    Paragraph,
    Parsed,
    Place,
    Section,
    Source,
    Table,
)

__all__ = ["PymupdfParser"]

_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _PageParts:
    """What was found on one page besides running text."""

    layout: PageLayout
    skipped: frozenset[int]
    tables: tuple[FoundTable, ...]
    figures: tuple[tuple[Figure, bytes | None], ...]


class PymupdfParser:
    """Reads PDFs, each in a child process of its own within `limits`."""

    name = "pymupdf"

    def __init__(self, limits: Limits = _LIMITS) -> None:
        self.limits = limits

    def parse(self, source: Source, paper_id: str) -> Parsed:
        """Read a PDF; where its LaTeX source comes with it, tables get their structure from there.

        Raises:
            UnreadablePaperError: it cannot be read; the message says why and what to do.
        """
        parsed = read_in_child(partial(_read, source, paper_id), source.origin, self.limits)
        return reconciled(parsed, source)


def _read(source: Source, paper_id: str, progress: Progress) -> Parsed:
    with open_pdf(source.content, source.origin) as document:
        return _parsed(document, read_pages(document, source.origin, progress), paper_id, progress)


def _parsed(document: pymupdf.Document, read: ReadPages, paper_id: str, progress: Progress) -> Parsed:
    pages, drawings = read.texts, read.drawings
    body = body_size(pages)
    furniture = furniture_of(pages)
    layouts = _layouts(pages, drawings, furniture, body)
    parts = [
        _page_parts(document, page, layout, skip, tables, progress)
        for page, layout, skip, tables in zip(pages, layouts, furniture, _tables(layouts, progress), strict=True)
    ]
    progress.at_whole()
    rows = [
        row
        for page, part in zip(pages, parts, strict=True)
        for row in rows_in_order(
            page.number,
            [line for i, line in enumerate(page.lines) if i not in part.skipped and line.upright],
            part.layout.columns,
        )
    ]
    title, title_rows = paper_title(rows, body)
    language = language_of(row.text for row in rows)
    flow = flow_of(rows, body, title_rows, vocabulary_of(pages), language)
    tables, figures, images = _numbered(parts)
    charts = _charts(document, figures, progress)
    parsed = Document(
        schema_version=1,
        paper_id=paper_id,
        title=title,
        language=language,
        coordinates="pdf_points",
        pages=tuple(
            Page(number=page.number, width=page.width, height=page.height, content=content)
            for page, content in zip(pages, read.contents, strict=True)
        ),
        sections=flow.sections,
        paragraphs=flow.paragraphs,
        tables=tables,
        figures=figures,
        equations=flow.equations,
        references=references_of(Pieces(flow.sections, flow.paragraphs, tables, figures, flow.equations)),
        warnings=(*read.warnings, *_warnings(pages, parts, title), *charts.problems),
    )
    return Parsed(
        document=parsed,
        words=tuple(page.words for page in pages),
        charts=charts.charts,
        paper_md=paper_markdown(title, _blocks(flow, tables, figures)),
        figures=images,
        parser="pymupdf",
        parser_version=str(pymupdf.__version__),
        links=links_of(document),
    )


def _layouts(
    pages: Sequence[PageText], drawings: Sequence[Drawings], furniture: Sequence[frozenset[int]], body: float
) -> list[PageLayout]:
    kept = [
        tuple(line for i, line in enumerate(page.lines) if i not in skip)
        for page, skip in zip(pages, furniture, strict=True)
    ]
    edges = [(page.width, text_edges(page, lines, body)) for page, lines in zip(pages, kept, strict=True)]
    # A page set sideways is as wide as others are high: their edges say nothing of its own.
    usual = {width: usual_edges([found for other, found in edges if other == width]) for width, _ in edges}
    layouts = []
    for page, lines, drawn, skip in zip(pages, kept, drawings, furniture, strict=True):
        columns = columns_of(page, lines, body, usual[page.width])
        captions = captions_of(page.lines, skip, columns, drawn, body)
        layouts.append(PageLayout(lines, tuple(captions), columns, drawn, body))
    return layouts


def _regions(layouts: Sequence[PageLayout]) -> list[dict[FoundCaption, Region]]:
    every = [
        (index, caption, region_candidates(layout, caption))
        for index, layout in enumerate(layouts)
        for caption in layout.captions
        if caption.kind == "table"
    ]
    chosen = choose_regions([(index, candidates) for index, _, candidates in every])
    found: list[dict[FoundCaption, Region]] = [{} for _ in layouts]
    for (index, caption, _), region in zip(every, chosen, strict=True):
        if region is not None:
            found[index][caption] = region
    return found


def _tables(layouts: Sequence[PageLayout], progress: Progress) -> tuple[tuple[FoundTable, ...], ...]:
    """The tables of each page; `layouts` holds every page in order."""
    found: list[list[FoundTable]] = []
    for number, (layout, regions) in enumerate(zip(layouts, _regions(layouts), strict=True), start=1):
        progress.at_page(number)
        read = [read_table(layout, number, caption, region) for caption, region in regions.items()]
        found.append([table for table in read if table is not None])
    return joined_tables(layouts, found)


def _page_parts(
    document: pymupdf.Document,
    text: PageText,
    layout: PageLayout,
    skip: frozenset[int],
    tables: Sequence[FoundTable],
    progress: Progress,
) -> _PageParts:
    progress.at_page(text.number)
    occupied: list[BBox] = []
    skipped = set(skip)
    for found in tables:
        occupied.append(found.area)
        skipped |= line_indices(text.lines, found.area)
        notes = {layout.lines[i] for i in found.note_lines}
        skipped |= {i for i, line in enumerate(text.lines) if line in notes}
    figures: list[tuple[Figure, bytes | None]] = []
    for caption in layout.captions:
        if caption.kind == "figure" or any(found.table.label == caption.label for found in tables):
            skipped |= caption.lines
        if caption.kind == "figure":
            figure, image = _figure(document, text, layout, caption, occupied)
            figures.append((figure, image))
            if image is not None:
                skipped |= line_indices(text.lines, figure.bbox)
    return _PageParts(layout, frozenset(skipped), tuple(tables), tuple(figures))


def _figure(
    document: pymupdf.Document, text: PageText, layout: PageLayout, caption: FoundCaption, occupied: Sequence[BBox]
) -> tuple[Figure, bytes | None]:
    found = find_figure(layout, caption, occupied)
    place = Caption(text=caption.text, place=Place(page=text.number, bbox=rounded(caption.box)))
    figure = Figure(
        id="figure",
        label=caption.label,
        page=text.number,
        bbox=rounded(found.box if found else caption.box),
        caption=place,
        image=None,
        source=found.source if found else "vector",
        panels=figure_panels(found, text.words) if found else (),
    )
    return figure, _image(document, text.number, found.box) if found else None


def _image(document: pymupdf.Document, number: int, box: BBox) -> bytes | None:
    """PNG of an area of a page; None where MuPDF cannot draw it."""
    try:
        return render(document[number - 1], box)
    except PDF_ERRORS:
        return None


def _charts(document: pymupdf.Document, figures: Sequence[Figure], progress: Progress) -> FoundCharts:
    """The charts of all figures, in their order."""
    charts: list[Chart] = []
    problems: list[str] = []
    for number in sorted({figure.page for figure in figures if figure.image is not None}):
        progress.at_page(number)
        try:
            found = charts_of(document[number - 1], [figure for figure in figures if figure.page == number])
        except PDF_ERRORS as error:
            problems.append(f"page {number}: its charts cannot be read ({first_line(error)})")
            continue
        charts += found.charts
        problems += found.problems
    progress.at_whole()
    return FoundCharts(tuple(charts), tuple(problems))


def _numbered(parts: Sequence[_PageParts]) -> tuple[tuple[Table, ...], tuple[Figure, ...], dict[str, bytes]]:
    """Tables that can be read and figures, with their ids, and images by file name."""
    tables: list[Table] = []
    figures: list[Figure] = []
    images: dict[str, bytes] = {}
    for part in parts:
        for found in (one for one in part.tables if not (one.is_torn or one.continues)):
            tables.append(found.table.model_copy(update={"id": f"table-{len(tables) + 1}"}))
        for figure, image in part.figures:
            name = f"figure-{len(figures) + 1}"
            file = f"{name}.png" if image is not None else None
            if image is not None:
                images[f"{name}.png"] = image
            figures.append(figure.model_copy(update={"id": name, "image": file}))
    return tuple(tables), tuple(figures), images


def _warnings(pages: Sequence[PageText], parts: Sequence[_PageParts], title: str) -> tuple[str, ...]:
    warnings: list[str] = []
    for page, part in zip(pages, parts, strict=True):
        read = {found.table.label for found in part.tables}
        for caption in part.layout.captions:
            if caption.kind == "table" and caption.label not in read:
                warnings.append(f"page {page.number}: table {caption.label} has a caption but no grid was found")
        warnings += [
            f"page {page.number}: table {found.table.label} is left out: its values and spreads stand apart"
            for found in part.tables
            if found.is_torn and not found.continues
        ]
        for figure, image in part.figures:
            if image is None:
                warnings.append(
                    f"page {page.number}: figure {figure.label} has a caption but no graphics that can be drawn"
                )
    if not title:
        warnings.append("no title was found")
    return tuple(warnings)


def _blocks(flow: TextFlow, tables: Sequence[Table], figures: Sequence[Figure]) -> list[Block]:
    """Sections, paragraphs and equations in order; a table or figure follows the text block before it on its page."""
    by_id: dict[str, Section | Paragraph | Equation] = {s.id: s for s in flow.sections}
    by_id |= {p.id: p for p in flow.paragraphs}
    by_id |= {e.id: e for e in flow.equations}
    floats: list[Table | Figure] = sorted([*tables, *figures], key=lambda f: (f.page, f.bbox[1], f.bbox[0], f.id))
    blocks: list[Block] = []
    for name in flow.order:
        block = by_id[name]
        place = block.places[0] if isinstance(block, Paragraph) else block.place
        while floats and (floats[0].page < place.page or _stands_before(floats[0], place)):
            blocks.append(floats.pop(0))
        blocks.append(block)
    return [*blocks, *floats]


def _stands_before(floating: Table | Figure, place: Place) -> bool:
    """On the same page, above, and not in a column further right."""
    return floating.page == place.page and floating.bbox[3] <= place.bbox[1] + 2 and floating.bbox[0] < place.bbox[2]
