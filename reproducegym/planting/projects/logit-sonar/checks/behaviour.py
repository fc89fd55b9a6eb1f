import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from sonar.echoes import simulate, three_ways
from sonar.model import Logistic
from sonar.settings import Settings

m = json.load(open("out/metrics.json"))
saved = np.load("out/weights.npz")
s = Settings.load()
assert saved["w"].shape == (s.bands,)
x, y = simulate(s, np.random.default_rng(99))
model = Logistic(s.bands, np.random.default_rng(0))
model.w, model.b = saved["w"], float(saved["b"])
fresh = model.accuracy(x, y)
assert fresh > 0.75 and abs(fresh - m["accuracy"]) < 0.12, (fresh, m)
x2, _ = simulate(s, np.random.default_rng(98))
assert not np.array_equal(x, x2)
parts = three_ways(50, np.random.default_rng(0))
assert sorted(np.concatenate(parts).tolist()) == list(range(50))
assert parts[0].tolist() != sorted(parts[0].tolist()), "the split is not shuffled"
