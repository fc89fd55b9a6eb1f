import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from gp import evidence, predict, search
from kiln import firing

m = json.load(open("kiln/metrics.json")); th = json.load(open("kiln/theta.json"))
assert set(th) == {"amplitude", "length", "noise"} and 20 <= th["amplitude"] <= 400.1 and 0.5 < th["noise"] < 7
assert 1 < m["nlpd"] < 4 and m["inside_two_sigma"] > 0.6
t, y = firing(30, np.random.default_rng(1)); t2, _ = firing(30, np.random.default_rng(2))
assert not np.array_equal(t, t2)
a, b = (search(t, y - y.mean(), 4, np.random.default_rng(s))[0] for s in (1, 2))
assert not np.array_equal(a, b), "the search ignores its generator"
mean, var = predict(np.log([100, 10, 0.1]), t, y, t)
assert np.abs(mean - y).mean() < 8 and (var > 0).all()
