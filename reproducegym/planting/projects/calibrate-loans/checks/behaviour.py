import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from calibrate import fit_all, reliability
from loans import Loans

m = json.load(open("out/metrics.json"))
w = np.load("out/calibrated.npz")
assert w["theta"].shape == (2, 9) and w["sigmoid"].shape == (280,)
assert ((0 <= w["sigmoid"]) & (w["sigmoid"] <= 1)).all() and w["sigmoid"].std() > 0.05
assert m["brier"] == m["all"]["sigmoid"] < 0.2 and m["brier"] < m["all"]["raw"] + 0.01
loans = Loans(300, 9, 0.8)
x, y = loans.draw(1)
assert not np.array_equal(x, loans.draw(2)[0]), "the loans ignore the seed"
a = fit_all(x, y, 3, 1)["isotonic"].predict_proba(x)
b = fit_all(x, y, 3, 2)["isotonic"].predict_proba(x)
assert not np.array_equal(a, b), "the folds are always the same"
assert reliability(np.array([0.1, 0.9]), np.array([0, 1]), 2) == [(0.1, 0.0), (0.9, 1.0)]
