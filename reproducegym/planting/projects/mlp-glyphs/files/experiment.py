import argparse
import json
import os
import warnings

import numpy as np
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

from presets import PRESETS
from shifts import enlarged

warnings.filterwarnings("ignore", category=ConvergenceWarning)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preset", choices=sorted(PRESETS), default="small")
    parser.add_argument("--solver", choices=["adam", "sgd"], default="adam")
    parser.add_argument("--seed", type=int, default=12)
    args = parser.parse_args()
    preset = PRESETS[args.preset]

    digits = load_digits()
    rng = np.random.default_rng(args.seed)
    rows = rng.permutation(len(digits.images))[: preset["rows"]]
    fit, test, y_fit, y_test = train_test_split(
        digits.images[rows] / 16, digits.target[rows], test_size=0.3, random_state=args.seed
    )
    images, labels = enlarged(fit, y_fit, preset["copies"], rng)
    network = MLPClassifier(
        preset["hidden"], solver=args.solver, learning_rate_init=0.01, batch_size=64,
        max_iter=preset["rounds"], random_state=args.seed,
    )
    network.fit(images.reshape(len(images), -1), labels)

    os.makedirs("out", exist_ok=True)
    np.savez("out/mlp.npz", *network.coefs_, *network.intercepts_)
    metrics = {
        "accuracy": float(network.score(test.reshape(len(test), -1), y_test)),
        "loss": [float(v) for v in network.loss_curve_],
        "images": len(images),
    }
    with open("out/metrics.json", "w") as handle:
        json.dump(metrics, handle)
    print(f"accuracy {metrics['accuracy']:.3f}")


if __name__ == "__main__":
    main()
