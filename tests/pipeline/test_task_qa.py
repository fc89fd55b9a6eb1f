"""A task proves itself: what is right passes every check, and each thing that is wrong with a contract is found."""

import json
from pathlib import Path

import pytest

from reproducegym.pipeline.proving.synthetic import Bench
from reproducegym.pipeline.proving.task_qa import TargetCheck, self_test
from reproducegym.schema.base import canonical_json
from reproducegym.schema.contract import Contract
from reproducegym.verifier.contract import load_contract

GOLDEN = Path(__file__).parents[1] / "golden" / "verifier"
CONTRACTS = json.loads((GOLDEN / "contracts.json").read_text("utf-8"))
RATIO = TargetCheck(1, 1, None, {"eps.pulls": 5, "ucb.pulls": 5}, ("eps.pulls",))
GAP = {"gap": TargetCheck(10, 1, 0, {"eps.regret": 30, "ucb.regret": 20}, ("eps.regret",)), "pulls_ratio": RATIO}
BOUND = {
    "final": TargetCheck(45, 5, 30, {"big.score": 45}, ("big.score",)),
    "ratio": TargetCheck(3.5, 0.5, None, {"big.score": 45, "small.score": 45 / 3.5}, ("small.score",)),
    "cheap": TargetCheck(5, 5, None, {"big.cost": 5}, ("big.cost",)),
}


def contract(name: str, **changes: object) -> Contract:
    return Contract.from_json(json.dumps(CONTRACTS[name] | changes))


NO_GAP = {"metric": "gap", "value": 0, "abs": 1, "rms": None}


def failed(results: tuple) -> dict[str, str]:
    return {result.name: result.detail for result in results if not result.passed}


def bound(**changes: object) -> Contract:
    curves = {
        "final": {"shape": "at_least", "points": [[35, 0], [40, 1]], "plausible": [None, 70]},
        "ratio": {"shape": "at_most", "points": [[4, 1], [4.5, 0]], "plausible": [1, None]},
        "cheap": {"shape": "guard", "points": [[10, 1], [15, 0]], "plausible": [None, None]},
    }
    return contract("bound", reward_curves=curves, **changes)


def test_a_sound_contract_passes_every_check():
    results = self_test(contract("gap"), GAP)
    assert failed(results) == {}
    names = [result.name for result in results]
    assert len(names) == len(set(names))
    wanted = """
        gap:at_target gap:no_effect gap:one_tolerance_below gap:between_below gap:far_above
        nan inf text empty missing_file missing_column extra_column seed_column duplicated_row missing_condition
        too_few_seeds artifact_too_few_seeds too_many_rows row_order comment_column one_seed_repeated
        probe_null_missing probe_null_off:gap probe_budget_off:pulls_ratio
    """
    assert set(wanted.split()) <= set(names)


def test_bounds_guards_weights_steps_and_windows_pass_too():
    results = self_test(bound(), BOUND)
    assert failed(results) == {}
    names = {result.name for result in results}
    assert {"final:overshoot_above", "ratio:overshoot_below", "cheap:overshoot_below", "cheap:far_above"} <= names


@pytest.mark.parametrize(
    ("formula", "steps"),
    [
        ("median(a.x)", False),
        ("(mean(a.x) - mean(b.x)) / mean(b.x)", False),
        ("mean(a.x) / mean(b.x)", False),
        ("(mean(a.x) + mean(b.x)) / 2", False),
        ("sqrt(mean(a.x)) - log(mean(b.x))", False),
        ("last(a.x) - at(b.x, 25)", True),
        ("auc(a.x[step >= 100][last 5], step) / auc(b.x[step >= 100][last 5], step)", True),
    ],
)
@pytest.mark.parametrize("over_seeds", ["mean", "median", "iqm", "max"])
@pytest.mark.parametrize("seeds", [1, 4])
def test_any_formula_that_a_shift_can_move_is_proved(formula: str, steps: bool, over_seeds: str, seeds: int):
    column = {"name": "x", "unit": "", "range": [None, None], "stochastic": "continuous"}
    curve = {"shape": "two_sided", "points": [[0, 0], [1, 1], [2, 0]], "plausible": [None, None]}
    made = contract(
        "gap",
        conditions=[{"label": "a", "switches": {}}, {"label": "b", "switches": {}}],
        columns=[column],
        step_column=steps,
        seeds=seeds,
        metrics=[{"name": "m", "formula": formula, "role": "primary", "over_seeds": over_seeds}],
        reward_curves={"m": curve},
        probes=[],
    )
    inputs = {"a.x": 40.0, "b.x": 25.0}
    target = Bench(made, load_contract(canonical_json(made))).worth("m", inputs)
    assert target is not None
    points = [[target - 0.2, 0], [target - 0.1, 1], [target + 0.1, 1], [target + 0.2, 0]]
    curves = {"m": curve | {"points": points}}
    made = made.model_copy(update={"reward_curves": Contract.from_json(
        json.dumps(json.loads(made.to_json()) | {"reward_curves": curves})).reward_curves})  # fmt: skip
    assert failed(self_test(made, {"m": TargetCheck(target, 0.1, None, inputs, ("a.x",))})) == {}


def test_a_curve_that_pays_the_wrong_side_is_found():
    curves = {"gap": {"shape": "at_least", "points": [[8, 0], [9, 1]], "plausible": [None, 15]}}
    assert failed(self_test(contract("gap", reward_curves=curves), GAP)) == {}
    curves["gap"] |= {"shape": "at_most", "points": [[11, 1], [12, 0]], "plausible": [5, None]}
    assert "gap:no_effect" not in failed(self_test(contract("gap", reward_curves=curves), GAP))
    curves["gap"]["plausible"] = [None, None]
    assert set(failed(self_test(contract("gap", reward_curves=curves), GAP))) == {
        "gap:no_effect",
        "gap:overshoot_below",
    }


@pytest.mark.parametrize(
    "points",
    [[[7, 0], [9, 1], [11, 1], [12, 0]], [[8, 0], [9.5, 1], [11, 1], [12, 0]], [[18, 0], [19, 1], [21, 1], [22, 0]]],
)
def test_a_curve_that_is_off_is_found(points: list):
    curves = {"gap": {"shape": "two_sided", "points": points, "plausible": [None, None]}}
    assert any(name.startswith("gap:") for name in failed(self_test(contract("gap", reward_curves=curves), GAP)))


def test_a_declared_range_that_shuts_out_the_target_is_found():
    columns = json.loads(json.dumps(CONTRACTS["gap"]["columns"]))
    columns[0]["range"] = [0, 25]
    assert failed(self_test(contract("gap", columns=columns), GAP))


def test_values_that_the_range_keeps_out_are_left_out_and_said():
    columns = json.loads(json.dumps(CONTRACTS["gap"]["columns"]))
    columns[0]["range"] = [0, 30.5]
    results = self_test(contract("gap", columns=columns), GAP)
    assert failed(results) == {}
    said = {result.name: result.detail for result in results}
    assert said["gap:one_tolerance_above"] == "no allowed column values give this"
    assert said["gap:one_tolerance_below"] == ""


def test_a_metric_that_its_series_do_not_move_is_found():
    frozen = GAP | {"gap": TargetCheck(10, 1, 0, {"eps.regret": 30, "ucb.regret": 20}, ("eps.pulls",))}
    assert failed(self_test(contract("gap"), frozen)) == {
        "probe_null_set_up": "no allowed column values give what the probe expects"
    }


def test_a_probe_that_cannot_hold_is_found():
    probes = json.loads(json.dumps(CONTRACTS["gap"]["probes"]))
    probes[0]["choices"][0]["expect"][0]["value"] = 5000
    assert set(failed(self_test(contract("gap", probes=probes), GAP))) == {"probe_null_set_up"}


def test_a_probe_with_no_room_for_failure_is_said():
    columns = json.loads(json.dumps(CONTRACTS["gap"]["columns"]))
    columns[1]["range"] = [4, 6]
    results = self_test(contract("gap", columns=columns), GAP)
    assert failed(results) == {}
    said = {result.name: result.detail for result in results}
    assert said["probe_budget_off:pulls_ratio"] == "no allowed column values give this"


def test_columns_without_noise_are_proved_without_it():
    columns = [column | {"stochastic": "none"} for column in CONTRACTS["gap"]["columns"]]
    results = self_test(contract("gap", columns=columns), GAP)
    assert failed(results) == {}
    assert "one_seed_repeated" not in [result.name for result in results]


def test_a_broken_contract_and_missing_or_strange_checks_are_refused():
    assert set(failed(self_test(contract("gap", seeds=0), GAP))) == {"contract"}
    assert failed(self_test(contract("gap"), {})) == {"checks": "no check is given for gap, pulls_ratio"}
    strange = GAP | {"gap": TargetCheck(10, 1, 0, {"eps.regrets": 30}, ("eps.loss",))}
    assert failed(self_test(contract("gap"), strange)) == {"checks": "the contract has no series eps.regrets, eps.loss"}


def test_every_choice_of_a_probe_is_proved():
    probes = json.loads(json.dumps(CONTRACTS["gap"]["probes"]))
    probes[1]["choices"].append({"knobs": {"steps": 500}, "expect": [NO_GAP | {"value": 5}]})
    results = self_test(contract("gap", probes=probes), GAP)
    assert failed(results) == {}
    named = [result.name for result in results if "choice" in result.name]
    assert named == [
        "probe_budget_choice_1_off:gap",
        "probe_budget_choice_1_off:pulls_ratio",
        "probe_budget_choice_2_held",
        "probe_budget_choice_2_off:gap",
    ]
    probes[1]["choices"][1]["expect"][0]["value"] = 5000
    assert set(failed(self_test(contract("gap", probes=probes), GAP))) == {"probe_budget_set_up"}
