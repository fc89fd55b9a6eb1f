"""The trainer's guide says what works: its first block is run as it stands."""

import re
from pathlib import Path

import pytest


def test_the_first_block_of_the_guide_runs_on_a_built_paper(
    root: Path, built_sample: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    block = re.findall(r"^```python\n(.*?)^```", (root / "docs" / "trainer-guide.md").read_text(), re.M | re.S)[0]
    (tmp_path / "runs").symlink_to(built_sample.parent)
    monkeypatch.chdir(tmp_path)
    block = block.replace("sample(16,", "sample(2,")  # one paper has no more
    names: dict[str, object] = {"step": 3}
    exec(compile(block.replace('"train": 0.9, "test": 0.1', '"train": 1.0'), "guide", "exec"), names)
    assert len(names["batch"]) == 2
