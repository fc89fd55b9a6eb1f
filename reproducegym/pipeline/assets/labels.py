"""Finds the labels of a data file, and puts them in another order without touching anything else in it."""

import re
from collections.abc import Callable, Iterator, Sequence

from reproducegym.schema.asset import Labels

__all__ = ["LabelError", "label_texts", "rows_shuffled", "with_labels_permuted"]

Span = tuple[int, int]
"""Where something begins and ends in a file's bytes."""

Randbelow = Callable[[int], int]

_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]+")


class LabelError(Exception):
    """A data file whose labels are not where its card says; the message names the row."""


def label_texts(data: bytes, labels: Labels) -> list[str]:
    """Every label of a file as it stands there, in order; items of bytes in hex.

    Raises:
        LabelError: the file is not of that form, or has no such column.
    """
    found = [data[start:end] for start, end in _label_spans(data, labels)]
    return [one.hex() if labels.form == "bytes" else one.decode("utf-8", "replace") for one in found]


def with_labels_permuted(data: bytes, labels: Labels, randbelow: Randbelow) -> bytes:
    """The same file with its labels dealt out anew, all orders alike: as many of each, and every other byte in order.

    Raises:
        LabelError: as for `label_texts`.
    """
    return _dealt(data, _label_spans(data, labels), randbelow)


def rows_shuffled(data: bytes, labels: Labels, randbelow: Randbelow) -> bytes:
    """The same table with its rows, each whole, in another order below the header; line ends stay where they are.

    Raises:
        LabelError: it is no table with that column.
    """
    return _dealt(data, [(row[0][0], row[-1][1]) for row in _rows(data, labels)[1:]], randbelow)


def _dealt(data: bytes, spans: Sequence[Span], randbelow: Randbelow) -> bytes:
    """The pieces at these spans in an order drawn by Fisher–Yates, with all that stands between them."""
    order = list(range(len(spans)))
    for last in range(len(order) - 1, 0, -1):
        other = randbelow(last + 1)
        order[last], order[other] = order[other], order[last]
    pieces: list[bytes] = []
    at = 0
    for (start, end), taken in zip(spans, order, strict=True):
        pieces += [data[at:start], data[slice(*spans[taken])]]
        at = end
    return b"".join([*pieces, data[at:]])


def _label_spans(data: bytes, labels: Labels) -> list[Span]:
    if labels.form == "lines":
        return [match.span() for match in _LINE.finditer(data)]
    if labels.form == "bytes":
        if len(data) < labels.skip or (len(data) - labels.skip) % labels.width:
            raise LabelError(f"{len(data)} bytes are not {labels.skip} and items of {labels.width}")
        return [(at, at + labels.width) for at in range(labels.skip, len(data), labels.width)]
    rows = _rows(data, labels)
    names = [data[start:end].decode("utf-8", "replace").strip('"') for start, end in rows[0]]
    if names.count(labels.column or "") != 1:
        raise LabelError(f'"{labels.column}" names {names.count(labels.column or "")} columns of {", ".join(names)}')
    column = names.index(labels.column or "")
    return [row[column] for row in rows[1:] if row[column][0] < row[column][1]]


def _rows(data: bytes, labels: Labels) -> list[list[Span]]:
    """The cells of every row that is not empty, the header's first; all rows have as many."""
    rows: list[list[Span]] = []
    for number, row in enumerate(_records(data, labels.separator.encode()), 1):
        if rows and len(row) != len(rows[0]):
            raise LabelError(f"row {number} has {len(row)} cells, the header {len(rows[0])}")
        rows.append(row)
    if not rows:
        raise LabelError("a header is wanted, and the file is empty")
    return rows


def _records(data: bytes, separator: bytes) -> Iterator[list[Span]]:
    """Cells between separators, quoted where one holds a separator, a line end or a quote; empty lines are none."""
    mark = re.escape(separator)
    cell = re.compile(rb'"(?:[^"]|"")*"(?=[' + mark + rb"\r\n]|\Z)|[^\"" + mark + rb"\r\n][^" + mark + rb"\r\n]*|")
    at, number = len(_BOM) if data.startswith(_BOM) else 0, 1
    row: list[Span] = []
    while True:
        match = cell.match(data, at)
        row.append((at, at) if match is None else match.span())
        at = row[-1][1]
        if data[at : at + 1] == separator:
            at += 1
            continue
        if at < len(data) and data[at : at + 1] not in (b"\r", b"\n"):
            raise LabelError(f"row {number}: a quote does not end where its cell does")
        if len(row) > 1 or row[0][0] < row[0][1]:
            yield row
            number += 1
        if at >= len(data):
            return
        at += 2 if data[at : at + 2] == b"\r\n" else 1
        row = []
