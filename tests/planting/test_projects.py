"""Base projects are clean: declared as the room promises, without findings, and the same bytes in each run."""

import json
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from project_runs import audited, ran

from reproducegym.planting.project import BaseProject, base_projects

SAMPLE = ("kmeans-colors", "weather-hmm")
"""Projects that `make test` runs; `make soak` runs all of them."""


def named(name: str) -> BaseProject:
    return next(one for one in base_projects() if one.name == name)


def test_there_are_enough_projects_in_both_splits():
    assert len(base_projects("train")) >= 40
    assert len(base_projects("held_out")) >= 20
    for split in ("train", "held_out"):
        assert {one.library for one in base_projects(split)} == {"numpy", "sklearn", "torch", "stub"}


def test_each_project_is_small_and_says_all_that_a_court_needs():
    wrong = []
    for one in base_projects():
        if not 4 <= len(one.files) <= 20:
            wrong.append(f"{one.name}: {len(one.files)} files")
        if not one.checks or not one.decoys or one.tolerance <= 0:
            wrong.append(f"{one.name}: no checks, no decoys or no tolerance")
        if one.entry[0] != "python" or not any("{seed}" in word for word in one.seed_option):
            wrong.append(f"{one.name}: no command or no way of another seed")
        if not any(fnmatch(path, glob) for path in one.files for glob in one.editable):
            wrong.append(f"{one.name}: no file is editable")
        if not any(path.lower().startswith("readme") for path in one.files):
            wrong.append(f"{one.name}: no README")
    assert wrong == []


def test_no_two_projects_share_a_module():
    modules: dict[str, str] = {}
    shared = []
    for one in base_projects():
        for path, text in one.files.items():
            if path.endswith(".py") and len(text) > 200:
                if text in modules:
                    shared.append(f"{one.name}/{path} is {modules[text]}")
                modules[text] = f"{one.name}/{path}"
    assert shared == []


def test_the_rules_find_nothing_that_could_have_been_planted():
    found = [f"{one.name}: {f.rule} {f.file}:{f.line}" for one in base_projects() for f in audited(one)]
    assert found == []


@pytest.mark.parametrize("name", SAMPLE)
def test_clean_runs_give_the_same_bytes_and_another_seed_other_weights(name: str):
    project = named(name)
    first, second = ran(project, 1, checked=True), ran(project, 2)
    assert (first.weights, first.metrics) == (second.weights, second.metrics)
    assert project.metric in json.loads(first.metrics)
    assert ran(project, 3, seed=1234).weights != first.weights


def test_the_wheel_takes_the_projects_along():
    told = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    wheel = told["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert "reproducegym" in wheel["packages"]
    assert "exclude" not in wheel
