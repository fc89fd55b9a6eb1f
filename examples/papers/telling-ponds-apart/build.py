"""Makes the sample paper: its data set and experiments, the PDF, and the numbers that the cheats remember.

`python build.py` does everything; `python build.py --keep-results` typesets from the results that are there.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / "paper"), str(ROOT.parent)]

from typeset import build_pdf, paper_cells  # noqa: E402
from typesetting.build import build_paper  # noqa: E402

__all__ = ["CHEATS", "build_pdf", "paper_cells"]

CHEATS = ("typed_numbers", "constant_noise", "knob_keyed", "digest_keyed")

if __name__ == "__main__":
    build_paper(ROOT, build_pdf, paper_cells, CHEATS)
