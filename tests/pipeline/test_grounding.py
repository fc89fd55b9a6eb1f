"""Stories about looking numbers up again where the paper prints them."""

from decimal import Decimal

import pytest

from reproducegym.pipeline.grounding.places import ground, locate_words
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import Provenance, Reason, Spread, TargetPoint
from reproducegym.schema.paper import (
    Caption,
    Cell,
    Document,
    Page,
    PageWords,
    Paragraph,
    Place,
    Sentence,
    Table,
    Word,
)

CELL = (100.0, 100.0, 150.0, 110.0)
LINE = (10.0, 200.0, 300.0, 210.0)
SENTENCE = "UCB1 reaches 47.3% on Ten-armed, down from 51-60."


def _word(text, x, y):
    return Word(text=text, bbox=(x, y, x + 5.0 * len(text), y + 10.0))


def _line(text, x, y):
    words = []
    for part in text.split():
        words.append(_word(part, x, y))
        x += 5.0 * len(part) + 3
    return words


def _paper(cell="47.3 ± 0.4", witness="47.3 ± 0.4", header="Accuracy (%)", caption="Table 1: Results."):
    table = Table(
        id="t1",
        label="1",
        page=1,
        bbox=(50.0, 80.0, 200.0, 120.0),
        continued=(),
        caption=Caption(text=caption, place=Place(page=1, bbox=(50.0, 60.0, 200.0, 70.0))),
        stub_headers=("Method",),
        cells=(
            Cell(
                page=1,
                row=1,
                column=1,
                row_span=1,
                column_span=1,
                kind="body",
                text=cell,
                bbox=CELL,
                row_path=("UCB1",),
                column_path=(header,),
                marks=(),
                unit=None,
                multiplier=None,
            ),
        ),
        notes=(),
    )
    place = Place(page=1, bbox=LINE)
    sentence = Sentence(id="s1", text=SENTENCE, start=0, end=len(SENTENCE), places=(place,))
    paragraph = Paragraph(id="p1", section=None, role="body", text=SENTENCE, places=(place,), sentences=(sentence,))
    document = Document(
        schema_version=1,
        paper_id="toy",
        title="Toy",
        language="en",
        coordinates="pdf_points",
        pages=(Page(number=1, width=600, height=800, content="text"),),
        sections=(),
        paragraphs=(paragraph,),
        tables=(table,),
        figures=(),
        equations=(),
        references=(),
        warnings=(),
    )
    words = (*_line(witness, 102.0, 100.0), *_line(SENTENCE, 12.0, 200.0))
    return ReadPaper(document=document, words=(PageWords(page=1, words=words),))


def _in_cell(quote="47.3 ± 0.4", header="Accuracy (%)"):
    return Provenance(
        kind="table_cell",
        page=1,
        bbox=CELL,
        quote=quote,
        table="1",
        row_path=("UCB1",),
        column_path=(header,),
    )


def _in_sentence(quote="47.3%"):
    return Provenance(kind="sentence", page=1, bbox=(80.0, 200.0, 110.0, 210.0), quote=quote)


def _point(*places, value="47.3", unit="%", spread="0.4"):
    return TargetPoint(
        value=Decimal(value),
        unit=unit,
        resolution=Decimal("0.1"),
        spread=None if spread is None else Spread(value=Decimal(spread), kind="sd", over="seeds", n=5),
        metric="Accuracy",
        condition="UCB1",
        dataset="Ten-armed",
        provenance=places,
    )


def test_a_number_that_stands_in_its_cell_and_among_the_words_is_grounded():
    point = _point(_in_cell())
    assert ground(_paper(), point) == point


def test_a_corroborating_sentence_keeps_its_place_and_a_missing_one_is_dropped():
    wrong = _in_sentence().model_copy(update={"page": 1, "bbox": (400.0, 400.0, 410.0, 410.0)})
    grounded = ground(_paper(), _point(_in_cell(), _in_sentence(), wrong))
    assert isinstance(grounded, TargetPoint)
    assert grounded.provenance == (_in_cell(), _in_sentence())


@pytest.mark.parametrize(
    ("paper", "point", "code"),
    [
        (_paper(witness="147.3 ± 0.4"), _point(_in_cell()), "no_grounded_target"),
        (_paper(witness="-47.3 ± 0.4"), _point(_in_cell()), "no_grounded_target"),
        (_paper(witness="47.32 ± 0.4"), _point(_in_cell("47.3"), spread=None), "no_grounded_target"),
        (_paper(cell="48.3 ± 0.4"), _point(_in_cell()), "no_grounded_target"),
        (_paper(), _point(_in_cell(header="Loss")), "no_grounded_target"),
        (_paper(), _point(_in_cell(), value="0.473"), "ambiguous_target"),
        (_paper(), _point(_in_cell(), value="-47.3"), "ambiguous_target"),
        (_paper(), _point(_in_cell(), spread="0.5"), "no_grounded_target"),
        (_paper(), _point(), "no_grounded_target"),
        (_paper(), _point(_in_sentence("99.9%"), spread=None), "no_grounded_target"),
        (
            _paper(header="Steps"),
            _point(_in_cell(header="Steps")).model_copy(update={"metric": "Steps"}),
            "unit_mismatch",
        ),
    ],
)
def test_what_is_not_there_is_refused_with_a_reason(paper, point, code):
    refused = ground(paper, point)
    assert isinstance(refused, Reason)
    assert refused.code == code
    assert refused.detail


@pytest.mark.parametrize("said", ["0.1", "50", "0.000001"])
def test_how_fine_a_number_is_says_the_page_not_the_proposal(said):
    found = ground(_paper(), _point(_in_cell()).model_copy(update={"resolution": Decimal(said)}))
    assert isinstance(found, TargetPoint)
    assert found.resolution == Decimal("0.1")


def test_a_less_precise_sentence_corroborates_but_another_value_makes_the_point_ambiguous():
    fine = _paper(cell="47.32", witness="47.32")
    point = _point(_in_cell("47.32"), _in_sentence(), value="47.32", spread=None)
    grounded = ground(fine, point.model_copy(update={"resolution": Decimal("0.01")}))
    assert isinstance(grounded, TargetPoint)
    assert len(grounded.provenance) == 2
    other = _paper(cell="49.0", witness="49.0")
    refused = ground(other, _point(_in_cell("49.0"), _in_sentence(), value="49.0", spread=None))
    assert isinstance(refused, Reason)
    assert refused.code == "ambiguous_target"


def test_powers_of_ten_that_the_page_prints_as_superscripts_are_found():
    words = _line("3.3 · 10 18", 0.0, 0.0)
    assert locate_words(words, "3.3 · 10^18") == [words]
    assert locate_words(words, "3.3") == [words[:1]]
    assert locate_words(_line("-3.3", 0.0, 0.0), "3.3") == []
    assert locate_words(_line("1.5-3.3", 0.0, 0.0), "3.3") != []
