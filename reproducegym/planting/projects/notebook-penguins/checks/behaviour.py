import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from centroids import fit, predict

m = json.load(open("out/metrics.json"))
w = np.load("out/centroids.npz")
assert m["species"] == ["adelie", "chinstrap", "gentoo"]
assert w["centres"].shape == (3, 3) and w["spread"].shape == (3, 3)
assert (w["spread"] > 0.01).all() and abs(w["spread"].mean() - m["spread"]) < 1e-12, "the bootstrap draws nothing"
assert 0.6 < m["accuracy"] <= 1
assert w["centres"][0, 0] < w["centres"][1, 0] and w["centres"][2, 2] > w["centres"][0, 2]
x = np.array([[0.0, 0], [0, 1], [5, 5], [5, 6]])
names, c = fit(x, ["b", "b", "a", "a"])
assert names == ["a", "b"] and np.allclose(c, [[5, 5.5], [0, 0.5]])
assert predict(names, c, x) == ["b", "b", "a", "a"]
