"""Two tasks of the sample paper, built once, copied for each story, and an agent that takes its time."""

import shutil
from pathlib import Path

import pytest
from once import once, shared_directory
from sample_paper import PAPER_ID, call

from reproducegym.sandbox.namespaces import NamespacesSandbox


@pytest.fixture(scope="session")
def two_tasks(built_sample: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    availability = NamespacesSandbox().availability()
    if not availability.works:
        pytest.skip(f"no namespaces sandbox: {availability.detail}")

    def build(out: Path) -> None:
        shutil.copytree(built_sample / "00-parse", out / PAPER_ID / "00-parse")
        done = call("build_claim_tasks.py", "--paper", out / PAPER_ID, "--max-claims", "2")
        assert done.returncode == 0, done.stderr

    return once(shared_directory(tmp_path_factory), "two-tasks", build) / PAPER_ID


@pytest.fixture
def paper(two_tasks: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(two_tasks, tmp_path / "runs" / two_tasks.name))


@pytest.fixture
def slow(tmp_path: Path) -> str:
    """An agent that leaves nothing worth a re-run, after a second."""
    place = tmp_path / "agent"
    place.mkdir()
    (place / "solve.sh").write_text("sleep 1\n")
    return f"script:{place / 'solve.sh'}"
