"""The sample paper with a data set: made again byte for byte, and attacked by those who saw the data."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.sample_tasks import SAMPLES, SampleTask, tasks_of
from reproducegym.pipeline.attacking.attacks import attacks

PONDS = SAMPLES / "telling-ponds-apart"
DATA = PONDS / "data" / "reedbank.csv"


@pytest.fixture(scope="module")
def tasks() -> tuple[SampleTask, ...]:
    return tuple(tasks_of(PONDS))


def test_paper_and_cheats_are_built_again_byte_for_byte(tmp_path: Path):
    subprocess.run([sys.executable, PONDS / "build.py", "--keep-results", "--out", tmp_path], check=True)
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(made) == 5
    for path in made:
        assert path.read_bytes() == (PONDS / path.relative_to(tmp_path)).read_bytes()


def test_the_data_set_is_made_again_byte_for_byte(tmp_path: Path):
    (tmp_path / "experiments").mkdir()
    (tmp_path / "data").mkdir(parents=True)
    program = tmp_path / "experiments" / "make_data.py"
    program.write_bytes((PONDS / "experiments" / "make_data.py").read_bytes())
    subprocess.run([sys.executable, program], check=True)
    assert (tmp_path / "data" / "reedbank.csv").read_bytes() == DATA.read_bytes()


def test_a_cell_is_recomputed_from_its_seeds():
    code = "from run_all import scores; print(*scores('Naive Bayes', 3))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PONDS / "experiments", capture_output=True, text=True, check=True
    )
    cell = json.loads((PONDS / "results.json").read_text())["reedbank"]["Naive Bayes"]
    kept = [cell["accuracy"]["seeds"][3], cell["macro_f1"]["seeds"][3]]
    assert [float(one) for one in done.stdout.split()] == pytest.approx(kept, abs=1e-6)


def test_every_claim_has_the_probe_and_is_called_memory_resistant(tasks):
    assert len(tasks) == 9
    for task in tasks:
        assert "data" in task.spec.probes.used
        assert task.resistant


def test_the_attacks_that_look_at_the_data_are_listed_for_such_tasks_only(tasks):
    known = {one.name: one for one in attacks(tasks[0].spec, tasks[0].contract)}
    assert known["memory_by_digest"].knows
    assert known["memory_by_rows"].knows
    bare = tasks[0].spec.model_copy(
        update={"probe_plans": tuple(plan for plan in tasks[0].spec.probe_plans if plan.name != "data")}
    )
    assert "memory_by_rows" not in {one.name for one in attacks(bare, tasks[0].contract)}
