import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from crops.fields import fields
from crops.seeds import Seeds
r = json.load(open("var/evaluation.json")); w = np.load("var/stack.npz")
assert w["p"].shape == (100, 3) and np.allclose(w["p"].sum(1), 1) and sum(r["support"].values()) == 100
ll = -np.log(w["p"][np.arange(100), w["test"]]).mean()
assert abs(ll - r["log_loss"]) < 1e-6 and 0.05 < ll < 0.95 and r["accuracy"] > 0.55
assert not np.array_equal(fields(20, 1)[0], fields(20, 2)[0])
a, b = Seeds(1), Seeds(2)
assert a["x"] != a["y"] and a["x"] != b["x"] and a["x"] == Seeds(1)["x"]
