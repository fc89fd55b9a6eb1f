"""A fixed sample of the damaged tables and formulas that `make soak` runs by the million."""

import json
from pathlib import Path

from verifier_fuzz import evaluate_made, score_damaged

from reproducegym.verifier.contract import load_contract

CONTRACTS = json.loads((Path(__file__).parents[1] / "golden/verifier/contracts.json").read_text("utf-8"))


def test_no_damaged_table_breaks_the_judge():
    contract = CONTRACTS["gap"] | {"probes": []}
    ended = score_damaged(load_contract(json.dumps(contract).encode()), range(4000))
    assert len(ended) == 3, ended  # refused, read and not paid, and a few whose damage changes nothing: paid


def test_no_formula_breaks_the_judge():
    ended = evaluate_made(range(2000))
    assert min(ended["refused"], ended["valued"], ended["without value"]) > 100, ended
