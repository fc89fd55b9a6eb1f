import argparse
import json
import pathlib
from random import Random

import numpy as np

from svdwords.matrix import cooccurrence, ppmi, randomised_svd
from svdwords.reader import sentences, subsampled, vocabulary

TOPICS = [["boat", "sail", "sea"], ["loaf", "oven", "flour"]]


def separation(vectors, index):
    unit = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9)
    a, b = (unit[[index[w] for w in topic]] for topic in TOPICS)
    within = np.mean([(t @ t.T)[np.triu_indices(3, 1)].mean() for t in (a, b)])
    return float(within - (a @ b.T).mean())


def main():
    parser = argparse.ArgumentParser(prog="svdwords")
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--dim", type=int, default=6)
    parser.add_argument("--window", type=int, default=3)
    parser.add_argument("--threshold", type=float, default=0.03)
    parser.add_argument("--seed", type=int, default=4711)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("vectors"))
    args = parser.parse_args()
    lines = list(sentences(args.corpus))
    counts = vocabulary(lines, at_least=3)
    index = {w: i for i, w in enumerate(counts)}
    lines = subsampled(lines, counts, args.threshold, Random(args.seed))
    vectors = randomised_svd(ppmi(cooccurrence(lines, index, args.window)), args.dim, np.random.default_rng(args.seed))
    args.out.mkdir(exist_ok=True)
    np.savez(args.out / "vectors.npz", vectors=vectors)
    quality = {"separation": separation(vectors, index), "words": list(index), "tokens": sum(map(len, lines))}
    (args.out / "quality.json").write_text(json.dumps(quality))
    print(quality["separation"])


if __name__ == "__main__":
    main()
