"""Papers of known text in the styles of venues: sections, paragraphs, notes, equations and references, exactly."""

import pytest

from reproducegym.parsing import PymupdfParser
from reproducegym.schema.paper import Document, Source

from .made_documents import Style, made_blocks, made_pdf, truth_of

STYLES = {
    "one column": Style(),
    "two columns, running head": Style(columns=2, abstract="run-in", running_head="same", numbering="dotted"),
    "two columns, line numbers": Style(columns=2, numbering="dotted", line_numbers=True, font="Libertinus Serif"),
    "capitals, no indent, line numbers": Style(capitals="upper", indent=False, running_head="same", line_numbers=True),
    "Roman numbers, letters, italic heads": Style(
        columns=2, numbering="roman", capitals="upper", abstract="run-in", run_in="italic"
    ),
    "abstract over both columns": Style(columns=2, abstract="wide", run_in="gap", size=11),
    "no numbers, changing running heads": Style(numbering="none", indent=False, run_in="gap", running_head="changing"),
    "small capitals, changing running heads": Style(
        columns=2, capitals="small", running_head="changing", abstract="wide"
    ),
}


def _read(content: bytes) -> Document:
    return PymupdfParser().parse(Source(kind="pdf", origin="made.pdf", content=content), "made").document


@pytest.mark.parametrize("name", STYLES)
def test_a_paper_is_read_as_it_was_written(name: str) -> None:
    style = STYLES[name]
    blocks = made_blocks(2, style)
    truth = truth_of(blocks, style)
    document = _read(made_pdf(blocks, style))
    assert document.title == "A Made Paper of Known Text"
    assert document.language == "en"
    assert [(s.number, s.title, s.level) for s in document.sections] == truth.sections
    paragraphs = [(p.role, p.text) for p in document.paragraphs if p.role not in ("front", "footnote")]
    if style.indent:
        assert paragraphs == truth.paragraphs
    else:
        assert " ".join(text for _, text in paragraphs) == " ".join(text for _, text in truth.paragraphs)
    assert [p.text for p in document.paragraphs if p.role == "footnote"] == truth.footnotes
    assert [equation.label for equation in document.equations] == truth.equations
    _check_references(document)


def _check_references(document: Document) -> None:
    """Each of the five sections names Section 3.2; one paragraph names Eq. (1) and two tables that are not there."""
    sentences = {s.id: s.text for p in document.paragraphs for s in p.sentences}
    for found in document.references:
        assert found.label in sentences[found.source][found.start : found.end]
    named = [(r.kind, r.label, r.panel) for r in document.references]
    assert named.count(("figure", "1", "b")) == named.count(("section", "3.2", None)) == 5
    assert {r.target for r in document.references if r.kind == "figure"} == {None}
    assert {r.target for r in document.references if r.kind == "equation"} == {"eq1"}
    target = next((s.id for s in document.sections if s.number == "3.2"), None)
    assert {r.target for r in document.references if r.kind == "section"} == {target}
    assert [label for kind, label, _ in named if kind == "table"] == ["1", "2"]


def test_sections_stand_in_one_another() -> None:
    style = Style()
    document = _read(made_pdf(made_blocks(3, style), style))
    by_id = {section.id: section for section in document.sections}
    parents = {s.title: by_id[s.parent].title for s in document.sections if s.parent}
    assert parents["Problem Setting"] == "Method"
    assert parents["Datasets"] == "Experiments and Results"
    assert parents["More Details"] == "Proofs"
