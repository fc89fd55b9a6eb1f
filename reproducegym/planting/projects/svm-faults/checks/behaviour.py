import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from faults.machine import searched
from faults.sound import spectra

m = json.load(open("out/metrics.json"))
w = np.load("out/svm.npz")
grid = json.load(open("grid.json"))
assert w["components"].shape == (10, 32) and w["vectors"].shape[1] == 10
assert 0.6 < m["accuracy"] <= 1 and abs(m["accuracy"] - m["cross_validated"]) < 0.2
assert m["chosen"]["svc__C"] in grid["C"] and m["chosen"]["svc__gamma"] in grid["gamma"]
x, y = spectra(90, np.random.RandomState(1))
x2, _ = spectra(90, np.random.RandomState(2))
assert x.shape == (90, 32) and not np.array_equal(x, x2), "the pumps sound alike"
found = searched(x, y, {"C": [1, 10], "gamma": [0.05], "folds": 3}, 0)
assert found.best_estimator_.score(x, y) > 0.8 and len(found.cv_results_["params"]) == 2
