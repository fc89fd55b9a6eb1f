"""Lists everything of a paper that a claim can stand on, once and locally: the paper evidence index."""

from collections.abc import Iterable, Mapping

from reproducegym.pipeline.evidence.search import keywords_of, pieces_of
from reproducegym.pipeline.printed.paper_markdown import image_name
from reproducegym.pipeline.printed.sections import paragraph_role, section_roles
from reproducegym.ports import ReadPaper
from reproducegym.schema.chart import Chart
from reproducegym.schema.evidence import (
    EvidenceAxis,
    EvidenceChart,
    EvidenceFigure,
    EvidenceIndex,
    EvidenceLink,
    EvidencePanel,
    EvidenceSection,
    EvidenceSentence,
    EvidenceSeries,
    EvidenceTable,
)
from reproducegym.schema.paper import Document, Figure, Table

__all__ = ["build_index", "indexed_axes"]

_Links = Mapping[str, tuple[EvidenceLink, ...]]
_UNREAD = frozenset({"reference", "front"})


def build_index(paper: ReadPaper) -> EvidenceIndex:
    """The index of a paper; the same paper gives the same index, in every process."""
    document = paper.document
    links = _links(document)
    index = EvidenceIndex(
        schema_version=1,
        paper_id=document.paper_id,
        title=" ".join(document.title.split()),
        sections=_sections(document),
        sentences=_sentences(document, links),
        tables=tuple(_table(table, links) for table in document.tables),
        figures=tuple(_figure(figure, paper.charts, links) for figure in document.figures),
        keywords={},
    )
    return index.model_copy(update={"keywords": keywords_of(pieces_of(index))})


def _links(document: Document) -> dict[str, tuple[EvidenceLink, ...]]:
    """What each piece refers to, by the piece's id, in the order of its text and each once."""
    found: dict[str, dict[EvidenceLink, None]] = {}
    for one in document.references:
        link = EvidenceLink(kind=one.kind, label=one.label, panel=one.panel, target=one.target)
        found.setdefault(one.source, {})[link] = None
    return {source: tuple(links) for source, links in found.items()}


def _sections(document: Document) -> tuple[EvidenceSection, ...]:
    roles = section_roles(document.sections)
    return tuple(
        EvidenceSection(
            id=section.id,
            number=section.number,
            title=section.title,
            level=section.level,
            parent=section.parent,
            role=roles[section.id],
            page=section.place.page,
        )
        for section in document.sections
    )


def _sentences(document: Document, links: _Links) -> tuple[EvidenceSentence, ...]:
    roles = section_roles(document.sections)
    return tuple(
        EvidenceSentence(
            id=sentence.id,
            section=paragraph.section,
            role=paragraph_role(paragraph, roles),
            paragraph=paragraph.id,
            text=sentence.text,
            page=sentence.places[0].page,
            places=sentence.places,
            links=links.get(sentence.id, ()),
        )
        for paragraph in document.paragraphs
        if paragraph.role not in _UNREAD
        for sentence in paragraph.sentences
        if sentence.places
    )


def _table(table: Table, links: _Links) -> EvidenceTable:
    body = [cell for cell in table.cells if cell.kind == "body"]
    return EvidenceTable(
        id=table.id,
        label=table.label,
        page=table.page,
        caption=table.caption.text if table.caption else None,
        notes=table.notes,
        stub_headers=table.stub_headers,
        rows=_named(cell.row_path for cell in body),
        columns=_named(cell.column_path for cell in body),
        links=links.get(table.id, ()),
    )


def _named(paths: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Paths in one line each, in order and each once; what has no name has no line."""
    return tuple(dict.fromkeys(" / ".join(path) for path in paths if path))


def _figure(figure: Figure, charts: tuple[Chart, ...], links: _Links) -> EvidenceFigure:
    own = [chart for chart in charts if chart.figure == figure.id]
    panels = tuple(
        EvidencePanel(
            number=number,
            label=panel.label,
            title=panel.title,
            bbox=panel.bbox,
            charts=tuple(_chart(chart) for chart in own if chart.panel == number),
        )
        for number, panel in enumerate(figure.panels)
    )
    return EvidenceFigure(
        id=figure.id,
        label=figure.label,
        page=figure.page,
        bbox=figure.bbox,
        caption=figure.caption.text if figure.caption else None,
        image=image_name(figure),
        panels=panels,
        links=links.get(figure.id, ()),
    )


def indexed_axes(chart: Chart) -> tuple[EvidenceAxis, ...]:
    """The axes of a chart without their ticks."""
    return tuple(
        EvidenceAxis(side=axis.side, title=axis.title, scale=axis.scale, low=axis.low, high=axis.high, names=axis.names)
        for axis in chart.axes
    )


def _chart(chart: Chart) -> EvidenceChart:
    series = tuple(EvidenceSeries(name=one.name, kind=one.kind, points=len(one.points)) for one in chart.series)
    lines = tuple(line.name for line in chart.reference_lines if line.name is not None)
    return EvidenceChart(title=chart.title, axes=indexed_axes(chart), series=series, reference_lines=lines)
