"""Runs every experiment of the paper under its seeds and writes `results.json`, all that the paper prints."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rules import RULES
from tasks import STEPS, TASKS, run_task
from typesetting.results import banded_curve, summary, write_results
from typesetting.seeds import drawn_seeds

__all__ = ["main"]

SHOWN = (1, 3, 6, *range(10, STEPS + 1, 5))


def main() -> None:
    """Run everything and write the results: beside this file's directory, unless told otherwise."""
    seeds, path = drawn_seeds(__file__)
    found: dict[str, dict[str, object]] = {}
    for group, task in TASKS.items():
        runs = {name: [run_task(task, name, seed) for seed in seeds] for name in RULES}
        found[group] = {
            name: {
                task.metrics[0]: summary([run.first[-1] for run in series]),
                task.metrics[1]: summary([run.second[-1] for run in series]),
                "curve": banded_curve([run.first for run in series], SHOWN),
            }
            for name, series in runs.items()
        }
    write_results(path, tuple(seeds), found)


if __name__ == "__main__":
    main()
