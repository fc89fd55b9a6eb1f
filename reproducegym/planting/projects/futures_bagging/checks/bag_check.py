import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from bag import member
from stumps import grow, stripes, vote
m = json.load(open("bag/metrics.json")); s = json.load(open("bag/stumps.json"))
assert len(s) == 30 and len({tuple(k) for k in s}) > 10, "the stumps are all alike"
x, y = stripes(500, np.random.default_rng(77))
acc = ((sum(vote(k, x) for k in s) > 0) == y).mean()
assert acc > 0.7 and abs(acc - m["oob_accuracy"]) < 0.12, (acc, m)
assert member((x, y, np.random.SeedSequence(1)))[1].tolist() != member((x, y, np.random.SeedSequence(2)))[1].tolist()
assert grow(np.array([[0.0], [1], [2], [3]]), np.array([0, 0, 1, 1]))[2] == 1
assert not np.array_equal(x, stripes(500, np.random.default_rng(78))[0])
