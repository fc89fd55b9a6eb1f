"""Runs every experiment of the paper under its seeds and writes `results.json`, all that the paper prints."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bandit import RULES, run_bandit
from chain import METHODS, run_chain
from typesetting.results import curve, summary, write_results
from typesetting.seeds import drawn_seeds

__all__ = ["main"]

BANDIT_STEPS = (1, 5, 10, 20, 30, 40, 50, *range(75, 501, 25))
CHAIN_EPISODES = (1, 2, 5, *range(10, 101, 5))


def main() -> None:
    """Run everything and write the results: beside this file's directory, unless told otherwise."""
    seeds, path = drawn_seeds(__file__)
    bandit, chain = {}, {}
    for name in RULES:
        runs = [run_bandit(name, seed) for seed in seeds]
        bandit[name] = {
            "optimal_pulls": summary([run.optimal_pulls[-1] for run in runs]),
            "regret": summary([run.regret[-1] for run in runs]),
            "curve": curve([run.optimal_pulls for run in runs], BANDIT_STEPS),
        }
    for name in METHODS:
        plays = [run_chain(name, seed) for seed in seeds]
        chain[name] = {
            "return": summary([play.returns[-1] for play in plays]),
            "goal_reached": summary([play.goal_reached[-1] for play in plays]),
            "curve": curve([play.returns for play in plays], CHAIN_EPISODES),
        }
    write_results(path, tuple(seeds), {"bandit": bandit, "chain": chain})


if __name__ == "__main__":
    main()
