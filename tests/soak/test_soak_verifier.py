"""A million damaged tables and a hundred thousand formulas: none breaks the verifier or holds it up."""

import json
from pathlib import Path

import pytest
from verifier_fuzz import evaluate_made, score_damaged

from reproducegym.verifier.contract import load_contract

pytestmark = pytest.mark.soak

CONTRACTS = json.loads((Path(__file__).parents[1] / "golden/verifier/contracts.json").read_text("utf-8"))
TABLES = 1_000_000
FORMULAS = 100_000


def test_no_damaged_table_of_a_million_breaks_the_judge(record_property):
    contract = CONTRACTS["gap"] | {"probes": []}
    ended = score_damaged(load_contract(json.dumps(contract).encode()), range(TABLES))
    for name, count in sorted(ended.items()):
        record_property(name, count)
    assert ended.total() == TABLES


def test_no_formula_of_a_hundred_thousand_breaks_the_judge(record_property):
    ended = evaluate_made(range(FORMULAS))
    for name, count in sorted(ended.items()):
        record_property(name, count)
    assert ended.total() == FORMULAS
