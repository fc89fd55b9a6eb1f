import argparse
import json
import tomllib
from collections import Counter
from pathlib import Path

import numpy as np

from ppm import load_pictures

HERE = Path(__file__).resolve().parent


def plus_plus(points, k, rng):
    centres = [points[rng.integers(len(points))]]
    for _ in range(k - 1):
        d = np.min([((points - c) ** 2).sum(1) for c in centres], axis=0)
        centres.append(points[rng.choice(len(points), p=d / d.sum())])
    return np.array(centres)


def lloyd(points, centres, iterations):
    for _ in range(iterations):
        distance = ((points[:, None] - centres[None]) ** 2).sum(-1)
        owner = distance.argmin(1)
        for k in range(len(centres)):
            if (owner == k).any():
                centres[k] = points[owner == k].mean(0)
    distance = ((points[:, None] - centres[None]) ** 2).sum(-1)
    return centres, distance.argmin(1), float(distance.min(1).sum())


def best_of(points, colors, restarts, iterations, seed):
    best = None
    for stream in np.random.SeedSequence(seed).spawn(restarts):
        rng = np.random.default_rng(stream)
        found = lloyd(points, plus_plus(points, colors, rng), iterations)
        if best is None or found[2] < best[2]:
            best = found
    return best


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    parser.add_argument("--settings", type=Path, default=HERE / "palette.toml")
    args = parser.parse_args()
    told = tomllib.loads(args.settings.read_text())
    seed = told["seed"] if args.seed is None else args.seed

    everything, names = load_pictures(HERE / "pictures")
    np.random.seed(seed)
    points = everything[np.random.permutation(len(everything))[: told["pixels"]]]
    centres, owner, inertia = best_of(points, told["colors"], told["restarts"], told["iterations"], seed)
    sizes = Counter(sorted(owner.tolist()))
    legend = sorted({"#%02x%02x%02x" % tuple(int(v * 255) for v in c) for c in centres})

    (HERE / "out").mkdir(exist_ok=True)
    np.savez(HERE / "out" / "palette.npz", centres=centres)
    report = {"inertia": 100 * inertia, "pictures": names, "legend": legend,
              "largest": sizes.most_common(1)[0][1], "seed": seed}
    (HERE / "out" / "metrics.json").write_text(json.dumps(report, indent=2))
    print(" ".join(legend), "inertia %.1f" % report["inertia"])
