import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from forest import grow
from tables import load

m = json.load(open("out/metrics.json"))
f = json.load(open("out/forest.json"))
assert len(f["trees"]) == 25 and f["classes"] == ["hillside", "old abbey", "riverbank"]
assert abs(sum(f["importances"].values()) - 1) < 1e-6 and m["rows"] == 144
c = np.array(m["confusion"])
assert c.sum() == 108 and abs(np.trace(c) / 108 - m["accuracy"]) < 1e-9 and m["accuracy"] > 0.6
assert len({tuple(t["threshold"]) for t in f["trees"]}) > 20, "the trees are all alike"
x, y = load("tables")
a, b = (grow(x, y, s, 3, 3).estimators_[0].tree_.threshold.tolist() for s in (1, 2))
assert a != b, "the forest ignores its seed"
