"""The paper decides: a model that contradicts it, or points at what is not there, is refused with the reason."""

import json

import pytest
from pond_paper import (
    ACCURACY,
    ALDER,
    BIRCH,
    GAIN,
    HONEST,
    SPEED,
    VALUE,
    accepted,
    cell,
    point,
    pond,
    printed,
    proposals,
    refined,
    replies,
    sentence,
)
from pydantic import ValidationError
from recorded_model import RecordedModel

from reproducegym.extraction.llm.replies import Found, Refined
from reproducegym.schema.claim import Rejected

PAPER = pond()
PAIR = [
    point("treatment", "Alder", cell(ALDER, ACCURACY, "91.2")),
    point("baseline", "Birch", cell(BIRCH, ACCURACY, "87.1")),
]
METRIC = {"name": "Accuracy", "unit": "%", "kind": "rate", "direction": "higher_is_better", "over_seeds": "mean"}


def reasons(paper=PAPER, statement=GAIN, **changed) -> list[str]:
    """Why the changed claim is refused, as code and detail."""
    proposed = proposals(paper, RecordedModel(replies(paper, **changed)))
    (one,) = [
        one
        for one in proposed
        if (one.candidate.points and one.candidate.statement == statement) or statement in one.candidate.statement
    ]
    return (
        [f"{reason.code}: {reason.detail}" for reason in one.outcome.reasons]
        if isinstance(one.outcome, Rejected)
        else []
    )


def test_what_a_careful_model_says_becomes_tasks():
    assert accepted(proposals(PAPER, RecordedModel(replies(PAPER)))) == HONEST


def test_a_number_that_the_cell_does_not_print_is_refused():
    wrong = [point("treatment", "Alder", cell(ALDER, ACCURACY, "99.9")), PAIR[1]]
    (found,) = reasons(gain=refined("difference", wrong))
    assert found.startswith("no_grounded_target: ")
    assert 'the model quotes "99.9", the cell prints "91.2 ± 0.2"' in found


def test_a_cell_that_the_table_does_not_have_is_refused():
    wrong = [point("treatment", "Cedar", cell(["Cedar"], ACCURACY, "91.2")), PAIR[1]]
    assert any(
        one.startswith("no_grounded_target: table 1: no cell") for one in reasons(gain=refined("difference", wrong))
    )


def test_a_table_that_the_paper_does_not_have_is_refused_with_those_it_has():
    wrong = [{**PAIR[0], "place": {**PAIR[0]["place"], "table": "7"}}, PAIR[1]]
    assert reasons(gain=refined("difference", wrong)) == ['no_grounded_target: there is no table "7"; the paper has: 1']


def test_a_number_is_no_value_of_a_condition_that_its_row_is_not_called():
    wrong = [point("treatment", "Birch", cell(ALDER, ACCURACY, "91.2")), PAIR[1]]
    assert any(
        one.startswith("condition_mismatch: the model takes") for one in reasons(gain=refined("difference", wrong))
    )


def test_a_direction_against_the_arrow_in_the_header_is_refused_and_not_turned():
    wrong = refined("difference", PAIR, metric={**METRIC, "direction": "lower_is_better"})
    (found,) = reasons(gain=wrong)
    assert found.startswith("direction_unknown: the model says lower is better, ")
    assert "higher is better" in found


def test_a_unit_that_the_paper_does_not_print_is_refused():
    (found,) = reasons(gain=refined("difference", PAIR, metric={**METRIC, "unit": "ms"}))
    assert found == 'unit_mismatch: the model gives "ms", the paper prints "%"'


def test_a_metric_that_is_not_the_columns_is_refused():
    (found,) = reasons(gain=refined("difference", PAIR, metric={**METRIC, "name": "perplexity", "unit": ""}))
    assert found.startswith('unit_mismatch: the model measures "perplexity"')


def test_a_metric_of_which_the_evidence_does_not_speak_is_refused():
    paper = pond(results="Alder has 12.5 rings where Birch has 9.5 rings. In every wood Alder has 12.5 rings.")
    rings = [point("treatment", "Alder", sentence(paper, "where Birch has", "12.5"))]
    metric = {**METRIC, "name": "beauty", "unit": "", "kind": "score"}
    found = reasons(paper, VALUE, value=refined("absolute", rings, statement=VALUE, metric=metric))
    assert 'unit_mismatch: nothing in the evidence is called "beauty"' in found


def test_a_formula_that_the_sentence_does_not_state_is_refused():
    assert reasons(gain=refined("ratio", PAIR)) == [
        "formula_unsupported: the sentence states a difference of these cells, the model a ratio"
    ]


def test_a_bound_that_no_sentence_states_is_refused():
    assert reasons(gain=refined("difference", [*PAIR, printed(PAPER)], relation="at_least")) == [
        'formula_unsupported: the model reads "at least", which no sentence of the claim says'
    ]


def test_a_median_that_nothing_speaks_of_is_refused():
    (found,) = reasons(gain=refined("difference", PAIR, metric={**METRIC, "over_seeds": "median"}))
    assert found.startswith("formula_unsupported: ")


def test_method_and_baseline_that_are_swapped_against_the_sentence_are_refused():
    swapped = [
        point("treatment", "Birch", cell(BIRCH, ACCURACY, "87.1")),
        point("baseline", "Alder", cell(ALDER, ACCURACY, "91.2")),
    ]
    (found,) = reasons(gain=refined("difference", swapped))
    assert found.endswith("method and baseline may be swapped")


def test_a_statement_with_a_number_that_nothing_prints_is_refused():
    said = GAIN + ", reaching 99.9%"
    assert reasons(statement=said, gain=refined("difference", PAIR, statement=said)) == [
        'no_grounded_target: the model\'s statement has "99.9%", which nothing prints'
    ]


def test_a_number_that_one_sentence_alone_prints_is_kept_for_people():
    paper = pond(introduction="Alder has an accuracy of 96.6% on Pond in winter.")
    alone = [point("treatment", "Alder", sentence(paper, "in winter", "96.6%"))]
    (found,) = reasons(paper, VALUE, value=refined("absolute", alone, statement=VALUE))
    assert found == 'no_grounded_target: only one sentence prints "96.6%", and no table or figure does'


def test_a_sentence_that_denies_its_number_states_no_claim():
    paper = pond(conclusion="It may well be that Alder never reaches 87.1% on Pond.")
    model = replies(paper)
    conclusion = next(one.id for one in paper.document.sections if one.title == "Conclusion")
    found = model["extract"][conclusion]["claims"][0]
    from pond_paper import sentence_id

    found["anchors"] = [sentence_id(paper, "never reaches")]
    value = [point("treatment", "Birch", cell(BIRCH, ACCURACY, "87.1"))]
    model["refine"][VALUE] = refined("absolute", value, statement="Birch has 87.1% accuracy on Pond")
    assert ("absolute", "87.1") not in accepted(proposals(paper, RecordedModel(model)))


def test_what_the_protocol_quotes_and_the_paper_does_not_say_is_dropped_and_told():
    invented = {
        "method": {"piece": "p1.1", "quote": "trained by the moon"},
        "dataset": None,
        "evaluation": None,
        "numbers": [{"name": "steps", "sentence": "p1.1", "quote": "9000 steps"}],
    }
    (one,) = [
        one
        for one in proposals(
            PAPER, RecordedModel(replies(PAPER, gain=refined("difference", PAIR, protocol=invented, budget="steps")))
        )
        if one.candidate.statement == GAIN
    ]
    assert "moon" not in one.candidate.model_dump_json()
    assert "9000" not in one.candidate.model_dump_json()


def test_an_effect_that_is_printed_otherwise_than_its_cells_have_it_is_a_finding_about_the_paper():
    paper = pond(results="In all, Alder gains 7.7 percentage points of accuracy on Pond over Birch.")
    both = [*PAIR, point("printed", "Alder", sentence(paper, "In all", "7.7 percentage points"))]
    model = replies(paper, gain=refined("difference", both))
    found = [one for one in proposals(paper, RecordedModel(model)) if one.candidate.statement == GAIN]
    assert any("inconsistent_with_table" in {reason.code for reason in one.outcome.reasons} for one in found)


@pytest.mark.parametrize(("field", "word"), [("pattern", "improvement"), ("claim_type", "main"), ("relation", "about")])
def test_an_unknown_word_does_not_fit_and_is_no_default(field: str, word: str):
    with pytest.raises(ValidationError):
        Refined.from_json(json.dumps({**refined("difference", PAIR), field: word}))


def test_a_direction_in_other_words_does_not_fit():
    said = replies(PAPER)["extract"]
    text = json.dumps(next(iter(said.values()))).replace("not_said", "minimize")
    with pytest.raises(ValidationError):
        Found.from_json(text)


def test_a_claim_without_a_sentence_of_the_section_is_no_claim():
    model = replies(PAPER)
    for section in model["extract"].values():
        for one in section["claims"]:
            one["anchors"] = ["p99.9"]
    assert proposals(PAPER, RecordedModel(model)) == []


def test_claims_are_joined_only_where_they_share_a_number():
    model = replies(PAPER)
    model["merge"] = [*model["merge"], [SPEED, VALUE], [VALUE, SPEED, GAIN]]
    assert accepted(proposals(PAPER, RecordedModel(model))) == HONEST


def test_spellings_that_mean_the_same_place_are_understood():
    """Brackets around an id, a row by the name that prose gives it, the table's whole name, another dash."""
    model = replies(PAPER)
    for section in model["extract"].values():
        for one in section["claims"]:
            one["anchors"] = [f"[{anchor}]" for anchor in one["anchors"]]
            for place in one["rests_on"]:
                place["table"] = "Table 1"
    assert accepted(proposals(PAPER, RecordedModel(model))) == HONEST
