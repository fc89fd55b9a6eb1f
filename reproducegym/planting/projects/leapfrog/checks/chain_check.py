import itertools, json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from leapfrog.sampler import chain, integrate
from leapfrog.targets import TARGETS

m = json.load(open("draws/diagnostics.json")); d = np.load("draws/chain.npz")["draws"]
assert d.shape == (400, 2) and 0.5 < m["accepted"] <= 1 and m["error"] < 1
assert abs(np.linalg.norm(d.mean(0)) - m["error"]) < 1e-9 and 0.6 < d[:, 0].std() < 1.5
t = TARGETS["banana"](); z = np.array([0.3, 0.2]); h = 1e-6
for i in range(2):
    e = np.eye(2)[i] * h
    assert abs((t(z + e)[0] - t(z - e)[0]) / (2 * h) - t(z)[1][i]) < 1e-5
z1, p1 = integrate(t, z, np.array([1.0, -1.0]), 0.05, 20); z0, _ = integrate(t, z1, -p1, 0.05, 20)
assert np.allclose(z0, z, atol=1e-8), "the integrator is not reversible"
a, b = ([x for x, _ in itertools.islice(chain(t, z, np.random.default_rng(s)), 5)] for s in (1, 2))
assert not np.allclose(a, b)
