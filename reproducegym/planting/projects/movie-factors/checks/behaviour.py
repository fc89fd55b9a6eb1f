import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from factorize import Factors, seed_all
from ratings import Ratings

m = json.load(open("out/metrics.json"))
w = np.load("out/factors.npz")
r = Ratings("ratings")
assert w["p"].shape == (14, 5) and w["q"].shape == (14, 5)
assert m["rmse"] < 0.85 * m["spread"], m
assert m["train_rmse"][-1] < m["train_rmse"][0]
f = Factors(14, 14, 5, float(w["mean"]))
first = f.p.copy()
assert not np.array_equal(first, Factors(14, 14, 5, 0.0).p), "factors start the same twice"
f.p, f.q, f.bu, f.bm = w["p"], w["q"], w["bu"], w["bm"]
assert f.rmse(r.triples()) < m["rmse"]
assert r.hold_out(5, 1)[0] != r.hold_out(5, 2)[0], "the hold-out ignores its seed"
seed_all(3); a = np.random.rand(); seed_all(4); assert a != np.random.rand()
