import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from anneal.glass import couplings, energy
from anneal.replica import Job, cool

m = json.load(open("out/metrics.json"))
w = np.load("out/spins.npz")
assert w["best"].shape == (40,) and set(w["best"]) == {-1.0, 1.0} and len(m["all"]) == 6
assert m["energy"] == 10 * min(m["all"]) and -10 < m["energy"] < -4.5
j = couplings(12, np.random.default_rng(1))
assert np.allclose(j, j.T) and not np.array_equal(j, couplings(12, np.random.default_rng(2)))
a, b = (cool(Job(0, j, 6, 2.0, np.random.SeedSequence(s))) for s in (1, 2))
flips = {tuple(cool(Job(0, j, 1, 50.0, np.random.SeedSequence(s)))[2]) for s in range(6)}
assert len(flips) > 3, "replicas ignore their seeds"
assert abs(a[1] - energy(a[2], j) / 12) < 1e-12
