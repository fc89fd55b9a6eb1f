"""Layouts of journals and conferences that are less usual: plain headings, numbered notes, floats, hanging numbers."""

import pymupdf
import typst

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Document, Source

PROSE = "Small models learn from little data when the step size is chosen with care. They do not forget it again. "
OPEN = "This last line of the page says that for the larger one of both models of the same kind we have found"
HEAD = """#set page(width: 420pt, height: 560pt, margin: 60pt, footer: context align(center, counter(page).display()))
#set par(justify: true)
#set text(size: 10pt, lang: "en", font: "New Computer Modern")
#align(center, text(18pt)[*A Paper of Some Layout*])

"""


def _read(body: str, head: str = HEAD) -> Document:
    content = typst.compile((head + body).encode())
    return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=content), "made").document


def _heading(text: str, weight: str = "bold", size: float = 12) -> str:
    return f'#block(above: 1.6em, below: 1.1em, text(size: {size}pt, weight: "{weight}")[{text}])\n\n'


def _bodies(document: Document) -> list[str]:
    return [p.text for p in document.paragraphs if p.role in ("body", "list")]


def test_numbered_headings_of_inner_sections_need_no_emphasis() -> None:
    plain = _heading("1.1.1. Search strategy", "regular", 10)
    document = _read(
        f"{_heading('1. Introduction')}{PROSE * 3}\n\n{_heading('1.1. Search')}{PROSE * 3}\n\n{plain}{PROSE * 3}\n\n"
        f"1.5 seconds are what it takes\n\n{PROSE}"
    )
    assert [(s.number, s.title, s.level) for s in document.sections] == [
        ("1", "Introduction", 1),
        ("1.1", "Search", 2),
        ("1.1.1", "Search strategy", 3),
    ]


def test_run_in_heads_have_numbers_and_dashes() -> None:
    long = "Orders that do better for a few of the algorithms"
    document = _read(
        f"{_heading('1 #h(0.6em) Introduction')}{PROSE}\n\n{_heading('1.1 #h(0.6em) Data', size=11)}"
        f'*1.1.1 #h(0.6em) Setup.* {PROSE}\n\n#v(8pt)#text(font: "DejaVu Sans Mono")[]_{long}_ — {PROSE}'
    )
    assert [(s.number, s.title) for s in document.sections][2:] == [("1.1.1", "Setup"), (None, long)]


def test_steps_of_a_listing_and_heads_of_tables_are_no_sections() -> None:
    head = "#grid(columns: 4 * (1fr,), [*Dataset*], [*Ours*], [*Theirs*], [*Others*])"
    step = "#v(14pt)*9 #h(0.6em) Return the models*"
    document = _read(
        f"{_heading('1 #h(0.6em) Introduction')}{PROSE * 3}\n\n{step}\n\n#v(14pt){head}\n\n#v(14pt){PROSE * 3}"
    )
    assert [s.title for s in document.sections] == ["Introduction"]


def test_numbered_notes_at_the_foot_are_footnotes() -> None:
    note = "1. Most of the models of this kind are small, and this note says so at some length over more than one line."
    document = _read(
        f"{_heading('1 #h(0.6em) Introduction')}#place(bottom, text(8pt)[{note}]){PROSE * 7}#pagebreak(){PROSE * 4}"
    )
    assert [p.text for p in document.paragraphs if p.role == "footnote"] == [note]
    assert not any("Most of the models" in text for text in _bodies(document))


def test_fractions_in_the_text_do_not_tear_it() -> None:
    fraction = "$exp(f(t)) / (exp(f(t)) + p(t))$"
    document = _read(f"{_heading('1 #h(0.6em) Introduction')}{PROSE * 2}We use the form {fraction} of it. {PROSE * 3}")
    assert len(_bodies(document)) == 1
    assert _bodies(document)[0].endswith(PROSE.strip())


def test_code_in_the_text_does_not_tear_it() -> None:
    code = '#text(8pt, font: "DejaVu Sans Mono")[scripts/from/the/older/material/of/the/paper]'
    document = _read(
        f"{_heading('1 #h(0.6em) Introduction')}{PROSE * 2}They stand in the directory {code} as said. {PROSE}"
    )
    assert len(_bodies(document)) == 1


def test_a_paragraph_goes_on_after_code_and_a_page_of_floats() -> None:
    code = "\n\n".join(f"#text(7pt)[step({k}); keep(model);]" for k in range(4))
    document = _read(
        f"{_heading('1 #h(0.6em) Introduction')}{PROSE * 3}\n\n{OPEN}#pagebreak()\n"
        f"#align(center)[#rect(width: 200pt, height: 200pt)\n\nFigure 1: A frame.]#pagebreak()\n{code}\n\n#v(10pt)"
        f"that it learns faster. {PROSE * 2}"
    )
    assert any(f"{OPEN} that it learns faster." in text for text in _bodies(document))


def test_numbers_of_headings_may_hang_out_of_the_text() -> None:
    hanging = "".join(_heading(f"#h(-30pt) 1.{k} #h(0.6em) Ways", size=11) + PROSE * 2 + "\n\n" for k in range(1, 4))
    document = _read(
        f"{_heading('#h(-30pt) 1 #h(0.6em) Introduction')}{PROSE}\n\n{OPEN}#pagebreak()\n"
        f"that it learns faster. {PROSE * 2}\n\n{hanging}"
    )
    assert any(f"{OPEN} that it learns faster." in text for text in _bodies(document))
    assert [s.number for s in document.sections] == ["1", "1.1", "1.2", "1.3"]


def test_a_number_beyond_the_edge_belongs_to_its_equation() -> None:
    numbers = "".join(
        f"{PROSE}\n\n#align(center)[$L_{k} = alpha + beta$#place(right, dx: 25pt, dy: -8pt)[({k})]]\n\n"
        for k in range(1, 4)
    )
    document = _read(f"{_heading('1 #h(0.6em) Introduction')}{numbers}{PROSE * 2}")
    assert [e.label for e in document.equations] == ["1", "2", "3"]


def test_text_without_headings_is_no_front_matter() -> None:
    authors = "#align(center)[A. Author and B. Author \\ Some Institute of Models]\n\n"
    editorial = _read(f"{authors}{PROSE * 3}\n\n#v(8pt)*The Challenge.* {PROSE * 2}")
    assert _bodies(editorial) == [(PROSE * 3).strip(), (PROSE * 2).strip()]
    assert [s.title for s in editorial.sections] == ["The Challenge"]
    unnamed = _read(f"{authors}{PROSE * 3}\n\n{_heading('1 #h(0.6em) Introduction')}{PROSE * 2}")
    assert [p.text for p in unnamed.paragraphs if p.role == "abstract"] == [(PROSE * 3).strip()]
    assert _bodies(unnamed) == [(PROSE * 2).strip()]


def test_a_stamp_beside_the_title_does_not_cut_it() -> None:
    page = pymupdf.open()
    sheet = page.new_page(width=420, height=560)
    for text, at, size in (("A Paper with a", 90, 18), ("Long Title", 112, 18)):
        sheet.insert_text((120, at), text, fontsize=size, fontname="Times-Bold")
    sheet.insert_text((340, 100), "Checked", fontsize=5)
    for k in range(30):
        sheet.insert_text((60, 150 + 12 * k), PROSE[:70], fontsize=10)
    parsed = PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=page.tobytes()), "made")
    assert parsed.document.title == "A Paper with a Long Title"
