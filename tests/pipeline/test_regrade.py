"""Scoring a stored attempt again: unchanged by default, changed by a changed contract, refused when tampered with."""

import json

import pytest
from small_task import HONEST, small_contract, small_order, with_choices
from test_run import Writer

from reproducegym.errors import SchemaError, TamperedError
from reproducegym.pipeline.judging.regrade import regrade
from reproducegym.pipeline.judging.rerun import Judge
from reproducegym.pipeline.run import attempt
from reproducegym.schema.contract import Curve


@pytest.fixture(scope="module")
def stored(judge: Judge) -> dict[str, bytes]:
    return dict(attempt(small_order(), Writer(HONEST), judge).files(1))


def again(files, contract=None):
    contract = small_contract() if contract is None else contract
    return regrade(files, contract, contract.to_json().encode(), "c" * 16)


def test_the_same_contract_gives_the_same_result(stored):
    graded = again(stored)
    assert not graded.changed
    assert graded.after == graded.before


def test_another_curve_changes_the_reward_and_says_so(stored):
    strict = Curve(shape="two_sided", points=((8.0, 0.0), (8.5, 1.0), (9.0, 1.0), (9.5, 0.0)), plausible=(None, None))
    graded = again(stored, small_contract().model_copy(update={"reward_curves": {"gain": strict}}))
    assert graded.changed
    assert (graded.before.reward, graded.after.reward) == (1.0, 0.0)
    assert graded.after.verdict == "failed"


def test_an_edited_table_is_refused(stored):
    name = "verification/runs/0/metrics.csv"
    with pytest.raises(TamperedError, match=r"runs/0/metrics\.csv"):
        again({**stored, name: stored[name] + b"\n"})
    with pytest.raises(TamperedError):
        again({key: value for key, value in stored.items() if key != name})


def test_a_broken_record_is_a_schema_error(stored):
    with pytest.raises(SchemaError, match=r"draw\.json"):
        again({**stored, "verification/draw.json": b"{}"})


def test_an_attempt_without_its_record_of_runs_is_incomplete(stored):
    with pytest.raises(TamperedError, match=r"incomplete.*draw\.json is missing"):
        again({name: data for name, data in stored.items() if name != "verification/draw.json"})


@pytest.mark.parametrize("spoil", ["edited", "added", "removed"])
def test_another_submission_than_the_one_that_was_run_is_refused(stored, spoil: str):
    changed = dict(stored)
    if spoil == "edited":
        changed["workspace/solve.py"] += b"#"
    elif spoil == "added":
        changed["workspace/.hidden"] = b""
    else:
        del changed["workspace/reproduce.sh"]
    with pytest.raises(TamperedError, match=r"workspace/ is not what was submitted.*result\.json"):
        again(changed)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reward": 0.5, "verdict": "partial"}, "does not agree with the report"),
        ({"verdict": "failed"}, "does not agree with verdict 'failed'"),
        ({"reward_valid": False}, "does not agree with reward_valid False"),
        ({"failure_kind": "infra"}, "does not agree with failure_kind 'infra'"),
        ({"failure_kind": "agent"}, "does not agree with the report"),
        ({"report": None}, "has no report"),
        ({"reward": 2.0}, "not between 0 and 1"),
        ({"reward": None, "reward_valid": False, "verdict": "invalid"}, "does not agree with failure_kind None"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(stored, change, message: str):
    result = {**json.loads(stored["result.json"]), **change}
    with pytest.raises(SchemaError, match=message):
        again({**stored, "result.json": json.dumps(result).encode()})


def test_a_report_is_not_believed_where_the_runs_say_otherwise(stored):
    result = json.loads(stored["result.json"])
    result["report"]["reward"] = result["reward"] = 0.0
    result["verdict"] = "failed"
    graded = again({**stored, "result.json": json.dumps(result).encode()})
    assert (graded.changed, graded.before.reward, graded.after.reward) == (True, 0.0, 1.0)


def test_runs_that_the_record_does_not_name_are_refused(stored):
    draw = json.loads(stored["verification/draw.json"])
    with pytest.raises(TamperedError, match=r"runs/9/metrics\.csv was added"):
        again({**stored, "verification/runs/9/metrics.csv": b"condition,score\n"})
    with pytest.raises(TamperedError, match="names 0 runs"):
        again({**stored, "verification/draw.json": json.dumps({**draw, "runs": []}).encode()})


def test_a_record_of_runs_beside_an_attempt_that_was_never_verified_is_refused(stored, judge: Judge):
    refused = attempt(small_order(), Writer(HONEST, "ln -s /etc/passwd leak"), judge).files(1)
    with pytest.raises(TamperedError, match=r"draw\.json was added"):
        again({**refused, "verification/draw.json": stored["verification/draw.json"]})


def test_the_artifact_level_is_regraded_from_the_submitted_table(judge: Judge):
    contract = small_contract().model_copy(update={"evidence_level": "artifact", "probes": ()})
    rows = "".join(f"with_b,{seed},5.{seed}\nwith_a,{seed},3.{seed}\n" for seed in (1, 2))
    table = f"condition,seed,score\n{rows}".encode()
    files = dict(attempt(small_order(contract), Writer({"output/metrics.csv": table}), judge).files(1))
    graded = again(files, contract)
    assert (graded.changed, graded.after.reward) == (False, 1.0)
    with pytest.raises(TamperedError, match=r"not the submitted output/metrics\.csv"):
        again({**files, "verification/runs/0/metrics.csv": table + b"\n"}, contract)


def test_an_attempt_that_was_never_verified_stays_as_it_is(judge: Judge):
    refused = attempt(small_order(), Writer(HONEST, "ln -s /etc/passwd leak"), judge).files(1)
    graded = again(refused)
    assert not graded.changed
    assert graded.after.reward == 0.0


@pytest.fixture(scope="module")
def chosen(judge: Judge) -> dict[str, bytes]:
    return dict(attempt(small_order(with_choices()), Writer(HONEST), judge).files(1))


def test_the_choice_that_was_drawn_is_scored_again(chosen):
    draw = json.loads(chosen["verification/draw.json"])
    ((choice, steps),) = {
        (run["choice"], run["knobs"]["steps"]) for run in draw["runs"] if run["purpose"] == "counterfactual"
    }
    assert with_choices().probes[-1].choices[choice].knobs == {"steps": steps}
    graded = again(chosen, with_choices())
    assert not graded.changed
    assert (graded.after.reward, graded.after.report.probes[-1].choice) == (1.0, choice)


def test_a_record_that_names_another_choice_than_was_run_is_refused(chosen):
    draw = json.loads(chosen["verification/draw.json"])
    for run in draw["runs"]:
        if run["purpose"] == "counterfactual":
            run["choice"] = (run["choice"] + 1) % 3
    with pytest.raises(TamperedError, match=r"counterfactual run 0 was made with the knobs"):
        again({**chosen, "verification/draw.json": json.dumps(draw).encode()}, with_choices())


def test_an_attempt_from_before_there_were_choices_is_scored_as_it_was(stored):
    draw, result = json.loads(stored["verification/draw.json"]), json.loads(stored["result.json"])
    for one in (*draw["runs"], *result["report"]["probes"]):
        del one["choice"]
    before = {"verification/draw.json": json.dumps(draw).encode(), "result.json": json.dumps(result).encode()}
    assert not again({**stored, **before}).changed
