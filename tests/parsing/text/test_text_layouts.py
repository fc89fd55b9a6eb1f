"""Layouts around the running text: chapters, contents, notes in the margin, algorithms, imprints, display equations."""

import pymupdf
import typst

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Document, Source

PROSE = "Small models learn from little data when the step size is chosen with care. They do not forget it again. "
HEAD = """#set page(width: 420pt, height: 560pt, margin: 60pt, footer: context align(center, counter(page).display()))
#set par(justify: true)
#set text(size: 10pt, lang: "en", font: "New Computer Modern")
#align(center, text(18pt)[*A Paper of Some Layout*])

"""


def _read(body: str) -> Document:
    content = typst.compile((HEAD + body).encode())
    return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=content), "made").document


def _heading(text: str, size: float = 12) -> str:
    return f'#block(above: 1.6em, below: 1em, text(size: {size}pt, weight: "bold")[{text}])\n\n'


def _bodies(document: Document) -> list[str]:
    return [p.text for p in document.paragraphs if p.role in ("body", "list")]


def test_chapters_take_the_number_above_their_title() -> None:
    document = _read(
        f"#pagebreak()\n{_heading('Chapter 1', 20)}{_heading('First Steps of a Long Way', 16)}{PROSE * 5}\n\n"
        f"{_heading('1.1 #h(0.5em) Ways')}{PROSE * 5}\n\n#pagebreak()\n{_heading('Chapter 2', 20)}"
        f"{_heading('Second Steps', 16)}{PROSE * 5}\n\n"
    )
    assert [(s.number, s.title, s.level) for s in document.sections] == [
        ("1", "First Steps of a Long Way", 1),
        ("1.1", "Ways", 2),
        ("2", "Second Steps", 1),
    ]


def test_a_table_of_contents_makes_no_sections() -> None:
    names = ["Introduction", "Method", "Experiments", "Conclusion"]
    contents = "\n\n".join(f"*{k} #h(0.6em) {name}* #h(1fr) *{k + 1}*" for k, name in enumerate(names, 1))
    body = "".join(_heading(f"{k} #h(0.6em) {name}") + PROSE * 6 + "\n\n" for k, name in enumerate(names, 1))
    document = _read(f"{_heading('Contents')}{contents}\n\n#pagebreak()\n{body}")
    assert [s.title for s in document.sections if s.number] == names


def test_theorems_are_no_sections_and_paragraph_heads_are() -> None:
    document = _read(
        f"{_heading('1 #h(0.6em) Theory')}{PROSE * 2}\n\n#v(6pt)*Theorem 1.* {PROSE * 2}\n\n#v(6pt)*Proof sketch.* "
        f"{PROSE}\n\n#v(6pt)*Step sizes.* {PROSE * 2}\n\n#v(6pt)*Data sets* #h(1em) {PROSE * 2}"
    )
    assert [(s.title, s.level) for s in document.sections] == [("Theory", 1), ("Step sizes", 2), ("Data sets", 2)]
    assert any(text.startswith("Theorem 1. Small models") for text in _bodies(document))
    assert sum(text == (PROSE * 2).strip() for text in _bodies(document)) == 3


def test_notes_in_the_margin_do_not_cut_sentences() -> None:
    notes = "#place(dx: -56pt, text(6pt)[Edited by \\ A. Editor \\ Received \\ 1 May])"
    document = _read(f"{_heading('1 #h(0.6em) Introduction')}{notes}{PROSE * 8}")
    assert _bodies(document) == [(PROSE * 8).strip()]


def test_displayed_equations_stand_apart_from_the_text_with_their_numbers() -> None:
    document = _read(
        f'#set math.equation(numbering: "(1)")\n{_heading("1 #h(0.6em) Method")}{PROSE * 2}We minimise\n'
        "$ L = 1/N sum_(i=1)^N (y_i - f(x_i))^2 $\nwhere $f$ is the model. By Eq. (2) it is bounded:\n"
        f"$ L <= alpha + beta $\n{PROSE * 2}"
    )
    assert [(e.id, e.label) for e in document.equations] == [("eq1", "1"), ("eq2", "2")]
    first, second = document.equations
    assert first.text.startswith("L = 1 N ")
    assert first.text.count("N") == 2
    assert "≤" in second.text
    assert first.place.bbox[3] < second.place.bbox[1]
    texts = _bodies(document)
    assert texts[0] == f"{PROSE * 2}We minimise"
    assert texts[1].startswith("where")
    assert texts[1].endswith("it is bounded:")
    assert texts[2] == (PROSE * 2).strip()
    assert [(r.label, r.target) for r in document.references if r.kind == "equation"] == [("2", "eq2")]


def test_code_is_no_equation_and_no_heading() -> None:
    code = "```\nfor step in range(1000):\n    loss = model(batch)\n    loss.backward()\n```"
    document = _read(f"{_heading('1 #h(0.6em) Code')}{PROSE * 3}\n\n{code}\n\n{PROSE * 3}")
    assert document.equations == ()
    assert [s.title for s in document.sections] == ["Code"]
    assert "loss = model(batch)" in " ".join(_bodies(document))


def test_an_imprint_goes_and_the_last_line_of_the_text_stays() -> None:
    entry = "A. Author. " + "On the step sizes of small models and their many uses in practice. " * 2
    document = _read(
        f"{_heading('1 #h(0.6em) Introduction')}{PROSE * 4}\n\n"
        "#place(bottom, dy: 25pt, text(8pt)[_Proceedings of the Third Conference on Models_, 2020.])"
        f"#pagebreak()\n{_heading('References')}"
        + "\n\n".join(f"[{k}] {entry}In Proceedings of the Conference on Models, 2020." for k in range(1, 12))
    )
    everything = " ".join(p.text for p in document.paragraphs)
    assert "Third Conference" not in everything
    assert everything.count("In Proceedings of the Conference on Models, 2020.") == 11


def test_a_page_that_is_an_image_but_for_its_number_is_a_scan() -> None:

    made = pymupdf.open(stream=typst.compile((HEAD + PROSE * 20).encode()), filetype="pdf")
    image = pymupdf.Pixmap(pymupdf.csGRAY, pymupdf.IRect(0, 0, 200, 300), False)
    image.clear_with(200)
    page = made.new_page()
    page.insert_image(page.rect, pixmap=image)
    page.insert_text((280, 800), "2")
    source = Source(kind="pdf", origin="made.pdf", content=made.tobytes())
    document = PymupdfParser().parse(source, "made").document
    assert [p.content for p in document.pages] == ["text", "scan"]
    assert any(w.startswith("page 2 is a scan") and "OCR" in w for w in document.warnings)
