import json, os, sys
sys.path.insert(0, os.path.join(os.getcwd(), "src"))
import numpy as np
from fraud import EasyEnsemble, payments

m = json.load(open("out/metrics.json"))
w = np.load("out/ensemble.npz")
assert w["scores"].shape == (3000,) and len(np.unique(w["scores"])) > 50
assert 0.2 < m["average_precision"] <= 1 and 50 < m["frauds"] < 160 and m["shallowest"] >= 2
x, y = payments(1500, 0.05, np.random.default_rng(1))
x2, _ = payments(1500, 0.05, np.random.default_rng(2))
assert not np.array_equal(x, x2), "payments ignore the generator"
a, b = (EasyEnsemble(3, s).fit(x, y).score(x) for s in (1, 50))
assert not np.array_equal(a, b), "the ensemble ignores its seed"
t = EasyEnsemble(3, 1).fit(x, y).trees
assert len({tuple(k.tree_.threshold) for k in t}) == 3, "members are all alike"
assert a[y == 1].mean() > a[y == 0].mean() + 0.2
