"""Every operator plants what its rule finds, at the place that it says, and its inverse gives the bytes back."""

import ast
import os
import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from torch_experiment import FILES

pytest.importorskip("libcst")

from ml_audit import RULES, Repository, findings
from reproducegym.planting.corpus import corpus
from reproducegym.planting.edit import applied, edits_between, lines_of
from reproducegym.planting.operator import CATEGORIES, Operator, Planted
from reproducegym.planting.plant import Damaged, all_operators, joined, plant, sites_of
from reproducegym.planting.project import BaseProject, base_projects

OPERATORS = all_operators()
SMALL = {"ferry_policy", "ridge_shards", "tree_ballots"}
PROJECTS = tuple(one for one in base_projects() if one.name in SMALL)
TORCH = PROJECTS[0].model_copy(update={"name": "torch-experiment", "library": "torch", "files": FILES})


def found(damaged: Damaged, planted: Planted) -> bool:
    """Whether ml-audit names the rule at one of its places, two lines off at most."""
    told = findings(Repository("damaged", {path: text.encode() for path, text in damaged.files.items()}))
    places = [(planted.file, planted.first_line, planted.last_line)]
    places += [(one.file, one.first_line, one.last_line) for one in planted.also]
    return any(
        one.rule == planted.rule and one.file == file and first - 2 <= (one.line or 0) <= last + 2
        for one in told
        for file, first, last in places
    )


def first_sites(project: BaseProject) -> list[tuple[Operator, Damaged]]:
    planted = [(one, sites_of(project, one)) for one in OPERATORS]
    return [(one, joined(project, [(one, sites[0])])) for one, sites in planted if sites]


def test_operators_are_many_and_name_rules_that_there_are():
    known = {rule.id for rule in RULES}
    assert len(OPERATORS) >= 45
    assert len({one.id for one in OPERATORS}) == len(OPERATORS)
    assert {one.rule for one in OPERATORS} | {rule for one in OPERATORS for rule in one.implies} <= known
    assert {one.category for one in OPERATORS} == set(CATEGORIES)
    assert min(Counter(one.category for one in OPERATORS).values()) >= 4


@pytest.mark.parametrize("project", [*PROJECTS, TORCH], ids=lambda one: one.name)
def test_what_is_planted_is_found_at_its_place(project: BaseProject):
    missed = [one.id for one, damaged in first_sites(project) if not found(damaged, damaged.planted[0])]
    assert missed == []


def test_most_operators_have_a_site_in_four_experiments():
    used = {one.id for project in (*PROJECTS, TORCH) for one in OPERATORS if sites_of(project, one)}
    assert len(used) >= 42


@settings(max_examples=40, deadline=None)
@given(st.sampled_from([*PROJECTS, TORCH]), st.integers(0, 2**31), st.integers(1, 6))
def test_inverse_edits_give_the_clean_bytes_back_together_and_one_by_one(project: BaseProject, seed: int, count: int):
    damaged = plant(project, seed, count, clean_share=0.0)
    clean = dict(project.files)
    assert len(damaged.planted) <= count
    assert applied(damaged.files, [edit for one in damaged.planted for edit in one.fix]) == clean
    for one in damaged.planted:
        mended = applied(damaged.files, one.fix)
        others = sum(text != clean.get(path) for path, text in mended.items())
        assert others <= sum(text != clean.get(path) for path, text in damaged.files.items())
        if one.file in damaged.files:
            assert 1 <= one.first_line <= len(lines_of(damaged.files[one.file])) + 1
    for path, text in damaged.files.items():
        if path.endswith(".py"):
            ast.parse(text)


def test_sites_of_one_subject_or_close_together_are_never_planted_at_once():
    for seed in range(30):
        damaged = plant(TORCH, seed, 8, clean_share=0.0)
        spans = sorted((one.file, one.first_line, one.last_line) for one in damaged.planted)
        for (file, _, last), (other, first, _) in pairwise(spans):
            assert file != other or first - last > 4


def test_one_in_five_is_clean_and_the_corpus_goes_through_the_projects():
    plans = [plant(TORCH, seed, 2).planted for seed in range(200)]
    assert 25 <= sum(not planted for planted in plans) <= 55
    assert [one.project.name for one in corpus(3, 3)] == [one.name for one in base_projects()[:3]]


def test_torch_from_1_9_on_seeds_numpy_in_workers():
    (init,) = (one for one in OPERATORS if one.id == "worker-init-removed")
    newer = {**FILES, "requirements.txt": FILES["requirements.txt"].replace("1.8.1", "2.8.0")}
    assert init.sites(FILES)
    assert init.sites(newer) == ()


SCRIPT = """
from reproducegym.planting.plant import plant
from reproducegym.planting.project import base_projects
for project in base_projects():
    if project.name in {"ferry_policy", "ridge_shards"}:
        for seed in range(3):
            print(plant(project, seed, 3).model_dump_json(exclude={"project"}))
"""


def test_a_seed_gives_the_same_bytes_in_every_process():
    here = [plant(one, seed, 3) for one in PROJECTS if one.name != "tree_ballots" for seed in range(3)]
    mine = "".join(f"{one.model_dump_json(exclude={'project'})}\n" for one in here)
    environment = {**os.environ, "PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, check=True)
    assert done.stdout.decode() == mine


@given(st.lists(st.sampled_from(["a\n", "b\n", "c\n"])), st.lists(st.sampled_from(["a\n", "b\n", "d\n"])))
def test_edits_between_two_texts_turn_one_into_the_other(before: list[str], after: list[str]):
    old, new = "".join(before), "".join(after)
    changed = applied({"f": old, "g": "x\n"}, edits_between("f", old, new))
    assert changed.get("f", "") == new
