"""Cuts the inside of a LaTeX tabular into cells with rows, columns and spans, and finds its rules."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.latex.columns import Column
from reproducegym.parsing.latex.nodes import Node, inner, plain_text

__all__ = ["Grid", "GridCell", "grid_of"]

_FULL_RULES = frozenset({"hline", "toprule", "midrule", "bottomrule", "specialrule", "hhline", "thickhline", "Xhline"})
_PART_RULES = frozenset({"cmidrule", "cline", "addlinespace", "rowcolor", "rowcolors", "noalign", "arrayrulecolor"})
_PARTS = frozenset({"endfirsthead", "endhead", "endfoot", "endlastfoot"})
_ENDS = frozenset({"\\", "tabularnewline", "cr", "newline"})
_MAX_SPAN = 200
_MAX_CELLS = 50_000


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell that holds something: its place, spans and source, and what its column adds."""

    row: int
    column: int
    row_span: int
    column_span: int
    nodes: tuple[Node, ...]
    specification: Column


@dataclass(frozen=True, slots=True)
class Grid:
    """Cells in order, number of rows and columns, and the rows right below a rule over the whole width."""

    cells: tuple[GridCell, ...]
    rows: int
    columns: int
    ruled: frozenset[int]


@dataclass(slots=True)
class _Row:
    cells: list[list[Node]]
    ruled: bool = False


def grid_of(children: Sequence[Node], columns: Sequence[Column]) -> Grid:
    """The grid of a tabular's inside."""
    rows = _rows(children)
    cells: list[GridCell] = []
    for number, row in enumerate(rows):
        column = 0
        for nodes in row.cells:
            if len(cells) >= _MAX_CELLS:
                break
            cell = _cell(nodes, number, column, columns)
            cells.append(cell)
            column += cell.column_span
    ruled = frozenset(number for number, row in enumerate(rows) if row.ruled)
    width = max((cell.column + cell.column_span for cell in cells), default=0)
    return Grid(tuple(_uncovered(cells, len(rows))), len(rows), width, ruled)


def _rows(children: Sequence[Node]) -> list[_Row]:
    """Rows of cells; of a longtable's heads the first one, none of its feet."""
    parts: dict[str, list[_Row]] = {}
    rows = [_Row([[]])]
    for node in _opened(children):
        if node.kind == "special" and node.name == "&":
            rows[-1].cells.append([])
        elif node.kind == "macro" and node.name in _ENDS:
            rows.append(_Row([[]]))
        elif node.kind == "macro" and node.name in _FULL_RULES:
            if _is_blank(rows[-1]):
                rows[-1].ruled = True
            else:
                rows.append(_Row([[]], ruled=True))
        elif node.kind == "macro" and node.name in _PARTS:
            parts[node.name] = [row for row in rows if not _is_blank(row) or row.ruled]
            rows = [_Row([[]])]
        elif not (node.kind == "macro" and node.name in _PART_RULES):
            rows[-1].cells[-1].append(node)
    head = parts.get("endfirsthead") or parts.get("endhead") or []
    return _compact([*head, *rows])


def _opened(children: Sequence[Node]) -> Iterator[Node]:
    """Top nodes; captions, labels and comments of a longtable left out."""
    for node in children:
        if node.kind == "macro" and node.name in ("caption", "label", "captionof"):
            continue
        yield node


def _compact(rows: Sequence[_Row]) -> list[_Row]:
    """Rows that hold something; a rule above a blank row counts for the next one."""
    kept: list[_Row] = []
    ruled = False
    for row in rows:
        ruled = ruled or row.ruled
        if _is_blank(row):
            continue
        kept.append(_Row(row.cells, ruled))
        ruled = False
    return kept


def _is_blank(row: _Row) -> bool:
    return all(
        (node.kind == "chars" and not node.name.strip()) or (node.kind == "special" and node.name == "\n\n")
        for cell in row.cells
        for node in cell
    )


def _cell(nodes: Sequence[Node], row: int, column: int, columns: Sequence[Column]) -> GridCell:
    own = columns[column] if column < len(columns) else Column()
    cell = GridCell(row, column, 1, 1, tuple(nodes), own)
    for _ in range(4):
        spanning = _spanning(cell.nodes)
        if spanning is None:
            break
        position, node = spanning
        around = (*cell.nodes[:position], *inner(node.last_argument()), *cell.nodes[position + 1 :])
        if node.name == "multicolumn":
            span = _count(node.arguments[0])
            cell = replace(cell, column_span=max(span, 1), nodes=around, specification=Column())
        else:
            rows = _count(node.arguments[1])
            start = row + rows + 1 if rows < 0 else row
            cell = replace(cell, row=max(0, start), row_span=row - max(0, start) + 1 if rows < 0 else max(rows, 1))
            cell = replace(cell, nodes=around)
    return cell


def _spanning(nodes: Sequence[Node]) -> tuple[int, Node] | None:
    """The first \\multicolumn or \\multirow of a cell; inside a lone group too."""
    for position, node in enumerate(nodes):
        if node.kind == "macro" and node.name in ("multicolumn", "multirow") and len(node.arguments) >= 3:
            return position, node
    return None


def _count(node: Node | None) -> int:
    text = plain_text(node).strip().strip("=")
    if re.fullmatch(r"[+-]?\d{1,4}(?:\.\d*)?", text):
        return max(-_MAX_SPAN, min(_MAX_SPAN, int(float(text))))
    return 1


def _uncovered(cells: Sequence[GridCell], rows: int) -> list[GridCell]:
    """The cells that hold something; a span ends above a cell that holds something too."""
    held = [cell for cell in cells if any(node.kind != "chars" or node.name.strip() for node in cell.nodes)]
    filled = {
        (cell.row, column): cell for cell in held for column in range(cell.column, cell.column + cell.column_span)
    }
    kept: list[GridCell] = []
    for cell in held:
        spots = range(cell.column, cell.column + cell.column_span)
        end = cell.row + 1
        while end < min(cell.row + cell.row_span, rows) and not any((end, column) in filled for column in spots):
            end += 1
        kept.append(replace(cell, row_span=max(1, end - cell.row)))
    return kept
