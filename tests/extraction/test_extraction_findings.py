"""Stories about what a table shows and a sentence only presents: which cells are compared, and at which sentence."""

from written_paper import STATED, paper_with, shown, sure, table, values

from reproducegym.extraction.rules import RulesExtractor

PRESENTED = "Table 1 reports the accuracy of every method."
CAPTION = "Accuracy (%) of networks on two data sets."
ROWS = ("Method, Leaves, Stones", "Dense, 70.1, 60.0", "Magnitude, 71.9, 66.2", "Sift (ours), 84.3, 65.1")


def _pairs(paper):
    return [(one.pattern, *(point.point.condition for point in one.points)) for one in shown(paper)]


def test_the_authors_row_is_compared_with_the_best_other_of_each_column():
    found = shown(paper_with(PRESENTED, table(CAPTION, *ROWS)))
    (leaves,) = [one for one in found if one.protocol.dataset == "Leaves"]
    assert leaves.pattern == "comparison"
    assert values(leaves) == {"treatment": "84.3", "baseline": "71.9"}
    assert leaves.anchors[0].quote == PRESENTED


def test_where_another_row_is_ahead_the_difference_says_so_and_the_own_value_stands_alone():
    found = shown(paper_with(PRESENTED, table(CAPTION, *ROWS)))
    stones = [one for one in found if one.protocol.dataset == "Stones"]
    assert [(one.pattern, values(one)) for one in stones] == [
        ("difference", {"treatment": "66.2", "baseline": "65.1"}),
        ("absolute", {"treatment": "65.1"}),
    ]


def test_what_a_sentence_states_itself_is_not_shown_again():
    paper = paper_with("On Leaves, Sift reaches an accuracy of 84.3%. " + PRESENTED, table(CAPTION, *ROWS))
    (stated,) = sure(paper)
    assert (stated.pattern, values(stated)["treatment"]) == ("absolute", "84.3")
    (rest,) = [one for one in shown(paper) if one.protocol.dataset == "Leaves"]
    assert rest.pattern == "difference"


def test_claims_that_sentences_state_stand_before_what_tables_show():
    paper = paper_with("On Stones, Dense reaches an accuracy of 60.0%. " + PRESENTED, table(CAPTION, *ROWS))
    weights = [one.importance >= STATED for one in RulesExtractor().extract(paper) if one.points]
    assert weights == sorted(weights, reverse=True)
    assert weights[0]


def test_nothing_is_shown_where_no_sentence_presents_the_table():
    assert shown(paper_with("We like pruning.", table(CAPTION, *ROWS))) == []


def test_praise_without_a_number_presents_nothing():
    for praise in ("As Table 1 shows, our method significantly outperforms nearly all others.",
                   "The results in Table 1 are almost identical results in most cases."):  # fmt: skip
        assert shown(paper_with(praise, table(CAPTION, *ROWS))) == []


def test_each_part_that_is_taken_away_is_set_against_the_whole():
    rows = ("Variant, Leaves", "Sift (ours), 84.3", "w/o masks, 80.2", "w/o warm-up, 82.0")
    found = _pairs(paper_with("Table 1 reports what each part adds.", table("Ablation: accuracy (%).", *rows)))
    assert sorted(found) == [("difference", "w/o masks", "Sift"), ("difference", "w/o warm-up", "Sift")]


def test_each_step_of_a_ladder_is_set_against_the_one_before_and_the_last_against_the_first():
    rows = ("Method, Accuracy", "Dense, 60.0", "+ masks, 64.1", "+ warm-up, 69.9", "+ rewinding (Sift), 84.3")
    found = _pairs(paper_with("Table 1 reports what each step adds.", table("Accuracy (%) on Leaves.", *rows)))
    assert ("difference", "+ warm-up", "+ masks") in found
    assert ("difference", "+ rewinding (Sift)", "Dense") in found


def test_without_a_row_of_their_own_the_paper_is_read_by_its_baseline():
    rows = ("Method, Leaves", "Dense baseline, 60.0", "Magnitude, 71.9", "Snip, 74.0")
    found = _pairs(paper_with(PRESENTED, table("Accuracy (%).", *rows)))
    assert ("comparison", "Snip", "Dense baseline") in found


def test_means_over_all_data_sets_come_first():
    rows = ("Method, Leaves, Stones, Avg.", "Dense, 70.1, 60.0, 65.1", "Sift (ours), 84.3, 75.1, 79.7")
    found = shown(paper_with(PRESENTED, table("Accuracy (%).", *rows)))
    assert values(found[0]) == {"treatment": "79.7", "baseline": "65.1"}


def test_a_sentence_that_the_table_contradicts_presents_nothing():
    paper = paper_with("As Table 1 shows, Dense has a higher accuracy than Sift on Leaves.", table(CAPTION, *ROWS))
    assert shown(paper) == []


def test_columns_that_are_steps_of_a_scale_are_compared_with_the_first():
    rows = ("Method, 0%, 10%, 20%", "Dense, 60.0, 64.0, 66.0", "Magnitude, 61.0, 70.0, 75.0")
    paper = paper_with(
        "Table 1 reports the accuracy with more labels, for instance 20%.", table("Accuracy (%).", *rows)
    )
    assert ("comparison", "Magnitude / 20%", "Magnitude / 0%") in _pairs(paper)
