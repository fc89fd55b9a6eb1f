"""The long counts judge as the judge does, from runs that are kept too; a redrawn paper replaces none."""

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import sample_runs
from benchmarks.sample_runs import RunPool
from benchmarks.sample_tasks import SAMPLES, SampleTask, tasks_of

SAMPLE = SAMPLES / "optimism-small-budgets"


@pytest.fixture(scope="module")
def task() -> SampleTask:
    return next(task for task in tasks_of(SAMPLE) if task.resistant and "budget" in task.spec.probes.used)


@pytest.mark.parametrize("slots", [None, 12])
def test_numbers_remembered_by_switches_fail_the_budget_probe(task: SampleTask, slots, monkeypatch, tmp_path: Path):
    monkeypatch.setattr(sample_runs, "KEPT", tmp_path)
    judged = RunPool(SAMPLE / "cheats" / "constant_noise", slots).verify(task, 0)
    assert judged.report.reward == 0
    assert "budget" in {probe.probe for probe in judged.report.probes if not probe.held}
    main = [run for run in judged.runs if run.purpose == "main"]
    assert len({run.metrics_csv for run in main}) == len(main) == task.contract.seeds


def test_a_paper_drawn_anew_wants_a_place_of_its_own():
    argv = [sys.executable, SAMPLE / "build.py", "--first-seed", "7"]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--out" in done.stderr
