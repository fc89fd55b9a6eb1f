"""Looks up where a model points: the cell, sentence or series must be there and print what the model quotes."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from reproducegym.extraction.llm.replies import CellPlace, SentencePlace
from reproducegym.extraction.llm.view import View
from reproducegym.extraction.rules.entries import Entry
from reproducegym.extraction.rules.labels import clean_label, find_mentions
from reproducegym.extraction.rules.sentences import Spoken, number_place
from reproducegym.pipeline.printed.numbers import Number, read_number, read_numbers
from reproducegym.schema.claim import Provenance, Reason, ReasonCode
from reproducegym.schema.paper import Cell, Table

__all__ = ["Located", "at_cell", "bare_id", "cell_named", "flat", "is_called", "locate", "reason", "same_name"]

_BY_NAME = 2
"""Strength of a mention that uses the name itself."""
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−﹣－", "-"))


@dataclass(frozen=True)
class Located:
    """A number at its place. `entry` is what our own reading of the table says of a cell."""

    place: Provenance
    number: Number
    cell: Cell | None = None
    entry: Entry | None = None
    spoken: Spoken | None = None


def reason(code: ReasonCode, detail: str) -> Reason:
    """A doubt without an argument."""
    return Reason(code=code, argument=None, detail=detail)


def locate(view: View, place: CellPlace | SentencePlace) -> Located | Reason:
    """The number that a model points at, read by us, or why it is not there."""
    return _in_table(view, place) if isinstance(place, CellPlace) else _in_sentence(view, place)


def cell_named(
    view: View, table: str, row: tuple[str, ...], column: tuple[str, ...]
) -> list[tuple[Table, Cell]] | Reason:
    """The cells that have these names, in a table that is called so; several where a table prints names twice."""
    tables = [one for one in view.paper.document.tables if same_name(table, one.label or "") or table == one.id]
    tables = tables or [one for one in view.paper.document.tables if same_name(table, f"table {one.label}")]
    if not tables:
        known = ", ".join(one.label or one.id for one in view.paper.document.tables) or "none"
        return reason("no_grounded_target", f'there is no table "{table}"; the paper has: {known}')
    found = [
        (one, cell)
        for one in tables
        for cell in one.cells
        if cell.kind == "body" and _is_path(row, cell.row_path) and _is_path(column, cell.column_path)
    ]
    if not found:
        names = f'"{" / ".join(row)}" and "{" / ".join(column)}"'
        return reason("no_grounded_target", f"table {table}: no cell has row and column {names}")
    return found


def at_cell(view: View, table: Table, cell: Cell, number: Number) -> Located:
    """A number of a cell at its place."""
    place = Provenance(
        kind="table_cell",
        page=cell.page,
        bbox=cell.bbox,
        quote=number.text,
        table=table.label or table.id,
        row_path=cell.row_path,
        column_path=cell.column_path,
    )
    return Located(place, number, cell, view.entry(table, cell))


def bare_id(identity: str) -> str:
    """The id of a piece without the brackets that lines of the data put around it."""
    return identity.strip().strip("[]").strip()


def flat(text: str) -> str:
    """A text as names compare: compatibility forms, one dash, one case, no spaces."""
    return "".join(unicodedata.normalize("NFKC", text).translate(_DASHES).casefold().split())


def same_name(one: str, other: str) -> bool:
    """Whether two texts are one name."""
    return bool(flat(one)) and flat(one) == flat(other)


def is_called(label: str, located: Located) -> bool:
    """Whether a row or column of a cell is called so, whole or by its last part; of what is no cell nobody knows."""
    if located.cell is None:
        return True
    paths: list[tuple[str, ...]] = [located.cell.row_path, located.cell.column_path]
    if located.entry is not None:
        paths = [located.entry.condition]
        if _means(label, located.entry):
            return True
    bare = clean_label(label)
    return any(
        same_name(said, spelled)
        for path in paths
        for said in (label, bare)
        for spelled in (" / ".join(path), " ".join(path), *_last(path), " / ".join(map(clean_label, path)))
    )


def _means(label: str, entry: Entry) -> bool:
    """Whether a label names the condition and none of its siblings, as prose does: "DAPO" for "+ Sampling (DAPO)"."""
    on_rows = set(entry.condition) & set(entry.cell.row_path)
    body = [cell for cell in entry.table.cells if cell.kind == "body"]
    parts = [part for cell in body for part in (cell.row_path if on_rows else cell.column_path)]
    said = {mention.label for mention in find_mentions(label, parts) if mention.strength == _BY_NAME}
    return entry.label in said and said <= set(entry.condition)


def _last(path: tuple[str, ...]) -> Iterator[str]:
    if path:
        yield from (path[-1], clean_label(path[-1]))


def _is_path(said: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether names are a cell's, in one part or several; a lone last part will do."""
    joined = flat("/".join(said))
    return joined == flat("/".join(path)) or (len(said) == 1 and len(path) > 1 and joined == flat(path[-1]))


def _in_table(view: View, place: CellPlace) -> Located | Reason:
    cells = cell_named(view, place.table, place.row, place.column)
    if isinstance(cells, Reason):
        return cells
    whole = [one for one in cells if flat("/".join(place.row)) == flat("/".join(one[1].row_path))]
    cells = whole or cells
    printing = [(table, cell, number) for table, cell in cells for number in _printed(cell, place.quote)]
    where = f'table {place.table}, "{" / ".join(place.row)}", "{" / ".join(place.column)}"'
    if not printing:
        there = " or ".join(f'"{cell.text}"' for _, cell in cells)
        return reason("no_grounded_target", f'{where}: the model quotes "{place.quote}", the cell prints {there}')
    if len(printing) > 1:
        return reason("ambiguous_target", f'{where}: several cells of these names print "{place.quote}"')
    return at_cell(view, *printing[0])


def _printed(cell: Cell, quote: str) -> list[Number]:
    """The number of a cell that a quote is: the whole of it, or without its spread or unit."""
    if flat(quote) not in flat(cell.text):
        return []
    said = read_number(quote)
    if said is None:
        return []
    whole = read_number(cell.text)
    numbers = read_numbers(cell.text) if whole is None else (whole,)
    return [one for one in numbers if one.value == said.value and one.resolution == said.resolution][:1]


def _in_sentence(view: View, place: SentencePlace) -> Located | Reason:
    spoken = view.spoken.get(bare_id(place.sentence))
    if spoken is None:
        return reason("no_grounded_target", f'"{place.sentence}" is no sentence that can hold a number of the claim')
    said = read_number(place.quote) or _only(read_numbers(place.quote))
    at = _position(spoken.text, place.quote)
    numbers = read_numbers(spoken.text)
    found = [
        one
        for one in numbers
        if said is not None
        and one.value == said.value
        and (at is None or at[0] - 1 <= one.start < at[1])
        and _digits(place.quote) == _digits(one.text)
    ]
    if at is None or len(found) != 1:
        return reason("no_grounded_target", f'sentence {place.sentence} does not print "{place.quote}" once')
    provenance = number_place(spoken, found[0], view.paper)
    if provenance is None:
        return reason("no_grounded_target", f'"{place.quote}" of sentence {place.sentence} is not found on its page')
    return Located(provenance, found[0], spoken=spoken)


def _position(text: str, quote: str) -> tuple[int, int] | None:
    """Where a quote stands, if it stands there once."""
    even, wanted = _even(text), _even(quote)
    at = even.find(wanted)
    if at < 0 or even.find(wanted, at + 1) >= 0:
        return None
    return at, at + len(wanted)


def _even(text: str) -> str:
    """Letter by letter with one kind of dash and of space."""
    return "".join(" " if letter.isspace() else letter for letter in text.translate(_DASHES))


def _digits(text: str) -> list[Decimal]:
    return [number.value for number in read_numbers(text)]


def _only(numbers: tuple[Number, ...]) -> Number | None:
    return numbers[0] if len(numbers) == 1 else None
