"""Rows that only a mark tells apart are two conditions, and a sentence means the one whose mark it prints."""

import pytest
from written_paper import bound, paper_with, table

STARRED = table(
    "Accuracy (%) on Leaves. * with longer context.",
    "Method, Accuracy",
    "Sift, 84.3",
    "Sift*, 88.1",
    "Magnitude, 71.9",
)


@pytest.mark.parametrize(
    ("sentence", "value", "name"),
    [
        ("Sift reaches an accuracy of 84.3% on Leaves.", "84.3", "Sift"),
        ("Sift* reaches an accuracy of 88.1% on Leaves.", "88.1", "Sift*"),
    ],
)
def test_a_sentence_means_the_row_with_its_own_mark(sentence: str, value: str, name: str):
    (claim,) = bound(paper_with(sentence, STARRED))
    (point,) = [one.point for one in claim.points if one.role == "treatment"]
    assert (str(point.value), point.condition) == (value, name)


def test_two_rows_of_one_claim_have_two_names_and_other_switches():
    (claim,) = bound(paper_with("Sift* beats Sift by 3.8 points on Leaves.", STARRED))
    names = {idea.role: (idea.source_label, tuple(idea.switches.values())) for idea in claim.conditions}
    assert names["treatment"][0] == "Sift*"
    assert names["baseline"][0] == "Sift"
    assert names["treatment"][1] != names["baseline"][1]


def test_a_mark_without_a_twin_stays_off_the_name():
    lone = table("Accuracy (%) on Leaves.", "Method, Accuracy", "Sift*, 84.3", "Magnitude, 71.9")
    (claim,) = bound(paper_with("Sift reaches an accuracy of 84.3% on Leaves.", lone))
    assert claim.points[0].point.condition == "Sift"
