"""Runs every experiment of the paper under its seeds and writes `results.json`, all that the paper prints."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bank import POLICIES, run_bank
from typesetting.results import summary, write_results
from typesetting.seeds import drawn_seeds

__all__ = ["LOADS", "main"]

LOADS = (0.5, 0.7, 0.9)


def main() -> None:
    """Run everything and write the results: beside this file's directory, unless told otherwise."""
    seeds, path = drawn_seeds(__file__, 10)
    bank = {}
    for name in POLICIES:
        runs = [run_bank(name, seed) for seed in seeds]
        entry = {
            "mean_wait": summary([run.mean_wait for run in runs]),
            "late_jobs": summary([run.late_jobs for run in runs]),
        }
        for load in LOADS:
            waits = [run_bank(name, seed, load=load).mean_wait for seed in seeds]
            entry[f"mean_wait at load {load}"] = summary(waits)
        bank[name] = entry
    write_results(path, tuple(seeds), {"bank": bank})


if __name__ == "__main__":
    main()
