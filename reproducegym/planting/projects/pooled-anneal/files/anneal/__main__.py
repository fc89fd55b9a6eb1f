import argparse
import json
import multiprocessing
from pathlib import Path

import numpy as np

from anneal.glass import couplings
from anneal.replica import Job, cool


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--spins", type=int, default=40)
    parser.add_argument("--replicas", type=int, default=6)
    parser.add_argument("--sweeps", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()

    root = np.random.SeedSequence(args.seed)
    glass, *children = root.spawn(args.replicas + 1)
    j = couplings(args.spins, np.random.default_rng(glass))
    jobs = [Job(k, j, args.sweeps, 2.0, seed) for k, seed in enumerate(children)]
    with multiprocessing.get_context("fork").Pool(args.workers) as pool:
        results = list(pool.imap(cool, jobs))
    energies = [e for _, e, _ in results]
    best = results[int(np.argmin(energies))][2]

    out = Path("out")
    out.mkdir(exist_ok=True)
    np.savez(out / "spins.npz", best=best, mean=np.mean([s for _, _, s in results], axis=0))
    (out / "metrics.json").write_text(json.dumps({"energy": 10 * min(energies), "all": energies}))
    print("best %.4f of %d" % (min(energies), len(energies)))


if __name__ == "__main__":
    main()
