"""Tables that go on over pages are one table, whatever its later parts repeat."""

from collections.abc import Callable

import pytest

from reproducegym.schema.paper import Document, Table

Read = Callable[[str], Document]

_NAMES = [f"{kind} {number}" for kind in ("Tiny", "Small", "Base", "Large") for number in range(1, 13)]
_ROWS = [(name, f"{30 + i}.{i % 10}", f"0.{100 + i}") for i, name in enumerate(_NAMES)]
_BODY = {
    ((name,), (head,)): value for name, *values in _ROWS for head, value in zip(("Acc", "F1"), values, strict=True)
}


def _grid(rows: list[tuple[str, ...]], *, header: str = "[Model], [Acc], [F1], table.hline(),") -> str:
    cells = ", ".join(f"[{text}]" for row in rows for text in row)
    return f"table(columns: 3, inset: 4pt, table.hline(), {header} {cells}, table.hline())"


def _block(table: str, *, above: str = "", below: str = "") -> str:
    return f"#block(breakable: true, width: 100%)[#align(center)[{above}\n\n#{table}\n\n{below}]]\n"


def _only(document: Document) -> Table:
    (table,) = document.tables
    return table


def _check(table: Table) -> None:
    first, second = table.page, table.continued[0].page
    assert second == first + 1
    values = [cell for cell in table.cells if cell.kind == "body"]
    assert {(cell.row_path, cell.column_path): cell.text for cell in values} == _BODY
    assert [cell.page for cell in values] == sorted(cell.page for cell in values)
    assert {cell.page for cell in values} == {first, second}
    assert len({cell.row for cell in values}) == len(_ROWS), "rows are numbered on"
    assert sum(cell.kind == "header" for cell in table.cells) == 3, "a repeated header is said once"
    for cell in values:
        place = table.bbox if cell.page == first else table.continued[0].bbox
        assert place[1] <= cell.bbox[1] <= cell.bbox[3] <= place[3]


@pytest.mark.parametrize("header", ["repeated", "once"])
@pytest.mark.parametrize("caption", ["above", "below"])
def test_a_table_that_breaks_at_a_page_is_one(read: Read, header: str, caption: str) -> None:
    head = (
        "table.header([Model], [Acc], [F1], table.hline()),"
        if header == "repeated"
        else "[Model], [Acc], [F1], table.hline(),"
    )
    words = "Table 3: Every model that we ran."
    block = _block(_grid(_ROWS, header=head), **{caption: words})
    table = _only(read(block))
    assert table.caption is not None
    assert table.caption.text == words
    _check(table)


@pytest.mark.parametrize(
    "second", ["Table 3: (continued)", "Table 3: Every model that we ran (cont.)", "Table 3 – continued"]
)
def test_a_part_whose_caption_says_so_goes_on(read: Read, second: str) -> None:
    upper = _block(_grid(_ROWS[:20]), above="Table 3: Every model that we ran.")
    lower = _block(_grid(_ROWS[20:]), above=second)
    table = _only(read(f"{upper}\n#pagebreak()\n{lower}"))
    assert table.caption is not None
    assert table.caption.text == "Table 3: Every model that we ran."
    _check(table)


def test_another_table_at_the_top_of_the_next_page_is_its_own(read: Read) -> None:
    """Same columns, same look, a caption of its own: nothing says that it goes on."""
    upper = _block(_grid(_ROWS[:24]), above="Table 3: Every model that we ran.")
    lower = _block(_grid(_ROWS[24:]), above="Table 4: The same with noise.")
    tables = read(f"#v(60pt)\n{upper}\n#pagebreak()\n{lower}").tables
    assert [(table.label, table.continued) for table in tables] == [("3", ()), ("4", ())]


def test_a_group_goes_on_over_the_page(read: Read) -> None:
    rows = [("table.cell(colspan: 3)[_Learned_]",)]
    cells = ", ".join([*rows[0], *(f"[{text}]" for row in _ROWS for text in row)])
    grid = (
        "table(columns: 3, inset: 4pt, table.hline(), table.header([Model], [Acc], [F1], table.hline()), "
        f"{cells}, table.hline())"
    )
    table = _only(read(_block(grid, above="Table 3: Every model that we ran.")))
    assert {cell.row_path[0] for cell in table.cells if cell.kind == "body"} == {"Learned"}
    assert len(table.continued) == 1
