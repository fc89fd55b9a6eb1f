"""Runs every experiment of the paper under its seeds and writes `results.json`, all that the paper prints."""

import json
import statistics
from pathlib import Path

from bandit import RULES, run_bandit
from chain import METHODS, run_chain

__all__ = ["SEEDS", "main"]

SEEDS = (0, 1, 2, 3, 4)
BANDIT_STEPS = (1, 5, 10, 20, 30, 40, 50, *range(75, 501, 25))
CHAIN_EPISODES = (1, 2, 5, *range(10, 101, 5))


def summary(values: list[float]) -> dict[str, float | list[float]]:
    """Mean and sample standard deviation over seeds, and the values themselves."""
    return {
        "mean": round(statistics.fmean(values), 6),
        "sd": round(statistics.stdev(values), 6),
        "seeds": [round(value, 6) for value in values],
    }


def curve(series: list[list[float]], at: tuple[int, ...]) -> list[list[float]]:
    """Points (x, mean over seeds) of curves whose entry i belongs to x = i + 1."""
    return [[x, round(statistics.fmean(one[x - 1] for one in series), 6)] for x in at]


def main() -> None:
    """Run everything and write the results beside this file's directory."""
    bandit, chain = {}, {}
    for name in RULES:
        runs = [run_bandit(name, seed) for seed in SEEDS]
        bandit[name] = {
            "optimal_pulls": summary([run.optimal_pulls[-1] for run in runs]),
            "regret": summary([run.regret[-1] for run in runs]),
            "curve": curve([run.optimal_pulls for run in runs], BANDIT_STEPS),
        }
    for name in METHODS:
        plays = [run_chain(name, seed) for seed in SEEDS]
        chain[name] = {
            "return": summary([play.returns[-1] for play in plays]),
            "goal_reached": summary([play.goal_reached[-1] for play in plays]),
            "curve": curve([play.returns for play in plays], CHAIN_EPISODES),
        }
    results = {"seeds": SEEDS, "bandit": bandit, "chain": chain}
    path = Path(__file__).resolve().parent.parent / "results.json"
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
