"""A PDF with its LaTeX source: structure from the source, texts and places from the page, and the page in doubt."""

from functools import cache

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.parsing import PymupdfParser
from reproducegym.parsing.latex.parser import LatexParser
from reproducegym.parsing.latex.reconcile import with_structure_of
from reproducegym.schema.paper import Parsed, Source, Table
from tests.parsing.latex.latex_papers import body, body_cells

PAGE = """#set page(width: 400pt, height: 300pt, margin: 30pt)
#set text(size: 10pt)
= A Small Paper
Words that come before the table, so that the page has a body of text to be read by anyone.
#figure(kind: table, caption: [Results on two data sets.], table(
  columns: 5, stroke: none, table.hline(),
  [Data], [Model], [Top-1], [Top-5], [Size], table.hline(),
  table.cell(rowspan: 2, align: horizon)[C10], [small], [93.02], [99.1], table.cell(rowspan: 2, align: horizon)[11.2],
  [large], [*93.62*], [--],
  table.cell(rowspan: 2, align: horizon)[Net], [small], [69.76], [89.08], [23.5],
  [large], [76.13], [92.86], [25.6], table.hline()))
More words that come after the table, as in any other paper that has been written by people.
"""
TABULAR = r"""\begin{tabular}{llccc}\toprule
Data & Model & Top-1 & Top-5 & Size \\\midrule
\multirow{2}{*}{C10} & small & 93.02 & 99.1 & \multirow{2}{*}{11.2}\\
 & large & \textbf{93.62} & -- & \\
\multirow{2}{*}{Net} & small & 69.76 & 89.08 & 23.5\\
 & large & 76.13 & 92.86 & 25.6\\\bottomrule
\end{tabular}"""
VALUES = ("93.02", "99.1", "11.2", "93.62", "69.76", "89.08", "23.5", "76.13", "92.86", "25.6")


def source(tabular: str, caption: str = "Results on two data sets.") -> bytes:
    return (
        "\\documentclass{article}\\title{A Small Paper}\\begin{document}\\begin{table}\n"
        f"\\caption{{{caption}}}\n{tabular}\n\\end{{table}}\\end{{document}}"
    ).encode()


@cache
def pdf() -> bytes:
    return typst.compile(PAGE.encode())


@cache
def page() -> Parsed:
    return PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=pdf()), "x")


def reconciled(tabular: str, caption: str = "Results on two data sets.") -> Parsed:
    content = source(tabular, caption)
    latex = LatexParser().parse(Source(kind="latex", origin="paper", content=content), "x")
    return with_structure_of(page(), latex)


def only(read: Parsed) -> Table:
    (table,) = read.document.tables
    return table


def test_the_source_gives_paths_spans_and_marks_and_the_page_the_places():
    content = source(TABULAR)
    with_latex = Source(kind="pdf", origin="paper.pdf", content=pdf(), beside={"latex/main.tex": content})
    read = PymupdfParser().parse(with_latex, "x")
    table = only(read)
    assert body(table) == {
        (("C10", "small"), ("Top-1",)): "93.02", (("C10", "small"), ("Top-5",)): "99.1",
        (("C10", "small"), ("Size",)): "11.2", (("C10", "large"), ("Top-1",)): "93.62",
        (("C10", "large"), ("Top-5",)): "–", (("Net", "small"), ("Top-1",)): "69.76",
        (("Net", "small"), ("Top-5",)): "89.08", (("Net", "small"), ("Size",)): "23.5",
        (("Net", "large"), ("Top-1",)): "76.13", (("Net", "large"), ("Top-5",)): "92.86",
        (("Net", "large"), ("Size",)): "25.6",
    }  # fmt: skip
    spans = {cell.text: (cell.row_span, cell.marks) for cell in table.cells}
    assert (spans["11.2"], spans["93.62"]) == ((2, ()), (1, ("bold",)))
    assert read.document.warnings == page().document.warnings
    assert read.document.coordinates == "pdf_points"
    assert 'rowspan="2">11.2<' in read.paper_md
    words = read.words[0].words
    for cell in body_cells(table):
        x0, y0, x1, y1 = cell.bbox
        inside = [w.text for w in words if x0 <= sum(w.bbox[::2]) / 2 <= x1 and y0 <= sum(w.bbox[1::2]) / 2 <= y1]
        assert "".join(inside).replace("--", "–") == cell.text


def test_a_pdf_without_its_source_or_with_another_papers_stays_as_it_is():
    other = r"\begin{tabular}{lc}\hline A & B\\\hline x & 1\\\hline\end{tabular}"
    assert reconciled(other, "Something else, of no concern to anyone here.") == page()


@pytest.mark.parametrize(
    ("beside", "words"),
    [
        ({"latex/readme.tex": b"nothing"}, "no main file"),
        ({"latex/main.tex": b"\\documentclass{x}\\begin{document}" + b"{" * 99}, "cannot be read"),
    ],
)
def test_a_source_that_cannot_be_used_is_said(beside: dict[str, bytes], words: str):
    read = PymupdfParser().parse(Source(kind="pdf", origin="paper.pdf", content=pdf(), beside=beside), "x")
    assert words in read.document.warnings[-1]
    assert read.document.tables == page().document.tables


@pytest.mark.parametrize("value", VALUES)
def test_a_number_that_the_page_prints_otherwise_keeps_the_pages_table(value: str):
    read = reconciled(TABULAR.replace(value, value[::-1].replace(".", "7.", 1)))
    assert read.document.tables == page().document.tables
    assert "is read from the PDF alone" in read.document.warnings[-1]
    assert read.paper_md == page().paper_md


@settings(max_examples=25, deadline=None)
@given(st.permutations(VALUES))
def test_numbers_in_another_order_never_take_new_names(order: list[str]):
    tabular = TABULAR
    for place, value in enumerate(VALUES):
        tabular = tabular.replace(value, f"<{place}>", 1)
    for place, value in enumerate(order):
        tabular = tabular.replace(f"<{place}>", value)
    read = reconciled(tabular)
    if tuple(order) == VALUES:
        assert read.document.tables != page().document.tables
    else:
        assert read.document.tables == page().document.tables


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 5), st.integers(0, 4))
def test_a_source_with_a_row_or_column_less_is_not_taken(row: int, column: int):
    lines = [["Data", "Model", "Top-1", "Top-5", "Size"], ["C10", "small", "93.02", "99.1", "11.2"],
             ["", "large", "93.62", "--", ""], ["Net", "small", "69.76", "89.08", "23.5"],
             ["", "large", "76.13", "92.86", "25.6"]]  # fmt: skip
    fewer = [line for k, line in enumerate(lines) if k != row or row == 0]
    if row in (0, 5):
        fewer = [[text for k, text in enumerate(line) if k != max(column, 2)] for line in fewer]
    inside = r"\\".join(" & ".join(line) for line in fewer)
    read = reconciled(rf"\begin{{tabular}}{{lllll}}{inside}\end{{tabular}}")
    assert read.document.tables == page().document.tables
    assert "is read from the PDF alone" in read.document.warnings[-1]


def test_signs_that_repeat_in_a_row_keep_their_columns():
    text = (
        PAGE[: PAGE.index("  columns: 5")]
        + """  columns: 4, stroke: none, table.hline(),
  [Method], [Norm], [Aug], [Acc], table.hline(),
  [one], [yes], [no], [71.2], [two], [no], [yes], [72.9], [both], [yes], [yes], [74.0], table.hline()))
"""
    )
    rows = [("one", "yes", "no", "71.2"), ("two", "no", "yes", "72.9"), ("both", "yes", "yes", "74.0")]
    inside = r"\\ ".join(" & ".join(row) for row in rows)
    tabular = rf"\begin{{tabular}}{{lccc}}\hline Method & Norm & Aug & Acc\\\hline {inside}\\\hline\end{{tabular}}"
    beside = {"latex/main.tex": source(tabular)}
    paper = Source(kind="pdf", origin="p.pdf", content=typst.compile(text.encode()), beside=beside)
    read = PymupdfParser().parse(paper, "x")
    assert not any("from the PDF alone" in warning for warning in read.document.warnings)
    cells = only(read).cells
    for row in range(1, 4):
        lefts = [cell.bbox[0] for cell in sorted(cells, key=lambda one: one.column) if cell.row == row]
        assert lefts == sorted(lefts)
        assert [cell.text for cell in cells if cell.row == row] == list(rows[row - 1])
