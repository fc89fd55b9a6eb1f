import argparse
import json

import numpy as np

from keychain import Key
from photons.guide import fit
from photons.star import observe

parser = argparse.ArgumentParser(prog="photons")
parser.add_argument("--key", type=int, default=42)
parser.add_argument("--steps", type=int, default=400)

if __name__ == "__main__":
    args = parser.parse_args()
    sky, inference = Key.of(args.key).split()
    (mean, log_scale), curve = fit(inference, observe(sky), args.steps)
    np.savez("posterior.npz", mean=mean, log_scale=log_scale)
    with open("posterior.json", "w") as f:
        json.dump({"elbo": float(curve[-100:].mean()), "first": float(curve[0]), "mean": mean.tolist()}, f)
    print(mean, np.exp(log_scale))
