"""The agent's copy of a paper: what is hidden is gone, what is set-up stays."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_paper import PLACE, PNG, document, figure, paragraph, read_paper, spec, table

from reproducegym.pipeline.exposure.leak import scan
from reproducegym.pipeline.exposure.masking import MASK, mask, whole
from reproducegym.pipeline.printed.numbers import read_numbers
from reproducegym.schema.claim import ProtocolNumber, Provenance
from reproducegym.schema.paper import Section
from reproducegym.schema.spec import ClaimSpec, Target, Tolerance


def masked(text: str) -> str:
    """How one paragraph of the paper reads to the agent."""
    paper = read_paper(paragraphs=(paragraph("p0", text),), sections=document().sections)
    return mask(paper, spec()).paper_md.split("\n\n")[2]


def test_every_place_of_a_target_and_the_same_value_in_another_table_are_masked() -> None:
    paper_md = mask(read_paper(), spec()).paper_md
    assert "97.3" not in paper_md
    assert "152.4" not in paper_md
    assert "| UCB1 | ⟦masked⟧ | 1.8 |" in paper_md
    assert "| UCB1 | ⟦masked⟧ | 201.5 | ⟦masked⟧ |" in paper_md, "the average of a hidden row gives it away"
    assert "| Thompson | 108.7 | 210.1 | 159.4 |" in paper_md, "other rows stay"


def test_set_up_numbers_stay() -> None:
    text = "All runs last 1000 steps and use 20 seeds."
    assert masked(text) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UCB1 ends at 97.3.", f"UCB1 ends at {MASK}."),
        ("UCB1 ends at 97.30 ± 2.10.", f"UCB1 ends at {MASK}."),
        ("UCB1 ends near 97.", f"UCB1 ends near {MASK}."),
        ("UCB1 ends near ninety-seven.", f"UCB1 ends near {MASK}."),
        ("Fifty-five points of regret: UCB1, twenty seeds.", f"{MASK} points of regret: UCB1, twenty seeds."),
        ("Ninety-seven rooms have seats.", "Ninety-seven rooms have seats."),
        ("The regret falls by 55.1 points.", f"The regret falls by {MASK} points."),
        ("Greedy has 1.4 times the regret of Thompson.", f"Greedy has {MASK} times the regret of Thompson."),
        ("The regret starts at 1.4 here.", "The regret starts at 1.4 here."),
        ("The room has 97 seats.", "The room has 97 seats."),
        ("A gap of 11.4 to Thompson remains.", f"A gap of {MASK} to Thompson remains."),
        ("UCB1 gains 42.2 over a level of 55.1.", f"UCB1 gains {MASK} over a level of {MASK}."),
        ("Greedy explores with p = 97 here.", "Greedy explores with p = 97 here."),
        ("See Figure 97 and [97] for regret.", "See Figure 97 and [97] for regret."),
        ("We also saw 97.3 somewhere.", f"We also saw {MASK} somewhere."),
    ],
)
def test_prose(text: str, expected: str) -> None:
    assert masked(text) == expected


def test_a_figure_of_the_quantity_becomes_an_empty_box_and_another_one_stays() -> None:
    copy = mask(read_paper(), spec())
    assert sorted(copy.figures) == ["f1.svg", "f2.png"]
    box = copy.figures["f1.svg"].decode()
    assert "UCB1" in box
    assert "200" not in box.split(), "no tick label of the hidden curve"
    assert copy.figures["f2.png"] == PNG


@pytest.mark.parametrize(
    ("caption", "words", "kept"),
    [
        ("Results on all tasks.", ["Ours", "0", "10", "20", "30"], False),  # a chart: what it plots is not known
        ("Examples.", [], False),  # a picture without a text layer: it may be a chart
        ("Overview of the method.", [], True),
        ("Architecture with 4 blocks.", ["in", "64", "128", "256", "512", "out"], True),
        ("Screens of the game.", ["play", "2"], True),
    ],
)
def test_a_chart_of_anything_is_hidden_and_a_drawing_stays(caption: str, words: list[str], kept: bool) -> None:
    copy = mask(read_paper(figures=(figure("f2", "2", f"Figure 2: {caption}", words),)), spec())
    assert sorted(copy.figures) == (["f2.png"] if kept else ["f2.svg"])


def test_a_difference_column_and_a_total_row_are_masked() -> None:
    rows = {"greedy": ["152.4", "51.2"], "UCB1": ["97.3", "40.0"], "Total": ["249.7", "91.2"], "Gain": ["55.1", "11.2"]}
    paper = read_paper(tables=(table("t1", "1", ["Regret", "Cost"], rows, "Table 1: Regret.", 200.0),))
    paper_md = mask(paper, spec()).paper_md
    assert "| Total | ⟦masked⟧ | 91.2 |" in paper_md
    assert "| Gain | ⟦masked⟧ | 11.2 |" in paper_md


def test_an_unnamed_average_is_found_by_arithmetic() -> None:
    rows = {"UCB1": ["97.3", "40.0", "68.7"], "Thompson": ["12.0", "11.0", "99.9"]}
    paper = read_paper(tables=(table("t1", "1", ["Regret", "Cost", "All"], rows, "Table 1: Regret.", 200.0),))
    paper_md = mask(paper, spec()).paper_md
    assert "| UCB1 | ⟦masked⟧ | 40.0 | ⟦masked⟧ |" in paper_md


def test_the_full_policy_shows_the_paper_as_it_is() -> None:
    copy = whole(read_paper())
    assert "97.3 ± 2.1" in copy.paper_md
    assert sorted(copy.figures) == ["f1.png", "f2.png"]


def test_a_percent_is_hidden_as_a_fraction_too() -> None:
    target = Target(
        metric="regret_difference",
        value=Decimal("43.3"),
        unit="%",
        no_effect=None,
        spread=None,
        provenance=(),
        derivation=None,
        tolerance=Tolerance(abs=Decimal("2"), rule="policy", inputs={}),
    )
    paper = read_paper(paragraphs=(paragraph("p0", "We measure 0.433, .433 and 43.3% there."),))
    assert f"We measure {MASK}, {MASK} and {MASK} there." in mask(paper, spec(targets=(target,))).paper_md


PIECES = (
    "UCB1|regret|97.3|97|152.4|55.1|1000 steps|20 seeds|is|.|Table 1|0.5|of|The|97.30%|(97.3)|x97.3y|9.73e1|-55.1|55"
)


@given(st.lists(st.sampled_from([*PIECES.split("|"), "|"]), max_size=14))
def test_what_masking_leaves_the_scan_does_not_refuse(words: list[str]) -> None:
    claim = spec()
    paper = read_paper(paragraphs=(paragraph("p0", " ".join(words) or "nothing"),))
    copy = mask(paper, claim).paper_md
    findings = [one for one in scan({"paper.md": copy.encode()}, claim) if one.blocking]
    assert not findings


@given(st.decimals(min_value=2, max_value=999, places=1))
def test_a_hidden_value_never_stands_in_its_own_row(value: Decimal) -> None:
    target = spec().targets[0].model_copy(update={"value": value, "derivation": None, "provenance": ()})
    rows = {"UCB1": [str(value), f"{value + 1}"], "other": [f"{value - 1}", "3"]}
    paper = read_paper(
        tables=(table("t1", "1", ["Regret", "Note"], rows, "Table 1", 200.0),), paragraphs=(), figures=()
    )
    row = next(line for line in mask(paper, spec(targets=(target,))).paper_md.splitlines() if line.startswith("| UCB1"))
    assert all(number.value != value for number in read_numbers(row.replace("UCB1", "")))


def test_a_name_with_digits_is_known_in_its_other_spellings() -> None:
    condition = spec().conditions[0].model_copy(update={"source_label": "AIME24avg@32"})
    paper = read_paper(paragraphs=(paragraph("p0", "We achieve 97 points on AIME 2024."),))
    assert f"We achieve {MASK} points on AIME 2024." in mask(paper, spec(conditions=(condition,))).paper_md


def test_a_set_up_number_does_not_shield_a_result_of_the_same_sentence() -> None:
    quote = "UCB1 reaches 97 points with 97 steps."
    steps = ProtocolNumber(name="steps", value=Decimal(97), unit="steps", quote=quote, page=1)
    protocol = spec().protocol.model_copy(update={"numbers": (steps,)})
    paper = read_paper(paragraphs=(paragraph("p0", quote),))
    assert f"UCB1 reaches {MASK} points with 97 steps." in mask(paper, spec(protocol=protocol)).paper_md


def test_a_drawing_and_a_section_number_stay() -> None:
    raster = figure("f1", "1", "Figure 1: Architecture of UCB1.", []).model_copy(update={"panels": ()})
    section = Section(id="s1", number="9.7", title="Results", level=1, parent=None, place=PLACE)
    copy = mask(read_paper(figures=(raster,), sections=(section,)), spec())
    assert sorted(copy.figures) == ["f1.png"]
    assert "## 9.7 Results" in copy.paper_md
    assert not [one for one in scan({"paper.md": copy.paper_md.encode()}, spec()) if one.context.startswith("#")]


def rate_claim(value: str = "88.6", unit: str = "%", top: float = 100.0) -> ClaimSpec:
    """UCB1 reaches an accuracy, and nothing else is known of it."""
    base = spec()
    target = base.targets[0].model_copy(
        update={"metric": "accuracy", "value": Decimal(value), "unit": unit, "derivation": None, "provenance": ()}
    )
    metric = base.metrics[0].model_copy(update={"name": "accuracy", "unit": unit, "range": (0.0, top)})
    column = base.required_outputs.columns[0].model_copy(update={"name": "accuracy", "unit": unit, "range": (0.0, top)})
    outputs = base.required_outputs.model_copy(update={"columns": (column,)})
    target = target.model_copy(update={"no_effect": None})
    return base.model_copy(
        update={"targets": (target,), "metrics": (metric,), "required_outputs": outputs, "probe_plans": ()}
    )


@pytest.mark.parametrize(
    ("value", "unit", "top", "row", "left"),
    [
        ("88.6", "%", 100.0, ["88.6", "11.4", "3.5"], [MASK, MASK, "3.5"]),
        ("0.886", "", 1.0, ["0.886", "0.114", "0.35"], [MASK, MASK, "0.35"]),
        ("99.0", "%", 100.0, ["99.0", "1.0", "3.5"], [MASK, MASK, "3.5"]),
        ("62", "%", 100.0, ["62", "27", "11"], [MASK, MASK, MASK]),
        ("62", "%", 100.0, ["3.5", "62", "38"], ["3.5", MASK, MASK]),
    ],
)
def test_what_a_rate_lacks_to_the_whole_gives_it_away(
    value: str, unit: str, top: float, row: list[str], left: list[str]
) -> None:
    rows = {"UCB1": row, "Thompson": ["70.1", "29.9", "0.5"]}
    paper = read_paper(
        tables=(table("t1", "1", ["Accuracy", "B", "C"], rows, "Table 1: Rates.", 200.0),), paragraphs=(), figures=()
    )
    claim = rate_claim(value, unit, top)
    paper_md = mask(paper, claim).paper_md
    assert f"| UCB1 | {' | '.join(left)} |" in paper_md
    assert "| Thompson | 70.1 | 29.9 | 0.5 |" in paper_md
    assert not [one for one in scan({"paper.md": paper_md.encode()}, claim) if one.blocking]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("UCB1 has an error of 11.4%.", f"UCB1 has an error of {MASK}."),
        ("The learning rate decays by 11.4 percent.", "The learning rate decays by 11.4 percent."),
        ("UCB1 is simple. It reaches 89 at the end.", f"UCB1 is simple. It reaches {MASK} at the end."),
        ("UCB1 is simple. The room has 89 seats.", "UCB1 is simple. The room has 89 seats."),
        ("UCB1 has 88.7 here.", "UCB1 has 88.7 here."),
    ],
)
def test_prose_about_a_rate(text: str, expected: str) -> None:
    paper = read_paper(paragraphs=(paragraph("p0", text),))
    assert mask(paper, rate_claim()).paper_md.split("\n\n")[2] == expected


def test_a_metric_of_two_capitals_is_known_by_them() -> None:
    place = Provenance(
        kind="table_cell", page=1, bbox=PLACE.bbox, quote="67", table="9", row_path=("Dino",), column_path=("AP",)
    )
    claim = rate_claim("67")
    target = claim.targets[0].model_copy(update={"provenance": (place,)})
    paper = read_paper(paragraphs=(paragraph("p0", "Our detector gets an AP of 67. We see AP = 67. We set k = 67."),))
    copy = mask(paper, claim.model_copy(update={"targets": (target,)})).paper_md
    assert f"gets an AP of {MASK}. We see AP = {MASK}. We set k = 67." in copy
