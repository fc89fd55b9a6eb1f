import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from bikes import features, read_months
from train import fit, rmse, split

m = json.load(open("out/metrics.json"))
w = np.load("out/weights.npz")["w"]
x, y = features(read_months())
assert w.shape == (8,) and np.isfinite(w).all()
assert m["test_rmse"] < 0.7 * m["baseline_rmse"], m
assert abs(rmse(x, y, w) - m["test_rmse"]) < 12, "the metric is not that of the weights"
a, _ = split(len(x), np.random.default_rng(1))
b, _ = split(len(x), np.random.default_rng(2))
assert not np.array_equal(a, b), "the split ignores its generator"
w1, w2 = (fit(x, y, np.random.default_rng(s), epochs=1) for s in (1, 2))
assert not np.array_equal(w1, w2), "fit ignores its generator"
