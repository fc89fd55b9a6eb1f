"""Papers read from LaTeX: structure, numbers as LaTeX counts, places in the source, and no source that breaks it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reproducegym.errors import UnreadablePaperError
from reproducegym.parsing.latex.parser import LatexParser
from reproducegym.schema.paper import Parsed, Source
from tests.parsing.latex.latex_papers import DETAILS, FILES, PAPER, PNG, document, parsed


def test_title_sections_and_paragraphs_read_as_printed():
    paper = parsed(PAPER, FILES).document
    assert paper.title == "A Small Paper on Probe"
    assert [(one.number, one.title, one.level, one.parent) for one in paper.sections] == [
        ("1", "Introduction", 1, None),
        ("1.1", "Details", 2, "s1"),
        ("A", "More", 1, None),
        ("A.1", "Deeper", 2, "s3"),
        (None, "References", 1, None),
    ]
    assert [(one.role, one.text) for one in paper.paragraphs] == [
        ("front", "Jane Doe John Roe"),
        ("abstract", "We gain 3.1% over PPO. It works, see Figure 1 and e.g. Table 1."),
        (
            "body",
            "Text with 47.3 ± 0.4 and 10⁻³; see Section 1.1 and (1). It goes on here. We use Probe as in (Doe, 2020). "
            "Appendix A has more.",
        ),
        ("footnote", "A note."),
        ("list", "first point"),
        ("list", "second point"),
        ("body", "Last words of the paper, after Table 1."),
        ("reference", "J. Doe. Something. 2020."),
    ]
    assert [(one.label, one.text) for one in paper.equations] == [("1", "L=∑ixi²")]
    assert paper.warnings == ()


def test_references_lead_to_what_they_name():
    paper = parsed(PAPER, FILES).document
    sentences = {one.id: one.text for paragraph in paper.paragraphs for one in paragraph.sentences}
    told = [(sentences[one.source][one.start : one.end], one.kind, one.target) for one in paper.references]
    assert ("Figure 1", "figure", "figure-1") in told
    assert ("Table 1", "table", "table-1") in told
    assert ("Section 1.1", "section", "s2") in told
    assert ("Appendix A", "section", "s3") in told
    assert ("(1).", "equation", "equation-1") in told
    assert all(one.target is not None for one in paper.references)


def test_a_figure_shows_the_image_beside_the_source():
    read = parsed(PAPER, FILES)
    (figure,) = read.document.figures
    assert (figure.label, figure.image) == ("1", "figure-1.png")
    assert read.figures == {"figure-1.png": PNG}
    assert figure.caption is not None
    assert figure.caption.text == "Figure 1: Learning curves."


def test_what_is_missing_beside_the_source_is_said():
    assert parsed(PAPER).document.warnings == (
        "the file sections/details that the source includes is missing",
        "figure 1: its image plots/one is missing",
    )


def test_places_are_lines_and_columns_of_the_source_with_its_files_in_place():
    read = parsed(PAPER, FILES)
    lines = PAPER.replace("\\input{sections/details}", DETAILS).split("\n")
    cells = {cell.text: cell for cell in read.document.tables[0].cells}
    for text in ("77.9", "12.3", "PPO"):
        x0, y0, x1, y1 = cells[text].bbox
        assert y1 - y0 == 1
        assert lines[int(y0)][int(x0) : int(x1)] == text
    x0, y0, x1, _ = cells["43.1±1.2"].bbox
    assert lines[int(y0)][int(x0) : int(x1)] == r"43.1\std{1.2"
    for cell in read.document.tables[0].cells:
        inside = [
            word.text
            for word in read.words[0].words
            if cell.bbox[0] <= (word.bbox[0] + word.bbox[2]) / 2 <= cell.bbox[2] and word.bbox[1] == cell.bbox[1]
        ]
        assert "".join(cell.text.split()) in "".join(inside)


def test_macros_are_expanded_with_arguments_defaults_and_aliases():
    preamble = (
        r"\newcommand{\pair}[2][left]{#1--#2}\let\old\pair\def\twice#1{#1#1}"
        r"\DeclareMathOperator{\KL}{KL}\NewDocumentCommand{\env}{m}{\texttt{#1}}\providecommand{\twice}{no}"
    )
    paper = document(r"\pair{right} and \old[up]{down}, \twice{ab}, $\KL$ and \env{CartPole}.", preamble)
    assert [one.text for one in paper.paragraphs] == ["left–right and up–down, abab, KL and CartPole."]


def test_macros_of_a_style_file_beside_the_paper_are_known():
    text = "\\documentclass{article}\\usepackage{own}\\begin{document}We use \\algo{} here.\\end{document}"
    read = parsed(text, {"own.sty": b"\\newcommand{\\algo}{SAC}"})
    assert [one.text for one in read.document.paragraphs] == ["We use SAC here."]


def test_numbers_follow_counters_and_their_formats():
    body = r"""
\section{One}\begin{equation}a\label{a}\end{equation}\begin{align}b\label{b}\\c\nonumber\\d\label{d}\end{align}
\section*{Starred}\section{Two}\label{two}\begin{equation}e\label{e}\tag{x}\end{equation}
\setcounter{table}{4}\begin{table}\caption{T}\label{t}\begin{tabular}{cc}a&b\\1&2\end{tabular}\end{table}
\appendix\renewcommand{\thetable}{S\arabic{table}}
\section{App}\begin{table}\caption{U}\label{u}\begin{tabular}{cc}a&b\\1&2\end{tabular}\end{table}
See \ref{a}, \ref{b}, \ref{d}, \ref{e}, \ref{two}, \ref{t}, \ref{u} and \ref{none}.
"""
    paper = document(body, r"\numberwithin{equation}{section}")
    assert paper.paragraphs[-1].text == "See 1.1, 1.2, 1.3, x, 2, 5, S6 and ??."
    assert [one.label for one in paper.tables] == ["5", "S6"]
    assert [one.label for one in paper.equations] == ["1.1", "1.2", None, "1.3", "x"]


def test_files_outside_of_the_source_and_endless_includes_are_not_followed():
    text = "\\begin{document}Words. \\input{../secret}\\input{/etc/passwd}\\input{a}\\end{document}"
    read = parsed(text, {"a.tex": b"\\input{a}\\input{main} Again.", "../secret.tex": b""})
    assert [one.text for one in read.document.paragraphs] == ["Words. Again."]
    assert "the file /etc/passwd that the source includes is missing" in read.document.warnings


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"%PDF-1.7", "is a PDF"), (b"12 34", "holds no text"), (b"\\documentclass{article}", "prints no text")],
)
def test_what_is_no_paper_says_so(content: bytes, words: str):
    with pytest.raises(UnreadablePaperError, match=words):
        LatexParser().parse(Source(kind="latex", origin="x.tex", content=content), "x")


def test_groups_without_end_and_macros_without_end_stay_bounded():
    with pytest.raises(UnreadablePaperError, match="nests more than"):
        document("{" * 500 + "text")
    endless = document(r"Words \a\b.", r"\def\a{\b\b}\def\b{\a\a}\newcommand{\c}{\c\c}")
    assert endless.paragraphs[0].text.startswith("Words")


PIECES = [
    "\\begin{tabular}{cc}", "\\end{tabular}", "&", "\\\\", "\\hline", "{", "}", "[", "]", "$", "$$", "\\[", "\\]", "%",
    "\n", "\n\n", "\\multicolumn", "{2}", "\\multirow", "\\begin{table}", "\\end{table}", "\\caption", "\\caption{x}",
    "\\label{a}", "\\ref{a}", "\\cref{a,b}", "\\section{T}", "\\newcommand{\\a}[1]{#1#1}", "\\a", "\\def\\b{\\b\\b}",
    "\\b", "\\item", "\\begin{align}", "\\end{align}", "^", "_", "~", "\\num", "\\SI{3}{\\ms}", "\\frac", "\\sqrt",
    "\\'", "\\begin{figure}", "\\end{figure}", "\\includegraphics", "{y}", "\\bibitem", "\\verb", "\\verb|",
    "\\appendix",
    "\\footnote", "\\textbf", "ab", "1.5", "\\begin", "\\end", "\\begin{verbatim}", "\\setcounter", "\\let",
    "\\begin{longtable}", "\\endhead", "\\subfloat", "\\begin{minipage}", "\\cite{k}", "\\iffalse", "\\fi", "\\tag",
    "\\begin{document}", "\\end{document}", "\\renewcommand{\\thetable}", "\\title", "\\begin{subtable}", "\\captionof",
]  # fmt: skip


def _check_places(read: Parsed) -> None:
    (page,) = read.document.pages
    boxes = [word.bbox for word in read.words[0].words]
    boxes += [cell.bbox for one in read.document.tables for cell in one.cells]
    boxes += [one.bbox for one in (*read.document.tables, *read.document.figures)]
    for x0, y0, x1, y1 in boxes:
        assert 0 <= x0 < x1 <= page.width
        assert 0 <= y0 < y1 <= page.height
    for paragraph in read.document.paragraphs:
        assert all(paragraph.text[one.start : one.end] == one.text for one in paragraph.sentences)


@settings(max_examples=120, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60))
def test_any_source_is_read_or_refused(pieces: list[str]):
    try:
        _check_places(parsed("Title " + "".join(pieces)))
    except UnreadablePaperError as error:
        assert "\n" not in str(error)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(PAPER)), st.integers(0, 60), st.sampled_from(PIECES))
def test_a_damaged_paper_is_read_as_far_as_it_goes(at: int, size: int, piece: str):
    try:
        _check_places(parsed(PAPER[:at] + piece + PAPER[at + size :], FILES))
    except UnreadablePaperError as error:
        assert "\n" not in str(error)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text: str):
    try:
        _check_places(parsed(text))
    except UnreadablePaperError as error:
        assert "\n" not in str(error)


def test_a_tag_written_over_two_lines_is_one_label_that_references_name() -> None:
    read = document("We pull. \\begin{equation} x = 1 \\tag{first\n  rule}\\label{e}\\end{equation} See \\eqref{e}.")
    assert [one.label for one in read.equations] == ["first rule"]
    assert {(one.label, one.target) for one in read.references} == {("first rule", read.equations[0].id)}
