"""Stories about sentences that put a table before the reader and judge it in one."""

import pytest
from written_paper import paper_with, shown, table

TABLE = table("Accuracy (%) on Leaves.", "Method, Leaves", "Dense, 70.1", "Sift (ours), 84.3")


@pytest.mark.parametrize(
    "sentence",
    [
        "We report the results in Table 1, where our method is significantly better nearly everywhere.",
        "The results are summarized in Table 1 and clearly speak for our method.",
        "Table 1 compares our method with others, which it significantly outperforms in most cases.",
    ],
)
def test_who_presents_a_table_presents_its_findings(sentence: str):
    (one,) = shown(paper_with(sentence, TABLE))
    assert one.anchors[0].quote == sentence


@pytest.mark.parametrize("verb", ["shows", "demonstrates", "proves"])
def test_who_only_praises_by_a_table_presents_nothing(verb: str):
    sentence = f"Table 1 {verb} that our method significantly outperforms nearly all others."
    assert shown(paper_with(sentence, TABLE)) == []
