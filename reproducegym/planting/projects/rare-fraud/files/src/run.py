import argparse
import json
import pathlib

import numpy as np
from sklearn.metrics import average_precision_score

from fraud import EasyEnsemble, payments
from fraud.ensemble import plain

OUT = pathlib.Path(__file__).resolve().parents[1] / "out"


def cli():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=3000)
    parser.add_argument("--share", type=float, default=0.033)
    parser.add_argument("--members", type=int, default=10)
    parser.add_argument("--seed", type=int, default=2020)
    return parser.parse_args()


def main():
    args = cli()
    rng = np.random.default_rng(args.seed)
    x, y = payments(args.count, args.share, rng)
    x_test, y_test = payments(args.count, args.share, rng)
    ensemble = EasyEnsemble(args.members, args.seed).fit(x, y)
    scores = ensemble.score(x_test)
    metrics = {
        "average_precision": float(average_precision_score(y_test, scores)),
        "logistic": float(average_precision_score(y_test, plain(x, y).predict_proba(x_test)[:, 1])),
        "frauds": int(y.sum()),
        "shallowest": min({int(t.get_depth()) for t in ensemble.trees}),
    }
    OUT.mkdir(exist_ok=True)
    thresholds = np.concatenate([t.tree_.threshold for t in ensemble.trees])
    np.savez(OUT / "ensemble.npz", thresholds=thresholds, scores=scores)
    (OUT / "metrics.json").write_text(json.dumps(metrics, sort_keys=True) + "\n")
    print(metrics)


if __name__ == "__main__":
    main()
