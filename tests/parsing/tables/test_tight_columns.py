"""Columns with no more than a space between their texts, spaces as wide as letters, and head levels without a rule."""

from collections.abc import Callable

from reproducegym.schema.paper import Table

Read = Callable[[str], Table]


def _named(table: Table) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    return [(cell.row_path, cell.column_path, cell.text) for cell in table.cells if cell.kind == "body"]


def test_heads_a_space_apart_name_the_column_in_whose_middle_they_stand(read_table: Read) -> None:
    table = read_table("""#figure(caption: [Counts.], table(columns: 5, inset: (x: 1.6pt, y: 4pt), align: center,
      table.hline(), [*Datasets*], [*\\#Classes*], [*\\#Features*], [*\\#Training*], [*\\#Validation*], table.hline(),
      [Chameleon], [5], [23], [31], [60], [Squirrel], [5], [20], [98], [61], [Texas], [7], [17], [27], [62],
      table.hline()))""")
    heads = ["#Classes", "#Features", "#Training", "#Validation"]
    assert [path for _, path, _ in _named(table)] == [(head,) for head in heads] * 3
    assert [text for *_, text in _named(table)] == ["5", "23", "31", "60", "5", "20", "98", "61", "7", "17", "27", "62"]


def test_two_heads_a_space_apart_are_two_where_the_others_stand_over_one_column_each(read_table: Read) -> None:
    table = read_table("""#figure(caption: [Accuracy.], table(columns: (70pt, 62pt, 62pt, 60pt),
      inset: (x: 0pt, y: 4pt), align: center, table.hline(),
      [Method], [*ATTRIBUTION*], [*Mutagenicity*], [D&D], table.hline(),
      [Mean], [73.1±3.2], [80.4±2.4], [76.9±2.2], [Max], [73.6±3.9], [78.8±1.7], [75.8±4.1],
      [Ours], [76.8±2.1], [81.5±3.1], [77.5±2.2], table.hline()))""")
    assert [path for _, path, _ in _named(table)] == [("ATTRIBUTION",), ("Mutagenicity",), ("D&D",)] * 3


def test_a_head_of_two_words_over_two_columns_stays_one(read_table: Read) -> None:
    table = read_table("""#figure(caption: [Correlation.], table(columns: (80pt, 32pt, 32pt, 32pt, 32pt), inset: 3pt,
      align: center, table.hline(), [], table.cell(colspan: 2)[Rank average], table.cell(colspan: 2)[Weighted sum],
      [Metric], [A], [B], [A], [B], table.hline(),
      [First], [0.81], [0.82], [0.83], [0.84], [Second], [0.71], [0.72], [0.73], [0.74], table.hline()))""")
    paths = [path for _, path, _ in _named(table)][:4]
    assert paths == [("Rank average", "A"), ("Rank average", "B"), ("Weighted sum", "A"), ("Weighted sum", "B")]


def test_bold_values_a_space_apart_are_two_cells(read_table: Read) -> None:
    table = read_table("""#figure(caption: [Accuracy.], table(columns: (60pt, 48pt, 48pt, 60pt),
      inset: (x: 0pt, y: 4pt), align: center, table.hline(), [Method], [D&D], [NCI1], [HIV], table.hline(),
      [Mean], [76.9±2.2], [73.7±2.5], [78.2±0.9], [Sum], [*78.9 ±3.4*], [*77.0 ±1.7*], [77.4±1.2],
      [Max], [75.8±4.1], [75.9±1.8], [78.1±1.3], table.hline()))""")
    assert [text for rows, _, text in _named(table) if rows == ("Sum",)] == ["78.9 ±3.4", "77.0 ±1.7", "77.4±1.2"]


def test_a_label_that_fills_its_column_is_no_part_of_the_next_label(read_table: Read) -> None:
    table = read_table("""#figure(caption: [Datasets.], table(columns: (68pt, 150pt, 40pt, 40pt),
      inset: (x: 1pt, y: 4pt), align: (left, left, center, center), table.hline(),
      [Dataset], [Description], [Rows], [DI], table.hline(), [Ricci], [Promotion exam results], [118], [0.498],
      [#box[Compas violent]], [Offender violent recidivism], [377], [0.822],
      [Titanic], [Survival of passengers], [309], [0.263], table.hline()))""")
    assert ("Compas violent", "Offender violent recidivism") in {rows for rows, *_ in _named(table)}


def test_words_of_typewriter_letters_are_one_head(read_table: Read) -> None:
    mono = 'text(font: "DejaVu Sans Mono", size: 8pt)'
    table = read_table(f"""#figure(caption: [Scores.], table(columns: (60pt, 50pt, 50pt, 50pt, 50pt, 50pt, 50pt),
      inset: 3pt, align: right, table.hline(), [], table.vline(),
      table.cell(colspan: 3, align: center)[#{mono}[Washing Machine]],
      table.vline(), table.cell(colspan: 3, align: center)[#{mono}[Random Device]],
      [Method], [DCI], [TDS], [RMSE], [DCI], [TDS], [RMSE], table.hline(),
      [Base], [72.4], [0.96], [48.6], [72.5], [0.97], [52.6], [Ours], [63.5], [0.49], [19.6], [69.3], [0.48], [22.3],
      table.hline()))""")
    assert [path[0] for _, path, _ in _named(table)] == (["Washing Machine"] * 3 + ["Random Device"] * 3) * 2


def test_a_head_level_without_a_rule_stands_between_those_that_have_one(read_table: Read) -> None:
    heads = ", ".join(f"table.cell(colspan: 3)[{name}]" for name in ("Synflow", "SNIP") * 2)
    leaves = ", ".join("[C-10], [C-100], [IN]" for _ in range(4))
    values = [f"0.{k}" for k in range(10, 34)]
    rows = ", ".join([f"[{v}]" for v in values[:12]]), ", ".join([f"[{v}]" for v in values[12:]])
    table = read_table(f"""#figure(caption: [Partial correlation.], text(7pt, table(columns: 13, inset: 3pt,
      align: center, table.hline(), [], table.cell(colspan: 6)[Rank average], table.cell(colspan: 6)[Joint],
      table.hline(start: 1, end: 7, stroke: 0.4pt), table.hline(start: 7, end: 13, stroke: 0.4pt),
      [Metric], {heads}, [Task], {leaves}, table.hline(), [First], {rows[0]}, [Second], {rows[1]}, table.hline())))""")
    paths = [path for rows, path, _ in _named(table) if rows == ("First",)]
    assert paths == [
        (top, middle, leaf)
        for top in ("Rank average", "Joint")
        for middle in ("Synflow", "SNIP")
        for leaf in ("C-10", "C-100", "IN")
    ]
