"""A built sample paper, copied for each test that spoils it."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def paper(built_sample: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(built_sample, tmp_path / "runs" / built_sample.name))
