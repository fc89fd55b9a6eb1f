"""Learn to cross: reads the settings, learns, writes the table and what it earns."""

import argparse
import json
from pathlib import Path

import numpy as np

from learner import Learner
from names import number_docks
from river import River
from settings import read


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", required=True)
    parser.add_argument("--set", action="append", default=[])
    given = parser.parse_args()
    settings = read(given.config, given.set)
    rng = np.random.default_rng(settings["seed"])
    docks = number_docks(["north", "mill", "isle", "south", "mill", "north", "bend"])
    river = River(docks, rng)
    learner = Learner(len(docks), settings, rng)
    returns = [learner.episode(river) for _ in range(settings["episodes"])]
    out = Path(settings["out"])
    out.mkdir(exist_ok=True)
    np.savez(out / "table.npz", q=learner.table)
    metrics = {"mean_return": float(np.mean(returns[-50:])), "docks": len(docks)}
    (out / "metrics.json").write_text(json.dumps(metrics))


if __name__ == "__main__":
    main()
