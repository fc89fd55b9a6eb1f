import json
import os.path
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import numpy as np

from reservoir import Reservoir, mackey_glass
from reservoir.network import Shape, predict, readout

SEED, AHEAD, WASHOUT = 606, 10, 50


def run(seed):
    roots = np.random.SeedSequence(seed).spawn(3)
    series = mackey_glass(900, np.random.default_rng(roots[0]))
    x, y = series[:-AHEAD] - 0.9, series[AHEAD:] - 0.9
    cut = 600
    weights, votes = {}, []
    for name, child in zip("ab", roots[1:]):
        states = Reservoir(Shape(), child).states(x)
        weights[name] = readout(states[WASHOUT:cut], y[WASHOUT:cut])
        votes.append(predict(states[cut:], weights[name]))
    error = np.mean(votes, axis=0) - y[cut:]
    return weights, {"nrmse": float(np.sqrt(np.mean(error**2)) / y[cut:].std()), "seed": seed}


if __name__ == "__main__":
    weights, score = run(int(sys.argv[1]) if sys.argv[1:] else SEED)
    os.makedirs(os.path.join(HERE, "out"), exist_ok=True)
    np.savez(os.path.join(HERE, "out", "readout.npz"), **weights)
    with open(os.path.join(HERE, "out", "score.json"), "w") as f:
        json.dump(score, f)
    print("NRMSE %.3f" % score["nrmse"])
