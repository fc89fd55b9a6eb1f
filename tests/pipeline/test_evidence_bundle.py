"""Claim-scoped evidence: what the claim needs, nothing of another panel, never more than its bound."""

from decimal import Decimal

import evidence_paper
from evidence_paper import about_cells, about_panel, saying
from hypothesis import given
from hypothesis import strategies as st
from made_paper import CLAIM

from reproducegym.pipeline.evidence.bundle import bundle
from reproducegym.pipeline.evidence.index import build_index
from reproducegym.schema.claim import Candidate
from reproducegym.schema.evidence import ClaimEvidence

PAPER = evidence_paper.paper(points=100, arms=40, filler=12)
INDEX = build_index(PAPER)
ROOMY = 100_000


def bundled(candidate: Candidate, characters: int = ROOMY) -> ClaimEvidence:
    return bundle(INDEX, PAPER, candidate, characters=characters)


def test_a_claim_on_cells_gets_its_sentence_its_rows_and_column_and_the_set_up() -> None:
    evidence = bundled(about_cells("Policy 3", "Policy 5"))
    why = {sentence.id: sentence.why for sentence in evidence.sentences}
    assert why["p3.1"] == "anchor"
    assert why["p4.1"] == "refers"
    assert why["p2.1"] == "protocol"
    (table,) = evidence.tables
    assert [cell.row_path for cell in table.cells if cell.own] == [("Policy 3",), ("Policy 5",)]
    columns = {cell.column_path for cell in table.cells if cell.row_path == ("Policy 3",)}
    assert columns == {("Regret",), ("Time",), ("Arms",)}
    assert {cell.column_path for cell in table.cells if cell.row_path == ("Policy 9",)} == {("Regret",)}
    assert table.left_out == 2 * 38
    assert evidence.panels == ()


def test_a_claim_on_one_panel_gets_no_series_of_another() -> None:
    for label, other in (("a", "greedy"), ("b", "UCB1")):
        evidence = bundled(about_panel(label))
        (panel,) = evidence.panels
        assert panel.label == label
        assert [series.name for chart in panel.charts for series in chart.series] == [evidence_paper.NAMES[label][1]]
        assert other not in "".join(panel.model_dump_json() for panel in evidence.panels)


def test_a_panel_without_a_printed_label_is_named_by_its_number() -> None:
    (panel,) = bundled(about_panel("2")).panels
    assert panel.number == 1


def test_a_sentence_that_names_a_panel_brings_that_panel_alone() -> None:
    (panel,) = bundled(saying("The entropy of greedy falls, see Figure 1 (b).")).panels
    assert panel.label == "b"


def test_where_only_the_figure_is_named_the_panel_with_the_claims_words_is_meant() -> None:
    (panel,) = bundled(about_panel(None)).panels
    assert panel.label == "a"


def test_a_long_series_keeps_its_ends_and_says_what_is_left_out() -> None:
    (panel,) = bundled(about_panel("a")).panels
    (series,) = panel.charts[0].series
    assert (series.points[0].x, series.points[-1].x) == (0.0, 99.0)
    assert len(series.points) + series.left_out == 100
    assert len(series.points) < 30


def test_a_quote_that_is_part_of_a_sentence_finds_it() -> None:
    evidence = bundled(saying("from 152.4 to 97.3"))
    assert [sentence.text for sentence in evidence.sentences if sentence.why == "anchor"] == [CLAIM]


def test_what_does_not_fit_is_counted() -> None:
    whole, tight = bundled(about_cells("Policy 3")), bundled(about_cells("Policy 3"), 300)
    assert whole.left_out == 0
    assert tight.left_out > 0
    assert "anchor" in {sentence.why for sentence in tight.sentences}


def texts(evidence: ClaimEvidence) -> int:
    """The length of all texts of the paper in a bundle, counted from outside."""
    total = sum(len(sentence.text) for sentence in evidence.sentences)
    for table in evidence.tables:
        total += len(table.caption or "") + sum(map(len, (*table.notes, *table.stub_headers)))
        total += sum(len(part) for cell in table.cells for part in (cell.text, *cell.row_path, *cell.column_path))
    return total + sum(len(panel.model_dump_json()) for panel in evidence.panels)


CLAIMS = st.one_of(
    st.lists(st.sampled_from([f"Policy {number}" for number in range(40)]), min_size=1, max_size=6, unique=True).map(
        lambda policies: about_cells(*policies)
    ),
    st.sampled_from(["a", "b", "1", "2", "z", None]).map(about_panel),
    st.sampled_from([one.text for one in INDEX.sentences]).map(saying),
)


@given(claim=CLAIMS, characters=st.integers(0, 6000))
def test_a_bundle_keeps_to_its_bound_and_to_its_panel(claim: Candidate, characters: int) -> None:
    evidence = bundled(claim, characters)
    assert texts(evidence) == evidence.characters <= characters
    for panel in evidence.panels:
        assert panel.label is not None
        names = {series.name for chart in panel.charts for series in chart.series}
        assert names <= {evidence_paper.NAMES[panel.label][1]}
    named = {point.point.provenance[0].panel for point in claim.points} & {"a", "b"}
    assert not named or {panel.label for panel in evidence.panels} <= named
    assert evidence == bundled(claim, characters)


def test_numbers_of_a_claim_are_no_part_of_its_evidence_unless_the_paper_prints_them() -> None:
    claim = about_cells("Policy 3")
    lying = claim.points[0].point.model_copy(update={"value": Decimal("31337")})
    points = (claim.points[0].model_copy(update={"point": lying}),)
    assert "31337" not in bundled(claim.model_copy(update={"points": points})).model_dump_json()
