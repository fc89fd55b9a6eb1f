import json, os, random, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from log_reader import batched, events, shuffled
from stream import describe, hasher
m = json.load(open("state/metrics.json")); w = np.load("state/model.npz")
es = list(events("log"))
assert len(es) == 280 and w["coef"].shape == (1, 64) and m["seen"] == 2 * 280 - 16
y = np.array([e["click"] for e in es])
p = (hasher.transform(describe(e) for e in es) @ w["coef"][0] + w["intercept"][0] > 0).astype(int)
assert (p == y).mean() > max(y.mean(), 1 - y.mean()) - 0.02 and (p == y).mean() > 0.6
assert 0.55 < m["progressive_accuracy"] < 0.97
a, b = (list(shuffled(iter(range(50)), 10, random.Random(s))) for s in (1, 2))
assert a != b and sorted(a) == list(range(50)) and a != sorted(a)
assert [len(k) for k in batched(range(7), 3)] == [3, 3, 1]
