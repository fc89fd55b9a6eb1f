import json, os, sys
sys.path.insert(0, os.getcwd())
from random import Random
import numpy as np
from svdwords.matrix import ppmi, randomised_svd
from svdwords.cli import separation
from svdwords.reader import sentences, subsampled, vocabulary

q = json.load(open("vectors/quality.json")); v = np.load("vectors/vectors.npz")["vectors"]
assert v.shape == (17, 6) and len(q["words"]) == 17
assert abs(separation(v, {w: i for i, w in enumerate(q["words"])}) - q["separation"]) < 1e-9 and q["separation"] > 0.2
lines = list(sentences("corpus")); counts = vocabulary(lines, 3)
assert list(counts) == q["words"] and q["tokens"] < sum(counts.values())
assert subsampled(lines, counts, 0.03, Random(1)) != subsampled(lines, counts, 0.03, Random(2))
m = np.abs(np.random.default_rng(0).normal(size=(12, 12))); m = m + m.T
assert (ppmi(m) >= 0).all()
x = randomised_svd(m, 12, np.random.default_rng(1), extra=0)
assert np.allclose((x**2).sum(), np.linalg.svd(m, compute_uv=False).sum(), rtol=0.02)
