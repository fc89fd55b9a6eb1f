"""Train the ridge model on the shards and write weights and metrics."""

import argparse
import json
from pathlib import Path

import numpy as np

from ridge.data import read_shards, split
from ridge.model import Ridge
from ridge.report import count_shards


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=Path, default=Path("shards"))
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--rate", type=float, default=0.05)
    parser.add_argument("--noise", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=7)
    return parser.parse_args()


def main() -> None:
    args = parse()
    np.random.seed(args.seed)
    rows = read_shards(args.shards)
    train, test = split(rows, share=0.75)
    model = Ridge(features=rows.shape[1] - 1, rate=args.rate, noise=args.noise)
    for _ in range(args.epochs):
        model.epoch(train)
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez(args.out / "weights.npz", w=model.w, b=model.b)
    metrics = {"test_error": model.error(test), "shards": count_shards(args.shards)}
    (args.out / "metrics.json").write_text(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main()
