import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from mines.counts import load
from mines.metropolis import chain, r_hat
from mines.model import ChangePoint

m = json.load(open("out/metrics.json"))
d = np.load("out/draws.npz")["draws"]
assert d.shape == (3, 180, 3)
assert 1880 < m["year"] < 1900 and m["before"] > 1.5 * m["after"] and abs(d[..., 2].mean() - m["year"]) < 1.5
assert m["r_hat_year"] < 1.3 and all(0.02 < a < 0.9 for a in m["acceptance"])
assert not np.array_equal(d[0], d[1]), "all chains are one"
model = ChangePoint(*load())
assert model.log_density([1, 0, 1600]) == -np.inf
a, b = (chain(model, 20, np.random.default_rng(s), warmup=5)[0] for s in (1, 2))
assert not np.array_equal(a, b), "the chain ignores its generator"
assert abs(r_hat(np.random.default_rng(0).normal(size=(4, 500))) - 1) < 0.02
