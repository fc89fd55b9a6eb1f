import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from classify import model
from headlines import read, sections

m = json.load(open("out/metrics.json"))
w = np.load("out/weights.npz")
assert w["coef"].shape == (3, 1024) and len(m["splits"]) == 6 and len(set(m["splits"])) > 1
assert 0.4 < m["f1"] <= 1 and m["headlines"] == 36
assert sections("news") == ["harbour", "kitchen", "stadium"]
texts, labels = read("news")
p = model(3).fit(texts, labels)
assert p.score(texts, labels) > 0.95
assert p.predict(["ferry in the fog", "salt and butter soup"]).tolist() == ["harbour", "kitchen"]
assert not np.array_equal(p[-1].coef_, model(4).fit(texts, labels)[-1].coef_), "SGD ignores random_state"
