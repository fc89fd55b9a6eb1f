"""Stories of claims with several metrics: contrasts, near zeros, orders, trends, guards and bounds."""

import math
from decimal import Decimal

import pytest
from chart_paper import read_point
from compiler_paper import candidate, cell_point, condition, paper, ucb_against_greedy
from hypothesis import given
from hypothesis import strategies as st
from pattern_claims import ACCURACY, ablations, figure_trend, guarded, near_zero, order, replaced, trend, with_points
from scipy.stats import t as student_t

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.proving.proof import prove
from reproducegym.pipeline.proving.synthetic import Bench
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import MetricIdea, Rejected, RolePoint
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_runs

CONFIG = load_config(None)


def compiled(case) -> ClaimSpec:
    outcome = compile_claim(*case, CONFIG)
    assert isinstance(outcome, ClaimSpec), outcome
    failed = [(check.name, check.detail) for check in prove(outcome) if not check.passed]
    assert failed == []
    return outcome


def codes(case) -> list[str]:
    outcome = compile_claim(*case, CONFIG)
    assert isinstance(outcome, Rejected), outcome
    return [reason.code for reason in outcome.reasons]


def target(spec: ClaimSpec, metric: str):
    (found,) = [one for one in spec.targets if one.metric == metric]
    return found


def roles(spec: ClaimSpec) -> dict[str, str]:
    return {metric.name: metric.role for metric in spec.metrics}


def reward(spec: ClaimSpec, **levels: float) -> float:
    """What a submission earns whose series have these values (`condition__column`), without probes."""
    contract = contract_of(spec).model_copy(update={"probes": ()})
    bench = Bench(contract, load_contract(canonical_json(contract)))
    values = bench.fill({name.replace("__", "."): level for name, level in levels.items()})
    return score_runs(bench.judge, bench.main_runs(values)).reward


def test_two_ablations_give_gap_and_dominance_with_an_accuracy_guard():
    spec = compiled(ablations(accuracies=("54.0", "53.8")))
    gap, dominance = target(spec, "tokens_contrast"), target(spec, "tokens_dominance")
    assert (gap.value, gap.no_effect, gap.derivation.formula) == (Decimal("0.24"), 0, "(b - a) / f")
    assert (dominance.value, dominance.no_effect, dominance.unit) == (5, 1, "×")
    (guard,) = spec.guards
    assert (guard.metric, guard.reference, guard.unit) == ("accuracy_guard", Decimal("54.0"), "%")
    assert roles(spec)["accuracy_guard"] == "guard"
    assert [one.name for one in spec.required_outputs.columns] == ["tokens", "accuracy"]


def test_a_dominance_that_noise_hides_is_a_diagnostic_and_leaves_its_share_of_error():
    spec = compiled(ablations("1000 ± 9", "700 ± 9", "980 ± 9"))
    assert roles(spec)["tokens_dominance"] == "diagnostic"
    assert [one.metric for one in spec.targets] == ["tokens_contrast"]
    assert "tokens_dominance" not in spec.reward_curves


def test_effects_of_opposite_sign_have_a_gap_only():
    spec = compiled(ablations("1000 ± 4", "700 ± 4", "1060 ± 4"))
    assert [one.metric for one in spec.targets] == ["tokens_contrast"]
    assert target(spec, "tokens_contrast").value == Decimal("0.36")


def test_an_ablation_that_matters_less_than_the_other_contradicts_the_contrast():
    assert codes(ablations("1000 ± 4", "940 ± 4", "700 ± 4")) == ["inconsistent_with_table"]


def test_probes_of_a_contrast_ask_the_gap_of_the_first_ablation():
    spec = compiled(ablations())
    assert spec.probes.used == ("null", "budget")
    assert {expect.metric for plan in spec.probe_plans for expect in plan.expectations} == {"tokens_contrast_gap"}


def test_no_notable_difference_is_paid_on_the_difference_both_values_and_a_control():
    spec = compiled(near_zero())
    assert [one.metric for one in spec.targets] == [
        "score_difference",
        "score_adam",
        "score_adamw",
        "score_sgd_difference",
    ]
    difference, control = target(spec, "score_difference"), target(spec, "score_sgd_difference")
    assert (difference.value, difference.no_effect) == (Decimal("-0.2"), None)
    assert abs(difference.value) <= difference.tolerance.abs
    assert (control.value, control.no_effect) == (Decimal("-11.2"), 0)


def test_a_run_in_which_nothing_differs_is_no_reproduction_of_no_difference():
    spec = compiled(near_zero())
    honest = {"adam__score": 41.0, "adamw__score": 41.2, "sgd__score": 30.0}
    assert reward(spec, **honest) == 1
    assert reward(spec, **{**honest, "sgd__score": 41.2}) == 0
    assert reward(spec, **{**honest, "adam__score": 46.0, "adamw__score": 46.0, "sgd__score": 35.0}) == 0


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (near_zero(control=None), "no_control"),
        (near_zero(control="41.1 ± 0.4"), "no_control"),
        (near_zero(treatment="45.0 ± 0.4"), "inconsistent_with_table"),
    ],
)
def test_no_difference_needs_a_control_that_differs_and_values_that_do_not(case, code):
    assert codes(case) == [code]


def test_an_order_is_paid_for_its_smallest_gap():
    spec = compiled(order("40.0 ± 0.4", "35.0 ± 0.4", "28.0 ± 0.3"))
    (only,) = spec.targets
    assert (only.value, only.no_effect) == (Decimal("5.0"), 0)
    assert only.derivation.formula == "min(a_1 - a_2, a_2 - a_3)"
    assert len(only.derivation.inputs) == 3
    assert spec.reward_curves["score_order"].shape == "at_least"
    assert reward(spec, a__score=40.0, b__score=35.0, c__score=28.0) == 1
    assert reward(spec, a__score=40.0, b__score=28.0, c__score=35.0) == 0


def test_an_order_that_the_table_does_not_have_is_inconsistent():
    assert codes(order("40.0 ± 0.4", "42.0 ± 0.4", "30.0 ± 0.3")) == ["inconsistent_with_table"]


def test_an_order_with_equal_neighbours_is_within_noise():
    assert codes(order("40.0 ± 0.4", "39.9 ± 0.4", "30.0 ± 0.3")) == ["effect_within_noise"]


@pytest.mark.parametrize(
    ("statistic", "value", "formula"),
    [
        ("slope", "0.988695652174", "slope(ucb.regret[step >= 10][step <= 80], step)"),
        ("auc", "3685", "auc(ucb.regret[step >= 10][step <= 80], step)"),
        ("spearman", "1", "spearman(ucb.regret[step >= 10][step <= 80], step)"),
    ],
)
def test_a_trend_over_numeric_headers_has_a_step_for_each(statistic, value, formula):
    spec = compiled(trend(statistic))
    (only,) = spec.targets
    assert (only.value, spec.metrics[0].formula) == (Decimal(value), formula)
    assert (spec.required_outputs.step_column, spec.required_outputs.min_rows_per_condition) == (True, 4)
    assert spec.conditions[0].description.endswith("Column step is number of arms: a row for each of 10, 20, 40, 80.")
    assert [one.x for one in only.derivation.inputs] == [10, 20, 40, 80]


def test_the_first_x_at_a_level_is_not_told_to_the_agent():
    spec = compiled(trend("first_reach", level="41"))
    (only,) = spec.targets
    assert (only.value, only.unit, only.tolerance.abs) == (40, "arms", 20)
    assert spec.metrics[0].formula.endswith(", step, 41)")
    assert "40" not in spec.conditions[0].description


def test_an_area_has_the_baselines_area_as_no_effect():
    rows = {
        "UCB": {"10": "20.0", "20": "31.0", "40": "44.0", "80": "90.0"},
        "Greedy": {"10": "40.0", "20": "61.0", "40": "94.0", "80": "190.0"},
    }
    spec = compiled(trend("auc", rows))
    (only,) = spec.targets
    assert (only.value, only.no_effect) == (3685, 7735)
    assert len(only.reference_provenance) == 4
    assert {one.label for one in spec.conditions} == {"ucb", "greedy"}
    assert (spec.probes.used, spec.probes.missing["budget"]) == (("null",), "rows_over_budget")
    assert {expect.metric for plan in spec.probe_plans for expect in plan.expectations} == {"regret_auc_gap"}


@pytest.mark.parametrize(("last", "fits"), [(400, True), (300, False)])
def test_a_baseline_may_be_drawn_at_other_x_of_the_same_span(last, fits):
    source, claim = figure_trend("auc")
    curve = ((0, 10), (150, 25), (last, 50 if fits else 40))
    theirs = [RolePoint(role="series", point=read_point("a", "theirs", str(x), str(y)), x=Decimal(x)) for x, y in curve]
    conditions = (condition("treatment", "ours"), condition("baseline", "theirs"))
    changes = {"points": (*claim.points, *theirs), "conditions": conditions}
    case = source, claim.model_copy(update=changes)
    if not fits:
        assert codes(case) == ["condition_mismatch"]
        return
    spec = compiled(case)
    assert spec.targets[0].no_effect == 150 * Decimal("17.5") + 250 * Decimal("37.5")
    assert {one.description.partition(": ")[2] for one in spec.conditions} == {"a row for each of 0, 100, 200, 400."}


def test_an_x_that_does_not_label_the_cell_is_a_mismatch():
    source, claim = trend("slope")
    moved = claim.points[0].model_copy(update={"x": Decimal(15)})
    assert codes((source, claim.model_copy(update={"points": (moved, *claim.points[1:])}))) == ["condition_mismatch"]


def test_steps_below_zero_are_outside_the_grammar():
    case = trend("slope", {"UCB": {"-10": "20.0", "0": "31.0", "10": "44.0"}})
    assert codes(case) == ["formula_unsupported"]


def test_a_trend_read_off_a_figure_carries_its_reading_error_and_says_so():
    spec = compiled(figure_trend())
    (only,) = spec.targets
    assert only.derivation.figure_read
    assert only.tolerance.inputs["read_error"] > 0
    assert all(place.kind == "figure_series" for place in only.provenance)
    assert '"figure_read": true' in only.to_json()


def test_a_spec_without_figures_does_not_speak_of_them():
    assert "figure_read" not in compiled(ucb_against_greedy()).to_json()


def test_a_guard_takes_the_reward_and_never_gives_any():
    spec = compiled(guarded())
    width = float(spec.guards[0].tolerance.abs)
    honest = {"ucb__regret": 47.3, "greedy__regret": 60.1}
    assert reward(spec, **honest, ucb__accuracy=54.0) == 1
    assert reward(spec, **honest, ucb__accuracy=99.0) == 1
    assert reward(spec, **honest, ucb__accuracy=54.0 - 1.5 * width) == pytest.approx(0.5)
    assert reward(spec, **honest, ucb__accuracy=54.0 - 2 * width) == 0


@given(accuracy=st.floats(0, 100), regret=st.floats(30, 70))
def test_guards_never_raise_a_reward(accuracy, regret):
    with_guard, without = compiled_once()
    values = {"ucb__regret": regret, "greedy__regret": 60.1}
    assert reward(with_guard, **values, ucb__accuracy=accuracy) <= reward(without, **values)


_ONCE: list[ClaimSpec] = []


def compiled_once() -> list[ClaimSpec]:
    if not _ONCE:
        _ONCE.extend(compiled(case) for case in (guarded(), ucb_against_greedy()))
    return _ONCE


@pytest.mark.parametrize(
    ("case", "code"),
    [
        (guarded(own="40.0"), "inconsistent_with_table"),
        (guarded(direction=None), "direction_unknown"),
        (replaced(guarded(), guards=()), "formula_unsupported"),
        (replaced(guarded(), guards=(ACCURACY.model_copy(update={"unit": "s", "kind": "time"}),)), "unit_mismatch"),
    ],
)
def test_a_guard_that_guards_nothing_is_refused(case, code):
    assert codes(case) == [code]


def test_a_guard_that_is_not_in_the_paper_takes_the_claim_with_it():
    source, claim = ucb_against_greedy()
    other = paper({"UCB": {"Accuracy (%)": "54.0"}})
    point = cell_point(other, "UCB", "Accuracy (%)", "54.0", unit="%", metric="accuracy")
    case = source, with_points(claim.model_copy(update={"guards": (ACCURACY,)}), {"guard": point})
    assert codes(case) == ["no_grounded_target"]


@pytest.mark.parametrize(("relation", "shape"), [("at_least", "at_most"), ("at_most", "at_least")])
def test_a_bound_on_a_fall_is_a_bound_on_its_size(relation, shape):
    case = ucb_against_greedy(relation=relation)
    outcome = compile_claim(*case, CONFIG)
    if relation == "at_least":
        assert isinstance(outcome, ClaimSpec)
        assert outcome.reward_curves["regret_difference"].shape == shape
    else:
        assert isinstance(outcome, Rejected)
        assert outcome.reasons[0].code == "direction_unknown"


def test_a_printed_average_that_its_parts_do_not_give_is_inconsistent():
    source = paper({"UCB": {"Easy": "40.0", "Hard": "20.0", "Avg.": "31.4"}})
    parts = [
        cell_point(source, "UCB", name, value, dataset=name) for name, value in (("Easy", "40.0"), ("Hard", "20.0"))
    ]
    printed = cell_point(source, "UCB", "Avg.", "31.4")
    claim = candidate({"part": parts, "printed": printed}, pattern="mean", conditions=(condition("treatment", "UCB"),))
    assert codes((source, claim)) == ["inconsistent_with_table"]


def test_four_primaries_share_the_chance_of_a_miss():
    spec = compiled(near_zero())
    assert spec.seeds.count == 3
    for metric in ("score_adam", "score_adamw"):
        width = float(target(spec, metric).tolerance.abs)
        assert width == pytest.approx(student_t.ppf(1 - 0.02 / 4 / 2, 4) * 0.45 * math.sqrt(1 / 5 + 1 / 3), rel=1e-5)


def test_the_width_of_a_contrast_goes_by_the_delta_method():
    gap = target(compiled(ablations()), "tokens_contrast")
    slopes = (-1 / 1000, 1 / 1000, -(940 - 700) / 1000**2)
    variances = [(slope * 4.5) ** 2 * (1 / 5 + 1 / 2) for slope in slopes]
    freedom = sum(variances) ** 2 / sum(one**2 / 4 for one in variances)
    expected = student_t.ppf(1 - 0.02 / 2 / 2, freedom) * math.sqrt(sum(variances))
    assert float(gap.tolerance.abs) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(("a", "b"), [("3.2e-8", "9.1e-8"), ("0.0000032", "0.0000091"), ("4.1e12", "2.0e12")])
@pytest.mark.parametrize("pattern", ["absolute", "difference", "ratio", "relative_change"])
def test_numbers_may_be_as_small_as_a_squared_error_or_as_large_as_a_count_of_operations(a, b, pattern):
    source = paper({"UCB": {"Loss": a}, "Greedy": {"Loss": b}})
    points = {
        "treatment": cell_point(source, "UCB", "Loss", a, metric="loss"),
        "baseline": cell_point(source, "Greedy", "Loss", b, metric="loss"),
    }
    loss = MetricIdea(name="Loss", unit="", kind="loss", direction="lower_is_better")
    assert compiled((source, candidate(points, metric=loss, pattern=pattern))).targets[0].metric.startswith("loss")


def test_a_comparison_whose_baseline_is_not_run_names_it():
    source, claim = ucb_against_greedy(pattern="comparison")
    assert [one.metric for one in compiled((source, claim)).targets] == ["regret", "regret_difference"]
    alone = claim.model_copy(update={"conditions": claim.conditions[:1]})
    assert codes((source, alone)) == ["condition_mismatch"]


def test_a_metric_idea_without_a_guard_point_changes_nothing():
    plain, idle = ucb_against_greedy(), ucb_against_greedy(guards=(MetricIdea(**ACCURACY.model_dump()),))
    assert compiled(plain) == compiled(idle)
