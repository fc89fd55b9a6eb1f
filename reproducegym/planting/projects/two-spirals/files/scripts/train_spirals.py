"""Train the network on two spirals and keep weights and accuracy."""
import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

import numpy as np  # noqa: E402

from spirals import Network, batches, spirals  # noqa: E402


def run(seed, hidden, epochs):
    data_rng, init_rng, order_rng = (np.random.default_rng([seed, k]) for k in range(3))
    x, y = spirals(500, data_rng)
    test_x, test_y = spirals(200, data_rng)
    net = Network(hidden, init_rng)
    t = 0
    for _ in range(epochs):
        for bx, by in batches(x, y, 50, order_rng):
            t += 1
            net.step(bx, by, 0.03, t)
    return net, {
        "train_accuracy": float(np.mean(net.predict(x) == y)),
        "accuracy": float(np.mean(net.predict(test_x) == test_y)),
        "steps": t,
    }


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--hidden", type=int, default=24)
parser.add_argument("--epochs", type=int, default=45)

if __name__ == "__main__":
    args = parser.parse_args()
    net, metrics = run(args.seed, args.hidden, args.epochs)
    out = ROOT / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "spirals.npz", **net.state())
    (out / "spirals.json").write_text(json.dumps({**metrics, **vars(args)}, sort_keys=True))
    print(metrics)
