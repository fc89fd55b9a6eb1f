"""What tables of papers do, one trait a test: each value keeps its row path, its column path and its spread."""

from collections.abc import Callable

import pytest

from reproducegym.parsing.paper_markdown import table_html
from reproducegym.schema.paper import Document, Table

Reader = Callable[[str], Table]
Key = tuple[tuple[str, ...], tuple[str, ...]]


def _figure(columns: int, rows: str, *, align: str = "left", caption: str = "Results.") -> str:
    sides = f"({align}, ..(center,) * {columns - 1})"
    return f"#figure(caption: [{caption}], table(columns: {columns}, align: {sides}, {rows}))"


def _ruled(columns: int, header: str, rows: str, *, align: str = "left", caption: str = "Results.") -> str:
    body = f"table.hline(), {header}, table.hline(), {rows}, table.hline()"
    return _figure(columns, body, align=align, caption=caption)


def _body(table: Table) -> dict[Key, str]:
    return {(cell.row_path, cell.column_path): cell.text for cell in table.cells if cell.kind == "body"}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("$47.3_(plus.minus 0.4)$", "47.3 ± 0.4"),
        ("$47.3^(+0.2)_(-0.1)$", "47.3 +0.2 −0.1"),
        ("47.3#sub[0.4]", "47.3 (0.4)"),
        ("$2.1 dot 10^(-3)$", "2.1 ⋅ 10⁻³"),
        ("47.3 / 55.1", "47.3 / 55.1"),
        ("✓", "✓"),
        ("N/A", "N/A"),
        ("–", "–"),
    ],
)
def test_a_spread_set_small_stands_beside_its_value(read_table: Reader, value: str, text: str) -> None:
    body = _body(read_table(_ruled(3, "[Method], [Acc], [F1]", f"[UCB], [{value}], [2.1], [PG], [1.2], [2.2]")))
    assert body[("UCB",), ("Acc",)].replace("·", "⋅") == text
    assert len(body) == 4


_LEFT = """#table(columns: 3, table.hline(), [M], [A], [B], table.hline(),
  [UCB], [1.1], [2.1], [PG], [1.2], [2.2], table.hline())"""
_RIGHT = _LEFT.replace("[A], [B]", "[C], [D]").replace("[1.", "[3.").replace("[2.", "[4.").replace("UCB", "DQN")


@pytest.mark.parametrize(("titles", "columns"), [("above", 2), ("below", 2), ("below", 1)])
def test_parts_under_one_caption_are_rows_below_their_titles(read_table: Reader, titles: str, columns: int) -> None:
    cells = [
        f"[{name} {part}]" if titles == "above" else f"[{part} {name}]"
        for name, part in (("(a) First", _LEFT), ("(b) Second", _RIGHT))
    ]
    grid = f"grid(columns: {columns}, gutter: 26pt, {', '.join(cells)})"
    body = _body(read_table(f"#figure(kind: table, caption: [Two parts of one table.], {grid})"))
    assert body == {
        (("(a) First", "UCB"), ("A",)): "1.1",
        (("(a) First", "UCB"), ("B",)): "2.1",
        (("(a) First", "PG"), ("A",)): "1.2",
        (("(a) First", "PG"), ("B",)): "2.2",
        (("(b) Second", "DQN"), ("C",)): "3.1",
        (("(b) Second", "DQN"), ("D",)): "4.1",
        (("(b) Second", "PG"), ("C",)): "3.2",
        (("(b) Second", "PG"), ("D",)): "4.2",
    }


def test_two_captions_beside_one_another_are_two_tables(read: Callable[[str], Document]) -> None:
    parts = [
        f"[#figure(caption: [Here are the {name} ones.], [{part}])]"
        for name, part in (("left", _LEFT), ("right", _RIGHT))
    ]
    tables = read(f"#grid(columns: 2, gutter: 20pt, {', '.join(parts)})").tables
    assert [table.label for table in tables] == ["1", "2"]
    assert _body(tables[1])[("DQN",), ("D",)] == "4.1"


def test_headers_turned_upward_head_their_columns(read_table: Reader) -> None:
    turned = ", ".join(f"rotate(-90deg, reflow: true)[{name}]" for name in ("Accuracy", "Recall", "F1 score"))
    table = read_table(_ruled(4, f"[Method], {turned}", "[UCB], [1.1], [1.2], [1.3], [PG], [2.1], [2.2], [2.3]"))
    assert table.stub_headers == ("Method",)
    assert _body(table)[("PG",), ("F1 score",)] == "2.3"


def test_a_second_header_holds_for_the_rows_below_it(read_table: Reader) -> None:
    rows = (
        "[UCB], [1.1], [1.2], [PG], [2.1], [2.2], "
        "{rule} [Method], [Loss], [Steps], {rule} [UCB], [3.1], [3.2], [PG], [4.1], [4.2]"
    )
    for rule in ("table.hline(),", ""):
        body = _body(read_table(_ruled(3, "[Method], [Acc], [F1]", rows.format(rule=rule))))
        assert body[("PG",), ("F1",)] == "2.2"
        assert body[("UCB",), ("Loss",)] == "3.1"


def test_labels_in_the_middle_of_their_rows_name_all_of_them(read_table: Reader) -> None:
    rows = (
        "table.cell(rowspan: 3)[MNIST], [UCB], [1.1], [PG], [1.2], [DQN], [1.3], "
        "table.cell(rowspan: 2)[CIFAR], [UCB], [2.1], [PG], [2.2]"
    )
    body = _body(read_table(_ruled(3, "[Data], [Method], [Acc]", rows, align="left + horizon")))
    assert list(body) == [
        (("MNIST", "UCB"), ("Acc",)),
        (("MNIST", "PG"), ("Acc",)),
        (("MNIST", "DQN"), ("Acc",)),
        (("CIFAR", "UCB"), ("Acc",)),
        (("CIFAR", "PG"), ("Acc",)),
    ]


def test_blank_labels_mean_the_one_above(read_table: Reader) -> None:
    rows = "[MNIST], [UCB], [1.1], [], [PG], [1.2], [CIFAR], [UCB], [2.1], [], [PG], [2.2]"
    body = _body(read_table(_ruled(3, "[Data], [Method], [Acc]", rows)))
    assert body[("MNIST", "PG"), ("Acc",)] == "1.2"
    assert body[("CIFAR", "PG"), ("Acc",)] == "2.2"


def test_steps_set_in_stand_below_the_row_that_they_extend(read_table: Reader) -> None:
    rows = r"[Base], [1.1], [#h(8pt)\+ dropout], [1.2], [Large], [2.1], [#h(8pt)\+ dropout], [2.2]"
    body = _body(read_table(_ruled(2, "[Method], [Acc]", rows)))
    assert body[("Base", "+ dropout"), ("Acc",)] == "1.2"
    assert body[("Large", "+ dropout"), ("Acc",)] == "2.2"


def test_a_row_set_out_has_left_its_group(read_table: Reader) -> None:
    rows = "[Learned], [], [], [#h(8pt)UCB], [1.1], [1.2], [#h(8pt)PG], [2.1], [2.2], [Human], [9.1], [9.2]"
    body = _body(read_table(_ruled(3, "[Method], [Acc], [F1]", rows)))
    assert body[("Learned", "PG"), ("F1",)] == "2.2"
    assert body[("Human",), ("F1",)] == "9.2"


@pytest.mark.parametrize("look", ["[_{}_]", "fill: luma(230))[{}]", "[*{}*]"])
def test_a_group_row_in_the_middle_names_the_rows_below(read_table: Reader, look: str) -> None:
    cell = (
        "table.cell(colspan: 4, align: center, " + look
        if look.startswith("fill")
        else "table.cell(colspan: 4, align: center)" + look
    )
    rows = f"{cell.format('Zero-shot')}, [UCB], [1.1], [1.2], [1.3], {cell.format('Tuned')}, [UCB], [2.1], [2.2], [2.3]"
    body = _body(read_table(_ruled(4, "[Method], [Acc], [F1], [AUC]", rows)))
    assert body[("Zero-shot", "UCB"), ("AUC",)] == "1.3"
    assert body[("Tuned", "UCB"), ("Acc",)] == "2.1"


def test_wrapped_labels_in_a_justified_column_are_whole(read_table: Reader) -> None:
    rows = (
        "[Upper confidence bound of 1985], [1.1], [2.1], [Greedy], [1.2], [2.2], "
        "[Policy gradients, with a long name], [1.3], [2.3]"
    )
    markup = _ruled(3, "[Method], [A], [B]", rows).replace("columns: 3", "columns: (70pt, 50pt, 50pt)")
    assert {row for row, _ in _body(read_table(markup))} == {
        ("Upper confidence bound of 1985",),
        ("Greedy",),
        ("Policy gradients, with a long name",),
    }


def test_colour_is_a_mark(read_table: Reader) -> None:
    table = read_table(_ruled(2, "[Method], [Acc]", "[UCB], text(fill: red)[1.1], [PG], [1.2]"))
    assert [cell.text for cell in table.cells if "colour" in cell.marks] == ["1.1"]


def test_text_between_rules_is_a_table_of_one_column(read_table: Reader) -> None:
    words = (
        "A question that goes on over more than one line, as questions of such papers mostly do, and then ends. " * 2
    )
    table = read_table(
        "#figure(caption: [A case.], block(width: 380pt, table(columns: 1, align: left, "
        f"table.hline(), [{words * 3}], table.hline(), [{words}], table.hline())))"
    )
    assert len(table.cells) == 2
    assert table.cells[1].text.startswith("A question that goes on")


def test_a_number_that_names_a_row_is_said_with_its_head(read_table: Reader) -> None:
    table = read_table(_ruled(3, "[Grid size], [Acc], [F1]", "[32], [1.1], [1.2], [64], [2.1], [2.2]"))
    assert _body(table)[("Grid size = 64",), ("F1",)] == "2.2"
    assert [cell.text for cell in table.cells if cell.kind == "stub"] == ["32", "64"], "printed as on the page"
    assert "<th>Grid size = 64</th><td>2.1</td>" in table_html(table)


def test_a_step_is_shown_behind_the_row_that_it_extends(read_table: Reader) -> None:
    rows = r"[Base], [1.1], [#h(8pt)\+ dropout], [1.2]"
    assert "<th>Base + dropout</th><td>1.2</td>" in table_html(read_table(_ruled(2, "[Method], [Acc]", rows)))
