import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from compose import compose
from polynomial import Polynomial, sample

m = json.load(open("out/metrics.json"))
w = json.load(open("out/coefficients.json"))
assert len(w) == 4 and 0.3 < m["r2"] <= 1
c = compose("conf", ["model=cubic", "seed=5"])
assert c["seed"] == c["data"]["seed"] == c["split"]["seed"] == 5 and c["model"]["degree"] == 3
assert m["config"]["optimizer"] == c["optimizer"]
x, y = sample(100, 0.3, 1)
assert not np.array_equal(x, sample(100, 0.3, 2)[0]), "the sample ignores its seed"
p = Polynomial(3, 0.1, np.random.RandomState(0))
assert not np.array_equal(p.w, Polynomial(3, 0.1, np.random.RandomState(1)).w)
p.w = np.array(w)
t = np.linspace(-1, 1, 50)
assert np.abs(p(t) - (2 * t**3 - t + 0.5)).mean() < 0.25
