"""The score: what findings cost is what it lacks, and repairing one brings just that."""

import pytest

from ml_audit import RULES, Repository, Rule, audit

TRAIN = (
    "import torch\n\nmodel = torch.nn.Linear(2, 2)\noptimizer = torch.optim.SGD(model.parameters())\noptimizer.step()\n"
)


def repository(files: dict[str, str]) -> Repository:
    return Repository("example", {path: text.encode() for path, text in files.items()})


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_findings_account_for_all_that_the_score_lacks(rule: Rule):
    report = audit(repository(rule.bad))
    if report.score_interval.low == report.score_interval.high:
        assert sum(f.points for f in report.findings) == pytest.approx(10 - report.score, abs=0.05)


def test_repairing_a_finding_brings_what_it_cost():
    before = audit(repository({"train.py": TRAIN, "README.md": "# Name\n"}))
    cost = sum(f.points for f in before.findings if f.rule == "license-missing")
    after = audit(repository({"train.py": TRAIN, "README.md": "# Name\n", "LICENSE": "MIT\n"}))
    assert cost > 0
    assert after.score - before.score == pytest.approx(cost, abs=0.02)


def test_bands_of_risk():
    assert audit(repository({"train.py": TRAIN})).risk == "HIGH"
    assert audit(repository({"train.py": TRAIN})).badge == "none"


def test_the_same_files_give_the_same_bytes():
    files = {"train.py": TRAIN, "b.py": "import random\nrandom.random()\n", "README.md": "# Name\n"}
    one = audit(repository(files)).model_dump_json()
    other = audit(repository(dict(reversed(files.items())))).model_dump_json()
    assert one == other
