"""What the rules must never take for a result: denied, guessed, quoted, or measured on something else."""

import pytest
from written_paper import bound, codes, paper_with, sure, table, values

ACCURACY = table("Accuracy (%) on Leaves.", "Method, Accuracy", "Dense, 90.4", "Magnitude, 71.9", "Sift, 84.3")
SPLITS = (
    table(
        "Accuracy (%) on Leaves, validation split.", "Method, Accuracy", "Dense, 91.7", "Magnitude, 73.0", "Sift, 86.2"
    ),
    table(
        "Accuracy (%) on Leaves, test split.",
        "Method, Accuracy",
        "Dense, 90.4",
        "Magnitude, 71.9",
        "Sift, 84.3",
        label=2,
    ),
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Sift does not outperform Magnitude by 12.4 points on Leaves.",
        "Sift never attains 84.3% accuracy on Leaves within our budget.",
        "Magnitude cannot reach 84.3% accuracy on Leaves, as Sift does.",
        "Magnitude fails to attain the 84.3% accuracy of Sift on Leaves.",
        "In none of the runs did Sift attain 84.3% accuracy on Leaves.",
        "On no seed does Sift beat Magnitude by 12.4 points on Leaves.",
        "We find no evidence that Sift improves the accuracy over Magnitude by 12.4 points.",
        "Sift might improve the accuracy over Magnitude by 12.4 points on Leaves.",
        "With more time, Magnitude would reach an accuracy of 84.3% on Leaves.",
        "We had expected Sift to improve on Magnitude by 12.4 points.",
        "It remains unclear whether Sift beats Magnitude by 12.4 points on Leaves.",
        "If it is tuned, Sift reaches an accuracy of 84.3% on Leaves.",
        "Our goal was an accuracy of 84.3% on Leaves with Sift.",
        "Sift stops short of 84.3% accuracy on Leaves.",
        "Sift isn't 12.4 points better than Magnitude on Leaves.",
        "Sift stays above 84.3% accuracy on Leaves for every seed.",
        "The accuracy of Magnitude and Sift on Leaves varies between 71.9% and 84.3%.",
        "Sift was at 84.3% accuracy on Leaves before we fixed the seeds.",
        "Neither Sift nor Magnitude reaches 84.3% accuracy on Leaves in time.",
    ],
)
def test_a_sentence_that_is_denied_or_guessed_binds_nothing(sentence):
    assert bound(paper_with(sentence, ACCURACY)) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Earlier work reports that Magnitude reaches 71.9% accuracy on Leaves.",
        "According to its authors, Magnitude reaches 71.9% accuracy on Leaves.",
        "Miller and Stone found that Magnitude reaches 71.9% accuracy on Leaves.",
        "Miller et al. claim that Magnitude reaches 71.9% accuracy on Leaves, and we agree.",
        "In its original paper, Magnitude reaches 71.9% accuracy on Leaves.",
        "Magnitude is reported to reach an accuracy of 71.9% on Leaves.",
        "The published accuracy of Magnitude on Leaves is 71.9%.",
        "In the literature, Magnitude reaches 71.9% accuracy on Leaves.",
    ],
)
def test_what_others_found_binds_nothing(sentence):
    assert bound(paper_with(sentence, ACCURACY)) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Sift, not Magnitude, reaches 84.3% accuracy on Leaves.",
        "Sift not only is small, it also reaches 84.3% accuracy on Leaves.",
        "Although Magnitude is not tuned, Sift reaches 84.3% accuracy on Leaves.",
        "Without any extra cost, Sift reaches 84.3% accuracy on Leaves.",
        "Sift needs no labels, but it reaches 84.3% accuracy on Leaves.",
    ],
)
def test_a_denial_of_something_else_does_no_harm(sentence):
    (claim,) = sure(paper_with(sentence, ACCURACY))
    assert values(claim)["treatment"] == "84.3"


@pytest.mark.parametrize(
    "sentence",
    [
        "On ImageNet, Sift outperforms Magnitude by 12.4 points in accuracy.",
        "The training accuracy of Sift on Leaves is 84.3% at the end.",
        "On the validation set of Leaves, Sift reaches an accuracy of 84.3%.",
        "Trained on 5% of Leaves, Sift still reaches an accuracy of 84.3%.",
        "With half of the labels, Sift still reaches an accuracy of 84.3% on Leaves.",
        "With 30% label noise, Sift reaches an accuracy of 84.3% on Leaves.",
        "In the few-shot setting, Sift reaches an accuracy of 84.3% on Leaves.",
        "The median accuracy of Sift on Leaves is 84.3%.",
        "One run of Sift reached an accuracy of 84.3% on Leaves.",
        "Sift has a top-5 accuracy of 84.3% on Leaves.",
        "An ensemble of five Sift networks reaches 84.3% accuracy on Leaves.",
        "For Flowers, Sift reaches 84.3% accuracy.",
        "Transferred from Leaves to Flowers, Sift reaches 84.3% accuracy.",
        "Sift (seed 3) reaches 84.3% accuracy on Leaves.",
        "Sift reaches 84.3% accuracy on the training data of Leaves.",
        "Sift reaches 84.3% accuracy on Leaves after half of the steps.",
        "Without augmentation, Sift reaches 84.3% accuracy on Leaves.",
        "Sift reaches 84.3% accuracy on Leaves when trained twice as long.",
    ],
)
def test_another_data_set_split_or_condition_than_the_tables_is_a_mismatch(sentence):
    paper = paper_with(sentence, ACCURACY)
    assert sure(paper) == []
    assert set(codes(paper)) == {"condition_mismatch"}


def test_a_mean_over_data_sets_is_bound_to_a_column_of_means_only():
    rows = ("Dense, 90.4, 80.2, 85.3", "Sift, 84.3, 70.1, 77.2")
    averaged = table("Accuracy (%).", "Method, Leaves, Twigs, Avg.", *rows)
    single = table("Accuracy (%).", "Method, Leaves, Twigs", *(row.rpartition(",")[0] for row in rows))
    assert sure(paper_with("Averaged over both data sets, Sift is 6.1 points worse than Dense.", single)) == []
    (claim,) = sure(paper_with("Averaged over both data sets, Sift is 8.1 points worse than Dense.", averaged))
    assert claim.points[0].point.dataset == "average of Leaves, Twigs"


def test_the_sentences_split_chooses_the_table_and_the_agent_is_told():
    (claim,) = sure(paper_with("On the Leaves test set, Sift reaches an accuracy of 84.3%.", *SPLITS))
    assert claim.conditions[0].switches["split"] == "test"
    (claim,) = sure(paper_with("The validation accuracy of Sift on Leaves is 86.2%.", *SPLITS))
    assert claim.conditions[0].switches["split"] == "validation"


@pytest.mark.parametrize(
    "sentence",
    [
        "On the test split of Leaves, Sift reaches an accuracy of 86.2%.",
        "On the Leaves test set, Sift improves the accuracy over Magnitude by 13.2 points.",
    ],
)
def test_a_number_of_the_other_split_contradicts_the_table(sentence):
    paper = paper_with(sentence, *SPLITS)
    assert sure(paper) == []
    assert set(codes(paper)) == {"inconsistent_with_table"}


def test_columns_of_two_splits_are_told_apart():
    both = table("Accuracy (%) on Leaves.", "Method, val, test", "Dense, 91.7, 90.4", "Sift, 86.2, 84.3")
    (claim,) = sure(paper_with("On the Leaves test set, Sift reaches an accuracy of 84.3%.", both))
    assert claim.conditions[0].switches["setting_2"] == "test"
    assert sure(paper_with("On the Leaves test set, Sift reaches an accuracy of 86.2%.", both)) == []


def test_rows_marked_as_taken_from_other_papers_are_not_claimed():
    marked = table(
        "Accuracy (%) on Leaves. † results taken from the original papers.",
        "Method, Accuracy",
        "Dense†, 90.4",
        "Sift, 84.3",
    )
    paper = paper_with("In Table 1, Dense reaches an accuracy of 90.4% on Leaves.", marked)
    assert sure(paper) == []
    assert codes(paper) == ["condition_mismatch"]
    assert len(sure(paper_with("In Table 1, Sift reaches an accuracy of 84.3% on Leaves.", marked))) == 1


def test_what_people_reached_cannot_be_run_again():
    games = table("Score on two games.", "Game, Human, Sift", "Paddles, 14.6, 20.8", "Bricks, 30.5, 612.5")
    paper = paper_with("On Bricks, Human has a score of 30.5 (Table 1).", games)
    assert codes(paper) == ["needs_unavailable_asset"]


def test_a_value_that_the_text_prints_otherwise_is_nobodys_target():
    paper = paper_with(
        "On Leaves, Sift reaches an accuracy of 85.0% in the end. Sift has an accuracy of 84.3% on Leaves (Table 1).",
        ACCURACY,
    )
    assert sure(paper) == []
    assert set(codes(paper)) == {"inconsistent_with_table"}


def test_a_nearby_value_under_another_condition_contradicts_nothing():
    text = "With half of the labels, Sift has an accuracy of 82.9% on Leaves. Sift reaches 84.3% accuracy on Leaves."
    (claim,) = bound(paper_with(text, ACCURACY))
    assert values(claim)["treatment"] == "84.3"
    assert not claim.doubts


@pytest.mark.parametrize(
    "sentence",
    [
        "Magnitude outperforms Sift by 12.4 points in accuracy on Leaves.",
        "As Table 1 shows, Magnitude has a higher accuracy than Sift on Leaves.",
    ],
)
def test_a_comparison_that_the_table_turns_round_is_shown_as_such(sentence):
    paper = paper_with(sentence, ACCURACY)
    assert sure(paper) == []
    assert codes(paper) == ["inconsistent_with_table"]
