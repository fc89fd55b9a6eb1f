import json, sys, os
sys.path.insert(0, os.getcwd())
import numpy as np
from rff.space import feature_map, solve
from rff.tables import parted, stacked

s = json.load(open("results/scores.json")); w = np.load("results/omega.npz")
t = stacked("share")
assert t.shape == (240, 3) and w["omega"].shape == (2, 90) and s["rows"] == 240
pred = np.sqrt(2 / 90) * np.cos(t[:, :2] @ w["omega"] + w["phase"]) @ w["weights"]
err = np.mean((pred - t[:, 2]) ** 2) / np.var(t[:, 2])
assert err < 0.2 and 0.005 < s["test.nmse"] < 0.3 and abs(err - s["test.nmse"]) < 0.1, (err, s)
f, g = (feature_map(2, 5, 1.0, np.random.default_rng(k)) for k in (1, 2))
assert not np.array_equal(f.keywords["omega"], g.keywords["omega"])
a, b = parted(t, np.random.default_rng(0)); assert len(b) == 60 and not np.array_equal(b, t[::4])
