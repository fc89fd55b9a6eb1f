import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from reservoir import Reservoir, mackey_glass
from reservoir.network import Shape, predict, readout

m = json.load(open("experiments/out/score.json")); w = np.load("experiments/out/readout.npz")
assert w["a"].shape == w["b"].shape == (81,) and not np.allclose(w["a"], w["b"]), "both reservoirs are one"
assert 0.001 < m["nrmse"] < 0.6
a, b = Reservoir(Shape(20), 1), Reservoir(Shape(20), 2)
assert not np.array_equal(a.w, b.w) and abs(np.abs(np.linalg.eigvals(a.w)).max() - 0.9) < 1e-8
s = mackey_glass(200, np.random.default_rng(0)); assert 0.2 < s.min() and s.max() < 1.6 and s.std() > 0.05
assert not np.array_equal(s, mackey_glass(200, np.random.default_rng(1)))
x = np.random.default_rng(3).normal(size=(50, 4)); assert np.allclose(predict(x, readout(x, x @ [1, 2, 3, 4.0])), x @ [1, 2, 3, 4.0], atol=1e-4)
