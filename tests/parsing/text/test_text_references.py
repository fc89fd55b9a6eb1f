"""What texts refer to: every spelling of "Table 3", lists, ranges, panels; resolved to the pieces of the paper."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.parsing.text.references import Pieces, mentions_in, references_of
from reproducegym.schema.paper import Caption, Equation, Figure, Paragraph, Place, Section, Sentence, Table

PLACE = Place(page=1, bbox=(0.0, 0.0, 1.0, 1.0))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("see Table 3.", [("table", "3", None)]),
        ("Tab. 3 and Fig. 5 (b)", [("table", "3", None), ("figure", "5", "b")]),
        ("Figures 2 and 3 show", [("figure", "2", None), ("figure", "3", None)]),
        ("Tables 1-3 list", [("table", "1", None), ("table", "2", None), ("table", "3", None)]),
        ("Tables 1, 2, and 4, 5 of 7", [("table", "1", None), ("table", "2", None), ("table", "4", None)]),
        ("In Table 3, 12 models", [("table", "3", None)]),
        ("Fig. 5(a) and (b)", [("figure", "5", "a"), ("figure", "5", "b")]),
        ("Figure 2a–c", [("figure", "2", "a"), ("figure", "2", "b"), ("figure", "2", "c")]),
        ("Figure 2 (left)", [("figure", "2", "left")]),
        ("Appendix G, Section 4.2 and §3", [("section", "G", None), ("section", "4.2", None), ("section", "3", None)]),
        ("App. A.1; Sec. IV-B", [("section", "A.1", None), ("section", "IV-B", None)]),
        ("Sections 3 and I think", [("section", "3", None)]),
        ("Eq. (2), Eqs. (3)–(4)", [("equation", "2", None), ("equation", "3", None), ("equation", "4", None)]),
        ("Table II and Table A.1", [("table", "II", None), ("table", "A.1", None)]),
        ("Abb. 3 in Abschnitt 2", [("figure", "3", None), ("section", "2", None)]),
        ("a table 40% as long; 12% of figures; the app. store", []),
    ],
)
def test_names_of_pieces_are_read_in_every_spelling(text: str, wanted: list[tuple[str, str, str | None]]) -> None:
    assert [(m.kind, m.label, m.panel) for m in mentions_in(text)] == wanted


@given(st.text(alphabet="Tables Figs.,()-–12abcIVX Eq§&and", max_size=60))
def test_mentions_lie_in_the_text_in_order(text: str) -> None:
    found = mentions_in(text)
    assert all(0 <= m.start < m.end <= len(text) and m.label for m in found)
    assert [m.start for m in found] == sorted(m.start for m in found)


def _paragraph(text: str, role: str = "body") -> Paragraph:
    sentence = Sentence(id="p1.1", text=text, start=0, end=len(text), places=(PLACE,))
    return Paragraph.model_validate(
        {"id": "p1", "section": None, "role": role, "text": text, "places": (PLACE,), "sentences": (sentence,)}
    )


def _table(name: str, label: str, caption: str) -> Table:
    return Table(
        id=name,
        label=label,
        page=1,
        bbox=PLACE.bbox,
        continued=(),
        caption=Caption(text=caption, place=PLACE),
        stub_headers=(),
        cells=(),
        notes=(),
    )


def _section(name: str, number: str, parent: str | None = None) -> Section:
    return Section(id=name, number=number, title="T", level=2 if parent else 1, parent=parent, place=PLACE)


FIGURE = Figure(id="figure-1", label="1", page=1, bbox=PLACE.bbox, caption=None, image=None, source="vector", panels=())
PIECES = Pieces(
    sections=(_section("s1", "I"), _section("s2", "IV"), _section("s3", "B", "s2"), _section("s4", "Appendix B")),
    tables=(_table("table-1", "1", "Table 1: Scores, as in Fig. 1."), _table("table-2", "1", "Supplementary Table 1.")),
    figures=(FIGURE,),
    equations=(Equation(id="eq1", label="3", text="a = b", place=PLACE),),
)


@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("Table 1 and Fig. 1b agree with Eq. (3).", ["table-1", "figure-1", "eq1"]),
        ("Supplementary Table 1 agrees.", ["table-2"]),
        ("Section IV-B and Appendix B agree.", ["s3", "s4"]),
        ("Table 9 is missing.", [None]),
        ("Table 1 of Smith et al. (2020) differs, and so does Table 1 in [7].", [None, None]),
        ("Table 1 and 12 more runs", ["table-1"]),
    ],
)
def test_references_find_their_targets(text: str, targets: list[str | None]) -> None:
    pieces = Pieces(PIECES.sections, (_paragraph(text),), PIECES.tables, PIECES.figures, PIECES.equations)
    found = [reference for reference in references_of(pieces) if reference.source == "p1.1"]
    assert [reference.target for reference in found] == targets
    assert all(reference.label[0] in text[reference.start : reference.end] for reference in found)


def test_captions_refer_but_not_to_themselves_and_the_bibliography_does_not() -> None:
    pieces = Pieces(PIECES.sections, (_paragraph("Table 1 of a book.", "reference"),), PIECES.tables, PIECES.figures)
    assert [(r.source, r.kind, r.target) for r in references_of(pieces)] == [("table-1", "figure", "figure-1")]
