import argparse
import json
import random
from pathlib import Path

import numpy as np

from perceptron import Perceptron


def sentences(folder):
    out = []
    for path in sorted(Path(folder).glob("*.pos")):
        for line in path.read_text().splitlines():
            pairs = [token.rsplit("/", 1) for token in line.split()]
            out.append(([w for w, _ in pairs], [t for _, t in pairs]))
    return out


def train(a):
    random.seed(a.s)
    data = sentences(a.treebank)
    held = set(np.random.RandomState(a.s).choice(len(data), len(data) // 4, replace=False).tolist())
    fit = [d for i, d in enumerate(data) if i not in held]
    test = [data[i] for i in sorted(held)]
    model = Perceptron({t for _, tags in data for t in tags})
    curve = []
    for _ in range(a.e):
        random.shuffle(fit)
        curve.append(sum(model.learn(w, t) for w, t in fit) / sum(len(t) for _, t in fit))
    model.average()
    right = sum(g == t for words, tags in test for g, t in zip(model.tag(words), tags))
    accuracy = right / sum(len(tags) for _, tags in test)
    Path("tagger.json").write_text(json.dumps(model.weights, sort_keys=True))
    Path("tagger.metrics.json").write_text(json.dumps({"accuracy": accuracy, "curve": curve}))
    print(f"{accuracy:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["train"])
    parser.add_argument("treebank")
    parser.add_argument("-e", type=int, default=6, help="epochs")
    parser.add_argument("-s", type=int, default=9, help="seed")
    given = parser.parse_args()
    {"train": train}[given.what](given)
