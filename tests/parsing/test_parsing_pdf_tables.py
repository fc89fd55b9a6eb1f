"""Tables of PDFs made here, whose cells, paths and places are known."""

import pymupdf
import pytest
import typst
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Parsed, Source, Table

PROSE = "We study how agents explore and report what we found in the tables of this small paper. " * 6


def _parsed(content: bytes) -> Parsed:
    return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=content), "made")


def _typst(body: str, *, columns: int = 1) -> Parsed:
    head = f"""#set page(columns: {columns}, width: 500pt, height: 700pt)
#set text(size: 10pt)
#set par(justify: true)
#set heading(numbering: "1.1")
#set table(stroke: none)
#show figure.where(kind: table): set figure.caption(position: top)
#place(top + center, float: true, scope: "parent", text(17pt)[*A Made Paper*])
= Introduction
{PROSE}
"""
    return _parsed(typst.compile((head + body + "\n" + PROSE).encode()))


def _body(table: Table) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    return {(cell.row_path, cell.column_path): cell.text for cell in table.cells if cell.kind == "body"}


TWO_LEVELS = """
#figure(caption: [Returns, mean ± sd over 5 seeds.], table(columns: 5, align: (left, center, center, center, center),
  table.hline(), [], table.cell(colspan: 2)[Bandit], table.cell(colspan: 2)[Chain],
  table.hline(start: 1, end: 3, stroke: 0.4pt), table.hline(start: 3, end: 5, stroke: 0.4pt),
  [Method], [Acc.], [Regret], [Acc.], [Return], table.hline(),
  [UCB1], [84.6 ± 0.3], [0.072 ± 0.001], [*77.9 ± 1.2*], [4.32 ± 0.07],
  [Greedy], [11.0 ± 3.1], [–], [14.7 ± 1.8], [−1.48 ± 0.04], table.hline()))
"""


@pytest.mark.parametrize("columns", [1, 2])
def test_two_level_header_without_vertical_rules(columns: int) -> None:
    body = TWO_LEVELS if columns == 1 else TWO_LEVELS.replace("#figure(", '#figure(scope: "parent", placement: top, ')
    (table,) = _typst(body, columns=columns).document.tables
    assert table.label == "1"
    assert table.caption is not None
    assert table.caption.text == "Table 1: Returns, mean ± sd over 5 seeds."
    assert table.stub_headers == ("Method",)
    assert _body(table) == {
        (("UCB1",), ("Bandit", "Acc.")): "84.6 ± 0.3",
        (("UCB1",), ("Bandit", "Regret")): "0.072 ± 0.001",
        (("UCB1",), ("Chain", "Acc.")): "77.9 ± 1.2",
        (("UCB1",), ("Chain", "Return")): "4.32 ± 0.07",
        (("Greedy",), ("Bandit", "Acc.")): "11.0 ± 3.1",
        (("Greedy",), ("Bandit", "Regret")): "–",
        (("Greedy",), ("Chain", "Acc.")): "14.7 ± 1.8",
        (("Greedy",), ("Chain", "Return")): "−1.48 ± 0.04",
    }
    assert [cell.text for cell in table.cells if "bold" in cell.marks and cell.kind == "body"] == ["77.9 ± 1.2"]


def test_each_cell_box_holds_its_own_words_and_no_others() -> None:
    parsed = _typst(TWO_LEVELS)
    (table,) = parsed.document.tables
    (page,) = [page for page in parsed.words if page.page == table.page]
    for cell in table.cells:
        x0, y0, x1, y1 = cell.bbox
        inside = [
            word.text
            for word in page.words
            if x0 <= (word.bbox[0] + word.bbox[2]) / 2 <= x1 and y0 <= (word.bbox[1] + word.bbox[3]) / 2 <= y1
        ]
        assert "".join(inside) == cell.text.replace(" ", "")


def test_group_rows_name_the_rows_below_them() -> None:
    (table,) = _typst("""
#figure(caption: [Groups.], table(columns: 3, align: (left, center, center),
  table.hline(), [Template], [AIME], [AMC], table.hline(),
  table.cell(colspan: 3)[_Small model_], [None], [16.7], [43.4], [Chat], [20.0], [32.5], table.hline(stroke: 0.4pt),
  table.cell(colspan: 3)[_Large model_], [None], [0.2], [45.8], [Chat], [16.7], [38.6], table.hline()))
""").document.tables
    assert _body(table)[("Small model", "None"), ("AIME",)] == "16.7"
    assert _body(table)[("Large model", "Chat"), ("AMC",)] == "38.6"
    assert [cell.text for cell in table.cells if cell.kind == "group"] == ["Small model", "Large model"]


def test_labels_that_span_rows_name_each_of_them() -> None:
    (table,) = _typst("""
#figure(caption: [Spans.], table(columns: 4, align: (left + horizon, left, center, center),
  table.hline(), [Grid], [Shape], [FLOPS], [Time], table.hline(),
  table.cell(rowspan: 3)[small], [square], [0.68], [1.1], [round], [0.70], [1.2], [flat], [0.71], [1.3],
  table.hline(stroke: 0.4pt),
  table.cell(rowspan: 3)[large], [square], [0.58], [2.1], [round], [0.60], [2.2], [flat], [0.61], [2.3], table.hline()))
""").document.tables
    body = _body(table)
    assert body[("small", "flat"), ("Time",)] == "1.3"
    assert body[("large", "square"), ("FLOPS",)] == "0.58"
    assert table.stub_headers == ("Grid", "Shape")


def test_full_grid_and_caption_below() -> None:
    (table,) = _typst("""
#show figure.where(kind: table): set figure.caption(position: bottom)
#figure(caption: [Grid.], table(columns: 3, stroke: 0.5pt,
  [seed], [0%], [10%], [DTW], [0.66], [0.89], [GRU], [*0.78*], [0.98]))
""").document.tables
    assert _body(table) == {
        (("DTW",), ("0%",)): "0.66",
        (("DTW",), ("10%",)): "0.89",
        (("GRU",), ("0%",)): "0.78",
        (("GRU",), ("10%",)): "0.98",
    }


def test_powers_and_marks() -> None:
    (table,) = _typst("""
#figure(caption: [Costs.], table(columns: 3, align: (left, center, center), table.hline(), [Model], [FLOPs], [BLEU],
  table.hline(), [Base], [$2.3 dot 10^19$], [27.3#super[†]], [Big], [$1.1 dot 10^(-3)$], [28.4], table.hline()))
""").document.tables
    texts = [cell.text for cell in table.cells if cell.kind == "body"]
    assert [text.replace("⋅", "·") for text in texts] == ["2.3 · 10¹⁹", "27.3†", "1.1 · 10⁻³", "28.4"]
    assert "dagger" in table.cells[5].marks


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(st.decimals(-999, 999, places=2).map(str), min_size=3, max_size=3), min_size=2, max_size=8))
def test_any_table_of_numbers_comes_back_whole(rows: list[list[str]]) -> None:
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 60), "A Paper of Numbers", fontsize=18)
    page.insert_textbox((72, 80, 520, 180), PROSE)
    page.insert_text((150, 210), "Table 1: Numbers.", fontsize=10)
    right = (230, 310, 390)
    y = 232.0
    page.draw_line((140, y - 12), (400, y - 12))
    for x, name in zip((150, 200, 285, 365), ("Name", "One", "Two", "Six"), strict=True):
        page.insert_text((x, y), name, fontsize=10)
    page.draw_line((140, y + 5), (400, y + 5))
    for i, row in enumerate(rows):
        y += 14
        page.insert_text((150, y + 2), f"row{chr(97 + i)}", fontsize=10)
        for x, value in zip(right, row, strict=True):
            page.insert_text((x - pymupdf.get_text_length(value, fontsize=10), y + 2), value, fontsize=10)
    page.draw_line((140, y + 7), (400, y + 7))
    page.insert_textbox((72, y + 40, 520, y + 140), PROSE)
    (table,) = _parsed(document.tobytes()).document.tables
    assert _body(table) == {
        ((f"row{chr(97 + i)}",), (name,)): value
        for i, row in enumerate(rows)
        for name, value in zip(("One", "Two", "Six"), row, strict=True)
    }


def _narrow(cell: str, *, justify: bool = True, label: str = "Greedy") -> str:
    return f"""
#figure(caption: [Mean return, ± standard error over 10 runs.],
  {{set par(justify: {str(justify).lower()}); table(columns: (38pt, 46pt, 46pt, 46pt), table.hline(),
  [Method], [Bandit], [Chain], [Maze], table.hline(),
  [UCB], [{cell.format("412.3", "11.0")}], [{cell.format("−98.3", "2.2")}], [{cell.format("488.2", "3.0")}],
  [{label}], [{cell.format("121.0", "22.3")}], [{cell.format("−84.0", "1.9")}], [{cell.format("231.7", "8.8")}],
  table.hline())}})
"""


@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("justify", [True, False])
@pytest.mark.parametrize("cell", ["{} ± {}", "{} ±\\ {}", "{}\\ ± {}", "{}\\ ±{}"])
def test_values_that_a_narrow_column_breaks_at_their_spread_are_one_cell(
    cell: str, justify: bool, columns: int
) -> None:
    (table,) = _typst(_narrow(cell, justify=justify), columns=columns).document.tables
    body = {key: text.replace("± ", "±").replace(" ±", "±") for key, text in _body(table).items()}
    assert body == {
        (("UCB",), ("Bandit",)): "412.3±11.0",
        (("UCB",), ("Chain",)): "−98.3±2.2",
        (("UCB",), ("Maze",)): "488.2±3.0",
        (("Greedy",), ("Bandit",)): "121.0±22.3",
        (("Greedy",), ("Chain",)): "−84.0±1.9",
        (("Greedy",), ("Maze",)): "231.7±8.8",
    }


def test_spreads_in_brackets_below_their_values_belong_to_them() -> None:
    (table,) = _typst(_narrow("{}\\ ({})")).document.tables
    assert _body(table)[("Greedy",), ("Maze",)] == "231.7 (8.8)"
    assert len(_body(table)) == 6


def test_a_hyphenated_label_beside_broken_values_is_whole() -> None:
    (table,) = _typst(_narrow("{} ± {}", label="Reinforcement").replace("38pt", "46pt")).document.tables
    (label,) = {row for row, _ in _body(table)} - {("UCB",)}
    assert label == ("Reinforcement",)


def test_one_broken_value_beside_whole_ones() -> None:
    body = _narrow("{} ± {}").replace("46pt, 46pt, 46pt", "46pt, 70pt, 70pt")
    (table,) = _typst(body).document.tables
    assert sorted(_body(table).values()) == sorted(
        ["412.3 ± 11.0", "−98.3 ± 2.2", "488.2 ± 3.0", "121.0 ± 22.3", "−84.0 ± 1.9", "231.7 ± 8.8"]
    )


def test_a_table_whose_values_lost_their_spreads_is_left_out_and_said() -> None:
    body = """#figure(caption: [Mean return.], table(columns: 3, table.hline(), [Method], [Bandit], [Chain],
      table.hline(), [UCB], [412.3 ±], [98.3 ±], [Greedy], [121.0 ±], [84.0 ±], table.hline()))"""
    parsed = _typst(body)
    assert not parsed.document.tables
    assert "page 1: table 1 is left out: its values and spreads stand apart" in parsed.document.warnings
    assert "412.3" not in parsed.paper_md
