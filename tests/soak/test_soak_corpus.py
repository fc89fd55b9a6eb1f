"""The synthetic corpus of 300 damaged repositories: how many planted defects each rule finds, and what else."""

import pytest

from reproducegym.planting.corpus import corpus
from tests.audit.corpus_scores import score

pytestmark = pytest.mark.soak

COUNT = 300
RECALL = 0.95
PRECISION = 0.97


def test_every_rule_finds_what_was_planted_and_little_else(record_property):
    scores = score(corpus(COUNT, seed=7))
    record_property("repositories", COUNT)
    for rule in sorted(scores.planted):
        record_property(rule, f"{scores.found[rule]}/{scores.planted[rule]} (false {scores.false[rule]})")
    assert {r: n for r, n in scores.planted.items() if scores.recall(r) < RECALL} == {}, scores.missed
    told = scores.planted | scores.false
    assert {r: scores.false[r] for r in told if scores.precision(r) < PRECISION} == {}, scores.wrong
