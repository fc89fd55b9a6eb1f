"""Stories about tables that a hasty reader gets wrong: another metric, another direction, another comparison."""

from written_paper import paper_with, shown, sure, table, values

from reproducegym.extraction.rules import RulesExtractor

PRESENTED = "Table 1 reports the results of every method."
ROWS = ("Method, Leaves, Stones", "Dense, 70.1, 60.0", "Magnitude, 71.9, 66.2", "Sift (ours), 84.3, 75.1")


def _metrics(paper):
    return {(one.metric.name, one.metric.direction) for one in shown(paper)}


def _bound(paper):
    return [one for one in RulesExtractor().extract(paper) if one.points]


def test_a_score_that_the_caption_names_is_not_the_metric_of_the_text():
    rows = ("Method, Leaves, Stones", "Dense, 0.10, 0.12", "Magnitude, 0.13, 0.11", "Sift (ours), 0.33, 0.31")
    paper = paper_with(
        "We care about accuracy. Table 1 shows how the accuracy of masks and clusters go together. " + PRESENTED,
        table("Silhouette score of masks that are clustered by layer.", *rows),
    )
    assert {name for name, _ in _metrics(paper)} == {"silhouette score"}


def test_a_caption_that_says_what_it_measures_takes_no_metric_from_the_text():
    paper = paper_with(
        "Accuracy matters. Table 1 reports the churn besides the accuracy of each method.",
        table("Average churn C(S, T) between teacher and student. Lower values are better.", *ROWS),
    )
    assert not any(name == "accuracy" for name, _ in _metrics(paper))


def test_lower_scores_are_better_is_heard():
    paper = paper_with(PRESENTED, table("Score of every method. Lower scores are better.", *ROWS))
    assert {direction for _, direction in _metrics(paper)} == {"lower_is_better"}


def test_a_short_name_in_brackets_is_the_metric_whatever_stands_before_it():
    rows = ("Method, Events at a time (QXZ), Other events (QXZ)", *ROWS[1:])
    silent = paper_with(PRESENTED, table("Results of every method.", *rows))
    assert all(one.doubts for one in _bound(silent))
    said = paper_with(PRESENTED, table("Results. For QXZ, the larger the better.", *rows))
    assert {direction for _, direction in _metrics(said)} == {"higher_is_better"}


def test_what_is_called_a_mean_must_be_one_of_the_columns_beside_it():
    rows = ("Method, Leaves, Stones, Rain, Mean", "Dense, 700, 20, 500, 0.21", "Sift (ours), 900, 30, 600, 0.38")
    found = _bound(paper_with(PRESENTED, table("Return of every method.", *rows)))
    assert found
    assert not any("0.38" in values(one).values() for one in found)


def test_a_mean_names_only_columns_that_it_is_made_of():
    rows = ("Method, Leaves, Stones, Leaves-Rain, Avg.", "Dense, 60, 70, 61, 65", "Sift (ours), 70, 90, 73, 80")
    found = shown(paper_with(PRESENTED, table("Accuracy (%) of every method.", *rows)))
    (mean,) = [one for one in found if "80" in values(one).values()]
    assert mean.protocol.dataset == "Avg."


def test_a_number_is_no_data_set():
    found = shown(
        paper_with(PRESENTED, table("Return on the 26 games.", "Method, Return", "Dense, 20.5", "Sift (ours), 30.5"))
    )
    assert found
    assert all(one.protocol.dataset != "26" for one in found)


def test_rows_that_the_caption_takes_out_are_compared_with_nothing():
    paper = paper_with(PRESENTED, table("Accuracy (%). Magnitude is excluded from the comparison.", *ROWS))
    assert shown(paper)
    assert not any("Magnitude" in one.statement for one in shown(paper))


def test_a_sentence_about_other_numbers_is_no_anchor():
    paper = paper_with(
        "We achieve 3.21 points absolute improvement in accuracy on Leaves, as Table 1 shows.",
        table("Accuracy (%) of every method.", *ROWS),
    )
    assert shown(paper) == []


def test_a_sentence_about_another_column_or_comparison_presents_nothing():
    rows = ("Method, Accuracy (%), Memory (GB)", "Dense, 70.1, 4.0", "Magnitude, 71.9, 3.1", "Sift (ours), 84.3, 3.0")
    for said in (
        "Figure 6 breaks down the Memory of each layer that Table 1 shows.",
        "Dense does very badly compared to Magnitude in Table 1.",
        "All networks improve in Table 1 when labels are explained.",
    ):
        found = shown(paper_with(said, table("Comparison of methods.", *rows)))
        assert not any("84.3" in values(one).values() for one in found), said


def test_two_methods_praised_together_are_not_set_against_each_other():
    paper = paper_with(
        "In Table 1, both Magnitude and Sift do fine in larger networks on Leaves.",
        table("Accuracy (%) of every method.", *ROWS),
    )
    assert not any({"84.3", "71.9"} <= set(values(one).values()) for one in shown(paper))


def test_the_best_of_two_baselines_is_no_finding():
    rows = ("Network, Accuracy (%)", "Net-34 (baseline), 70.1", "Net-34 packed, 69.9", "Net-50 (baseline), 75.0")
    paper = paper_with("Table 1 reports the accuracy of networks.", table("Accuracy of networks.", *rows))
    assert not any({"75.0", "70.1"} <= set(values(one).values()) for one in shown(paper))


def test_data_sets_are_not_set_against_each_other():
    rows = ("Data, Recall (Dense), Recall (Sift)", "Leaves, 0.51, 0.61", "Stones, 0.26, 0.36")
    paper = paper_with(
        "Table 1 and Table 2 report the results.",
        table("Accuracy (%) of every method.", *ROWS),
        table("Recall of both methods.", *rows, label=2),
    )
    assert not any({"0.51", "0.26"} <= set(values(one).values()) for one in _bound(paper))


def test_own_rows_are_set_against_their_own_group():
    rows = ("Kind, Method, Leaves", "Fully, Oracle, 95.0", "Weakly, Dense, 70.1", "Weakly, Sift (ours), 84.3")
    found = [values(one) for one in shown(paper_with(PRESENTED, table("Accuracy (%) of every method.", *rows)))]
    assert {"treatment": "84.3", "baseline": "70.1"} in found


def test_values_that_belong_respectively_are_anchored_at_the_whole_sentence():
    said = "On Leaves, the accuracy is 71.9% and 84.3% for Magnitude and Sift, respectively."
    found = sure(paper_with(said, table("Accuracy (%) of every method.", *ROWS)))
    assert found
    assert {anchor.quote for one in found for anchor in one.anchors} == {said}


def test_titles_of_tables_that_nothing_tells_apart_name_them():
    rows = ("Method, Whole accuracy (%), Part accuracy (%)", "Dense, 70.1, 60.0", "Sift (ours), 84.3, 75.1")
    paper = paper_with(
        "Table 1 and Table 2 report the results.",
        table("Accuracy in phase one.", *rows),
        table("Accuracy in phase two.", *rows, label=2),
    )
    said = [(one.title, one.agent_statement) for one in shown(paper)]
    assert any("Table 2" in title and "Table 2" in statement for title, statement in said)
    assert len(said) == len({title for title, _ in said})


def test_a_fallback_that_the_captions_arrow_contradicts_is_dropped():
    paper = paper_with(
        "Table 1 reports accuracy of every method.", table("Results on Leaves. Lower scores are better.", *ROWS)
    )
    assert not any(one.metric.name == "accuracy" and not one.doubts for one in _bound(paper))


def test_a_table_of_ranks_or_sizes_measures_none_of_the_metrics_in_its_heads():
    rows = ("Method, Accuracy, F1", "Dense, 3.1, 2.9", "Magnitude, 2.2, 2.1", "Sift (ours), 1.4, 1.2")
    for caption in ("Mean rank of every method.", "The average ensemble size of every method."):
        assert _bound(paper_with(PRESENTED, table(caption, *rows))) == []


def test_balanced_accuracy_is_not_accuracy():
    found = shown(paper_with(PRESENTED, table("Balanced accuracy (%) of every method.", *ROWS)))
    assert {one.metric.name for one in found} == {"balanced accuracy"}


def test_feature_maps_are_no_average_precision():
    paper = paper_with(PRESENTED, table("Results of every method on faces, each with its feature map.", *ROWS))
    assert not any(one.metric.name.casefold() == "map" for one in _bound(paper))


def test_what_is_lower_is_called_by_its_name_and_not_scores():
    caption = "Average model churn C(S, T) between teacher and student. Lower scores are better."
    found = shown(paper_with(PRESENTED, table(caption, *ROWS)))
    assert {(one.metric.name, one.metric.direction) for one in found} == {("average model churn", "lower_is_better")}


def test_captions_tell_tables_apart_that_have_the_same_heads():
    rows = ("Method, Whole accuracy (%), Part accuracy (%)", "Dense, 70.1, 60.0", "Sift (ours), 84.3, 75.1")
    paper = paper_with(
        "Table 1 and Table 2 report the results.",
        table("Accuracy on the CIFAR10 dataset.", *rows),
        table("Accuracy on the MNIST dataset.", *rows, label=2),
    )
    titles = [one.title for one in shown(paper)]
    assert titles
    assert len(titles) == len(set(titles))
