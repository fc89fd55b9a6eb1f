"""Writes a parsed paper as Markdown, with every text, cell and figure passed through the caller's own eyes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from reproducegym.schema.paper import Cell, Document, Figure, Paragraph, Section, Table

__all__ = ["Lens", "Shown", "image_name", "paper_markdown"]


@dataclass(frozen=True)
class Shown:
    """How a figure appears: the file name of its image, None without one, and lines to write below its caption."""

    name: str | None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Lens:
    """How pieces of a paper appear: `prose` for any running text, `cell` for table cells, `figure` for figures."""

    prose: Callable[[str], str]
    cell: Callable[[Table, Cell], str]
    figure: Callable[[Figure], Shown]


def paper_markdown(document: Document, lens: Lens) -> str:
    """The paper in reading order: headings, paragraphs, and each table and figure after the text around it."""
    blocks = [f"# {lens.prose(_flat(document.title))}"]
    pieces: list[Table | Figure] = [*document.tables, *document.figures]
    waiting = sorted(pieces, key=lambda piece: (piece.page, piece.bbox[1], piece.id))
    order = {section.id: index for index, section in enumerate(document.sections)}
    written = 0
    for paragraph in document.paragraphs:
        while waiting and _stands_before(document, waiting[0], paragraph):
            blocks.append(_piece(waiting.pop(0), lens))
        if paragraph.section is not None and order[paragraph.section] >= written:
            upto = order[paragraph.section] + 1
            blocks += [_heading(section, lens) for section in document.sections[written:upto]]
            written = upto
        blocks.append(lens.prose(_flat(paragraph.text)))
    blocks += [_heading(section, lens) for section in document.sections[written:]]
    blocks += [_piece(piece, lens) for piece in waiting]
    return "\n\n".join(block for block in blocks if block) + "\n"


def image_name(figure: Figure) -> str | None:
    """The file name of a figure's image, without its directory."""
    return None if figure.image is None else figure.image.rsplit("/", 1)[-1]


def _heading(section: Section, lens: Lens) -> str:
    """The section's own number is no result, so it passes no lens."""
    title = lens.prose(_flat(section.title))
    return f"{'#' * min(section.level + 1, 6)} {f'{section.number} ' if section.number else ''}{title}"


def _stands_before(document: Document, piece: Table | Figure, paragraph: Paragraph) -> bool:
    """In a PDF, columns make heights tell little: a piece waits for the end of its page."""
    place = paragraph.places[0] if paragraph.places else None
    if place is None:
        return False
    if document.coordinates != "pdf_points":
        return (piece.page, piece.bbox[1]) < (place.page, place.bbox[1])
    return piece.page < place.page


def _piece(piece: Table | Figure, lens: Lens) -> str:
    return _table(piece, lens) if isinstance(piece, Table) else _figure(piece, lens)


def _figure(figure: Figure, lens: Lens) -> str:
    shown = lens.figure(figure)
    caption = lens.prose(_flat(figure.caption.text)) if figure.caption else f"Figure {figure.label or figure.id}"
    image = f"![Figure {figure.label or figure.id}](figures/{shown.name})\n\n" if shown.name else ""
    return "\n\n".join((f"{image}*{caption}*", *shown.lines))


def _table(table: Table, lens: Lens) -> str:
    lines = [f"*{lens.prose(_flat(table.caption.text))}*", ""] if table.caption else []
    rows = list(_rows(table, lens))
    if rows:
        lines += [_line(rows[0]), _line(["---"] * len(rows[0])), *(_line(row) for row in rows[1:])]
    lines += [f"\n{lens.prose(_flat(note))}" for note in table.notes]
    return "\n".join(lines)


def _rows(table: Table, lens: Lens) -> Iterator[list[str]]:
    """One header row of joined column paths, then one row for each body row with its joined row path in front."""
    body = [cell for cell in table.cells if cell.kind == "body"]
    columns = sorted({cell.column for cell in body})
    heads = {cell.column: " / ".join(cell.column_path) for cell in reversed(body)}
    yield [lens.prose(" / ".join(table.stub_headers)), *(lens.prose(heads[column]) for column in columns)]
    for row in sorted({cell.row for cell in body}):
        cells = {cell.column: cell for cell in body if cell.row == row}
        label = " / ".join(next(iter(cells.values())).row_path)
        yield [
            lens.prose(label),
            *(lens.cell(table, cells[column]) if column in cells else "" for column in columns),
        ]


def _line(cells: list[str]) -> str:
    return "| " + " | ".join(_flat(cell).replace("|", "\\|") for cell in cells) + " |"


def _flat(text: str) -> str:
    return " ".join(text.split())
