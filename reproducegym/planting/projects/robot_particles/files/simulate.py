import argparse
import json
import os

import numpy as np

from belief import Belief
from world import walk


def options(args=None):
    p = argparse.ArgumentParser()
    p.add_argument("--particles", type=int, default=300)
    p.add_argument("--steps", type=int, default=40)
    p.add_argument("--world-seed", type=int, default=5050, help="the filter's seed is drawn from it")
    return p.parse_args(args)


def main(o):
    for_world, for_filter = map(np.random.default_rng, np.random.SeedSequence(o.world_seed).spawn(2))
    belief = Belief(o.particles, for_filter)
    errors, path = [], []
    for step in walk(o.steps, for_world):
        belief.update(step.turn, step.ranges)
        path.append(np.concatenate([step.pose[:2], belief.mean()]))
        errors.append(float(((step.pose[:2] - belief.mean()) ** 2).sum()))
    os.makedirs("trace", exist_ok=True)
    np.savez("trace/particles.npz", poses=belief.poses, weights=belief.weights, path=np.array(path))
    summary = {"rmse": float(np.sqrt(np.mean(errors[5:]))), "last": errors[-1] ** 0.5, "steps": o.steps}
    with open("trace/summary.json", "w") as f:
        json.dump(summary, f)
    print("rmse %(rmse).2f m" % summary)


if __name__ == "__main__":
    main(options())
