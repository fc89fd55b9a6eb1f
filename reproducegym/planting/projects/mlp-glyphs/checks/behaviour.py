import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from sklearn.datasets import load_digits
from shifts import enlarged, shifted

m = json.load(open("out/metrics.json"))
w = np.load("out/mlp.npz")
assert w["arr_0"].shape == (64, 24) and w["arr_1"].shape == (24, 10)
assert m["accuracy"] > 0.8 and m["loss"][-1] < 0.5 * m["loss"][0] and m["images"] == 980
d = load_digits()
h = np.maximum(d.data / 16 @ w["arr_0"] + w["arr_2"], 0) @ w["arr_1"] + w["arr_3"]
acc = (h.argmax(1) == d.target).mean()
assert acc > 0.8 and abs(acc - m["accuracy"]) < 0.1, (acc, m["accuracy"])
a, b = shifted(d.images[:40], np.random.default_rng(1)), shifted(d.images[:40], np.random.default_rng(2))
assert not np.array_equal(a, b) and a.shape == (40, 8, 8), "shifts are not drawn"
assert len(enlarged(d.images[:5], d.target[:5], 2, np.random.default_rng(0))[0]) == 15
