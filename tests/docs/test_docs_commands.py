"""Every `sh` block of the documents runs, from top to bottom, in a copy of the checkout that has the environment."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
DOCUMENTS = [
    path
    for path in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
    if BLOCK.search(path.read_text(encoding="utf-8"))
]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked files, with the environment of this checkout linked in."""
    copy = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    (copy / ".venv").symlink_to(ROOT / ".venv")
    return copy


@pytest.mark.docs
@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_commands_of_a_document_run(document: Path, checkout: Path):
    script = "set -euo pipefail\nexport PATH=$PWD/.venv/bin:$PATH\n" + "\n".join(
        BLOCK.findall(document.read_text(encoding="utf-8"))
    )
    answer = subprocess.run(["bash", "-c", script], cwd=checkout, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, f"{script}\n--- stdout\n{answer.stdout}\n--- stderr\n{answer.stderr}"
