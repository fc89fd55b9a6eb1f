import json
import sys
from pathlib import Path

import numpy as np

from compose import compose
from polynomial import Polynomial, sample

HERE = Path(__file__).resolve().parent


def main(config):
    x, y = sample(**config["data"])
    order = np.random.RandomState(config["split"]["seed"]).permutation(len(x))
    cut = int(len(x) * config["split"]["share"])
    train, test = order[:cut], order[cut:]
    rng = np.random.RandomState(config["seed"])
    model = Polynomial(**config["model"], rng=rng).fit(x[train], y[train], **config["optimizer"], rng=rng)
    r2 = 1 - float(((model(x[test]) - y[test]) ** 2).sum() / ((y[test] - y[test].mean()) ** 2).sum())
    out = HERE / "out"
    out.mkdir(exist_ok=True)
    (out / "coefficients.json").write_text(json.dumps(model.w.tolist()))
    (out / "metrics.json").write_text(json.dumps({"r2": r2, "config": config}, sort_keys=True))
    print("R2 %.3f" % r2)


if __name__ == "__main__":
    main(compose(HERE / "conf", sys.argv[1:]))
