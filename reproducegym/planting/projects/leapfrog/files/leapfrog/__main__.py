import argparse
import itertools
import json
import os
import sys
import time

import numpy as np

from .sampler import chain
from .targets import TARGETS


def main(argv):
    parser = argparse.ArgumentParser(prog="leapfrog")
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--entropy", type=int, default=31)
    args = parser.parse_args(argv)
    began = time.monotonic_ns()
    rng = np.random.Generator(np.random.PCG64(args.entropy))
    target = TARGETS[args.target]()
    run = list(itertools.islice(chain(target, rng.normal(size=2), rng), 100, 100 + args.draws))
    draws = np.array([z for z, _ in run])
    diagnostics = {
        "error": float(np.linalg.norm(draws.mean(0) - target.mean)),
        "accepted": sum(a for _, a in run) / len(run),
        "std": draws.std(0).tolist(),
    }
    os.makedirs("draws", exist_ok=True)
    np.savez("draws/chain.npz", draws=draws)
    with open("draws/diagnostics.json", "w") as f:
        json.dump(diagnostics, f)
    print(diagnostics, (time.monotonic_ns() - began) // 10**6, "ms", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
