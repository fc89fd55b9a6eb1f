"""Stories of whole claims through the compiler."""

import hashlib
import os
import subprocess
import sys
from decimal import Decimal

import pytest
from compiler_paper import PROTOCOL, candidate, cell_point, condition, paper, sentence_point, ucb_against_greedy

from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim, numbered
from reproducegym.pipeline.config_file import load_config
from reproducegym.pipeline.proving.proof import target_checks
from reproducegym.schema.base import canonical_json
from reproducegym.schema.claim import Reason, Rejected
from reproducegym.schema.spec import ClaimSpec
from reproducegym.verifier.contract import load_contract

CONFIG = load_config(None)


def compiled(source, claim) -> ClaimSpec:
    outcome = compile_claim(source, claim, CONFIG)
    assert isinstance(outcome, ClaimSpec), outcome
    return outcome


def codes(source, claim) -> list[str]:
    outcome = compile_claim(source, claim, CONFIG)
    assert isinstance(outcome, Rejected), outcome.targets
    return [reason.code for reason in outcome.reasons]


def rates(treatment="42.0", baseline="40.0", sentence="x", **changes):
    """Two accuracies in percent over 100000 items, and maybe a sentence about them."""
    source = paper({"UCB": {"Accuracy (%)": treatment}, "Greedy": {"Accuracy (%)": baseline}}, sentence)
    points = {
        "treatment": cell_point(source, "UCB", "Accuracy (%)", treatment, unit="%", metric="accuracy", spread=None),
        "baseline": cell_point(source, "Greedy", "Accuracy (%)", baseline, unit="%", metric="accuracy", spread=None),
    }
    metric = {"name": "Accuracy", "unit": "%", "kind": "rate", "direction": "higher_is_better"}
    base = candidate(points)
    metric_idea = base.metric.model_copy(update=metric)
    return source, base.model_copy(update={"metric": metric_idea, **changes}), points


def with_printed(case, quote, value, unit):
    source, claim, points = case
    printed = {**points, "printed": sentence_point(quote, value, unit, metric="accuracy")}
    return source, claim.model_copy(update={"points": candidate(printed).points})


def test_a_difference_becomes_a_contract_that_the_verifier_reads():
    spec = compiled(*ucb_against_greedy())
    (target,) = spec.targets
    assert target.value == Decimal("-12.8")
    assert target.no_effect == 0
    assert target.derivation.formula == "a - b"
    assert [one.value for one in target.derivation.inputs] == [Decimal("47.3"), Decimal("60.1")]
    assert target.derivation.rounding == Decimal("0.2")
    assert spec.metrics[0].formula == "mean(ucb.regret) - mean(greedy.regret)"
    assert spec.evidence_level == "reexecute"
    assert spec.probes.used == ("null", "budget")
    load_contract(canonical_json(contract_of(spec)))


def test_two_prints_of_one_quantity_bind_to_the_more_precise():
    source = paper({"UCB": {"Regret": "47.3", "Again": "47.32"}, "Greedy": {"Regret": "90.0", "Again": "90.0"}})
    points = {
        "treatment": [cell_point(source, "UCB", "Regret", "47.3"), cell_point(source, "UCB", "Again", "47.32")],
        "baseline": cell_point(source, "Greedy", "Regret", "90.0"),
    }
    spec = compiled(source, candidate(points))
    assert spec.targets[0].value == Decimal("-42.68")
    assert len(spec.targets[0].derivation.inputs[0].provenance) == 2


def test_two_prints_that_differ_bind_to_nothing():
    source = paper({"UCB": {"Regret": "47.3", "Again": "48.9"}, "Greedy": {"Regret": "90.0", "Again": "90.0"}})
    points = {
        "treatment": [cell_point(source, "UCB", "Regret", "47.3"), cell_point(source, "UCB", "Again", "48.9")],
        "baseline": cell_point(source, "Greedy", "Regret", "90.0"),
    }
    assert codes(source, candidate(points)) == ["ambiguous_target"]


def test_a_number_that_is_not_in_the_paper_is_no_target():
    source, claim = ucb_against_greedy()
    forged = claim.points[0].point.model_copy(update={"value": Decimal("40.0")})
    points = (claim.points[0].model_copy(update={"point": forged}), claim.points[1])
    assert set(codes(source, claim.model_copy(update={"points": points}))) <= {"ambiguous_target", "no_grounded_target"}


def test_the_extractors_doubts_are_the_answer():
    doubt = Reason(code="needs_unavailable_asset", argument=None, detail="a private corpus")
    assert codes(*ucb_against_greedy(doubts=(doubt,))) == ["needs_unavailable_asset"]


def test_a_qualitative_claim_has_no_quantity():
    assert codes(*ucb_against_greedy(pattern="unquantified")) == ["no_quantity"]


def test_a_claim_without_evaluation_or_direction_names_both():
    source, claim = ucb_against_greedy(protocol=PROTOCOL.model_copy(update={"evaluation": None}))
    metric = claim.metric.model_copy(update={"direction": None})
    assert codes(source, claim.model_copy(update={"metric": metric})) == ["protocol_incomplete", "direction_unknown"]


def test_a_missing_baseline_is_named():
    source, claim = ucb_against_greedy()
    assert codes(source, claim.model_copy(update={"points": claim.points[:1]})) == ["no_grounded_target"]


def test_a_value_of_a_condition_that_the_claim_does_not_run_is_a_mismatch():
    conditions = (condition("treatment", "UCB"), condition("baseline", "Thompson"))
    assert codes(*ucb_against_greedy(conditions=conditions)) == ["condition_mismatch"]


def test_conditions_that_nothing_tells_apart_are_a_mismatch():
    same = condition("baseline", "Greedy").model_copy(update={"switches": {"method": "UCB"}})
    assert codes(*ucb_against_greedy(conditions=(condition("treatment", "UCB"), same))) == ["condition_mismatch"]


def test_conditions_without_switches_are_told_apart_by_their_labels():
    bare = tuple(
        condition(role, label).model_copy(update={"switches": {}})
        for role, label in (("treatment", "UCB"), ("baseline", "Greedy"))
    )
    spec = compiled(*ucb_against_greedy(conditions=bare))
    assert [one.switches for one in spec.conditions] == [{"condition": "UCB"}, {"condition": "Greedy"}]


def test_an_effect_that_printed_digits_cannot_tell_from_none_is_within_noise():
    source = paper({"UCB": {"Regret": "47 ± 3"}, "Greedy": {"Regret": "49 ± 3"}})
    points = {
        "treatment": cell_point(source, "UCB", "Regret", "47", spread="3"),
        "baseline": cell_point(source, "Greedy", "Regret", "49", spread="3"),
    }
    assert codes(source, candidate(points)) == ["effect_within_noise"]


@pytest.mark.parametrize(
    ("said", "number", "unit", "formula", "value"),
    [
        ("50%", "50", "%", "(a - b) / b", "0.5"),
        ("20%", "20", "%", "a - b", "20"),
        ("20 percentage points", "20", "pp", "a - b", "20"),
    ],
)
def test_the_table_decides_between_points_and_relative_percent(said, number, unit, formula, value):
    case = rates("60.0", "40.0", f"UCB improves accuracy by {said} over Greedy.")
    (target,) = compiled(*with_printed(case, said, number, unit)).targets
    assert (target.derivation.formula, target.value) == (formula, Decimal(value))


def test_percent_that_fits_both_readings_is_ambiguous():
    case = rates("100.0", "99.0", "UCB improves accuracy by 1% over Greedy.")
    assert codes(*with_printed(case, "1%", "1", "%")) == ["ambiguous_target"]


def test_a_printed_effect_that_the_table_contradicts_is_a_finding():
    case = rates("60.0", "40.0", "UCB improves accuracy by 31% over Greedy.")
    assert codes(*with_printed(case, "31%", "31", "%")) == ["inconsistent_with_table"]


def test_names_hold_no_hidden_number():
    source = paper({"top 47.3 run": {"Regret": "47.3 ± 0.4"}, "Greedy": {"Regret": "60.1 ± 0.6"}})
    points = {
        "treatment": cell_point(source, "top 47.3 run", "Regret", "47.3", spread="0.4"),
        "baseline": cell_point(source, "Greedy", "Regret", "60.1", spread="0.6"),
    }
    conditions = (condition("treatment", "top 47.3 run"), condition("baseline", "Greedy"))
    spec = compiled(source, candidate(points, conditions=conditions))
    assert spec.conditions[0].label == "top_run"
    assert spec.claim_id == "c000_top_run_regret"


def test_an_absolute_claim_with_a_baseline_is_paid_and_probed_on_the_difference_too():
    spec = compiled(*ucb_against_greedy(pattern="absolute"))
    plain, apart = spec.targets
    assert (plain.value, plain.no_effect, plain.derivation) == (Decimal("47.3"), Decimal("60.1"), None)
    assert (apart.value, apart.no_effect) == (Decimal("-12.8"), Decimal(0))
    assert [(one.name, one.role) for one in spec.metrics] == [("regret", "primary"), ("regret_difference", "primary")]
    assert spec.reward_curves["regret_difference"].shape == "at_most"
    assert {expect.metric for plan in spec.probe_plans for expect in plan.expectations} == {"regret_difference"}
    load_contract(canonical_json(contract_of(spec)))


def test_an_absolute_claim_alone_says_which_probes_it_cannot_have():
    source, claim = ucb_against_greedy(pattern="absolute")
    alone = claim.model_copy(update={"points": claim.points[:1], "conditions": claim.conditions[:1]})
    spec = compiled(source, alone)
    assert spec.targets[0].no_effect is None
    assert spec.probes.used == ("row",)
    assert spec.probes.missing["null"] == "no_baseline"
    assert spec.probes.missing["budget"] == "no_chance_level"
    assert spec.seeds.origin == "policy"


def test_a_mean_over_a_benchmark_set_gets_a_column_for_each_data_set():
    source = paper({"UCB": {"Easy": "40.0", "Hard": "20.0"}}, "UCB averages 30.1 over both tasks.")
    parts = [
        cell_point(source, "UCB", name, value, dataset=name, metric="regret")
        for name, value in (("Easy", "40.0"), ("Hard", "20.0"))
    ]
    claim = candidate(
        {"part": parts, "printed": sentence_point("30.1", "30.1", "")},
        pattern="mean",
        conditions=(condition("treatment", "UCB"),),
    )
    spec = compiled(source, claim)
    assert spec.metrics[0].formula == "(mean(ucb.easy_regret) + mean(ucb.hard_regret)) / 2"
    assert spec.targets[0].value == Decimal(30)
    assert target_checks(spec)["regret_mean"].moves == ("ucb.easy_regret", "ucb.hard_regret")


def test_a_run_that_does_not_fit_the_budget_is_replayed_with_probes_that_take_no_whole_run():
    spec = compiled(*ucb_against_greedy(cost="XL"))
    assert spec.evidence_level == "replay"
    assert spec.probes.used == ("budget",)
    assert spec.probes.missing["null"] == "over_verification_budget"
    assert spec.seeds.origin in {"budget_cap", "prediction_interval"}


def test_self_tests_get_inputs_that_make_the_target():
    check = target_checks(compiled(*ucb_against_greedy()))["regret_difference"]
    assert check.inputs == {"ucb.regret": 47.3, "greedy.regret": 60.1}
    assert check.moves == ("ucb.regret",)
    assert (check.target, check.no_effect) == (-12.8, 0.0)


def test_numbering_changes_the_identity_of_the_task_but_not_of_the_contract():
    spec = compiled(*ucb_against_greedy())
    first, second = numbered(spec, 1), numbered(spec, 2)
    assert first.claim_id == "c001_ucb_regret"
    assert first.spec_hash != second.spec_hash
    assert first.contract_hash == second.contract_hash
    assert numbered(second, 1) == first


def test_the_claim_is_known_by_its_sentence_whatever_its_wording():
    one = compiled(*ucb_against_greedy())
    other = compiled(*ucb_against_greedy(statement="Another wording.", title="Other"))
    assert one.claim_uid == other.claim_uid
    assert one.spec_hash != other.spec_hash
    assert one.contract_hash == other.contract_hash


PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
from compiler_paper import ucb_against_greedy
from test_spec import compiled
sys.stdout.buffer.write(compiled(*ucb_against_greedy()).to_json().encode())
"""


def test_the_same_claim_gives_the_same_bytes_under_any_hash_seed_locale_and_time_zone(root):
    digests = set()
    for seed, zone, language in (("0", "UTC", "C"), ("1", "Asia/Tokyo", "de_DE.UTF-8"), ("77", "EST", "C.UTF-8")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LANG": language, "LC_ALL": language}
        environment["PYTHONPATH"] = os.pathsep.join([str(root), str(root / "tests" / "pipeline")])
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM, str(root / "tests")], env=environment, capture_output=True, check=True
        )
        digests.add(hashlib.sha256(done.stdout).hexdigest())
    assert len(digests) == 1
