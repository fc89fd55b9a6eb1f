"""The known traps of binding a number to a claim, each with what must come out instead."""

from decimal import Decimal

import pytest
from chart_paper import charted, read_point
from compiler_paper import candidate, cell_point, condition, paper, sentence_point
from pattern_claims import ACCURACY, TOKENS, ablations

from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.schema.claim import MetricIdea, Rejected
from reproducegym.schema.spec import ClaimSpec

CONFIG = load_config(None)
LENGTH = MetricIdea(name="Response length", unit="tokens", kind="count", direction="lower_is_better")
ERROR = MetricIdea(name="Error", unit="%", kind="rate", direction="lower_is_better")


def compiled(source, claim) -> ClaimSpec:
    outcome = compile_claim(source, claim, CONFIG)
    assert isinstance(outcome, ClaimSpec), outcome
    return outcome


def codes(source, claim) -> list[str]:
    outcome = compile_claim(source, claim, CONFIG)
    assert isinstance(outcome, Rejected), outcome
    return [reason.code for reason in outcome.reasons]


def alone(point, metric, **changes):
    """A claim of one plain value."""
    conditions = (condition("treatment", point.condition),)
    return candidate({"treatment": point}, pattern="absolute", metric=metric, conditions=conditions, **changes)


def errors(treatment: str, baseline: str, sentence: str, printed, pattern: str = "relative_change"):
    """Two error rates, and what a sentence says of them."""
    source = paper({"UCB": {"Error (%)": treatment}, "Greedy": {"Error (%)": baseline}}, sentence)
    points = {
        role: cell_point(source, label, "Error (%)", value, unit="%", metric="error")
        for role, label, value in (("treatment", "UCB", treatment), ("baseline", "Greedy", baseline))
    }
    return source, candidate({**points, "printed": printed}, metric=ERROR, pattern=pattern)


def test_a_value_of_one_panel_does_not_bind_to_the_metric_of_another():
    own = read_point("b", "ours", "200", "500", metric="response length", unit="tokens", error="5")
    assert compiled(charted(), alone(own, LENGTH)).targets[0].value == 500
    other = read_point("a", "ours", "200", "60", metric="response length", unit="tokens")
    assert codes(charted(), alone(other, LENGTH)) == ["panel_mismatch"]


def test_values_of_two_panels_are_not_compared():
    points = {
        "treatment": read_point("a", "ours", "200", "60"),
        "baseline": read_point("a", "theirs", "200", "30").model_copy(
            update={"provenance": read_point("c", "ours", "100", "100").provenance}
        ),
    }
    conditions = (condition("treatment", "ours"), condition("baseline", "theirs"))
    found = codes(charted(), candidate(points, metric=ACCURACY, conditions=conditions))
    assert set(found) == {"panel_mismatch"}


@pytest.mark.parametrize(
    ("header", "text", "metric", "unit"),
    [
        ("Accuracy (%)", "54.2%", LENGTH, "tokens"),
        ("Accuracy (%)", "54.2", LENGTH, "tokens"),
        ("Length", "842", ACCURACY, "%"),
        ("Tokens", "842", MetricIdea(name="Time", unit="s", kind="time", direction="lower_is_better"), "s"),
    ],
)
def test_a_percentage_is_no_number_of_tokens_and_the_other_way_round(header, text, metric, unit):
    source = paper({"UCB": {header: text}})
    point = cell_point(source, "UCB", header, text.rstrip("%"), unit=unit, metric=metric.name)
    assert codes(source, alone(point, metric)) == ["unit_mismatch"]


def test_a_percentage_given_as_such_does_not_become_the_tokens_of_its_claim():
    source = paper({"UCB": {"Accuracy (%)": "54.2"}})
    point = cell_point(source, "UCB", "Accuracy (%)", "54.2", unit="%", metric="accuracy")
    assert codes(source, alone(point, LENGTH)) == ["unit_mismatch"]


def test_the_full_method_and_its_two_ablations_stay_three_conditions():
    spec = compiled(*ablations())
    assert [one.source_label for one in spec.conditions] == ["w/o length norm", "GRPO", "w/o std"]
    assert len({one.label for one in spec.conditions}) == 3
    values = [one.value for one in spec.targets[0].derivation.inputs]
    assert values == [700, 940, 1000]


def test_two_conditions_of_one_value_are_not_two_prints_of_one_quantity():
    source, claim = ablations("1000 ± 4", "700 ± 4", "700 ± 4")
    both = [one.point for one in claim.points if one.role != "baseline"]
    baseline = next(one.point for one in claim.points if one.role == "baseline")
    conditions = (condition("treatment", "w/o length norm"), condition("baseline", "GRPO"))
    merged = candidate({"treatment": both, "baseline": baseline}, metric=TOKENS, conditions=conditions)
    assert codes(source, merged) == ["condition_mismatch"]


def test_a_table_wins_over_a_figure_whose_reading_then_costs_nothing():
    source = charted({"ours": {"Accuracy (%)": "60.2"}})
    printed = cell_point(source, "ours", "Accuracy (%)", "60.2", unit="%", metric="accuracy")
    read = read_point("a", "ours", "200", "60.0")
    both = candidate(
        {"treatment": [read, printed]},
        pattern="absolute",
        metric=ACCURACY,
        conditions=(condition("treatment", "ours"),),
    )
    (target,) = compiled(source, both).targets
    assert target.value == Decimal("60.2")
    assert [place.kind for place in target.provenance] == ["table_cell", "figure_series"]
    assert "read_error" not in target.tolerance.inputs
    (other,) = compiled(source, alone(read, ACCURACY)).targets
    assert other.tolerance.inputs["read_error"] == Decimal("0.5")


def test_a_table_wins_over_a_figure_that_shows_something_else():
    source = charted({"ours": {"Accuracy (%)": "71.3"}})
    printed = cell_point(source, "ours", "Accuracy (%)", "71.3", unit="%", metric="accuracy")
    both = candidate(
        {"treatment": [read_point("a", "ours", "200", "60.0"), printed]},
        pattern="absolute",
        metric=ACCURACY,
        conditions=(condition("treatment", "ours"),),
    )
    (target,) = compiled(source, both).targets
    assert (target.value, [place.kind for place in target.provenance]) == (Decimal("71.3"), ["table_cell"])


def test_of_one_value_printed_twice_the_more_precise_is_the_target():
    source = paper({"UCB": {"Accuracy (%)": "47.32"}}, "UCB reaches 47.3% accuracy.")
    fine = cell_point(source, "UCB", "Accuracy (%)", "47.32", unit="%", metric="accuracy")
    said = sentence_point("47.3%", "47.3", "%", metric="accuracy")
    claim = candidate(
        {"treatment": [said, fine]}, pattern="absolute", metric=ACCURACY, conditions=(condition("treatment", "UCB"),)
    )
    (target,) = compiled(source, claim).targets
    assert (target.value, len(target.provenance)) == (Decimal("47.32"), 2)


def test_baseline_and_method_swapped_in_a_sentence_do_not_fit_the_table():
    source, claim = errors(
        "44.0", "50.0", "UCB reduces error by 14%.", sentence_point("14%", "14", "%", metric="error")
    )
    assert codes(source, claim) == ["inconsistent_with_table"]
    fair, right = errors("44.0", "50.0", "UCB reduces error by 12%.", sentence_point("12%", "12", "%", metric="error"))
    assert compiled(fair, right).targets[0].value == Decimal("-0.12")


def test_a_swapped_pair_of_values_is_found_by_the_conditions_that_they_name():
    source, claim = errors(
        "44.0", "50.0", "UCB reduces error by 12%.", sentence_point("12%", "12", "%", metric="error")
    )
    turned = {"treatment": "baseline", "baseline": "treatment", "printed": "printed"}
    points = tuple(one.model_copy(update={"role": turned[one.role]}) for one in claim.points)
    assert set(codes(source, claim.model_copy(update={"points": points}))) <= {
        "condition_mismatch",
        "inconsistent_with_table",
    }


@pytest.mark.parametrize(
    ("treatment", "said", "number", "unit", "formula", "value"),
    [
        ("44.0", "by 12%", "12", "%", "(a - b) / b", "-0.12"),
        ("38.0", "by 12%", "12", "%", "a - b", "-12"),
        ("38.0", "by 12 points", "12", "pp", "a - b", "-12"),
    ],
)
def test_twelve_percent_and_twelve_points_are_told_apart_by_the_table(treatment, said, number, unit, formula, value):
    quote = said.removeprefix("by ").removesuffix(" points")
    pattern = "difference" if unit == "pp" else "relative_change"
    printed = sentence_point(quote, number, unit, metric="error")
    source, claim = errors(treatment, "50.0", f"UCB reduces error {said}.", printed, pattern)
    (target,) = compiled(source, claim).targets
    assert (target.derivation.formula, target.value) == (formula, Decimal(value))


def test_twelve_points_where_the_table_has_twelve_percent_is_inconsistent():
    printed = sentence_point("12", "12", "pp", metric="error")
    source, claim = errors("44.0", "50.0", "UCB reduces error by 12 points.", printed, "difference")
    assert codes(source, claim) == ["inconsistent_with_table"]
