"""Which metric, unit, direction and data set a cell has: headers first, captions where they speak for one metric."""

import pytest
from written_paper import bound, codes, paper_with, sure, table, values


def _one(paper):
    (claim,) = sure(paper)
    return claim


def test_a_standard_error_in_the_caption_is_no_metric():
    shown = table(
        "Average reward on Gates, ± standard error over 8 seeds.", "Agent, Gates", "A2C, 41.2 ± 1.1", "Sift, 63.0 ± 0.9"
    )
    claim = _one(paper_with("On Gates, Sift collects an average reward of 63.0 (Table 1).", shown))
    assert (claim.metric.name, claim.metric.direction) == ("reward", "higher_is_better")
    spread = claim.points[0].point.spread
    assert (spread.kind, spread.over, spread.n) == ("sem", "seeds", 8)


def test_a_header_that_no_vocabulary_knows_is_a_metric_of_its_own_beside_known_ones():
    shown = table("Accuracy (%) on Leaves.", "Method, Accuracy, Wobble", "Dense, 90.4, 7.7", "Sift, 84.3, 3.1")
    (claim,) = bound(paper_with("On Leaves, Sift has a wobble of 3.1 in all runs.", shown))
    assert (claim.metric.name, claim.metric.unit, claim.metric.direction) == ("Wobble", "", None)
    assert claim.points[0].point.dataset == "Leaves"
    assert [reason.code for reason in claim.doubts] == ["direction_unknown"]


def test_an_arrow_gives_an_unknown_metric_its_direction():
    shown = table("Results on Leaves.", "Method, Accuracy (%), Wobble ↓", "Dense, 90.4, 7.7", "Sift, 84.3, 3.1")
    claim = _one(paper_with("On Leaves, Sift has a wobble of 3.1 in all runs.", shown))
    assert (claim.metric.name, claim.metric.direction) == ("Wobble", "lower_is_better")


@pytest.mark.parametrize(
    "sentence",
    [
        "On Tales, Sift has a perplexity of 30.6 in the end.",
        "On Leaves, Sift outperforms Dense by 6.1 points of accuracy.",
    ],
)
def test_a_caption_that_names_two_metrics_speaks_for_no_column(sentence):
    shown = table(
        "Accuracy on Leaves and perplexity on Tales.", "Method, Leaves, Tales", "Dense, 78.2, 44.1", "Sift, 84.3, 30.6"
    )
    assert sure(paper_with(sentence, shown)) == []


def test_the_metric_of_the_sentence_and_of_the_cell_must_agree():
    shown = table("Accuracy (%) on Leaves.", "Method, Accuracy", "Dense, 90.4", "Sift, 84.3")
    assert bound(paper_with("On Leaves, Sift has a perplexity of 84.3 in the end.", shown)) == []


def test_what_a_caption_says_of_one_metric_turns_no_other():
    shown = table(
        "Results on Leaves. For perplexity, lower is better.",
        "Method, Accuracy (%), Perplexity",
        "Dense, 70.4, 44.1",
        "Sift, 84.3, 30.6",
    )
    claim = _one(paper_with("On Leaves, Sift reaches an accuracy of 84.3% in the end.", shown))
    assert claim.metric.direction == "higher_is_better"
    assert claim.points[0].point.dataset == "Leaves"
    claim = _one(paper_with("On Leaves, Sift reaches a perplexity of 30.6 in the end.", shown))
    assert claim.metric.direction == "lower_is_better"


@pytest.mark.parametrize(
    "header", ["Accuracy drop (%)", "Reward hacking rate (%)", "Steps to 80% success", "Survival time (s)"]
)
def test_a_header_whose_words_disagree_has_no_direction_unless_an_arrow_says_so(header):
    sentence = f"On Leaves, the {header.partition(' (')[0].lower()} of Sift is 24.3 in the end."
    rows = ("Dense, 50.4, 1.2", "Sift, 24.3, 1.4")
    plain = table("Results on Leaves.", f"Method, {header}, Loss", *rows)
    assert codes(paper_with(sentence, plain)) == ["direction_unknown"]
    pointed = table("Results on Leaves.", f"Method, {header} ↓, Loss", *rows)
    assert _one(paper_with(sentence, pointed)).metric.direction == "lower_is_better"


def test_counts_are_no_percentages():
    shown = table("Puzzles of Gates; 50 puzzles in all.", "Agent, Solved", "A2C, 12", "Sift, 41")
    (claim,) = bound(paper_with("On Gates, Sift has solved 41 of the puzzles (Table 1).", shown))
    assert (claim.metric.unit, claim.metric.kind) == ("", "count")


def test_a_percent_sign_in_the_caption_holds_for_every_column_of_its_metric():
    shown = table("Error (%) on two data sets.", "Method, Leaves, Twigs", "Dense, 0.91, 7.20", "Sift, 0.44, 6.10")
    for sentence in (
        "On Leaves, Sift has an error of 0.44% in the end.",
        "On Twigs, Sift has an error of 6.10 in the end.",
    ):
        assert _one(paper_with(sentence, shown)).metric.unit == "%"


@pytest.mark.parametrize("column", ["Best", "Median", "Max"])
def test_a_column_of_another_statistic_than_the_mean_is_no_target(column):
    shown = table(
        "Accuracy (%) on Leaves over 5 seeds.",
        f"Method, {column}, Mean, Std",
        "Dense, 92.0, 90.4, 0.7",
        "Sift, 86.6, 84.3, 1.9",
    )
    assert sure(paper_with(f"The {column.lower()} accuracy of Sift on Leaves is 86.6% in Table 1.", shown)) == []


def test_methods_in_columns_against_levels_in_rows_stay_methods():
    shown = table(
        "Accuracy (%) on Leaves by sparsity.",
        "Sparsity level, Dense, Magnitude, Sift",
        "50%, 90.1, 88.2, 89.9",
        "90%, 70.0, 61.3, 84.3",
    )
    claim = _one(paper_with("At a sparsity of 90%, Sift improves on Magnitude by 23.0 points of accuracy.", shown))
    assert [one.switches["method"] for one in claim.conditions] == ["Sift", "Magnitude"]
    assert claim.conditions[0].switches["sparsity_level"] == "90%"
    assert claim.points[0].point.dataset == "Leaves / 90%"


def test_data_sets_in_a_stub_column_or_in_group_rows_are_data_sets():
    stub = table(
        "Accuracy (%) by data set.",
        "Data set, Method, Accuracy",
        "Leaves, Dense, 70.4",
        ", Sift, 84.3",
        "Twigs, Dense, 61.0",
        ", Sift, 66.6",
    )
    claim = _one(paper_with("On Twigs, Sift reaches an accuracy of 66.6% in the end.", stub))
    assert (claim.points[0].point.dataset, claim.conditions[0].source_label) == ("Twigs", "Sift")


def test_the_name_of_a_data_set_ends_with_its_sentence():
    shown = table("Accuracy (%) on Leaves. Bold is best.", "Method, Accuracy", "Dense, 90.4", "Sift, 84.3")
    assert _one(paper_with("Sift reaches 84.3% accuracy in Table 1.", shown)).points[0].point.dataset == "Leaves"


@pytest.mark.parametrize(
    ("caption", "setup", "expected"),
    [
        ("sd over 4 seeds in parentheses", "We use Leaves.", ("sd", "seeds", 4)),
        ("± std", "Every number is a mean over 6 seeds.", ("sd", "seeds", 6)),
        ("± s.d.", "The learning rate was tuned with 3 seeds.", ("sd", "unknown", None)),
        ("± standard deviation over the 40 users", "Every number is a mean over 6 seeds.", ("sd", "unknown", None)),
    ],
)
def test_what_a_spread_is_and_over_how_many_seeds(caption, setup, expected):
    rows = ("Dense, 90.4 ± 0.4", "Sift, 84.3 ± 0.6")
    shown = table(f"Accuracy (%) on Leaves ({caption}).", "Method, Accuracy", *rows)
    spread = _one(paper_with("On Leaves, Sift reaches 84.3% accuracy.", shown, setup=setup)).points[0].point.spread
    assert (spread.kind, spread.over, spread.n) == expected


def test_numbers_of_another_kind_in_parentheses_are_no_spread():
    shown = table(
        "Accuracy (%) on Leaves. In parentheses: p-values.",
        "Method, Accuracy",
        "Dense, 90.4 (0.5)",
        "Sift, 84.3 (0.3)",
    )
    claim = _one(paper_with("On Leaves, Sift reaches 84.3% accuracy.", shown))
    assert claim.points[0].point.spread is None


def test_a_table_whose_spreads_were_torn_from_their_values_is_not_read():
    shown = table("Reward on Gates.", "Agent, Gates, Locks", "A2C, 41.2 ±, 1.1", "Sift, 63.0 ±, 0.9")
    assert bound(paper_with("As Table 1 shows, Sift has a lower reward than A2C on Locks.", shown)) == []


def test_the_finer_printing_is_the_target_and_the_coarser_corroborates_it():
    shown = table("Accuracy (%) on Leaves.", "Method, Accuracy", "Dense, 90.4", "Sift, 84.3")
    claim = _one(paper_with("On Leaves, Sift reaches an accuracy of 84.27% in the end.", shown))
    assert values(claim)["treatment"] == "84.27"
    assert {place.kind for place in claim.points[0].point.provenance} == {"sentence", "table_cell"}


def test_a_ratio_of_counts_is_no_count():
    shown = table(
        "Ratio of iterations to Jacobi on Squares.", "Solver, ratio of iterations", "Jacobi, 1.000", "Sift, 0.212"
    )
    claim = _one(paper_with("On Squares, Sift needs a ratio of iterations of 0.212 (Table 1).", shown))
    assert (claim.metric.kind, claim.metric.unit) == ("ratio", "")


def test_a_share_of_the_steps_is_no_number_of_steps():
    shown = table("Accuracy (%) on Leaves.", "Method, Leaves", "Dense, 70.1", "Sift, 84.3")
    paper = paper_with("On Leaves, Sift has an accuracy of 84.3%.", shown, setup="Sift uses 50% training steps.")
    assert [one.name for one in _one(paper).protocol.numbers] == []


def test_one_row_whose_mean_is_misprinted_is_measured_on_what_its_column_is():
    rows = (
        "Method, Leaves, Stones, Avg.",
        "Dense, 70.0, 60.0, 65.0",
        "Snip, 71.0, 61.0, 66.0",
        "Sift, 84.0, 75.0, 80.5",
    )
    paper = paper_with(
        "On average, Sift reaches an accuracy of 80.5%, up from 65.0% for Dense.", table("Accuracy.", *rows)
    )
    assert {one.protocol.dataset for one in bound(paper)} == {"average of Leaves, Stones"}
