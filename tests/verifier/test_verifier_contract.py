"""A contract is read exactly or refused by the path of the offending field."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reproducegym.verifier.contract import ContractError, load_contract

GOLDEN = Path(__file__).parents[1] / "golden" / "verifier"
CONTRACTS = json.loads((GOLDEN / "contracts.json").read_text("utf-8"))
DELETE = object()


def changed(base: str, path: list, value: object) -> bytes:
    contract = copy.deepcopy(CONTRACTS[base])
    at = contract
    for step in path[:-1]:
        at = at[step]
    if value is DELETE:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return json.dumps(contract).encode()


GAP = ["reward_curves", "gap", "points"]
NONE = {"metric": "gap", "value": 0, "abs": 2, "rms": None}
SAME_KNOBS = [{"knobs": {}, "expect": [NONE]}, {"knobs": {"steps": 1000}, "expect": [NONE]}]


@pytest.mark.parametrize(
    ("path", "value", "place"),
    [
        (["schema_version"], 2, "contract.schema_version: 1 is wanted"),
        (["schema_version"], True, "contract.schema_version"),
        (["extra"], 1, "contract.extra: unknown field"),
        (["seeds"], DELETE, "contract.seeds: missing"),
        (["seeds"], 0, "contract.seeds: 1 or more"),
        (["seeds"], 2.0, "contract.seeds: int is wanted"),
        (["seeds"], True, "contract.seeds: int is wanted"),
        (["seeds"], "2", "contract.seeds: int is wanted"),
        (["step_column"], 0, "contract.step_column: bool is wanted"),
        (["min_rows_per_condition"], 2, "contract.min_rows_per_condition: without a step column"),
        (["evidence_level"], "trust", "contract.evidence_level: 'artifact', 'replay', 'reexecute' is wanted"),
        (["conditions"], [], "contract.conditions: ''"),
        (["conditions"], {}, "contract.conditions: tuple is wanted"),
        (["conditions", 0, "label"], "UCB", "contract.conditions: 'UCB'"),
        (["conditions", 0, "label"], "eps", "contract.conditions: 'eps'"),
        (["conditions", 0, "switches"], {"method": 1}, "contract.conditions[0].switches.method: str is wanted"),
        (["columns", 0, "name"], "seed", "contract.columns: 'seed'"),
        (["columns", 0, "name"], "comment", "contract.columns: 'comment'"),
        (["columns", 0, "range"], [1, 0], "contract.columns.regret.range"),
        (["columns", 0, "range"], [1], "contract.columns[0].range: tuple is wanted"),
        (["columns", 0, "range"], [True, None], "contract.columns[0].range[0]: float is wanted"),
        (["columns", 0, "stochastic"], None, "contract.columns[0].stochastic"),
        (["columns", 0, "range"], [1, 1], "contract.columns.regret.range"),
        (["reward_curves", "gap", "plausible"], [2, 2], "contract.reward_curves.gap.plausible"),
        (["knobs", "steps"], 1.5e300, "contract.knobs.steps: float is wanted"),
        (["knobs", "steps"], 1e301, "contract.knobs.steps: float is wanted"),
        (
            ["metrics", 0, "formula"],
            "mean(ucb.regrets)",
            "contract.metrics.gap.formula: unexpected 'regrets' at position 10",
        ),
        (["metrics", 0, "role"], "diagnostic", "contract.reward_curves: one for each"),
        (["metrics", 1, "name"], "gap", "contract.metrics: 'gap'"),
        (["metrics", 0, "over_seeds"], "min", "contract.metrics[0].over_seeds"),
        (["reward_curves"], {}, "contract.reward_curves: one for each"),
        (
            ["reward_curves", "pulls_ratio"],
            CONTRACTS["gap"]["reward_curves"]["gap"],
            "contract.reward_curves: one for each",
        ),
        (GAP, [[8, 0]], "contract.reward_curves.gap: two or more points"),
        (GAP, [[8, 0], [8, 1], [9, 0]], "contract.reward_curves.gap: two or more points"),
        (GAP, [[8, 0], [7, 1], [9, 0]], "contract.reward_curves.gap: two or more points"),
        (GAP, [[8, 0], [9, 1.5], [10, 0]], "contract.reward_curves.gap: rewards must"),
        (GAP, [[8, -1], [9, 1], [10, 0]], "contract.reward_curves.gap: rewards must"),
        (GAP, [[8, 0], [9, 0.5], [10, 0]], "contract.reward_curves.gap: rewards must"),
        (GAP, [[7, 0], [8, 1], [9, 0], [10, 1], [11, 0]], "contract.reward_curves.gap: rewards must rise"),
        (GAP, [[6, 0], [7, 0.5], [8, 0.25], [9, 1], [11, 0]], "contract.reward_curves.gap: rewards must rise"),
        (GAP, [[6, 0], [7, 1], [8, 0.25], [9, 0.5], [11, 0]], "contract.reward_curves.gap: rewards must rise"),
        (GAP, [[8, 0], [9, 1]], "contract.reward_curves.gap: a two_sided curve cannot end"),
        (GAP, [[8, "0"], [9, 1]], "contract.reward_curves.gap.points[0][1]: float is wanted"),
        (["reward_curves", "gap", "shape"], "guard", "contract.reward_curves.gap: a guard curve"),
        (["reward_curves", "gap", "plausible"], [3, 2], "contract.reward_curves.gap.plausible"),
        (["weights"], {"gap": 1}, "contract.weights"),
        (["aggregation"], "weighted_mean", "contract.weights"),
        (["probes", 0, "name"], "budget", "contract.probes: a name occurs twice"),
        (["probes", 0, "name"], "main", "contract.probes[0].name"),
        (["probes", 0, "seeds"], 0, "contract.probes.null.seeds: 1 or more"),
        (["probes", 0, "choices", 0, "expect"], [], "contract.probes.null: an expectation"),
        (["probes", 0, "choices", 0, "knobs"], {"epochs": 1}, "contract.probes.null: an expectation"),
        (["probes", 0, "conditions"], [{"label": "ucb", "switches": {}}], "contract.probes.null.expect: "),
        (["probes", 0, "choices", 0, "expect", 0, "metric"], "gaps", "contract.probes.null.expect: "),
        (["probes", 0, "choices", 0, "expect", 0, "abs"], -1, "contract.probes.null.expect: "),
        (["probes", 0, "choices"], [], "contract.probes.null.choices: one or more"),
        (["probes", 0, "choices"], SAME_KNOBS, "contract.probes.null.choices: one or more"),
        (["limits", "max_rows"], 0, "contract.limits.max_rows"),
    ],
)
def test_what_is_off_is_refused_by_its_path(path: list, value: object, place: str):
    with pytest.raises(ContractError) as refusal:
        load_contract(changed("gap", path, value))
    assert str(refusal.value).startswith(place)


def test_a_guard_needs_a_guard_curve():
    with pytest.raises(ContractError, match=r"^contract\.reward_curves\.cheap: guard curves are for guard metrics"):
        load_contract(changed("bound", ["reward_curves", "cheap", "shape"], "at_most"))
    with pytest.raises(ContractError, match=r"^contract\.weights"):
        load_contract(changed("bound", ["weights", "ratio"], 0))


def test_a_guard_may_keep_from_below_too():
    judge = load_contract(changed("bound", ["reward_curves", "cheap", "points"], [[10, 0], [20, 1]]))
    assert judge.reward_curves["cheap"].points == ((10, 0), (20, 1))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"seeds": 1, "seeds": 2}', b'{"seeds": NaN}', b"[" * 100_000],
)
def test_what_is_no_contract_is_refused(data: bytes):
    with pytest.raises(ContractError, match=r"^contract"):
        load_contract(data)


def test_an_exact_answer_may_be_asked_for():
    expect = ["probes", 0, "choices", 0, "expect", 0]
    assert load_contract(changed("gap", [*expect, "abs"], 0)).probes[0].choices[0].expect[0].abs == 0


def test_a_key_that_occurs_twice_is_refused():
    text = json.dumps(CONTRACTS["gap"])
    with pytest.raises(ContractError, match="a key occurs twice"):
        load_contract(text.replace('"seeds": 2', '"seeds": 3, "seeds": 2').encode())
    load_contract(text.encode())


def test_the_largest_number_is_taken():
    assert load_contract(changed("gap", ["knobs", "steps"], 1e300)).knobs == {"steps": 1e300}


def test_choices_with_the_same_knobs_in_another_order_are_the_same():
    contract = copy.deepcopy(CONTRACTS["gap"])
    contract["knobs"] = {"steps": 1000, "arms": 10}
    expect = contract["probes"][0]["choices"][0]["expect"]
    knobs = [{"steps": 1, "arms": 2}, {"arms": 2, "steps": 1}]
    contract["probes"][0]["choices"] = [{"knobs": one, "expect": expect} for one in knobs]
    with pytest.raises(ContractError, match=r"^contract\.probes\.null\.choices: "):
        load_contract(json.dumps(contract).encode())
    contract["probes"][0]["choices"][1]["knobs"]["arms"] = 3
    assert len(load_contract(json.dumps(contract).encode()).probes[0].choices) == 2


def test_not_a_number_is_no_number():
    text = json.dumps(CONTRACTS["gap"]).replace('"steps": 1000', '"steps": NaN')
    with pytest.raises(ContractError, match=r"contract\.knobs\.steps"):
        load_contract(text.encode())


def test_a_diagnostic_may_read_what_only_a_probe_runs():
    contract = copy.deepcopy(CONTRACTS["gap"])
    contract["probes"][1]["conditions"].append({"label": "greedy", "switches": {}})
    contract["metrics"][1]["formula"] = "mean(greedy.pulls)"
    contract["probes"][1]["choices"][0]["expect"][1] = {"metric": "pulls_ratio", "value": 3, "abs": 1, "rms": None}
    assert load_contract(json.dumps(contract).encode()).probes[1].conditions[2].label == "greedy"
    contract["metrics"][0]["formula"] = "mean(greedy.pulls)"
    with pytest.raises(ContractError, match=r"contract\.metrics\.gap\.formula: unexpected 'greedy'"):
        load_contract(json.dumps(contract).encode())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def places(value: object, path: tuple = ()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, item in items:
        yield from places(item, (*path, name))


@given(st.sampled_from(list(places(CONTRACTS["gap"]))[1:]), JSON)
def test_any_value_anywhere_is_read_or_refused(path: tuple, value: object):
    try:
        load_contract(changed("gap", list(path), value))
    except ContractError as refusal:
        assert str(refusal).startswith("contract")


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes):
    with pytest.raises(ContractError):
        load_contract(data)
