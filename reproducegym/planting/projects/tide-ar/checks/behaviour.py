import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from tides.ar import AR, filled, lagged
from tides.gauge import levels

m = json.load(open("out/metrics.json"))
w = np.load("out/ar.npz")
s = levels("gauge")
assert len(s) == 440 and np.isnan(s).sum() == m["gaps"] > 10
assert w["betas"].shape == (12, 7) and np.allclose(w["betas"].mean(0), w["mean"])
assert m["rmse"] < 0.25 * m["spread"], m
assert w["betas"].std(0).max() > 1e-4, "the imputations are all alike"
assert np.array_equal(lagged(np.arange(5.0), 2)[0], [1, 0, 1])
model = AR(6, 1e-3).fit(np.sin(np.arange(200) / 2) + 0.1)
model.sigma = 0.3
a, b = (filled(s, model, np.random.default_rng(k)) for k in (1, 2))
assert not np.isnan(a).any() and not np.array_equal(a, b), "gaps are not drawn"
