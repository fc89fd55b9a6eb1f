"""The sample paper with learning curves: built byte for byte, and every curve of it ends in a printed cell."""

import json
import subprocess
import sys
from pathlib import Path

PAPER = Path(__file__).resolve().parents[2] / "examples" / "papers" / "memory-in-short-runs"
RESULTS = json.loads((PAPER / "results.json").read_text(encoding="utf-8"))


def test_the_pdf_and_what_the_cheats_remember_are_rebuilt_byte_for_byte(tmp_path: Path) -> None:
    subprocess.run([sys.executable, PAPER / "build.py", "--keep-results", "--out", tmp_path], check=True)
    made = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.name for path in made} == {"paper.pdf", "remembered.json"}
    for path in made:
        assert path.read_bytes() == (PAPER / path.relative_to(tmp_path)).read_bytes()


def test_curves_and_bands_end_in_what_the_table_prints() -> None:
    for task, metric in (("regression", "test_loss"), ("classification", "accuracy")):
        for entry in RESULTS[task].values():
            assert entry["curve"][-1] == [120, entry[metric]["mean"], entry[metric]["sd"]]
