"""Makes the sample paper: runs its experiments, typesets the PDF, and gives the cheats the numbers they remember.

`python build.py` does everything; `python build.py --keep-results` typesets from the results that are there.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "paper"))

from results import Results, read_results  # noqa: E402
from typeset import build_pdf, printed_cells  # noqa: E402

__all__ = ["main", "remembered"]

CHEATS = ("typed_numbers", "constant_noise", "knob_keyed")


def remembered(results: Results) -> str:
    """The paper's printed means as JSON, by strategy and metric: what a reader with a good memory knows."""
    cells = printed_cells(results)
    known = {name: {metric: str(cell.mean) for metric, cell in row.items()} for name, row in cells.items()}
    return json.dumps(known, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write results.json (unless it is kept), paper.pdf and the cheats' remembered.json."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keep-results", action="store_true", help="do not run the experiments again")
    if not options.parse_args().keep_results:
        subprocess.run([sys.executable, ROOT / "experiments" / "run_all.py"], check=True)
    results = read_results(ROOT / "results.json")
    (ROOT / "paper.pdf").write_bytes(build_pdf(results))
    for cheat in CHEATS:
        (ROOT / "cheats" / cheat / "remembered.json").write_text(remembered(results), encoding="utf-8")


if __name__ == "__main__":
    main()
