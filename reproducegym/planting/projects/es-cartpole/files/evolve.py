import argparse
import json
import time
from pathlib import Path

import numpy as np

from cartpole import CartPole


def balance(theta, env):
    theta = [float(v) for v in theta]
    observation, done = env.reset(), False
    while not done:
        observation, done = env.step(sum(w * o for w, o in zip(theta, observation)) + theta[4] > 0)
    return env.t


def ranks(values):
    """Centred ranks in [-1/2, 1/2]; ties in the order given."""
    order = np.argsort(values, kind="stable")
    out = np.empty(len(values))
    out[order] = np.arange(len(values)) / (len(values) - 1) - 0.5
    return out


class Evolution:
    def __init__(self, seed, pairs, sigma, rate=0.35):
        self.noise = np.random.RandomState(seed)
        self.env = CartPole(np.random.RandomState(seed + 10_000))
        self.theta = self.noise.randn(5) * 0.02
        self.pairs, self.sigma, self.rate = pairs, sigma, rate

    def generation(self):
        half = self.noise.randn(self.pairs, 5)
        eps = np.concatenate([half, -half])
        scores = np.array([balance(self.theta + self.sigma * e, self.env) for e in eps])
        self.theta = self.theta + self.rate / (len(eps) * self.sigma) * (ranks(scores) @ eps)
        return float(scores.mean())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--sigma", type=float, default=0.3)
    args = parser.parse_args()

    t0 = time.monotonic()
    evolution = Evolution(args.seed, args.pairs, args.sigma)
    curve = [evolution.generation() for _ in range(args.generations)]
    final = [balance(evolution.theta, evolution.env) for _ in range(20)]

    out = Path(__file__).parent / "out"
    out.mkdir(exist_ok=True)
    np.savez(out / "policy.npz", theta=evolution.theta)
    (out / "metrics.json").write_text(json.dumps({"steps": float(np.mean(final)), "curve": curve, "args": vars(args)}))
    print(f"{np.mean(final):.1f} steps, {time.monotonic() - t0:.1f} s")


if __name__ == "__main__":
    main()
