"""Makes a sample paper: runs its experiments, typesets the PDF, and gives the cheats the numbers they remember."""

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from typesetting.printed import Printed, remembered
from typesetting.results import Results, read_results

__all__ = ["build_paper"]


def build_paper(
    root: Path, build_pdf: Callable[[Results], bytes], cells: Callable[[Results], Printed], cheats: Sequence[str]
) -> None:
    """The whole command line of a paper's build.py.

    Writes below `root` results.json (unless it is kept), paper.pdf, and remembered.json of every cheat; or with
    `--out` the last two below another directory, under the same names. With `--first-seed` the experiments run under
    other seeds than the paper's, and results.json goes below `--out` too.
    """
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--keep-results", action="store_true", help="do not run the experiments again")
    options.add_argument("--out", type=Path, default=root, help="where paper.pdf and the cheats' numbers go")
    options.add_argument("--first-seed", type=int, help="draw the paper anew, under these seeds; wants --out")
    given = options.parse_args()
    redrawn = given.first_seed is not None
    if redrawn and given.out == root:
        options.error("--first-seed wants --out: a redrawn paper does not replace the paper")
    given.out.mkdir(parents=True, exist_ok=True)
    kept = (given.out if redrawn else root) / "results.json"
    if redrawn or not given.keep_results:
        seeds = ["--first-seed", str(given.first_seed), "--results", kept] if redrawn else []
        subprocess.run([sys.executable, root / "experiments" / "run_all.py", *seeds], check=True)
    results = read_results(kept)
    (given.out / "paper.pdf").write_bytes(build_pdf(results))
    for cheat in cheats:
        path = given.out / "cheats" / cheat / "remembered.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(remembered(cells(results)), encoding="utf-8")
