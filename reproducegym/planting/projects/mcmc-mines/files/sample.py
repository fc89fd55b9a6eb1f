import argparse
import json
import os

import numpy as np

from mines.counts import FOLDER, load
from mines.metropolis import chain, r_hat
from mines.model import ChangePoint

parser = argparse.ArgumentParser()
parser.add_argument("--chains", type=int, default=3)
parser.add_argument("--draws", type=int, default=900)
parser.add_argument("--seed", type=int, default=6)


def main(args):
    model = ChangePoint(*load())
    streams = np.random.SeedSequence(args.seed).spawn(args.chains)
    runs = [chain(model, args.draws, np.random.default_rng(s)) for s in streams]
    draws = np.stack([k for k, _ in runs])
    out = os.path.join(os.path.dirname(FOLDER), "out")
    os.makedirs(out, exist_ok=True)
    np.savez(os.path.join(out, "draws.npz"), draws=draws[:, ::5])
    metrics = {
        "year": float(draws[..., 2].mean()),
        "before": float(np.exp(draws[..., 0]).mean()),
        "after": float(np.exp(draws[..., 1]).mean()),
        "r_hat_year": r_hat(draws[..., 2]),
        "acceptance": [a for _, a in runs],
    }
    with open(os.path.join(out, "metrics.json"), "w") as f:
        json.dump(metrics, f, indent=2)
    print("year %(year).1f, %(before).2f -> %(after).2f" % metrics)


if __name__ == "__main__":
    main(parser.parse_args())
