import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from decay.curve import climb, deviance, expected
m = json.load(open("outputs/fit.json")); w = np.load("outputs/fit.npz")
assert w["best"].shape == (2,) and w["replicas"].shape == (12, 2) and w["best"][1] == m["half_life"]
assert 4.4 < m["half_life"] < 6.2 and 0.005 < m["error"] < 0.8
assert np.allclose(expected(np.array([0.0, 5.0]), 100, 5), [100, 50])
t = np.arange(8.0); c = np.round(expected(t, 90, 3))
a, b = (climb(t, c, (50, 2), np.random.default_rng(s))[0] for s in (1, 2))
assert not np.array_equal(a, b) and climb(t, c, (50, 2), np.random.default_rng(1))[1] < deviance(t, c, 50, 2)
