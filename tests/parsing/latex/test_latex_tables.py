"""Tables read from LaTeX: paths, spans, marks, and the many ways to write them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.parsing.latex.latex_papers import FILES, PAPER, body, body_cells, document, parsed, table

SIMPLE = {(("x",), ("A",)): "1.5", (("x",), ("B",)): "2.5", (("y",), ("A",)): "3.5", (("y",), ("B",)): "4.5"}


def test_a_table_of_two_header_levels_groups_marks_and_units():
    (one,) = parsed(PAPER, FILES).document.tables
    assert (one.label, one.stub_headers) == ("1", ("Method",))
    assert one.caption is not None
    assert one.caption.text == "Table 1: Results on CartPole. Best in bold."
    assert [(c.text, c.marks, c.unit) for c in body_cells(one) if c.row_path[-1] in ("DQN", "Probe")] == [
        ("44.0±0.9", ("underline",), None),
        ("78.1", (), "%"),
        ("-82.0", ("colour",), None),
        ("56†", ("superscript", "dagger"), "%"),
        ("2.1", (), "s"),
        ("47.3±0.4", ("bold",), None),
        ("80.1", ("bold",), "%"),
        ("–", (), None),
        ("✓", (), None),
        ("1.2 × 10⁻³", (), "s"),
    ]
    assert body(one)[("Baselines", "PPO"), ("Acrobot", "Return")] == "−81.2±0.3"
    assert body(one)[("Ours", "Probe"), ("Time", "(s)")] == "1.2 × 10⁻³"


@pytest.mark.parametrize(
    "tabular",
    [
        r"\begin{tabular}{lcc}\toprule & A & B\\\midrule x & 1.5 & 2.5\\ y & 3.5 & 4.5\\\bottomrule\end{tabular}",
        r"\begin{tabular}{|l|c|c|}\hline & A & B\\\hline x & 1.5 & 2.5\\\hline y & 3.5 & 4.5\\\hline\end{tabular}",
        r"\begin{tabular*}{5cm}{l@{\extracolsep{\fill}}cc} & A & B\\ x & 1.5 & 2.5\\ y & 3.5 & 4.5\end{tabular*}",
        r"\begin{tabularx}{5cm}{Xrr} & A & B\\[2pt]\hline x & 1.5 & 2.5\\*[1ex] y & 3.5 & 4.5\\\end{tabularx}",
        r"\resizebox{1cm}{!}{\scalebox{.8}{\begin{tabular}{l>{\bfseries}cc} & \rotatebox[origin=c]{90}{A} & B \\ \hline"
        r" x & 1.5 & 2.5 \\ y & 3.5 & 4.5 \\ \end{tabular}}}",
        r"\begin{adjustbox}{max width=5cm}\begin{tabular}{lp{1cm}p{2cm}} & {A} & {\small B}\tabularnewline\hline x &"
        r" 1.5 & 2.5\tabularnewline y&3.5&4.5\tabularnewline\end{tabular}\end{adjustbox}",
        r"$\begin{array}{lcc} & \text{A} & \text{B}\\\hline x & 1.5 & 2.5\\ y & 3.5 & 4.5\end{array}$",
        r"\begin{tabular}{lcS[table-format=1.1]p{3pt}c}\toprule & A & & & {B}\\\midrule x & 1.5 & & & 2.5\\ & & &\\"
        r" y & 3.5 & & & 4.5\\\bottomrule\end{tabular}",
    ],
)
def test_the_same_table_written_in_many_ways(tabular: str):
    assert body(table(tabular)) == SIMPLE


def test_a_longtable_keeps_one_head_and_no_feet():
    one = document(
        r"\begin{longtable}{lcc}\caption{Long.}\label{l}\\ & A & B\\\hline\endfirsthead & A & B (cont.)\\\hline\endhead"
        r" \multicolumn{3}{r}{goes on}\\\endfoot\hline\endlastfoot x & 1.5 & 2.5\\ y & 3.5 & 4.5\\\end{longtable}"
        r" Table~\ref{l}."
    )
    assert body(one.tables[0]) == SIMPLE
    assert one.tables[0].caption is not None
    assert one.tables[0].caption.text == "Table 1: Long."
    assert [(ref.label, ref.target) for ref in one.references] == [("1", "table-1")]


def test_a_label_that_spans_rows_names_each_of_them():
    one = table(
        r"\begin{tabular}{llrr}\toprule Data & Model & Top & Size\\\midrule"
        r"\multirow{2}{*}{C10} & a & 1.1 & 2.2\\ & b & 3.3 & \multirow{2}{*}{9.9}\\\cmidrule{1-3}"
        r"\multirow{2}*{\makecell{Image\\Net}} & a & 5.5 &\\ & b & 6.6 & 7.7\\\bottomrule\end{tabular}"
    )
    assert body(one) == {
        (("C10", "a"), ("Top",)): "1.1", (("C10", "a"), ("Size",)): "2.2", (("C10", "b"), ("Top",)): "3.3",
        (("C10", "b"), ("Size",)): "9.9", (("Image Net", "a"), ("Top",)): "5.5",
        (("Image Net", "b"), ("Top",)): "6.6", (("Image Net", "b"), ("Size",)): "7.7",
    }  # fmt: skip
    assert next(cell for cell in one.cells if cell.text == "9.9").row_span == 2


def test_a_multirow_that_counts_upwards_starts_above():
    one = table(
        r"\begin{tabular}{llr}\hline G & M & V\\\hline & a & 1.1\\\multirow{-2}{*}{Top} & b & 2.2\\\hline\end{tabular}"
    )
    assert body(one) == {(("Top", "a"), ("V",)): "1.1", (("Top", "b"), ("V",)): "2.2"}


def test_value_and_spread_in_two_columns_are_one_cell():
    one = table(
        r"\begin{tabular}{lr@{$\,\pm\,$}lr}\hline A & \multicolumn{2}{c}{Score} & N\\\hline x & 1.5 & 0.2 & 7\\"
        r" y & 2.5 & 0.3 & 8\\\hline\end{tabular}"
    )
    assert [cell.text for cell in body_cells(one)] == ["1.5 ± 0.2", "7", "2.5 ± 0.3", "8"]
    assert body_cells(one)[0].column_path == ("Score",)


def test_headers_that_come_again_hold_for_the_rows_below_them():
    one = table(
        r"\begin{tabular}{lcc}\hline M & Acc & F1\\\hline a & 1.1 & 2.2\\\hline M & BLEU & TER\\\hline b & 3.3 & 4.4\\"
        r"\hline\end{tabular}"
    )
    assert [cell.column_path for cell in body_cells(one)] == [("Acc",), ("F1",), ("BLEU",), ("TER",)]


def test_whole_numbers_above_the_rule_head_columns():
    one = table(
        r"\begin{tabular}{lrr}\hline Steps & 1,000 & 10,000\\\hline Time & 0.5 & 4.8\\"
        r" Cost & 1.20 & 118\\\hline\end{tabular}"
    )
    assert body(one)[("Time",), ("10,000",)] == "4.8"
    assert body(one)[("Cost",), ("1,000",)] == "1.20"


def test_tables_beside_one_another_are_apart_or_parts_as_their_captions_say():
    tabular = r"\begin{tabular}{lc}\hline M & V\\\hline a & %s\\\hline\end{tabular}"
    apart = document(
        r"\begin{table}\begin{minipage}{.5\linewidth}\caption{Left.}" + tabular % "1.1" + r"\end{minipage}\hfill"
        r"\begin{minipage}{.5\linewidth}\caption{Right.}\label{r}" + tabular % "2.2" + r"\end{minipage}\end{table}"
        r"Table~\ref{r}."
    )
    assert [(one.label, [c.text for c in body_cells(one)]) for one in apart.tables] == [("1", ["1.1"]), ("2", ["2.2"])]
    assert apart.references[0].target == "table-2"
    (parts,) = document(
        r"\begin{table}\begin{subtable}{.5\linewidth}" + tabular % "1.1" + r"\caption{First}\end{subtable}"
        r"\subfloat[Second\label{s}]{" + tabular % "2.2" + r"}\caption{Both.}\end{table}"
    ).tables
    assert [(c.row_path, c.text) for c in body_cells(parts)] == [
        (("(a) First", "a"), "1.1"),
        (("(b) Second", "a"), "2.2"),
    ]


def test_notes_below_a_table_are_kept_with_it():
    one = table(
        r"\begin{threeparttable}\begin{tabular}{lcc}\hline & A & B\\\hline x & 1.5\tnote{a} & 2.5\\ y & 3.5 & 4.5\\"
        r"\hline\multicolumn{3}{l}{All with five seeds.}\end{tabular}\begin{tablenotes}\item[a] Without tuning."
        r"\end{tablenotes}\end{threeparttable}"
    )
    assert one.notes == ("All with five seeds.", "a Without tuning.")


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        (r"$47.3 \pm 0.4$", "47.3 ± 0.4"),
        (r"47.3{\tiny $\pm$0.4}", "47.3±0.4"),
        (r"$47.3_{(0.4)}$", "47.3(0.4)"),
        (r"\num{1.5 +- 0.2}", "1.5 ± 0.2"),
        (r"\SI{3.5}{\milli\second}", "3.5 ms"),
        (r"12\,345", "12 345"),
        (r"1{,}234", "1,234"),
        (r"$\mathbf{9.1}$\%", "9.1%"),
        (r"$-3.1$", "−3.1"),
        (r"3.1\textsuperscript{$\ast$}", "3.1∗"),
        (r"\cellcolor{gray!20}{3.1}", "3.1"),
        (r"\textcolor[rgb]{1,0,0}{+3.1}$\uparrow$", "+3.1↑"),
        (r"5.1 \phantom{0}\hspace{2pt}", "5.1"),
        (r"\xmark", "✗"),
        (r"$1.2\times10^{-4}$", "1.2 × 10⁻⁴"),
    ],
)
def test_a_value_reads_as_it_is_printed(written: str, printed: str):
    one = table(rf"\begin{{tabular}}{{lc}}\hline M & V\\\hline a & {written}\\ b & 2.2\\\hline\end{{tabular}}")
    assert body(one)[("a",), ("V",)] == printed


NUMBER = st.decimals(-999, 999, places=2).map(str)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(NUMBER, min_size=3, max_size=3), min_size=1, max_size=5), st.booleans())
def test_every_value_comes_back_under_its_names(rows: list[list[str]], grid: bool):
    rule = [r"\hline"] * 3 if grid else [r"\toprule", r"\midrule", r"\bottomrule"]
    lines = [rf"row {chr(97 + k)} & " + " & ".join(row) + r"\\" for k, row in enumerate(rows)]
    inside = f"{rule[0]} Name & A & B & C\\\\ {rule[1]} " + (rule[1] + " " if grid else "").join(lines) + rule[2]
    one = table(rf"\begin{{tabular}}{{lccc}}{inside}\end{{tabular}}")
    assert body(one) == {
        ((f"row {chr(97 + k)}",), (name,)): text
        for k, row in enumerate(rows)
        for name, text in zip("ABC", row, strict=True)
    }
