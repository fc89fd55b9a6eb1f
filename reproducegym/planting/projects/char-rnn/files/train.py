import argparse
import json
import os

import numpy as np

from rnn import RNN


def encode(text):
    letters = sorted(set(text))
    number = {c: i for i, c in enumerate(letters)}
    return np.array([number[c] for c in text]), letters


def train(codes, letters, args):
    rng = np.random.default_rng(args.seed)
    model = RNN(len(letters), args.hidden, rng)
    cut = int(0.85 * len(codes))
    for _ in range(args.steps):
        at = int(rng.integers(0, cut - args.window - 1))
        chunk = codes[at : at + args.window + 1]
        _, grads, _ = model.loss(chunk[:-1], chunk[1:], np.zeros(args.hidden))
        model.update(grads, args.rate)
    late = codes[cut:]
    nats, _, _ = model.loss(late[:-1], late[1:], np.zeros(args.hidden))
    verse = "".join(letters[i] for i in model.sample(int(codes[0]), 60, rng))
    return model, {"bits": float(nats / np.log(2)), "letters": len(letters), "verse": verse}


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--text", required=True)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--window", type=int, default=25)
    parser.add_argument("--steps", type=int, default=260)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    with open(args.text, encoding="utf-8") as handle:
        codes, letters = encode(handle.read())
    model, metrics = train(codes, letters, args)
    os.makedirs("out", exist_ok=True)
    np.savez("out/rnn.npz", **model.parameters)
    with open("out/metrics.json", "w") as handle:
        json.dump(metrics, handle, indent=1)
    print(metrics["verse"])
