"""What scripted policies earn in repository audits, over all base projects twice."""

import random
from statistics import mean

import pytest

pytest.importorskip("libcst")

from ml_audit import Repository, findings
from reproducegym.examiner.findings import FINDINGS, MOST_ROWS
from reproducegym.families.repo_audit.compiling import compile_audit
from reproducegym.families.repo_audit.rules_page import counted_rules
from reproducegym.pipeline.compiling.contract import contract_of
from reproducegym.pipeline.judging.examining import scored_table
from reproducegym.pipeline.proving.audits import findings_csv
from reproducegym.planting.corpus import corpus
from reproducegym.planting.plant import all_operators
from reproducegym.planting.project import base_projects
from reproducegym.schema.base import canonical_json
from reproducegym.verifier.contract import load_contract
from reproducegym.verifier.score import score_artifact

pytestmark = pytest.mark.soak


def test_lazy_and_loud_policies_earn_nothing_in_damaged_repositories(record_property):
    rules = counted_rules(all_operators())
    known = sorted(rule.id for rule in rules)
    earned: dict[str, list[float]] = {}
    for number, damaged in enumerate(corpus(2 * len(base_projects()), 7), 1):
        if not damaged.planted:
            continue
        spec = compile_audit(damaged, rules, "repo_audit", "soak", number, "clm", "")
        judge = load_contract(canonical_json(contract_of(spec)))
        names, chance = list(damaged.files), random.Random(number)
        told = findings(Repository("damaged", {path: text.encode() for path, text in damaged.files.items()}))
        policies = {
            "oracle": [(one.rule, one.places[0].file, one.places[0].first_line) for one in spec.audit.defects],
            "nothing": [],
            "everything": [(rule, name, 1) for rule in known for name in names][:MOST_ROWS],
            "random": [(chance.choice(known), chance.choice(names), chance.randint(1, 50)) for _ in range(3)],
            "ml_audit": [(one.rule, one.file, one.line or 0) for one in told if one.rule in known],
        }
        for name, rows in policies.items():
            table = scored_table({FINDINGS: findings_csv(rows)}, spec.audit)
            earned.setdefault(name, []).append(score_artifact(judge, table).reward)
    reward = {name: round(mean(values), 3) for name, values in earned.items()}
    record_property("audits", len(earned["oracle"]))
    for name, value in reward.items():
        record_property(f"reward_{name}", value)
    assert reward["oracle"] == 1.0
    assert max(reward["nothing"], reward["everything"], reward["random"]) <= 0.02
