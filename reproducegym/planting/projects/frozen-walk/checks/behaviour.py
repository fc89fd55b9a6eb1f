import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from walk.agent import Learner
from walk.learn import episode
from walk.pond import Pond

m = json.load(open("out/metrics.json"))
q = np.load("out/q.npz")["q"]
assert q.shape == (25, 4) and 0.4 < m["success"] <= 1.0
pond = Pond(0.1, 60, np.random.default_rng(5))
learner = Learner(25, np.random.default_rng(6), 0.1, 0.97)
learner.q = q
again = np.mean([episode(pond, learner, 0.0, learn=False) > 0 for _ in range(200)])
assert abs(again - m["success"]) < 0.2, (again, m)
lost = Learner(25, np.random.default_rng(6), 0.1, 0.97)
assert np.mean([episode(pond, lost, 1.0, learn=False) > 0 for _ in range(60)]) < again - 0.2
def trail(s):
    p = Pond(0.5, 60, np.random.default_rng(s)); p.reset()
    return [p.step(1)[0] if p.at not in p.holes else p.reset() for _ in range(30)]
assert trail(1) != trail(2), "the ice does not slip by its generator"
