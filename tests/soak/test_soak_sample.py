"""Long counts on the sample paper: honest work is paid, and killed runs leave nothing, many times over."""

import json
import random
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from sample_paper import ROOT, SOLUTION, build_sample, call, command_line, manifest

pytestmark = pytest.mark.soak

VERIFICATIONS = 10
KILLS = 40


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_sample(tmp_path_factory.mktemp("soak") / "runs")


def test_the_reference_solution_is_paid_under_97_of_100_draws_of_seeds(paper: Path, record_property):
    rewards = []
    for task in manifest(paper)["tasks"]:
        for _ in range(VERIFICATIONS):
            asked = (
                "reproducegym",
                "verify",
                SOLUTION.parent,
                "--paper",
                paper,
                "--claim-id",
                task["claim_id"],
                "--json",
            )
            done = call(*asked)
            assert done.returncode == 0, done.stderr
            rewards.append(json.loads(done.stdout)["reward"])
    paid = sum(reward >= 0.9 for reward in rewards) / len(rewards)
    record_property("verifications", len(rewards))
    record_property("paid", paid)
    assert paid >= 0.97, sorted(rewards)[:10]


@pytest.mark.parametrize("sandbox", ["docker", "namespaces"])
def test_runs_killed_at_random_moments_leave_nothing(paper: Path, sandbox: str, request, tmp_path: Path):
    if sandbox == "docker":
        request.getfixturevalue("docker_image")
    copy = Path(shutil.copytree(paper, tmp_path / "runs" / paper.name))
    claim = manifest(copy)["tasks"][0]["claim_id"]
    argv = ("run.py", "--paper", copy, "--claim-id", claim, "--agent", f"script:{SOLUTION}", "--sandbox", sandbox)
    moments = random.Random(7)
    for _ in range(KILLS):
        program = subprocess.Popen(
            command_line(*argv), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        time.sleep(moments.uniform(0.2, 9.0))
        program.kill()
        program.wait()
    done = call(*argv, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["attempts"][0]["reward"] >= 0.9
    assert not list(copy.glob("04-run/*/*/.tmp-*"))
    assert not list(Path(tempfile.gettempdir()).glob("reproducegym-submission-*"))
    if sandbox == "docker":
        listed = ["docker", "ps", "-aq", "--filter", "label=reproducegym.run"]
        assert subprocess.run(listed, capture_output=True, text=True, check=True).stdout == ""
