"""Names every cell of a table by its row labels and column headers; shared by the PDF and the Markdown reader."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reproducegym.parsing.cell_text import is_numeric, is_value
from reproducegym.parsing.tables.row_names import (
    Part,
    corners_name_parts,
    headed_rows,
    telling_columns,
    tick_columns,
    ticked_heads,
)
from reproducegym.schema.base import BBox
from reproducegym.schema.paper import Cell, Mark

__all__ = ["RawCell", "RawTable", "named_cells"]

_STEP = 3.0
_EXTENDS = re.compile(r"[+↳└⊢−–-]\s|w/|with\b|without\b")


@dataclass(frozen=True, slots=True)
class RawCell:
    """A cell before it has a name; `page` where it is not the table's."""

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    bbox: BBox
    marks: tuple[Mark, ...]
    page: int | None = None


@dataclass(frozen=True, slots=True)
class RawTable:
    """Cells, and what the rows and columns are: header rows, group rows, leading label columns."""

    cells: tuple[RawCell, ...]
    header_rows: frozenset[int]
    group_rows: frozenset[int]
    stub_columns: int


def named_cells(raw: RawTable, page: int) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """All cells with paths, in row order, and the heads of the label columns.

    A label that spans rows names each of them; a blank label takes the one above it. A header holds for the rows
    below it until the next block of header rows; a group row until the next group row or header block. A number that
    names a row is said with the head of its column: "K = 1"; ticks name a row by their heads.
    """
    texts = _body_texts(raw)
    ticks = _ticks(raw, texts)
    raw = replace(raw, stub_columns=ticks or _label_columns(raw, texts))
    cells = sorted(raw.cells, key=lambda cell: (cell.row, cell.column))
    last_row = max((cell.row + cell.row_span for cell in cells), default=0)
    blocks = _header_blocks(raw.header_rows)
    named: list[Cell] = []
    groups = _indented(raw, cells, _groups(raw, cells, last_row))
    headers = {block[0]: _column_paths(block, cells) for block in blocks}
    own = _own_labels(raw, cells)
    lone = _lone_values(raw, own)
    names: dict[tuple[int, int], str] = {}
    for (row, column), text in own.items():
        block = _block_for(blocks, row)
        head = headers[block[0]].get(column, ()) if block else ()
        if (row, column) not in lone:
            names[row, column] = _with_head(text, head[-1][1] if head else "")
    labels = _labels(raw, names, last_row)
    if ticks:
        tops = [tuple(headers[blocks[0][0]].get(c, ())) for c in range(ticks)]
        heads = [top[-1][1] if top else "" for top in tops]
        labels = {row: ticked_heads(texts, row, heads) for row in labels}
    for row, corner in _corners(raw, blocks, headers, labels).items():
        groups[row] = (corner, *groups[row])
    for cell in cells:
        block = _block_for(blocks, cell.row)
        columns = headers[block[0]] if block else {}
        if cell.row in raw.header_rows:
            inner = columns.get(cell.column, ())
            depth = [text for row, text in inner if row < cell.row]
            named.append(_cell(cell, page, "header", (), tuple(depth)))
        elif cell.row in raw.group_rows:
            named.append(_cell(cell, page, "group", groups[cell.row][:-1], ()))
        elif _is_stub(cell, raw.stub_columns) and (cell.row, cell.column) not in lone:
            outer = tuple(t for column, t in labels.get(cell.row, ()) if column < cell.column)
            named.append(_cell(cell, page, "stub", groups[cell.row] + outer, ()))
        else:
            path = _common([columns.get(c, ()) for c in range(cell.column, cell.column + cell.column_span)])
            rows = groups[cell.row] + tuple(text for _, text in labels.get(cell.row, ()))
            named.append(_cell(cell, page, "body", rows, path))
    return tuple(named), _stub_headers(raw, headers, blocks)


def _body_texts(raw: RawTable) -> dict[tuple[int, int], str]:
    """Text of the body cells by each row and column that they cover."""
    return {
        (row, column): cell.text
        for cell in raw.cells
        if cell.row not in raw.header_rows and cell.row not in raw.group_rows
        for row in range(cell.row, cell.row + cell.row_span)
        for column in range(cell.column, cell.column + cell.column_span)
    }


def _ticks(raw: RawTable, texts: dict[tuple[int, int], str]) -> int:
    """How many leading columns of ticks name the rows of a table with one header block."""
    if len(_header_blocks(raw.header_rows)) != 1:
        return 0
    columns = max((column + 1 for _, column in texts), default=0)
    return tick_columns(texts, sorted({row for row, _ in texts}), columns)


def _label_columns(raw: RawTable, texts: dict[tuple[int, int], str]) -> int:
    """The label columns, with those behind them that tell rows of the same labels apart."""
    if not raw.header_rows or raw.stub_columns < 1:
        return raw.stub_columns
    columns = max((column + 1 for _, column in texts), default=0)
    parts: dict[int, list[int]] = {}
    for row in sorted({row for row, _ in texts}):
        parts.setdefault(_part_of(raw, row), []).append(row)
    return telling_columns(texts, list(parts.values()), raw.stub_columns, columns)


def _part_of(raw: RawTable, row: int) -> int:
    """The last header or group row above a row; -1 when there is none."""
    return max((other for other in raw.header_rows | raw.group_rows if other < row), default=-1)


def _with_head(label: str, head: str) -> str:
    """What a label says: by itself when it is a word, "head = label" when it is a number under a head of words."""
    if not is_numeric(label) or not any(letter.isalpha() for letter in head):
        return label
    return f"{head.rstrip(' :=')} = {label}"


def _is_stub(cell: RawCell, stub_columns: int) -> bool:
    """A label; a value that spreads from the label columns over others is none."""
    inside = cell.column + cell.column_span <= stub_columns
    return cell.column < stub_columns and (inside or not is_value(cell.text))


def _lettered_columns(raw: RawTable) -> frozenset[int]:
    """Label columns that hold more words than numbers."""
    balance: dict[int, int] = {}
    for cell in raw.cells:
        if cell.row not in raw.header_rows and cell.row not in raw.group_rows and cell.column < raw.stub_columns:
            balance[cell.column] = balance.get(cell.column, 0) + (-1 if is_value(cell.text) else 1)
    return frozenset(column for column, surplus in balance.items() if surplus > 0)


def _lone_values(raw: RawTable, own: dict[tuple[int, int], str]) -> set[tuple[int, int]]:
    """Numbers in columns of words, in rows that no words name: values of a part with fewer columns."""
    lettered = _lettered_columns(raw)
    named = {row for (row, _), text in own.items() if not is_value(text)}
    worded = {_part_of(raw, row) for row in named}
    return {
        (row, column)
        for row, column in own
        if column in lettered and row not in named and _part_of(raw, row) not in worded
    }


def _common(paths: Sequence[tuple[tuple[int, str], ...]]) -> tuple[str, ...]:
    """The headers that all spanned columns share, from the outermost."""
    shared: list[str] = []
    for level in zip(*paths, strict=False):
        if len(set(level)) > 1:
            break
        shared.append(level[0][1])
    return tuple(shared)


def _cell(cell: RawCell, page: int, kind: str, row_path: tuple[str, ...], column_path: tuple[str, ...]) -> Cell:
    return Cell(
        page=page if cell.page is None else cell.page,
        row=cell.row,
        column=cell.column,
        row_span=cell.row_span,
        column_span=cell.column_span,
        kind="header" if kind == "header" else "stub" if kind == "stub" else "group" if kind == "group" else "body",
        text=cell.text,
        bbox=cell.bbox,
        row_path=row_path,
        column_path=column_path,
        marks=cell.marks,
        unit=None,
        multiplier=None,
    )


def _header_blocks(rows: frozenset[int]) -> list[tuple[int, ...]]:
    blocks: list[list[int]] = []
    for row in sorted(rows):
        if blocks and row == blocks[-1][-1] + 1:
            blocks[-1].append(row)
        else:
            blocks.append([row])
    return [tuple(block) for block in blocks]


def _block_for(blocks: Sequence[tuple[int, ...]], row: int) -> tuple[int, ...] | None:
    above = [block for block in blocks if block[0] <= row]
    return above[-1] if above else None


def _column_paths(block: tuple[int, ...], cells: Sequence[RawCell]) -> dict[int, tuple[tuple[int, str], ...]]:
    """For each column the (row, text) of its headers, outer first; a text repeated below itself counts once."""
    paths: dict[int, list[tuple[int, str]]] = {}
    for cell in cells:
        if cell.row in block and cell.text:
            for column in range(cell.column, cell.column + cell.column_span):
                known = paths.setdefault(column, [])
                if not known or known[-1][1] != cell.text:
                    known.append((cell.row, cell.text))
    return {column: tuple(path) for column, path in paths.items()}


def _groups(raw: RawTable, cells: Sequence[RawCell], last_row: int) -> dict[int, tuple[str, ...]]:
    """The group path of each row; group rows directly below one another nest."""
    current: tuple[str, ...] = ()
    groups: dict[int, tuple[str, ...]] = {}
    texts = {row: next((c.text for c in cells if c.row == row and c.text), "") for row in raw.group_rows}
    for row in range(last_row):
        if row in raw.group_rows:
            nested = row - 1 in raw.group_rows
            current = (*current, texts[row]) if nested and current else (texts[row],)
        elif row in raw.header_rows and row - 1 not in raw.header_rows and row - 1 not in raw.group_rows:
            current = ()
        groups[row] = current
    return groups


def _indented(
    raw: RawTable, cells: Sequence[RawCell], groups: dict[int, tuple[str, ...]]
) -> dict[int, tuple[str, ...]]:
    """Group paths with what indentation adds: `+ X` below the row it extends, and rows set out from a group left it.

    Boxes tell the indent; a step counts from 3 points on. Only tables with one column of labels have ladders.
    """
    labels = {cell.row: cell for cell in cells if cell.column == 0 and cell.row not in raw.header_rows}
    if raw.stub_columns != 1:
        return groups
    if not raw.group_rows and (heads := headed_rows([(row, labels[row].text) for row in sorted(labels)])):
        return {row: (*path, heads[row]) if row in heads else path for row, path in groups.items()}
    path = dict(groups)
    base: RawCell | None = None
    inner: float | None = None
    outer = 0.0
    for row in sorted(labels):
        label = labels[row]
        left = label.bbox[0]
        if row in raw.group_rows:
            base, inner, outer = None, None, left
            continue
        if inner is None and row - 1 in raw.group_rows:
            inner = left
        if row - 1 not in raw.group_rows and inner is not None and outer < inner - _STEP and left < inner - _STEP:
            path = {r: (() if r >= row and p == groups[row] else p) for r, p in path.items()}
        if base is not None and _EXTENDS.match(label.text) and left > base.bbox[0] + _STEP:
            path[row] = (*path[row], base.text)
        else:
            base = label
    return path


def _corners(
    raw: RawTable,
    blocks: Sequence[tuple[int, ...]],
    headers: dict[int, dict[int, tuple[tuple[int, str], ...]]],
    labels: dict[int, tuple[tuple[int, str], ...]],
) -> dict[int, str]:
    """For each row the text above the labels of its part, where it names the part."""
    rows: list[list[int]] = [[] for _ in blocks]
    for row in labels:
        if (block := _block_for(blocks, row)) is not None:
            rows[blocks.index(block)].append(row)
    parts = []
    for block, members in zip(blocks, rows, strict=True):
        heads = {column: tuple(text for _, text in path) for column, path in headers[block[0]].items()}
        inner = {column: texts for column, texts in heads.items() if column >= raw.stub_columns}
        names = frozenset(" ".join(text for _, text in labels[row]) for row in members)
        parts.append(Part(" ".join(heads.get(0, ())), inner, names))
    if raw.stub_columns < 1 or not corners_name_parts(parts):
        return {}
    return {row: part.corner for part, members in zip(parts, rows, strict=True) for row in members}


def _own_labels(raw: RawTable, cells: Sequence[RawCell]) -> dict[tuple[int, int], str]:
    """Text of the label cells by each row and column that they cover."""
    own: dict[tuple[int, int], str] = {}
    for cell in cells:
        if _is_stub(cell, raw.stub_columns) and cell.row not in raw.header_rows and cell.row not in raw.group_rows:
            for row in range(cell.row, cell.row + cell.row_span):
                own[row, cell.column] = cell.text
    return own


def _labels(raw: RawTable, own: dict[tuple[int, int], str], last_row: int) -> dict[int, tuple[tuple[int, str], ...]]:
    """The (column, text) labels of each body row, outer first."""
    labels: dict[int, tuple[tuple[int, str], ...]] = {}
    above: dict[int, str] = {}
    for row in range(last_row):
        if row in raw.header_rows or row in raw.group_rows:
            above = {}
            continue
        path: list[tuple[int, str]] = []
        for column in range(raw.stub_columns):
            text = own.get((row, column), "")
            if text and above.get(column) != text:
                above = {c: t for c, t in above.items() if c < column}
            text = text or above.get(column, "")
            if text:
                above[column] = text
                path.append((column, text))
        labels[row] = tuple(path)
    return labels


def _stub_headers(
    raw: RawTable,
    headers: dict[int, dict[int, tuple[tuple[int, str], ...]]],
    blocks: Sequence[tuple[int, ...]],
) -> tuple[str, ...]:
    if not blocks:
        return ("",) * raw.stub_columns
    first = headers[blocks[0][0]]
    return tuple(" ".join(text for _, text in first.get(column, ())) for column in range(raw.stub_columns))
