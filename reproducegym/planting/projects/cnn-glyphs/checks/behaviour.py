import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import torch
from glyphs.data import Glyphs, loader
from glyphs.drawing import draw
from glyphs.network import Network, accuracy

m = json.load(open("out/metrics.json"))
w = np.load("out/cnn.npz")
model = Network()
first = model.head.weight.detach().clone()
assert not torch.equal(first, Network().head.weight), "weights are not drawn"
model.load_state_dict({k: torch.from_numpy(v) for k, v in w.items()})
acc = accuracy(model, loader(Glyphs(150, 4242, False), 50, False, 0, 0))
assert acc > 0.5 and abs(acc - m["accuracy"]) < 0.15, (acc, m)
a, b = (draw("ring", np.random.default_rng(s)) for s in (1, 2))
assert a.shape == (12, 12) and not np.array_equal(a, b)
order = torch.cat([k for _, k in loader(Glyphs(60, 1, False), 20, True, 0, 1)])
plain = torch.cat([k for _, k in loader(Glyphs(60, 1, False), 20, False, 0, 1)])
assert not torch.equal(order, plain) and torch.equal(order.sort().values, plain.sort().values)
