import argparse
import json
import pathlib

import numpy as np

from gp import predict, search


def firing(minutes, rng):
    t = np.sort(rng.uniform(0, 120, minutes))
    true = 300 * (1 - np.exp(-t / 25)) + 20 * np.sin(t / 9)
    return t, true + 2.0 * rng.standard_normal(minutes)


def tune(args):
    kiln_rng, split_rng, search_rng = np.random.default_rng(args.seed).spawn(3)
    t, y = firing(70, kiln_rng)
    held = np.zeros(len(t), bool)
    held[split_rng.choice(len(t), 15, replace=False)] = True
    centre = y[~held].mean()
    theta, value = search(t[~held], y[~held] - centre, args.tries, search_rng)
    mean, var = predict(theta, t[~held], y[~held] - centre, t[held])
    z = (y[held] - centre - mean) ** 2 / var
    metrics = {"nlpd": float(0.5 * np.mean(z + np.log(2 * np.pi * var))), "evidence": value,
               "inside_two_sigma": float((z < 4).mean())}
    args.out.mkdir(exist_ok=True)
    names = ["amplitude", "length", "noise"]
    (args.out / "theta.json").write_text(json.dumps(dict(zip(names, np.exp(theta).tolist()))))
    (args.out / "metrics.json").write_text(json.dumps(metrics))
    print(metrics)


cli = argparse.ArgumentParser()
commands = cli.add_subparsers(required=True)
tuning = commands.add_parser("tune")
tuning.add_argument("--tries", type=int, default=40)
tuning.add_argument("--seed", type=int, default=6)
tuning.add_argument("--out", type=pathlib.Path, default=pathlib.Path("kiln"))
tuning.set_defaults(do=tune)

if __name__ == "__main__":
    told = cli.parse_args()
    told.do(told)
