"""A claim of each pattern all the way: from its candidate to a sealed task that its agent can read."""

import json
from pathlib import Path

import pytest
from given_claims import Given, build_given
from test_golden_specs import CASES

from reproducegym.pipeline.attacking.forgery import remembered
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.compiling.spec import compile_claim
from reproducegym.pipeline.config_file import load_config
from reproducegym.schema.spec import ClaimSpec
from reproducegym.schema.task import ClaimReport

PATTERNS = sorted(set(CASES) - {"no_control"})


@pytest.mark.parametrize("name", PATTERNS)
def test_a_claim_becomes_a_task_without_a_leak(name: str, tmp_path: Path):
    source, claim = CASES[name]()
    store, manifest = build_given(tmp_path, Given(source, claim))
    rows = store.read_extract(ClaimReport, "claim_verification_report.json").claims
    assert [(row.pool, row.reasons) for row in rows] == [("rlvr", ())]
    (entry,) = manifest.tasks
    spec = store.read_spec(entry.claim_id, entry.spec_hash)
    assert isinstance(spec, ClaimSpec)
    assert entry.n_targets == len(spec.targets)
    files = store.read_task(entry.claim_id, entry.spec_hash)
    outputs = json.loads(files["input_files/outputs.json"])
    assert outputs["step_column"] == spec.required_outputs.step_column
    assert [one["name"] for one in outputs["columns"]] == [one.name for one in spec.required_outputs.columns]
    told = files["input_files/task.md"].decode()
    assert all(f"{metric.name}" in told for metric in spec.metrics)


def test_a_cheat_is_taken_to_know_guards_and_whole_curves():
    known = {}
    for name in ("guard", "slope"):
        spec = compile_claim(*CASES[name](), load_config(None))
        assert isinstance(spec, ClaimSpec)
        known[name] = remembered(spec, contract_of(spec))["ucb"]
    assert known == {"guard": {"regret": 47.3, "accuracy": 54.0}, "slope": {"regret": (20.0, 31.0, 44.0, 90.0)}}
