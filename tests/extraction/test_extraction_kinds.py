"""Stories about the kinds of sentences that the rules bind, and the ones they leave alone."""

from decimal import Decimal

import pytest
from written_paper import STATED

from reproducegym.extraction.rules import RulesExtractor
from reproducegym.parsing.markdown.parser import MarkdownParser
from reproducegym.pipeline.grounding.places import ground
from reproducegym.ports import ReadPaper
from reproducegym.schema.claim import TargetPoint
from reproducegym.schema.paper import Source

PAPER = """# Zeta: Careful Sampling for Small Models

## Abstract

We propose Zeta, a sampler for small models. {abstract}

## 1 Introduction

Sampling matters for small models in many ways that we explain here.

## 2 Experimental Setup

Every model trains for 200 steps with learning rate 0.01 and batch size 32. We average over five seeds.

## 3 Results

{results}

{table}

## 4 Related Work

Smith et al. report that Zeta reaches 71.3% accuracy on Alpha in another setting (Smith et al., 2019).

## 5 Conclusion

{conclusion}
"""

TABLE = """Table 1: Test accuracy (%) and loss, mean ± standard deviation over 5 seeds.

| Method | Alpha accuracy (%) | Beta accuracy (%) | Beta loss ↓ |
| --- | --- | --- | --- |
| Random | 10.1 ± 0.2 | 9.8 ± 0.3 | 2.301 ± 0.002 |
| Greedy | 52.4 ± 0.9 | 41.7 ± 1.1 | 1.420 ± 0.011 |
| Gibbs | 64.0 ± 0.5 | 50.0 ± 0.6 | 1.100 ± 0.010 |
| Zeta | 71.3 ± 0.4 | 55.0 ± 0.5 | 0.990 ± 0.009 |
"""


def _read(results="", abstract="", conclusion="We thank the readers.", table=TABLE):
    text = PAPER.format(results=results, abstract=abstract, conclusion=conclusion, table=table)
    parsed = MarkdownParser().parse(Source(kind="markdown", origin="zeta.md", content=text.encode()), "zeta")
    return ReadPaper(document=parsed.document, words=parsed.words)


def _bound(paper):
    return [one for one in RulesExtractor().extract(paper) if one.points and one.importance >= STATED]


def _values(candidate):
    return {entry.role: str(entry.point.value) for entry in candidate.points}


@pytest.mark.parametrize(
    ("sentence", "pattern", "treatment", "baseline"),
    [
        ("Zeta reaches 71.3% accuracy on Alpha (Table 1).", "absolute", "71.3", None),
        ("Zeta outperforms Gibbs on Alpha by 7.3 percentage points (Table 1).", "difference", "71.3", "64.0"),
        (
            "Compared with Gibbs, Zeta reduces the Beta loss by 10%, as Table 1 shows.",
            "relative_change",
            "0.990",
            "1.100",
        ),
        ("On Beta, Zeta improves the accuracy over Gibbs by 10% in relative terms.", "relative_change", "55.0", "50.0"),
        ("On Beta, Zeta improves the accuracy over Gibbs by 5%.", "difference", "55.0", "50.0"),
        ("On Alpha, Zeta has 7.1× the accuracy of Random.", "ratio", "71.3", "10.1"),
        ("Replacing Gibbs by Zeta raises the Alpha accuracy from 64.0% to 71.3%.", "difference", "71.3", "64.0"),
        ("Zeta is better than Gibbs on Alpha (71.3% vs. 64.0%, Table 1).", "difference", "71.3", "64.0"),
        ("Zeta clearly outperforms Gibbs in Alpha accuracy (Table 1).", "difference", "71.3", "64.0"),
        ("Our sampler reaches 71.3% accuracy on Alpha, and outperforms all other methods.", "absolute", "71.3", None),
    ],
)
def test_a_sentence_is_bound_to_the_cells_it_speaks_of(sentence, pattern, treatment, baseline):
    bound = _bound(_read(results=sentence))
    assert [candidate.pattern for candidate in bound] == [pattern]
    values = _values(bound[0])
    assert values["treatment"] == treatment
    assert values.get("baseline") == baseline
    assert not bound[0].doubts


@pytest.mark.parametrize(
    "sentence",
    [
        "Zeta outperforms Gibbs by XX% on average across all data sets (Table 1).",
        "Zeta helps in many cases and is easier to understand than other samplers.",
        "Does Zeta reach 71.3% accuracy on Alpha in every run of the experiment?",
        "We train for 200 steps and use 32 samples in all of the experiments here.",
        "In most cases Zeta may outperform Gibbs on Alpha, as we would expect.",
        "Smith et al. report that Zeta reaches 71.3% accuracy on Alpha in their work [3].",
        "Zeta was close to 71.3% accuracy in some of the runs that we made.",
        "Gibbs is far better than Zeta on Alpha, contrary to the numbers in Table 1.",
    ],
)
def test_what_states_no_result_of_the_table_is_left_alone(sentence):
    assert _bound(_read(results=sentence)) == []


def test_numbers_of_related_work_never_become_claims():
    assert _bound(_read()) == []


def test_a_finding_without_a_quantity_is_kept_with_its_reason():
    found = RulesExtractor().extract(_read(results="Zeta helps in many cases and is easier to tune than others."))
    loose = [one for one in found if one.pattern == "unquantified"]
    assert loose
    assert all(one.doubts[0].code == "no_quantity" and not one.points for one in loose)


def test_a_sentence_that_contradicts_its_table_is_shown_as_such():
    bound = _bound(_read(results="On Alpha, Zeta achieves an accuracy of 70.3% in all our runs (Table 1)."))
    assert [reason.code for candidate in bound for reason in candidate.doubts] == ["inconsistent_with_table"]
    assert "70.3" in bound[0].doubts[0].detail


def test_points_and_relative_percent_are_told_apart_by_the_table():
    points, relative = (
        _bound(_read(results=f"On Beta, Zeta improves the accuracy over Gibbs by {percent}%."))[0]
        for percent in (5, 10)
    )
    assert (points.pattern, relative.pattern) == ("difference", "relative_change")


def test_one_claim_said_twice_is_one_candidate_with_two_anchors():
    paper = _read(
        abstract="Zeta outperforms Gibbs on Alpha by 7.3 percentage points.",
        results="On Alpha, Zeta outperforms Gibbs by 7.3 percentage points (71.3% vs. 64.0%, Table 1).",
    )
    (candidate,) = _bound(paper)
    assert len(candidate.anchors) == 2
    assert candidate.claim_type == "headline"
    treatment = next(entry.point for entry in candidate.points if entry.role == "treatment")
    assert {place.kind for place in treatment.provenance} == {"table_cell", "sentence"}


def test_every_proposed_point_is_grounded_and_the_chance_row_and_spread_are_read():
    paper = _read(results="Zeta reaches 71.3% accuracy on Alpha (Table 1).")
    (candidate,) = _bound(paper)
    for entry in candidate.points:
        assert isinstance(ground(paper, entry.point), TargetPoint), entry
    assert _values(candidate)["chance"] == "10.1"
    spread = candidate.points[0].point.spread
    assert spread is not None
    assert (spread.value, spread.kind, spread.over, spread.n) == (Decimal("0.4"), "sd", "seeds", 5)


def test_protocol_numbers_and_the_budget_are_found_in_the_set_up():
    (candidate,) = _bound(_read(results="Zeta reaches 71.3% accuracy on Alpha (Table 1)."))
    numbers = {number.name: str(number.value) for number in candidate.protocol.numbers}
    assert numbers == {"steps": "200", "learning_rate": "0.01", "batch_size": "32", "seeds": "5"}
    assert candidate.budget_knob == "steps"
    assert candidate.conditions[0].switches["method"] == "Zeta"


def test_the_agents_wording_holds_no_result():
    (candidate,) = _bound(_read(results="Zeta outperforms Gibbs on Alpha by 7.3 percentage points (Table 1)."))
    for text in (candidate.agent_statement, candidate.title):
        assert not any(value in text for value in ("71.3", "64.0", "7.3"))
    assert "71.3" in candidate.statement


def test_an_unknown_metric_leaves_a_doubt_about_direction():
    odd = (
        TABLE.replace("Test accuracy (%) and loss", "Quux")
        .replace("Beta loss ↓", "Beta quux")
        .replace("accuracy (%)", "quux")
    )
    (candidate,) = _bound(_read(results="Zeta reaches a quux of 71.3 on Alpha (Table 1).", table=odd)) or [None]
    assert candidate is not None
    assert candidate.metric.direction is None
    assert "direction_unknown" in {reason.code for reason in candidate.doubts}


def test_the_same_paper_gives_the_same_candidates():
    paper = _read(
        abstract="Zeta outperforms Gibbs on Alpha by 7.3 percentage points.",
        results="Zeta reaches 55.0% on Beta (Table 1).",
    )
    assert RulesExtractor().extract(paper) == RulesExtractor().extract(paper)


@pytest.mark.parametrize(
    ("sentence", "values"),
    [
        ("Zeta achieves the best accuracy on Alpha among all methods in Table 1.", [{"treatment": "71.3"}]),
        ("Gibbs achieves the best accuracy on Alpha among all methods in Table 1.", []),
        ("Zeta may achieve the best accuracy on Alpha in Table 1, as we believe.", []),
    ],
)
def test_a_superlative_is_bound_only_when_the_table_bears_it_out(sentence, values):
    chance = {"chance": "10.1"}
    assert [_values(one) for one in _bound(_read(results=sentence))] == [{**one, **chance} for one in values]


def test_it_means_the_subject_of_the_sentence_before_and_except_leaves_a_column_out():
    table = """Table 1: Accuracy (%) of three samplers.

| Data | Gibbs | Zeta | Omega |
| --- | --- | --- | --- |
| Alpha | 64.0 | 71.3 | 50.5 |
| Beta | 50.0 | 55.0 | 60.5 |
| Gamma | 60.0 | 62.5 | 40.5 |
"""
    (candidate,) = _bound(
        _read(
            results="Omega behaves erratically in Table 1. It outperforms Zeta on Beta by a wide margin.", table=table
        )
    )
    assert _values(candidate) == {"treatment": "60.5", "baseline": "55.0"}
    (general,) = _bound(
        _read(results="On all data sets except for Beta, Zeta outperforms Omega in Table 1.", table=table)
    )
    assert _values(general) == {"treatment": "71.3", "baseline": "50.5"}
