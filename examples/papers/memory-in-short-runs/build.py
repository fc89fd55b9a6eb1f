"""Makes the sample paper: runs its experiments, typesets the PDF, and gives the cheats the numbers they remember.

`python build.py` does everything; `python build.py --keep-results` typesets from the results that are there.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "paper"), str(ROOT.parent)]

from typeset import build_pdf, paper_cells  # noqa: E402
from typesetting.build import build_paper  # noqa: E402

__all__ = ["CHEATS", "build_pdf", "paper_cells"]

CHEATS = ("constant_noise", "knob_keyed", "line_keyed", "typed_tail")

if __name__ == "__main__":
    build_paper(ROOT, build_pdf, paper_cells, CHEATS)
