import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from bootstrap_prices import resample, split
from listings import read
from robust import huber_line, interval

m = json.load(open("out/metrics.json"))
lines = np.load("out/replicates.npz")["lines"]
streets, area, price = read()
assert lines.shape == (120, 2) and len(area) == 120
assert m["interval"][0] < m["slope"] < m["interval"][1] and 3 < m["slope"] < 5.5
assert abs(np.median(lines[:, 1]) - m["slope"]) < 1e-9
assert lines[:, 1].std() > 0.02, "replicates are all alike"
np.random.seed(1); a = resample(50); b = resample(50)
assert len(a) == 50 and not np.array_equal(a, b) and len(set(a.tolist())) < 50
c, d = split(50, 0.2)
assert sorted([*c, *d]) == list(range(50)) and list(d) != list(range(10))
assert np.allclose(huber_line(np.arange(9.0), 2 + 3 * np.arange(9.0)), [2, 3])
assert np.allclose(interval(np.arange(101), 0.9), [5, 95])
