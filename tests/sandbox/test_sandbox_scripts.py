"""The scripts that CI starts with: safe to call again, and one clear line when something is missing."""

import os
import subprocess
from pathlib import Path

import pytest


def run(script: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(script)], capture_output=True, text=True, check=False, env={**os.environ, **env}, timeout=60
    )


@pytest.mark.docker
def test_starting_the_engine_and_building_the_image_again_does_nothing(docker_image: str, root: Path) -> None:
    again = run(root / "docker" / "start-engine.sh")
    assert (again.returncode, again.stderr.count("\n")) == (0, 1)
    assert "answers" in again.stderr
    built = run(root / "docker" / "build-base.sh")
    assert built.returncode == 0
    assert built.stderr.rstrip().endswith("is present")


def test_building_without_an_engine_says_what_to_run(root: Path) -> None:
    failed = run(root / "docker" / "build-base.sh", DOCKER_HOST="unix:///nowhere/docker.sock")
    assert failed.returncode == 1
    assert failed.stderr.count("\n") == 1
    assert "run docker/start-engine.sh" in failed.stderr
