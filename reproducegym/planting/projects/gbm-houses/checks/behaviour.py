import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from houses import Market, boost

m = json.load(open("out/metrics.json"))
trees = json.load(open("out/model.json"))
assert len(trees) == 60 and m["mae"] < 0.65 * m["median_mae"], m
assert max(m["importance"], key=m["importance"].get) == "area"
x, y = Market(np.random.default_rng(1)).sales(150)
x2, _ = Market(np.random.default_rng(2)).sales(150)
assert x.shape == (150, 5) and not np.array_equal(x, x2), "the market ignores its generator"
a, b = (boost(x, y, stages=5, subsample=0.5, seed=s).predict(x) for s in (1, 2))
assert not np.array_equal(a, b), "boosting ignores its seed"
assert len({t["threshold"][0] for t in trees}) > 10
