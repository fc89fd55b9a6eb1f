import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from keychain import Key, SpentKey
from photons.star import log_joint, observe
m = json.load(open("posterior.json")); w = np.load("posterior.npz")
assert w["mean"].shape == (2,) and np.abs(w["mean"] - [1.0, 0.8]).max() < 0.5 and m["elbo"] > m["first"]
assert (np.exp(w["log_scale"]) < 0.5).all()
k = Key.of(1); a, b = k.split()
try:
    k.normal(1); raise AssertionError("a spent key was used")
except SpentKey:
    pass
assert not np.array_equal(a.normal(4), b.normal(4))
assert not np.array_equal(observe(Key.of(1)), observe(Key.of(2)))
c = observe(Key.of(3)); z = np.array([0.5, 0.3]); h = 1e-6
g = [(log_joint(z + e, c)[0] - log_joint(z - e, c)[0]) / (2 * h) for e in np.eye(2) * h]
assert np.allclose(g, log_joint(z, c)[1], rtol=1e-4)
