"""Gives the tables of a PDF the structure that its LaTeX source states, where every number agrees."""

from collections.abc import Sequence
from functools import partial

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.bounded import TEXT_ADVICE
from reproducegym.parsing.boxes import rounded, union
from reproducegym.parsing.guard import Limits, Progress, read_in_child
from reproducegym.parsing.latex.parser import LatexParser
from reproducegym.parsing.latex.placing import Placed, placed_cells
from reproducegym.parsing.paper_markdown import table_html
from reproducegym.parsing.sources.arxiv import LATEX_PREFIX
from reproducegym.parsing.sources.main_file import main_file
from reproducegym.parsing.tables.paths import RawCell, RawTable, named_cells
from reproducegym.parsing.tables.units import measured
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Cell, PageWords, Parsed, Source, Table

__all__ = ["reconciled", "with_structure_of"]

_MARGIN = 2.0
_SAME_CAPTION = 0.6
_LIMITS = Limits()


def reconciled(parsed: Parsed, source: Source, limits: Limits = _LIMITS) -> Parsed:
    """The parsed PDF with the tables of its LaTeX source (files of `source.beside` below `latex/`).

    Without such files it is returned as it is; what cannot be used, or breaks the limits, is said in a warning. The
    PDF is the truth.
    """
    files = {
        name.removeprefix(LATEX_PREFIX): content
        for name, content in source.beside.items()
        if name.startswith(LATEX_PREFIX)
    }
    if not files:
        return parsed
    name = main_file(files)
    if name is None:
        return _warned(parsed, ("its LaTeX source has no main file; tables are read from the PDF alone",))
    try:
        latex = Source(kind="latex", origin=source.origin, content=files[name], beside=files)
        return read_in_child(partial(_with_source, parsed, latex), source.origin, limits, advice=TEXT_ADVICE)
    except UnreadablePaperError as error:
        return _warned(parsed, (f"its LaTeX source cannot be read ({error}); tables are read from the PDF alone",))


def _with_source(parsed: Parsed, source: Source, progress: Progress) -> Parsed:
    progress.at_whole()
    return with_structure_of(parsed, LatexParser().parse(source, parsed.document.paper_id))


def _warned(parsed: Parsed, warnings: Sequence[str]) -> Parsed:
    document = parsed.document
    return parsed.model_copy(
        update={"document": document.model_copy(update={"warnings": (*document.warnings, *warnings)})}
    )


def with_structure_of(parsed: Parsed, latex: Parsed) -> Parsed:
    """The parsed PDF with rows, columns, spans, paths and marks of tables as `latex` has them.

    A table is changed only where each of its cells is found among the page's own words inside the table's area, in
    the same order, and no number of that area is left over; texts and boxes are those of the page.
    """
    tables: list[Table] = []
    warnings: list[str] = []
    text = parsed.paper_md
    for table in parsed.document.tables:
        twin = _twin(table, latex.document.tables)
        if twin is None:
            tables.append(table)
            continue
        changed = _restructured(table, twin, parsed.words)
        if isinstance(changed, str):
            warnings.append(f"page {table.page}: table {table.label or table.id} is read from the PDF alone: {changed}")
            tables.append(table)
        else:
            tables.append(changed)
            text = text.replace(table_html(table), table_html(changed))
    document = parsed.document.model_copy(update={"tables": tuple(tables)})
    return _warned(parsed.model_copy(update={"document": document, "paper_md": text}), warnings)


def _twin(table: Table, others: Sequence[Table]) -> Table | None:
    """The table of the source with the same label, or else with nearly the same caption."""
    same = [other for other in others if table.label is not None and other.label == table.label]
    alike = [other for other in others if _likeness(table, other) >= _SAME_CAPTION]
    both = [other for other in same if other in alike]
    chosen = both or alike or (same if not any(other.caption for other in same) else [])
    return chosen[0] if len(chosen) == 1 else None


def _likeness(first: Table, second: Table) -> float:
    """Share of words that two captions have in common."""
    words = [set(_caption(table).lower().split()) for table in (first, second)]
    return len(words[0] & words[1]) / max(1, min(len(words[0]), len(words[1]))) if all(words) else 0.0


def _caption(table: Table) -> str:
    if table.caption is None:
        return ""
    head, colon, tail = table.caption.text.partition(":")
    return tail if colon and len(head) < len("Supplementary Table A.12") else table.caption.text


def _restructured(table: Table, twin: Table, pages: Sequence[PageWords]) -> Table | str:
    """The table with the source's structure, or why it keeps its own."""
    areas = [(table.page, table.bbox), *((part.page, part.bbox) for part in table.continued)]
    caption = table.caption.place if table.caption else None
    words = [
        (page.page, word)
        for number, area in areas
        for page in pages
        if page.page == number
        for word in page.words
        if _inside(area, word.bbox) and not (caption and caption.page == number and _inside(caption.bbox, word.bbox))
    ]
    found = placed_cells(twin.cells, words, table.cells)
    if isinstance(found, str):
        return found
    cells, stub_headers = _named(twin, found, table)
    return table.model_copy(
        update={
            "cells": cells,
            "stub_headers": stub_headers,
            "bbox": _area(table, cells),
        }
    )


def _inside(area: BBox, box: BBox) -> bool:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return area[0] - _MARGIN <= x <= area[2] + _MARGIN and area[1] - _MARGIN <= y <= area[3] + _MARGIN


def _area(table: Table, cells: Sequence[Cell]) -> BBox:
    return rounded(union([table.bbox, *(cell.bbox for cell in cells if cell.page == table.page)]))


def _named(twin: Table, found: Sequence[Placed], table: Table) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """The source's cells with the page's texts and boxes, named anew."""
    raw = tuple(
        RawCell(
            one.cell.row, one.cell.column, one.cell.row_span, one.cell.column_span, one.text, rounded(one.box),
            one.cell.marks,
        )
        for one in found
    )  # fmt: skip
    kinds = {kind: frozenset(c.row for c in twin.cells if c.kind == kind) for kind in ("header", "group")}
    shape = RawTable(raw, kinds["header"], kinds["group"], len(twin.stub_headers))
    named, stub_headers = named_cells(shape, table.page)
    pages = {(one.cell.row, one.cell.column): one.page for one in found}
    cells = [cell.model_copy(update={"page": pages[cell.row, cell.column]}) for cell in named]
    return measured(cells, table.caption.text if table.caption else ""), stub_headers
