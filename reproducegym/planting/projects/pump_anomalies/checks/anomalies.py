import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from detect import dithered, settings
from readings import read, walk
r = json.load(open("report/report.json")); s = np.load("report/scores.npz")["scores"]
x, fault = read("readings")
assert x.shape == (240, 3) and s.shape == (240,) and 5 < fault.sum() < 40 and len(np.unique(s)) > 100
assert 0.75 < r["auc"] <= 1 and s[fault == 1].mean() > s[fault == 0].mean() + 0.03
assert not np.array_equal(dithered(x, 0.1, 1), dithered(x, 0.1, 2))
assert list(walk("readings")) == sorted(walk("readings"))
assert settings("settings.toml", ["forest.max_samples=9"])["forest"]["max_samples"] == 9
