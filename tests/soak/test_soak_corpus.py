"""The synthetic corpus of 300 damaged repositories: how many planted defects each rule finds, and what else."""

import pytest

from reproducegym.families.auditor.executing.effects import committed, key_of
from reproducegym.planting.corpus import corpus, stratified
from reproducegym.planting.operator import Site
from reproducegym.planting.plant import all_operators, sites_of
from reproducegym.planting.project import BaseProject, base_projects
from tests.audit.corpus_scores import Scores, score
from tests.planting.torch_experiment import FILES

pytestmark = pytest.mark.soak

COUNT = 300
LEAST = 10
RECALL = 0.95
PRECISION = 0.97
BESIDE = base_projects()[0].model_copy(update={"name": "torch-experiment", "library": "torch", "files": FILES})
"""Kinds that no base project has room for are planted in this one of the operators' own tests."""

_OPERATORS = {one.id: one for one in all_operators()}
FRESH = 2023
"""A seed that no rule was looked at with; another one takes its place when its draws have been looked at."""


def test_every_rule_finds_what_was_planted_and_little_else(record_property):
    scores = score(corpus(COUNT, 7, _has_effect))
    record_property("repositories", COUNT)
    _hold(scores, record_property)


def test_every_kind_is_planted_ten_times_and_found_on_a_draw_that_was_never_looked_at(record_property):
    projects = (*base_projects(), BESIDE)
    known = {
        one.id
        for one in all_operators()
        if any(_has_effect(place, site) for place in projects for site in sites_of(place, one))
    }
    damaged = list(stratified(COUNT, FRESH, LEAST, (BESIDE,), _has_effect))
    scores = score(damaged)
    record_property("repositories", len(damaged))
    record_property("seed", FRESH)
    record_property("kinds", len(scores.kinds))
    record_property("fewest_of_a_kind", min(scores.kinds.values()))
    few = {kind: len(places) for kind, places in scores.places.items() if len(places) < LEAST}
    record_property("kinds_with_fewer_places", ", ".join(f"{kind} {n}" for kind, n in sorted(few.items())))
    assert set(scores.kinds) == known
    assert min(scores.kinds.values()) >= LEAST
    _hold(scores, record_property)


def _hold(scores: Scores, record_property) -> None:
    for rule in sorted(scores.planted):
        record_property(rule, f"{scores.found[rule]}/{scores.planted[rule]} (false {scores.false[rule]})")
    assert {r: n for r, n in scores.planted.items() if scores.recall(r) < RECALL} == {}, scores.missed
    told = scores.planted | scores.false
    assert {r: scores.false[r] for r in told if scores.precision(r) < PRECISION} == {}, scores.wrong


def _has_effect(project: BaseProject, site: Site) -> bool:
    """Whether a site was not measured to change nothing; beside the base projects, whether none of them has room."""
    if project is BESIDE:
        operator = _OPERATORS[site.operator]
        return not any(_has_effect(other, one) for other in base_projects() for one in sites_of(other, operator))
    one = committed().instances.get(key_of(project, site.id, site.edits))
    return one is None or one.used
