"""Forms of claims: changes from A to B, passives, ratios, short sentences, several claims in one sentence."""

import pytest
from written_paper import bound, codes, paper_with, sure, table, values

from reproducegym.pipeline.grounding.places import ground
from reproducegym.pipeline.hashing import claim_uid
from reproducegym.schema.claim import TargetPoint

ACCURACY = table("Accuracy (%) on Leaves.", "Method, Accuracy", "Dense, 90.4", "Magnitude, 71.9", "Sift, 84.3")
LATENCY = table("Results on Leaves.", "Method, Error (%), Latency (ms)", "Dense, 9.6, 40.0", "Sift, 19.2, 8.0")


@pytest.mark.parametrize(
    "sentence",
    [
        "With Sift instead of Magnitude, the accuracy on Leaves rises from 71.9% to 84.3%.",
        "Sift improves the accuracy on Leaves from 71.9% to 84.3%.",
        "The accuracy on Leaves climbs from 71.9% for Magnitude to 84.3% for Sift.",
        "Replacing Magnitude by Sift lifts the accuracy on Leaves from 71.9% to 84.3%.",
    ],
)
def test_from_a_to_b_is_a_difference_with_a_as_the_baseline(sentence):
    (claim,) = sure(paper_with(sentence, ACCURACY))
    assert claim.pattern == "difference"
    assert values(claim) == {"treatment": "84.3", "baseline": "71.9"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Sift improves the accuracy on Leaves from 55.0% to 84.3%.",
        "Over training, the accuracy of Sift on Leaves rises from 10.0% to 84.3%.",
    ],
)
def test_the_end_of_a_change_is_no_result_by_itself(sentence):
    assert sure(paper_with(sentence, ACCURACY)) == []


def test_a_value_that_came_up_from_another_has_that_as_its_baseline():
    (claim,) = sure(paper_with("Sift has 84.3% accuracy on Leaves, up from 71.9% for Magnitude.", ACCURACY))
    assert claim.pattern == "absolute"
    assert values(claim) == {"treatment": "84.3", "baseline": "71.9"}


def test_a_change_the_wrong_way_contradicts_the_table():
    paper = paper_with("Sift lowers the accuracy on Leaves from 71.9% to 84.3%.", ACCURACY)
    assert sure(paper) == []
    assert codes(paper) == ["inconsistent_with_table"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Magnitude is outperformed by Sift by 12.4 points of accuracy on Leaves.",
        "On Leaves, Magnitude is clearly beaten by Sift, by 12.4 points of accuracy.",
        "The accuracy on Leaves rises by 12.4 points when Magnitude is replaced by Sift.",
    ],
)
def test_a_passive_turns_the_roles(sentence):
    (claim,) = sure(paper_with(sentence, ACCURACY))
    assert values(claim) == {"treatment": "84.3", "baseline": "71.9", "printed": "12.4"}


def test_a_ratio_must_hold_its_sense():
    assert sure(paper_with("On Leaves, Sift is 2.0× better than Dense in terms of error.", LATENCY)) == []
    (claim,) = sure(paper_with("On Leaves, Sift has 2.0× the error of Dense.", LATENCY))
    assert values(claim)["treatment"] == "19.2"


def test_faster_by_a_factor_is_the_ratio_of_the_slower_to_the_faster():
    (claim,) = sure(paper_with("On Leaves, Sift is 5.0× faster than Dense in latency.", LATENCY))
    assert claim.pattern == "ratio"
    assert (values(claim)["treatment"], values(claim)["baseline"]) == ("40.0", "8.0")


def test_short_sentences_and_rows_called_ours_are_read():
    shown = table("Accuracy (%) on Leaves.", "Method, Accuracy", "Dense, 90.4", "Ours, 84.3")
    (claim,) = sure(paper_with("Dense gets 90.4% accuracy.", shown))
    assert values(claim)["treatment"] == "90.4"
    (claim,) = sure(paper_with("Our method reaches an accuracy of 84.3% on Leaves.", shown))
    assert claim.conditions[0].source_label == "Ours"


def test_two_claims_of_one_sentence_share_its_whole_and_keep_their_own_identity():
    sentence = "On Leaves, Sift has an accuracy of 84.3%, and Magnitude has an accuracy of 71.9%."
    paper = paper_with(sentence, ACCURACY)
    claims = sure(paper)
    assert len(claims) == 2
    assert all(claim.anchors[0].quote == sentence for claim in claims)
    assert len({claim_uid("pruning", claim) for claim in claims}) == 2


def test_a_number_that_only_serves_as_foil_is_no_claim():
    (claim,) = sure(paper_with("While Magnitude stays at 71.9%, the accuracy of Sift on Leaves is 84.3%.", ACCURACY))
    assert values(claim)["treatment"] == "84.3"


def test_every_point_is_found_again_at_its_place():
    text = "Sift gets 84.27% accuracy on Leaves. Magnitude is beaten by Sift by 12.4 points of accuracy."
    paper = paper_with(text, ACCURACY)
    points = [entry.point for claim in bound(paper) for entry in claim.points]
    assert points
    assert all(isinstance(ground(paper, point), TargetPoint) for point in points)
