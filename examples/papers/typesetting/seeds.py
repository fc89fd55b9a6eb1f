"""Which seeds a paper's experiments run under: the paper's own, or others for the same paper drawn anew."""

import argparse
from pathlib import Path

__all__ = ["drawn_seeds"]


def drawn_seeds(script: str, count: int = 5) -> tuple[range, Path]:
    """The seeds, and where results.json goes, from the command line of an `experiments/run_all.py`.

    Without options the seeds 0, 1, … and the paper's own results.json; `--first-seed N --results PATH` draws anew.
    """
    options = argparse.ArgumentParser()
    options.add_argument("--first-seed", type=int, default=0, help="the first of the seeds to run under")
    options.add_argument("--results", type=Path, default=Path(script).resolve().parent.parent / "results.json")
    given = options.parse_args()
    return range(given.first_seed, given.first_seed + count), given.results
