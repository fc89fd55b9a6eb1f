import argparse
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from stumps import grow, stripes, vote


def member(job):
    """One bag: random rows, random features; returns the stump and the rows left out."""
    x, y, seed = job
    rng = np.random.default_rng(seed)
    rows = rng.integers(0, len(x), len(x))
    features = np.sort(rng.choice(x.shape[1], 2, replace=False))
    feature, threshold, sign = grow(x[rows][:, features], y[rows])
    return (int(features[feature]), threshold, sign), np.setdiff1d(np.arange(len(x)), rows)


def bag(x, y, stumps, jobs, seed):
    tasks = [(x, y, s) for s in np.random.SeedSequence(seed).spawn(stumps)]
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as executor:
        futures = [executor.submit(member, task) for task in tasks]
        return [future.result() for future in futures]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=250)
    parser.add_argument("--stumps", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=16)
    args = parser.parse_args()
    x, y = stripes(args.rows, np.random.default_rng(args.seed))
    members = bag(x, y, args.stumps, args.jobs, args.seed + 1)
    votes = np.zeros(len(x))
    for stump, out in members:
        votes[out] += vote(stump, x[out])
    metrics = {"oob_accuracy": float(((votes > 0) == y).mean()), "features": sorted({s[0] for s, _ in members})}
    Path("bag").mkdir(exist_ok=True)
    Path("bag/stumps.json").write_text(json.dumps([s for s, _ in members]))
    Path("bag/metrics.json").write_text(json.dumps(metrics))
    print(metrics)


if __name__ == "__main__":
    main()
