"""Writes a parsed paper as Markdown for readers: headings, paragraphs, equations, HTML tables, figure links."""

from collections.abc import Sequence
from html import escape

from reproducegym.schema.paper import Caption, Cell, Equation, Figure, Paragraph, Section, Table

__all__ = ["Block", "paper_markdown", "table_html"]

Block = Section | Paragraph | Equation | Table | Figure


def paper_markdown(title: str, blocks: Sequence[Block]) -> str:
    """The whole paper in the order of its blocks."""
    parts = [f"# {_inline(title)}"] if title else []
    for block in blocks:
        if isinstance(block, Section):
            name = f"{block.number} {block.title}" if block.number else block.title
            parts.append(f"{'#' * min(block.level + 1, 6)} {_inline(name)}")
        elif isinstance(block, Paragraph):
            parts.append(_paragraph(block))
        elif isinstance(block, Equation):
            parts.append(_guarded(_inline(f"{block.text} ({block.label})" if block.label else block.text)))
        elif isinstance(block, Table):
            parts.append(table_html(block))
        else:
            parts.append(_figure(block))
    return "\n\n".join(parts) + "\n"


def _inline(text: str) -> str:
    """Text that Markdown shows as it is."""
    for char in ("\\", "*", "_", "`", "<"):
        text = text.replace(char, "\\" + char)
    return " ".join(text.split())


def _paragraph(block: Paragraph) -> str:
    text = _inline(block.text)
    if block.role == "list":
        marker = text[0] if text else ""
        return f"- {text[1:].strip()}" if marker in "•◦▪‣●■∙–—·➢" else f"- {text}"
    return _guarded(text)


def _guarded(text: str) -> str:
    """Text whose first character does not make Markdown of it."""
    return "\\" + text if text[:1] in "#>+-|=~" else text


def _figure(figure: Figure) -> str:
    caption = f"*{_inline(figure.caption.text)}*" if figure.caption else ""
    if figure.image is None:
        return caption
    alt = f"Figure {figure.label}" if figure.label else "Figure"
    return f"![{alt}](figures/{figure.image})" + (f"\n\n{caption}" if caption else "")


def table_html(table: Table) -> str:
    """One table as HTML with spans; the caption stands inside, notes below. Each label is said as row paths say it."""
    lines = ["<table>"]
    if table.caption:
        lines.append(f"<caption>{_caption(table.caption)}</caption>")
    rows = 1 + max((cell.row + cell.row_span - 1 for cell in table.cells), default=0)
    columns = 1 + max((cell.column + cell.column_span - 1 for cell in table.cells), default=0)
    starts = {(cell.row, cell.column): cell for cell in table.cells}
    covered = {
        (r, c)
        for cell in table.cells
        for r in range(cell.row, cell.row + cell.row_span)
        for c in range(cell.column, cell.column + cell.column_span)
    }
    names = _spoken_labels(table)
    for row in range(rows):
        entries = []
        header = any(cell.kind == "header" for cell in table.cells if cell.row == row)
        for column in range(columns):
            cell = starts.get((row, column))
            if cell is not None:
                entries.append(_cell(cell, names.get((row, column), cell.text)))
            elif (row, column) not in covered:
                entries.append("<th></th>" if header else "<td></td>")
        lines.append("<tr>" + "".join(entries) + "</tr>")
    lines.append("</table>")
    notes = "".join(f"\n\n{_inline(note)}" for note in table.notes)
    return "\n".join(lines) + notes


def _caption(caption: Caption) -> str:
    return escape(" ".join(caption.text.split()), quote=False)


def _spoken_labels(table: Table) -> dict[tuple[int, int], str]:
    """Labels that say nothing alone, by row and column: a number as "K = 1", a step after the row that it extends."""
    groups = {cell.text for cell in table.cells if cell.kind == "group"}
    paths = {cell.row: cell.row_path for cell in table.cells if cell.kind == "body"}
    spoken: dict[tuple[int, int], str] = {}
    for cell in (one for one in table.cells if one.kind == "stub"):
        named = (part for part in paths.get(cell.row, ()) if part.endswith(f" = {cell.text}"))
        name = next(named, cell.text)
        extended = [part for part in cell.row_path if part not in groups] if cell.column == 0 else []
        if extended or name != cell.text:
            spoken[cell.row, cell.column] = " ".join([*extended, name])
    return spoken


def _cell(cell: Cell, text: str) -> str:
    tag = "td" if cell.kind == "body" else "th"
    spans = f' rowspan="{cell.row_span}"' if cell.row_span > 1 else ""
    spans += f' colspan="{cell.column_span}"' if cell.column_span > 1 else ""
    text = escape(text, quote=False)
    if "bold" in cell.marks and cell.kind == "body":
        text = f"<b>{text}</b>"
    return f"<{tag}{spans}>{text}</{tag}>"
