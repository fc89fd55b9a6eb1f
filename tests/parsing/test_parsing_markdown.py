"""Markdown papers: structure, tables with paths, places in lines and columns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing import MarkdownParser
from reproducegym.schema.paper import Parsed, Source

PAPER = """---
layout: paper
---
# A *Small* Paper

Jane Doe

## Abstract

We gain 3.1% over PPO. It **works**, see Fig. 2 and e.g. Table 1.

## 1 Introduction

Text with $47.3 \\pm 0.4$ and 10<sup>-3</sup>; 5 < 6 and a_b stay.
It goes on here.

### 1.1 Details

- first point
- second point

Table 1: Results on CartPole.

| Method | Acc. (%) | F1 |
|:-------|---------:|----|
| **Ours** | **47.3 &plusmn; 0.4** | 0.51† |
| *Ablations* | | |
| no bonus | – | .40 |

![a plot](plots/one.png)

Figure 2: Learning curves.

<table>
<caption>Table 2: Two levels</caption>
<tr><th rowspan="2">Method</th><th colspan="2">Chain</th></tr>
<tr><th>Return</th><th>Goal</th></tr>
<tr><th>UCB1</th><td>4.32</td><td><b>77.9</b></td></tr>
</table>

## References

[1] Someone. Something. 2020.
"""


def _parsed(text: str | bytes, files: dict[str, bytes] | None = None) -> Parsed:
    content = text.encode() if isinstance(text, str) else text
    return MarkdownParser().parse(Source(kind="markdown", origin="paper.md", content=content, beside=files or {}), "x")


def test_title_sections_roles_and_sentences() -> None:
    document = _parsed(PAPER).document
    assert document.title == "A Small Paper"
    assert document.coordinates == "markdown_lines"
    assert [(s.number, s.title, s.level, s.parent) for s in document.sections] == [
        (None, "Abstract", 1, None),
        ("1", "Introduction", 1, None),
        ("1.1", "Details", 2, "s2"),
        (None, "References", 1, None),
    ]
    assert [p.role for p in document.paragraphs] == ["front", "abstract", "body", "list", "list", "reference"]
    abstract = document.paragraphs[1]
    assert [s.text for s in abstract.sentences] == [
        "We gain 3.1% over PPO.",
        "It works, see Fig. 2 and e.g. Table 1.",
    ]
    assert all(abstract.text[s.start : s.end] == s.text for s in abstract.sentences)
    assert document.paragraphs[2].text == "Text with 47.3 ± 0.4 and 10⁻³; 5 < 6 and a_b stay. It goes on here."


def test_pipe_table_with_caption_marks_and_group_row() -> None:
    table = _parsed(PAPER).document.tables[0]
    assert (table.label, table.stub_headers) == ("1", ("Method",))
    assert table.caption is not None
    assert table.caption.text == "Table 1: Results on CartPole."
    body = {(c.row_path, c.column_path): (c.text, c.marks) for c in table.cells if c.kind == "body"}
    assert body == {
        (("Ours",), ("Acc. (%)",)): ("47.3 ± 0.4", ("bold",)),
        (("Ours",), ("F1",)): ("0.51†", ("dagger",)),
        (("Ablations", "no bonus"), ("Acc. (%)",)): ("–", ()),
        (("Ablations", "no bonus"), ("F1",)): (".40", ()),
    }


def test_html_table_with_spans() -> None:
    table = _parsed(PAPER).document.tables[1]
    assert (table.label, table.stub_headers) == ("2", ("Method",))
    assert [(c.text, c.row_path, c.column_path) for c in table.cells if c.kind == "body"] == [
        ("4.32", ("UCB1",), ("Chain", "Return")),
        ("77.9", ("UCB1",), ("Chain", "Goal")),
    ]


def test_figure_takes_the_caption_below_its_image() -> None:
    (figure,) = _parsed(PAPER).document.figures
    assert (figure.label, figure.image) == ("2", None)
    assert figure.caption is not None
    assert figure.caption.text == "Figure 2: Learning curves."


def test_places_are_lines_and_columns_of_the_source() -> None:
    parsed = _parsed(PAPER)
    lines = PAPER.split("\n")
    cell = next(c for t in parsed.document.tables for c in t.cells if c.text == "77.9")
    x0, y0, x1, y1 = cell.bbox
    assert y1 - y0 == 1
    assert lines[int(y0)][int(x0) : int(x1)] == "77.9"
    for table in parsed.document.tables:
        for cell in table.cells:
            inside = [
                w.text
                for w in parsed.words[0].words
                if w.bbox[0] >= cell.bbox[0] and w.bbox[2] <= cell.bbox[2] and w.bbox[1] == cell.bbox[1]
            ]
            assert " ".join(inside) == cell.text


def test_escaped_pipes_and_code_stay_inside_their_cell() -> None:
    (table,) = _parsed("# T\n\n| a | b |\n|---|---|\n| x \\| y | `p|q` |\n").document.tables
    assert [c.text for c in table.cells if c.row == 1] == ["x | y", "p|q"]


def test_tables_in_fenced_code_are_no_tables() -> None:
    document = _parsed(
        "# T\n\nText here.\n\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n<table><tr><td>1</td></tr></table>\n```\n"
    ).document
    assert document.tables == ()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\xff\xfe\x00a", "not UTF-8"),
        (b"%PDF-1.7 ...", "is a PDF"),
        (b"abc\0def", "NUL"),
        (b"   \n\n", "holds no text"),
        (b"12 34\n", "holds no text"),
        (b"% A paper\n\n\\documentclass[a4]{article}\n", "is LaTeX; give it with --latex"),
    ],
)
def test_what_is_no_markdown_paper_says_so(content: bytes, words: str) -> None:
    with pytest.raises(UnreadablePaperError, match=words) as caught:
        _parsed(content)
    assert "\n" not in str(caught.value)


def test_line_ends_and_byte_order_mark_do_not_matter() -> None:
    plain = _parsed(PAPER).document
    assert _parsed(PAPER.replace("\n", "\r\n")).document == plain
    assert _parsed(b"\xef\xbb\xbf" + PAPER.encode()).document == plain


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab1.|-*_`#<>/td h=\"'\\$&;[]()!~:\n±–²"), max_size=200))
def test_any_text_is_read_and_its_places_lie_inside_it(text: str) -> None:
    parsed = _parsed("# T\n\n" + text)
    (page,) = parsed.document.pages
    places = [p for par in parsed.document.paragraphs for p in par.places]
    places += [p for par in parsed.document.paragraphs for s in par.sentences for p in s.places]
    boxes = [p.bbox for p in places] + [c.bbox for t in parsed.document.tables for c in t.cells]
    for x0, y0, x1, y1 in boxes:
        assert 0 <= x0 < x1 <= page.width
        assert 0 <= y0 < y1 <= page.height
    for paragraph in parsed.document.paragraphs:
        assert all(paragraph.text[s.start : s.end] == s.text for s in paragraph.sentences)
        assert "".join(s.text for s in paragraph.sentences).replace(" ", "") == paragraph.text.replace(" ", "")


NUMBER = st.decimals(-999, 999, places=2).map(str)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(NUMBER, min_size=3, max_size=3), min_size=1, max_size=6))
def test_pipe_and_html_tables_say_the_same(rows: list[list[str]]) -> None:
    names = [f"row {chr(97 + i)}" for i in range(len(rows))]
    pipe = ["| Name | A | B | C |", "|---|---|---|---|"]
    pipe += ["| " + " | ".join([name, *row]) + " |" for name, row in zip(names, rows, strict=True)]
    html = ["<table>", "<tr><th>Name</th><th>A</th><th>B</th><th>C</th></tr>"]
    html += [
        "<tr><th>" + name + "</th>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>"
        for name, row in zip(names, rows, strict=True)
    ]
    tables = [_parsed("# T\n\n" + "\n".join(lines) + "\n").document.tables for lines in (pipe, [*html, "</table>"])]
    read = [[(c.kind, c.text, c.row_path, c.column_path) for c in table.cells] for (table,) in tables]
    assert read[0] == read[1]
    assert [text for kind, text, _, _ in read[0] if kind == "body"] == [x for row in rows for x in row]


def test_a_paragraph_keeps_its_text_around_an_image() -> None:
    document = _parsed(
        '# T\n\nWe gain 9.1 points. ![acc 71.3](f/w.png "Widget 71.3") It works![icon](i.png).\n'
    ).document
    (paragraph,) = document.paragraphs
    assert paragraph.sentences[0].text == "We gain 9.1 points."
    assert paragraph.text == "We gain 9.1 points. It works ."
    assert [figure.id for figure in document.figures] == ["figure-1", "figure-2"]
    assert document.figures[0].bbox == (22.0, 2.0, 30.0, 3.0)


@pytest.mark.parametrize(
    "image", ["![](f.png)", "![a\nplot](f.png)", "[![a plot](f.png)](http://x.y)", "![[%] a](f.png)"]
)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_an_image_of_any_form_takes_the_caption_below(image: str, between: str) -> None:
    document = _parsed(f"# T\n\nBefore.\n\n{image}{between}Figure 2: Learning curves.\n\nAfter.\n").document
    (figure,) = document.figures
    assert (figure.label, figure.caption and figure.caption.text) == ("2", "Figure 2: Learning curves.")
    assert [paragraph.text for paragraph in document.paragraphs] == ["Before.", "After."]
    assert figure.bbox[1] == 4.0


def test_images_side_by_side_are_figures_and_no_text() -> None:
    document = _parsed("# T\n\nText.\n\n![Figure 1: Left.](a.png) ![Figure 2: Right.](b.png)\n").document
    assert [(one.label, one.caption and one.caption.text) for one in document.figures] == [
        ("1", "Figure 1: Left."),
        ("2", "Figure 2: Right."),
    ]
    assert [paragraph.text for paragraph in document.paragraphs] == ["Text."]


@pytest.mark.parametrize(
    "written",
    [
        "![a plot](plots/one.png)",
        '![a plot](<./plots/one.png> "title")',
        "![a plot][one]\n\n[one]: plots/one.png",
        "![one][]\n\n[One]: plots/one.png 'title'",
        "![one]\n\n[one]: plots/one.png",
        '<img src="plots/one.png" alt="a plot" width="50%">',
        "<figure>\n<img alt='a plot' src='plots/one.png'/>\n</figure>",
    ],
)
def test_an_image_beside_the_paper_is_kept_and_linked_however_it_is_written(written: str) -> None:
    parsed = _parsed(f"# T\n\nBefore.\n\n{written}\n\nAfter.\n", {"plots/one.png": b"pixels"})
    (figure,) = parsed.document.figures
    assert figure.image == "figure-1.png"
    assert parsed.figures == {"figure-1.png": b"pixels"}
    assert "](figures/figure-1.png)" in parsed.paper_md
    assert parsed.document.warnings == ()


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("gone.png", "figure-1: its image gone.png is missing"),
        ("../one.png", "figure-1: its image ../one.png is missing"),
        ("https://host/one.png", "figure-1: its image https://host/one.png lies on the web"),
        ("one.tif", "figure-1: its image one.tif is in a format that is not shown"),
    ],
)
def test_an_image_that_cannot_be_shown_is_said(link: str, words: str) -> None:
    parsed = _parsed(f"# T\n\nBefore.\n\n![a]({link})\n", {"one.tif": b"x", "one.png": b"x"})
    assert parsed.document.figures[0].image is None
    assert parsed.document.warnings == (words,)
    assert f"![a]({link})" in parsed.paper_md


def test_displayed_equations_are_kept_apart_from_text_with_their_numbers() -> None:
    document = _parsed(
        "# T\n\nWe use\n$$\nL = a + b \\tag{3}\n$$\nin Eq. (3).\n\n$$ x $$ (4)\n\nCosts $$ here.\n\n\\[ y \\]\n"
    ).document
    assert [(one.id, one.label, one.text) for one in document.equations] == [
        ("equation-1", "3", "L = a + b"),
        ("equation-2", "4", "x"),
        ("equation-3", None, "y"),
    ]
    assert [one.text for one in document.paragraphs] == ["We use", "in Eq. (3).", "Costs here."]
    assert [(one.label, one.target) for one in document.references] == [("3", "equation-1")]
    assert document.equations[0].place.bbox[1::2] == (4.0, 5.0)


def test_references_language_and_units_are_read() -> None:
    document = _parsed(PAPER).document
    assert {(one.kind, one.label, one.target) for one in document.references} == {
        ("figure", "2", "figure-1"),
        ("table", "1", "table-1"),
    }
    words = "This is a paper about how many people read what others have written, and why they do so. " * 4
    assert _parsed(f"# T\n\n{words}\n").document.language == "en"
    units = {cell.text: cell.unit for cell in document.tables[0].cells if cell.kind == "body"}
    assert units == {"47.3 ± 0.4": "%", "0.51†": None, "–": None, ".40": None}


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("![]()<>img src=\"'$\\:a.png\n |-"), max_size=120))
def test_any_images_and_equations_are_read_and_lie_inside_the_source(text: str) -> None:
    parsed = _parsed("# T\n\n" + text, {"a.png": b"x"})
    (page,) = parsed.document.pages
    boxes = [one.bbox for one in parsed.document.figures] + [one.place.bbox for one in parsed.document.equations]
    assert all(0 <= x0 < x1 <= page.width and 0 <= y0 < y1 <= page.height for x0, y0, x1, y1 in boxes)
    assert set(parsed.figures) == {one.image for one in parsed.document.figures if one.image}
