"""What names a value: rows of one label, ticks, bases and variants; headers over columns and between rules."""

from collections.abc import Callable

from reproducegym.schema.paper import Document, Table

Reader = Callable[[str], Table]
Key = tuple[tuple[str, ...], tuple[str, ...]]


def _body(table: Table) -> dict[Key, str]:
    return {(cell.row_path, cell.column_path): cell.text for cell in table.cells if cell.kind == "body"}


def _ruled(columns: int, header: str, rows: str) -> str:
    body = f"table.hline(), {header}, table.hline(), {rows}, table.hline()"
    return f"#figure(caption: [Results.], table(columns: {columns}, {body}))"


def test_rows_of_one_label_are_told_apart_by_the_next_column(read_table: Reader) -> None:
    rows = "[UCB], [8], [1.1], [UCB], [16], [1.2], [PG], [8], [2.1], [PG], [16], [2.2]"
    body = _body(read_table(_ruled(3, "[Method], [Depth], [Acc]", rows)))
    assert body == {
        (("UCB", "Depth = 8"), ("Acc",)): "1.1",
        (("UCB", "Depth = 16"), ("Acc",)): "1.2",
        (("PG", "Depth = 8"), ("Acc",)): "2.1",
        (("PG", "Depth = 16"), ("Acc",)): "2.2",
    }


def test_measured_values_never_become_labels(read_table: Reader) -> None:
    table = read_table(_ruled(3, "[Method], [Acc], [F1]", "[UCB], [1.1], [2.1], [UCB], [1.2], [2.2]"))
    assert [cell.text for cell in table.cells if cell.kind == "body"] == ["1.1", "2.1", "1.2", "2.2"]


def test_ticks_name_a_row_by_their_heads(read_table: Reader) -> None:
    rows = "[✓], [], [1.1], [], [✓], [1.2], [✓], [✓], [1.3]"
    body = _body(read_table(_ruled(3, "[Replay], [Noise], [Return]", rows)))
    assert body == {
        (("Replay",), ("Return",)): "1.1",
        (("Noise",), ("Return",)): "1.2",
        (("Replay", "Noise"), ("Return",)): "1.3",
    }


def test_the_same_variants_below_several_bases_are_named_with_their_base(read_table: Reader) -> None:
    rows = "[DQN], [1.1], [greedy], [1.2], [soft], [1.3], table.hline(), [PPO], [2.1], [greedy], [2.2], [soft], [2.3]"
    body = _body(read_table(_ruled(2, "[Agent], [Return]", rows)))
    assert body[("DQN",), ("Return",)] == "1.1"
    assert body[("DQN", "greedy"), ("Return",)] == "1.2"
    assert body[("PPO", "greedy"), ("Return",)] == "2.2"
    assert body[("PPO", "soft"), ("Return",)] == "2.3"


def test_a_number_among_words_is_a_label(read_table: Reader) -> None:
    rows = "[Small], [6], [1.1], [Large], [12], [1.2], [3B], [24], [1.3]"
    body = _body(read_table(_ruled(3, "[Model], [Blocks], [Acc]", rows)))
    assert body[("Model = 3B",), ("Acc",)] == "1.3"
    assert len(body) == 6


def test_a_header_spans_the_columns_between_vertical_rules(read_table: Reader) -> None:
    lines = "table.vline(x: 1, start: 0), table.vline(x: 4, start: 0), table.vline(x: 7, start: 0)"
    spanned = "[], table.cell(colspan: 3)[Short], table.cell(colspan: 3)[Long run]"
    leaves = "[Agent], [A], [B], [C], [A], [B], [C]"
    rows = "[UCB], [11.1], [11.2], [11.3], [12.1], [12.2], [12.3], [PG], [13.1], [13.2], [13.3], [14.1], [14.2], [14.3]"
    body = _body(read_table(_ruled(7, f"{lines}, {spanned}, {leaves}", rows)))
    assert body[("UCB",), ("Short", "A")] == "11.1"
    assert body[("UCB",), ("Short", "C")] == "11.3"
    assert body[("PG",), ("Long run", "A")] == "14.1"
    assert body[("PG",), ("Long run", "C")] == "14.3"


def test_a_full_rule_between_header_rows_does_not_part_them(read_table: Reader) -> None:
    header = """[task], table.cell(colspan: 2, align: center)[Chain], table.cell(colspan: 2, align: center)[Grid],
      table.hline(), [agent], [Acc], [F1], [Acc], [F1]"""
    rows = "[UCB], [1.1], [1.2], [1.3], [1.4], [PG], [2.1], [2.2], [2.3], [2.4]"
    body = _body(read_table(_ruled(5, header, rows)))
    assert body[("UCB",), ("Chain", "F1")] == "1.2"
    assert body[("PG",), ("Grid", "F1")] == "2.4"


def test_lines_of_one_head_below_a_spanning_head_are_one_text(read_table: Reader) -> None:
    header = """[], table.cell(colspan: 2, align: center)[First], table.cell(colspan: 2, align: center)[Second],
      table.hline(start: 1, end: 3, stroke: 0.4pt), table.hline(start: 3, end: 5, stroke: 0.4pt),
      [Trials per\\ agent], [Test set\\ accuracy], [Time], [Test set\\ accuracy], [Time]"""
    rows = "[1], [1.1], [1.2], [1.3], [1.4], [2], [2.1], [2.2], [2.3], [2.4]"
    table = read_table(_ruled(5, header, rows))
    assert table.stub_headers == ("Trials per agent",)
    assert {cell.column_path for cell in table.cells if cell.kind == "body"} == {
        (first, second) for first in ("First", "Second") for second in ("Test set accuracy", "Time")
    }


def test_each_caption_between_close_tables_gets_its_own(read: Callable[[str], Document]) -> None:
    one = "#figure(caption: [{title}.], table(columns: 3, {rows}))\n"
    rows = "table.hline(), [M], [A], [B], table.hline(), [UCB], [{n}.1], [{n}.2], [PG], [{n}.3], [{n}.4], table.hline()"
    gap = "#show figure: set figure(gap: 22pt)\n#set figure(gap: 22pt)\n"
    stacked = "".join(one.format(title=f"Part {n}", rows=rows.format(n=n)) + "#v(-8pt)\n" for n in (1, 2, 3))
    tables = read(gap + stacked).tables
    assert [(table.label, table.cells[4].text) for table in tables] == [("1", "1.1"), ("2", "2.1"), ("3", "3.1")]


def test_lines_of_a_label_at_the_middle_of_its_rows_are_one_label(read_table: Reader) -> None:
    rows = ", ".join(
        f"""table.hline(), table.cell(rowspan: 4, align: horizon)[#set par(leading: 3pt)\n{label}],
        [UCB], [{n}.1], [PG], [{n}.2], [TS], [{n}.3], [DQN], [{n}.4]"""
        for n, label in ((1, "Trained\\\nfrom\\\nscratch"), (2, "Tuned\\\nlater"))
    )
    table = read_table(
        _ruled(3, "[Start], [Agent], [Return]", rows).replace("table.hline(), table.hline()", "table.hline()")
    )
    body = _body(table)
    assert body[("Trained from scratch", "UCB"), ("Return",)] == "1.1"
    assert body[("Tuned later", "DQN"), ("Return",)] == "2.4"
    assert len(body) == 8


def test_rows_between_column_rules_below_the_last_rule_belong_to_the_table(read_table: Reader) -> None:
    rows = "[UCB], [1.1], [PG], [1.2], table.hline(), [TS], [1.3 (+0.2)], [DQN], [1.4 (+0.3)]"
    head = "table.vline(x: 1), table.hline(), [M], [A], table.hline()"
    figure = f"#figure(caption: [Results.], table(columns: 2, {head}, {rows}))"
    body = _body(read_table(figure))
    assert body[("TS",), ("A",)] == "1.3 (+0.2)"
    assert body[("DQN",), ("A",)] == "1.4 (+0.3)"


def test_the_title_below_a_lone_label_belongs_to_the_caption(read_table: Reader) -> None:
    rows = "table.hline(), [M], [A], [B], table.hline(), [UCB], [1.1], [1.2], [PG], [1.3], [1.4], table.hline()"
    table = read_table(
        f"""#align(center)[#text(9pt)[TABLE II]\n\n#v(-4pt)\n#text(7pt)[RETURNS OF ALL AGENTS AFTER TRAINING]\n
        #table(columns: 3, {rows})]"""
    )
    assert table.label == "II"
    assert table.caption is not None
    assert table.caption.text == "TABLE II RETURNS OF ALL AGENTS AFTER TRAINING"
    assert len(table.cells) == 9


def test_turned_heads_above_the_first_rule_head_their_columns(read_table: Reader) -> None:
    heads = ", ".join(f"rotate(-90deg, reflow: true)[{text}]" for text in ("Replay", "Noise", "Search"))
    rows = "table.hline(), [UCB], [1.1], [1.2], [1.3], [PG], [2.1], [2.2], [2.3], table.hline()"
    body = _body(read_table(f"#figure(caption: [Results.], table(columns: 4, [], {heads}, {rows}))"))
    assert body[("UCB",), ("Noise",)] == "1.2"
    assert body[("PG",), ("Search",)] == "2.3"


def test_a_corner_names_its_part_where_the_same_rows_come_again_under_the_same_heads(read_table: Reader) -> None:
    part = "table.hline(stroke: 1pt), [{}], [Closed], [Open], table.hline(), [Ours], [{}], [{}], [Base], [{}], [{}]"
    body = ", ".join((part.format("Radiology", 81.2, 63.3, 80.4, 60.5), part.format("Slides", 84.6, 77.5, 84.1, 80.5)))
    grid = f"table(columns: 3, {body}, table.hline(stroke: 1pt))"
    named = _body(read_table(f"#figure(caption: [Accuracy on two sets of questions.], {grid})"))
    assert len(named) == 8
    assert named[("Radiology", "Ours"), ("Closed",)] == "81.2"
    assert named[("Slides", "Base"), ("Open",)] == "80.5"


def test_a_corner_that_heads_labels_names_no_part(read_table: Reader) -> None:
    rows = "[Wide], [1.1], [2.1], [Deep], [1.2], [2.2]"
    again = "table.hline(), [Optimiser], [Acc], [F1], table.hline(), [Slow], [1.3], [2.3], [Fast], [1.4], [2.4]"
    named = _body(read_table(_ruled(3, "[Model], [Acc], [F1]", f"{rows}, {again}")))
    assert [rows for rows, head in named if head == ("Acc",)] == [("Wide",), ("Deep",), ("Slow",), ("Fast",)]
