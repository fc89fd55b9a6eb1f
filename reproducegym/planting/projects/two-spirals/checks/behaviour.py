import json, os, sys
sys.path.insert(0, os.path.join(os.getcwd(), "src"))
import numpy as np
from spirals import Network, batches, spirals

m = json.load(open("out/spirals.json"))
w = np.load("out/spirals.npz")
assert w["in.w"].shape == (2, 24) and w["out.w"].shape == (24, 1)
net = Network(24, np.random.default_rng(0))
for n, v in w.items():
    layer, p = n.split(".")
    setattr(net.layers[layer], p, v)
x, y = spirals(600, np.random.default_rng(4321))
acc = float(np.mean(net.predict(x) == y))
assert acc > 0.75 and abs(acc - m["accuracy"]) < 0.12, (acc, m)
a, b = (Network(8, np.random.default_rng(s)).state()["mid.w"] for s in (0, 1))
assert not np.array_equal(a, b), "initial weights ignore the generator"
got = np.concatenate([k for _, k in batches(np.zeros((30, 2)), np.arange(30), 7, np.random.default_rng(1))])
assert sorted(got) == list(range(30)) and list(got) != list(range(30)), "batches are not shuffled"
net.train(True)
assert not np.array_equal(net.logits(x), net.logits(x)), "dropout does nothing"
