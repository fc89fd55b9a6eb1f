import argparse
import json
import pathlib

import numpy as np

from .diary import read
from .restarts import best_of


def fit(args):
    sequences, words = read(args.observations)
    model, curve = best_of(sequences, args.states, len(words), args.restarts, args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    np.savez(args.out / "hmm.npz", start=model.start, move=model.move, emit=model.emit)
    favourite = [words[i] for i in model.emit.argmax(1)]
    (args.out / "metrics.json").write_text(json.dumps({"loglik": curve[-1], "curve": curve, "favourite": favourite}))
    print(f"log-likelihood {curve[-1]:.2f}; states like {', '.join(favourite)}")


def main():
    parser = argparse.ArgumentParser(prog="hmm")
    commands = parser.add_subparsers(required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("--observations", required=True)
    fitting.add_argument("--states", type=int, default=2)
    fitting.add_argument("--restarts", type=int, default=4)
    fitting.add_argument("--seed", type=int, default=13)
    fitting.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out"))
    fitting.set_defaults(run=fit)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
