import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from svm.pegasos import Pegasos
from svm.segments import PROTOTYPES, SEGMENTS, digits, expand

m = json.load(open("out/metrics.json"))
w = np.load("out/svm.npz")["w"]
assert w.shape == (10, 29) and SEGMENTS == list("abcdefg")
x, y = digits(500, m["noise"], np.random.RandomState(900))
fresh = float(((x @ w.T).argmax(1) == y).mean())
assert fresh > 0.7 and abs(fresh - m["accuracy"]) < 0.1, (fresh, m["accuracy"])
assert np.trace(m["confusion"]) / np.sum(m["confusion"]) == m["accuracy"]
assert ((expand(PROTOTYPES) @ w.T).argmax(1) == np.arange(10)).sum() >= 9
a, b = (Pegasos(10, 29, 0.01, np.random.RandomState(s)).fit(x, y, 20).mean for s in (1, 2))
assert not np.array_equal(a, b), "Pegasos ignores its generator"
