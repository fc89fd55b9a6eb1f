import json
import os
import sys

import numpy as np

from faults.machine import searched
from faults.sound import spectra

HERE = os.path.dirname(os.path.abspath(__file__))


def main(argv):
    with open(os.path.join(HERE, "grid.json")) as f:
        grid = json.load(f)
    seed = int(argv[0]) if argv else grid["seed"]
    state = np.random.RandomState(seed)
    x, y = spectra(grid["pumps"], state)
    x_new, y_new = spectra(grid["pumps"], state)
    found = searched(x, y, grid, seed)
    best = found.best_estimator_
    out = os.path.join(HERE, "out")
    os.makedirs(out, exist_ok=True)
    np.savez(
        os.path.join(out, "svm.npz"),
        components=best["pca"].components_,
        dual=best["svc"].dual_coef_,
        vectors=best["svc"].support_vectors_,
    )
    metrics = {
        "accuracy": float(best.score(x_new, y_new)),
        "cross_validated": float(found.best_score_),
        "chosen": {k: float(v) for k, v in sorted(found.best_params_.items())},
    }
    with open(os.path.join(out, "metrics.json"), "w") as f:
        json.dump(metrics, f, indent=2)
    print(metrics)


if __name__ == "__main__":
    main(sys.argv[1:])
