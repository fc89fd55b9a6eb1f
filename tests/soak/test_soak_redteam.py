"""The red team's whole list against tasks of the sample paper in both sandboxes, beside the reference solution."""

import json
from pathlib import Path

import pytest
from sample_paper import SOLUTION, build_sample, call, manifest

pytestmark = pytest.mark.soak

KINDS = ("difference", "ratio")


@pytest.mark.parametrize("sandbox", ["namespaces", pytest.param("docker", marks=pytest.mark.docker)])
def test_no_attack_of_the_whole_list_pays(
    tmp_path: Path, sandbox: str, request: pytest.FixtureRequest, record_property
):
    if sandbox == "docker":
        request.getfixturevalue("docker_image")
    paper = build_sample(tmp_path / "runs")
    tasks = [task["claim_id"] for task in manifest(paper)["tasks"] if task["metrics"][0].endswith(KINDS)][:2]
    assert len(tasks) == 2
    for claim in tasks:
        asked = ("redteam", "--paper", paper, "--claim-id", claim, "--sandbox", sandbox, "--json")
        done = call("reproducegym", *asked, "--reference", f"script:{SOLUTION}", timeout=7200)
        assert done.returncode == 0, done.stderr
        table = json.loads(done.stdout)
        assert len(table["attacks"]) >= 90
        assert table["gameability"] == 0.0
        assert table["oracle"] >= 0.9
        record_property(f"{claim}_attacks", len(table["attacks"]))
        record_property(f"{claim}_informed", table["informed"])
