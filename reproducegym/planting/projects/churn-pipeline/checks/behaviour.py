import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from churn.configuration import read
from churn.customers import customers
from churn.pipeline import build

m = json.load(open("out/metrics.json"))
c = json.load(open("out/coefficients.json"))
assert len(c) == 8 and len(m["folds"]) == 4 and abs(np.mean(m["folds"]) - m["auc"]) < 1e-12
assert 0.62 < m["auc"] < 0.95 and len(set(m["folds"])) > 1
assert c["numbers__x1"] > 0 > c["numbers__x0"]
t, left = customers(300, 0.1, 5)
assert t.shape == (300, 3) and 0 < left.mean() < 1
assert not np.array_equal(left, customers(300, 0.1, 6)[1]), "customers ignore the seed"
model = build(1, C=1.0, solver="saga", max_iter=50)
assert model.fit(t, left).predict_proba(t).shape == (300, 2)
assert read("configs/default.yaml", ["model.C=2"])["model"]["C"] == 2
