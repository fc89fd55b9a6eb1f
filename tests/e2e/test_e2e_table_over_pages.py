"""A paper whose table goes on over the page: its second half is read, grounded, hidden and drawn like its first."""

from pathlib import Path

import typst
import yaml
from sample_paper import call, manifest

NAMES = [f"{kind}-{number}" for kind in ("Tiny", "Small", "Base", "Large") for number in range(1, 13)]
ROWS = [
    ("UCB1", "91.74", "0.613"),
    *((name, f"{30 + i}.{i % 10}{i % 7}", f"0.{400 + i}") for i, name in enumerate(NAMES)),
    ("Greedy", "84.31", "0.521"),
]
PAPER = f"""#set page(width: 500pt, height: 700pt)
#set text(size: 10pt)
#set table(stroke: none)
#align(center, text(17pt)[*Optimism on the Ten-Armed Bandit*])
= Introduction
We study how agents explore a ten-armed bandit. On the test tasks, UCB1 reaches an accuracy of 91.74
while Greedy reaches 84.31.
= Results
#align(center)[Table 3: Accuracy (%) and F1 of every method on CIFAR-10.]
#align(center, table(columns: 3, inset: 4pt, table.hline(),
  table.header([Method], [Accuracy], [F1], table.hline()),
  {", ".join(f"[{text}]" for row in ROWS for text in row)}, table.hline()))

UCB1 improves accuracy from 84.31 to 91.74 over Greedy on CIFAR-10 (Table 3).
"""


def test_a_claim_is_bound_to_a_cell_on_the_second_page_and_both_cells_are_hidden(tmp_path: Path) -> None:
    (tmp_path / "two.pdf").write_bytes(typst.compile(PAPER.encode()))
    for argv in (
        ("parse_paper.py", "--pdf", tmp_path / "two.pdf", "--out", tmp_path / "runs", "--overlay"),
        ("build_claim_tasks.py", "--paper", tmp_path / "runs" / "two"),
    ):
        done = call(*argv)
        assert done.returncode == 0, done.stderr
    root = tmp_path / "runs" / "two"
    entry = manifest(root)["tasks"][0]
    assert entry["claim_id"] == "c001_ucb1_accuracy"
    spec = yaml.safe_load((root / "02-spec" / f"{entry['claim_id']}.{entry['spec_hash']}.yaml").read_text())
    places = {
        place["quote"]: (place["page"], place["row_path"])
        for target in spec["targets"]
        for place in target["provenance"]
        if place["kind"] == "table_cell"
    }
    assert places == {"91.74": (1, ["UCB1"]), "84.31": (2, ["Greedy"])}
    seen = (root / entry["task_dir"] / "input_files" / "paper.md").read_text()
    assert "| Large-12 |" in seen
    assert "91.74" not in seen
    assert "84.31" not in seen
    assert (root / "overlay" / "page-002.png").exists()
