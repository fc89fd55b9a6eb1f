"""A built sample paper, copied for each test that spoils it."""

import shutil
from pathlib import Path

import pytest
from sample_paper import build_sample


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_sample(tmp_path_factory.mktemp("faults") / "runs")


@pytest.fixture
def paper(pristine: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(pristine, tmp_path / "runs" / pristine.name))
