import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from belief import Belief
from world import heard, moved, walk

s = json.load(open("trace/summary.json")); w = np.load("trace/particles.npz")
assert w["poses"].shape == (300, 3) and abs(w["weights"].sum() - 1) < 1e-9 and w["path"].shape == (40, 4)
err = np.sqrt((((w["path"][:, :2] - w["path"][:, 2:]) ** 2).sum(1))[5:].mean())
assert abs(err - s["rmse"]) < 1e-9 and 0.02 < err < 1.5
assert w["poses"][:, :2].std() > 0.01, "one particle only"
a, b = (list(walk(5, np.random.default_rng(k)))[-1].pose for k in (1, 2))
assert not np.array_equal(a, b) and heard(np.zeros((1, 3)))[0, 0] == 0
p = Belief(50, np.random.default_rng(0)); q = Belief(50, np.random.default_rng(1))
assert not np.array_equal(p.poses, q.poses)
assert np.ptp(moved(np.full((20, 3), 5.0), 0.1, np.random.default_rng(3))[:, 0]) > 0
