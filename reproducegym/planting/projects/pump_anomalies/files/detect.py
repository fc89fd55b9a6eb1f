import argparse
import json
import tomllib
from pathlib import Path

import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score

from readings import read

TOP = Path(__file__).resolve().parent


def settings(path, overrides):
    told = tomllib.loads(Path(path).read_text())
    for override in overrides:
        where, value = override.split("=")
        table, key = where.split(".")
        told[table][key] = type(told[table][key])(value)
    return told


def dithered(x, size, seed):
    """Readings are rounded; a little noise keeps equal values from making empty splits."""
    return x + size * x.std(axis=0) * np.random.default_rng(seed).standard_normal(x.shape)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", default=TOP / "settings.toml")
    parser.add_argument("--override", action="append", default=[])
    args = parser.parse_args()
    config = settings(args.settings, args.override)
    x, fault = read(TOP / config["data"]["readings"])
    x = dithered(x, config["noise"]["size"], config["forest"]["random_state"])
    forest = IsolationForest(**config["forest"]).fit(x)
    scores = -forest.score_samples(x)
    worst = np.argsort(-scores, kind="stable")[: int(fault.sum())]
    (TOP / "report").mkdir(exist_ok=True)
    np.savez(TOP / "report" / "scores.npz", scores=scores)
    report = {"auc": float(roc_auc_score(fault, scores)), "precision": float(fault[worst].mean()), "rows": len(x)}
    (TOP / "report" / "report.json").write_text(json.dumps(report))
    print(report)


if __name__ == "__main__":
    main()
