import argparse
import json
import os
import time

import numpy as np

from bikes import HERE, features, read_months


def split(n, rng, share=0.75):
    order = rng.permutation(n)
    cut = int(n * share)
    return order[:cut], order[cut:]


def fit(x, y, rng, alpha=0.1, lr=0.03, epochs=40, batch=16):
    w = rng.normal(scale=0.01, size=x.shape[1])
    for epoch in range(epochs):
        order = rng.permutation(len(x))
        step = lr / (1 + 0.05 * epoch)
        for start in range(0, len(x), batch):
            pick = order[start:start + batch]
            error = x[pick] @ w - y[pick]
            w -= step * (x[pick].T @ error / len(pick) + alpha * w / len(x))
    return w


def rmse(x, y, w):
    return float(np.sqrt(np.mean((x @ w - y) ** 2)))


def main():
    parser = argparse.ArgumentParser(description="ridge regression on bike counts")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--alpha", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=40)
    args = parser.parse_args()

    started = time.perf_counter()
    rng = np.random.default_rng(args.seed)
    x, y = features(read_months())
    train, test = split(len(x), rng)
    w = fit(x[train], y[train], rng, alpha=args.alpha, epochs=args.epochs)

    os.makedirs(os.path.join(HERE, "out"), exist_ok=True)
    np.savez(os.path.join(HERE, "out", "weights.npz"), w=w)
    metrics = {
        "seed": args.seed,
        "train_rmse": rmse(x[train], y[train], w),
        "test_rmse": rmse(x[test], y[test], w),
        "baseline_rmse": float(np.sqrt(np.mean((y[test] - y[train].mean()) ** 2))),
    }
    with open(os.path.join(HERE, "out", "metrics.json"), "w") as handle:
        json.dump(metrics, handle, indent=2, sort_keys=True)
    print("test RMSE %.2f (%.2f s)" % (metrics["test_rmse"], time.perf_counter() - started))


if __name__ == "__main__":
    main()
