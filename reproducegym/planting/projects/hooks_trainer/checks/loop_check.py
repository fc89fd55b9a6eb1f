import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
from pilot import Checkpoint, Decay, EarlyStop, Loop
from pilot.softmax import Softmax, clusters
m = json.load(open("run/summary.json")); w = np.load("run/best.npz")["w"]
assert w.shape == (3, 3) and 0.1 < m["valid_loss"] < 0.75
x, y = clusters(600, 0.05, np.random.default_rng(1)); model = Softmax(2, 3, np.random.default_rng(2))
assert not np.array_equal(model.w, Softmax(2, 3, np.random.default_rng(3)).w)
model.w = w
assert abs(model.loss(x, y) - m["valid_loss"]) < 0.25
loop = Loop(model, np.random.default_rng(0), 0.1, 7, [EarlyStop(2), Checkpoint(), Decay()])
assert [type(h).__name__ for h in loop.hooks] == ["Decay", "Checkpoint", "EarlyStop"]
b = np.concatenate(loop.batches(30)); assert sorted(b) == list(range(30)) and list(b) != list(range(30))
assert not np.array_equal(x, clusters(600, 0.05, np.random.default_rng(9))[0])
