"""Tasks are chosen, split and sampled as a trainer asks; a seed and a name decide, and nothing else."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest
from rows import row, tasks

from reproducegym import TaskSet
from reproducegym.errors import MisuseError


def test_the_package_is_imported_without_anything_heavy():
    line = "import reproducegym, sys; print('pydantic' in sys.modules, reproducegym.load_manifest.__name__)"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "load_manifest"]


def test_filters_take_one_word_or_several_and_all_must_fit():
    found = tasks(2, 8).filter(cost=("S", "M"), memory_resistant=True, paper="paper-00001", requires_gpu=False)
    assert [task.task_id for task in found] == ["paper-00001.c000"]
    assert len(tasks(2, 8).filter(where=lambda task: task.n_targets == 1, evidence_level="reexecute")) == 16


@pytest.mark.parametrize(
    ("asked", "listed"),
    [
        ({"cost": "XS"}, "S, M, L, XL"),
        ({"evidence_level": "rerun"}, "artifact, replay"),
        ({"paper": "x"}, "paper-00000"),
    ],
)
def test_a_word_that_is_unknown_is_told_with_those_that_are_known(asked: dict[str, str], listed: str):
    with pytest.raises(MisuseError, match=f"is unknown; there are: .*{listed}"):
        tasks(2, 4).filter(**asked)


def test_no_filter_is_empty_because_of_a_slip():
    large = tasks(1, 1).filter(cost="S")
    for asked in ({"cost": "XS"}, {"requires_gpu": "no"}, {"memory_resistant": 2}):
        with pytest.raises(MisuseError):
            large.filter(requires_gpu=True).filter(**asked)
    assert (
        len(tasks(2, 8).filter(requires_gpu=0, cost=("S",)))
        == 2 * len(tasks(1, 8).filter(requires_gpu=0, cost="S"))
        > 0
    )
    assert len(tasks(1, 1).filter(cost="XL", paper="paper-00000")) == 0, "a paper that is there, without such a task"


@pytest.mark.parametrize(
    ("asked", "line"),
    [
        (lambda some: some.filter(nope=1), "filter 'nope' is unknown; there are: evidence_level, .*, where$"),
        (lambda some: some.filter(cost=3), "cost is a word or several, not 3$"),
        (lambda some: some.filter(paper=["x", 1]), r"paper is a word or several, not \['x', 1\]$"),
        (lambda some: some.filter(cost=()), "cost is empty"),
        (lambda some: some.filter(where=3), "where is a function of a task, not 3"),
        (lambda some: some.sample(2.5, seed=0), "count is a whole number, not 2.5"),
        (lambda some: some.sample(True), "count is a whole number, not True"),
        (lambda some: some.sample(1, seed=None), "seed is a whole number, not None"),
        (lambda some: some.sample(1, by=["task"]), r"by \['task'\] is unknown; there are: task, paper"),
        (lambda some: some.split({"a": 1}, seed="x"), "seed is a whole number, not 'x'"),
        (lambda some: some.split({"a": "1"}), "fractions of a split lie between 0 and 1"),
        (lambda some: some.split(["a"]), "fractions of a split lie between 0 and 1"),
    ],
)
def test_what_is_of_the_wrong_kind_is_told_in_one_line(asked: Callable[[TaskSet], object], line: str):
    with pytest.raises(MisuseError, match=line) as told:
        asked(tasks(2, 2))
    assert "\n" not in str(told.value)


def test_no_paper_stands_in_two_splits_and_fractions_are_met():
    parts = tasks(2000, 2).split({"train": 0.8, "validation": 0.1, "test": 0.1}, seed=3)
    seen = [set(part.papers) for part in parts.values()]
    assert set.union(*seen) == set(tasks(2000, 1).papers)
    assert not seen[0] & seen[1] and not seen[0] & seen[2] and not seen[1] & seen[2]
    assert [len(part) for part in parts.values()] == pytest.approx([3200, 400, 400], rel=0.15)


def test_a_paper_stays_in_its_split_when_others_come():
    few, many = tasks(50, 2).split({"train": 0.7, "test": 0.3}), tasks(400, 3).split({"train": 0.7, "test": 0.3})
    assert all(set(few[name].papers) <= set(many[name].papers) for name in few)
    assert set(tasks(50, 2).split({"train": 0.7, "test": 0.3}, seed=1)["test"].papers) != set(few["test"].papers)


def test_one_paper_under_two_names_falls_into_one_split():
    twins = [replace(row(paper, 0), paper_sha256=f"{paper // 2:064x}") for paper in range(200)]
    parts = TaskSet(tuple(twins)).split({"train": 0.5, "test": 0.5})
    assert not {task.paper_sha256 for task in parts["train"]} & {task.paper_sha256 for task in parts["test"]}


def test_versions_of_one_paper_fall_into_one_split():
    """A preprint and what was printed differ in file, id and spelling; one id may hold two files."""
    titles = ("Optimism under small budgets", "OPTIMISM under Small-Budgets.")
    told = [replace(row(paper, 0), paper_title=f"{titles[paper % 2]} {paper // 2}") for paper in range(200)]
    told += [replace(row(paper, 1), paper_sha256=f"{paper + 1:064x}") for paper in range(300, 400)]
    told += [row(paper, 0) for paper in range(300, 401)]
    parts = TaskSet(tuple(told)).split({"train": 0.5, "test": 0.5})
    assert not {task.paper_title.lower().replace("-", " ").replace(".", "") for task in parts["train"]} & {
        task.paper_title.lower().replace("-", " ").replace(".", "") for task in parts["test"]
    }
    assert not set(parts["train"].papers) & set(parts["test"].papers)
    assert not {task.paper_sha256 for task in parts["train"]} & {task.paper_sha256 for task in parts["test"]}
    named_alike = TaskSet(tuple(replace(row(paper, 0), paper_title="1 Introduction") for paper in range(50)))
    assert all(named_alike.split({"train": 0.5, "test": 0.5}).values())


@pytest.mark.parametrize("fractions", [{}, {"train": 0.5}, {"train": 1.5, "test": -0.5}])
def test_fractions_that_are_no_parts_of_a_whole_are_refused(fractions: dict[str, float]):
    with pytest.raises(MisuseError, match="fractions of a split"):
        tasks(1, 1).split(fractions)


def test_samples_follow_the_seed_and_rounds_over_papers_balance_them():
    whole = TaskSet((*(row(0, claim) for claim in range(30)), *(row(paper, 0) for paper in range(1, 10))))
    assert whole.sample(20, seed=1) == whole.sample(20, seed=1) != whole.sample(20, seed=2)
    assert len({task.task_id for task in whole.sample(39)}) == 39
    assert len(whole.sample(10, by="paper").papers) == 10
    with pytest.raises(MisuseError, match="40 tasks cannot be sampled of 39"):
        whole.sample(40)
