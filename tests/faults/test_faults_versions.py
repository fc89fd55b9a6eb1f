"""Two versions of a task: both can be run and regraded by their hash, and each is checked."""

import json
import shutil
from pathlib import Path

import pytest
from sample_paper import ROOT, call, manifest, one_line


@pytest.fixture(scope="module")
def built_twice(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample paper, built under two configurations."""
    there = tmp_path_factory.mktemp("twice")
    paper = Path(shutil.copytree(built_sample, there / "runs" / built_sample.name))
    config = there / "other.toml"
    text = (ROOT / "config" / "default.toml").read_text()
    assert "\nrun_budget_s = 600 " in text
    config.write_text(text.replace("\nrun_budget_s = 600 ", "\nrun_budget_s = 300 "))
    done = call("build_claim_tasks.py", "--paper", paper, "--config", config)
    assert done.returncode == 0, done.stderr
    return paper


@pytest.fixture
def paper(built_twice: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built_twice, tmp_path / "runs" / built_twice.name))


@pytest.fixture
def versions(paper: Path, built_sample: Path) -> tuple[str, str, str]:
    """A claim built under two configurations: its id, the older hash, the newer one."""
    first = manifest(built_sample)["tasks"][0]
    second = next(task for task in manifest(paper)["tasks"] if task["claim_id"] == first["claim_id"])
    assert second["spec_hash"] != first["spec_hash"]
    return first["claim_id"], first["spec_hash"], second["spec_hash"]


def test_both_versions_can_be_named_run_and_regraded(paper: Path, versions: tuple[str, str, str]):
    claim, older, newer = versions
    asked = ("--paper", paper, "--claim-id", claim)
    unnamed = call("run.py", *asked)
    assert unnamed.returncode == 5
    line = one_line(unnamed)
    assert older in line
    assert newer in line
    for spec_hash in (older, newer):
        done = call("run.py", *asked, "--spec-hash", spec_hash, "--sandbox", "namespaces", "--json")
        assert done.returncode == 0, done.stderr
        (result,) = json.loads(done.stdout)["attempts"]
        assert (result["spec_hash"], result["reward"]) == (spec_hash, 0.0)
        graded = call("reproducegym", "regrade", result["attempt_dir"], "--json")
        assert graded.returncode == 0, graded.stderr
        assert json.loads(graded.stdout)["attempts"][0]["changed"] is False
    task_dir = paper / "03-task" / claim / older
    assert call("run.py", "--task-dir", task_dir, "--sandbox", "namespaces").returncode == 0


def test_a_tampered_older_version_is_refused(paper: Path, versions: tuple[str, str, str]):
    claim, older, _ = versions
    with (paper / "03-task" / claim / older / "reward" / "contract.json").open("ab") as stream:
        stream.write(b" ")
    done = call("run.py", "--paper", paper, "--claim-id", claim, "--spec-hash", older)
    assert done.returncode == 7
    assert "reward/contract.json" in one_line(done)


def test_the_data_set_holds_the_newer_version_only(paper: Path, versions: tuple[str, str, str], tmp_path: Path):
    claim, _, newer = versions
    done = call("reproducegym", "export", "clawgym", "--paper", paper, "--out", tmp_path / "sets" / "all")
    assert done.returncode == 0, done.stderr
    exported = json.loads((tmp_path / "sets" / "task_manifest.json").read_text())
    assert exported["earlier"] == []
    assert {task["spec_hash"] for task in exported["tasks"] if task["claim_id"] == claim} == {newer}
