import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from beams import Beams
from tune_beams import CHOICES, tuned
m = json.load(open("tuned/beams.json")); w = np.load("tuned/beams.npz")
assert w["coef"].shape == (50,) and w["components"].shape == (50, 4) and m["tried"] == 6
assert 0.7 < m["r2"] <= 1 and all(v in CHOICES[k] for k, v in m["best"].items())
a, b = Beams(60, 0.05, np.random.RandomState(1)), Beams(60, 0.05, np.random.RandomState(2))
assert not np.array_equal(a.x, b.x)
s = tuned(a.x, a.y, 2, 2, 1)
assert s.best_estimator_.score(a.x, a.y) > 0.5
assert s.cv_results_["params"] != tuned(a.x, a.y, 2, 2, 3).cv_results_["params"], "the search ignores its seed"
