import argparse
import contextlib
import json
import multiprocessing
import pathlib

import numpy as np

from genes.island import begin, evolve, first
from genes.towns import distances, towns


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--seed", type=int, default=21)
    p.add_argument("--towns", type=int, default=24)
    p.add_argument("--islands", type=int, default=2)
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--generations", type=int, default=25)
    p.add_argument("--size", type=int, default=40)
    return p.parse_args()


def main():
    args = parse()
    d = distances(towns(args.towns, args.seed)).tolist()
    seeds = np.random.SeedSequence(args.seed).generate_state(2 * args.islands).tolist()
    populations = [first(d, args.size, seeds.pop()) for _ in range(args.islands)]
    start = min(min(p)[0] for p in populations)
    fork = multiprocessing.get_context("fork")
    with contextlib.ExitStack() as stack:
        pools = [stack.enter_context(fork.Pool(1, initializer=begin, initargs=(seed,))) for seed in seeds]
        for _ in range(args.epochs):
            told = [(d, population, args.generations) for population in populations]
            waited = [pool.apply_async(evolve, one) for pool, one in zip(pools, told)]
            results = [one.get() for one in waited]
            populations = [p for p, _ in results]
            best = [p[0] for p in populations]
            for island, migrant in enumerate(best[-1:] + best[:-1]):
                populations[island][-1] = migrant
    shortest, tour = min(best)

    out = pathlib.Path(__file__).resolve().parent / "out"
    out.mkdir(exist_ok=True)
    (out / "tour.json").write_text(json.dumps({"tour": tour, "best_by_island": [b[0] for b in best]}))
    metrics = {"length": shortest, "start": start, "distinct": [n for _, n in results]}
    (out / "metrics.json").write_text(json.dumps(metrics))
    print(f"{start:.3f} -> {shortest:.3f}")


if __name__ == "__main__":
    main()
