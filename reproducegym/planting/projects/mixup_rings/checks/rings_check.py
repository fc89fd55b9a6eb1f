import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np, torch
from mixup.__main__ import net
from mixup.determinism import evaluating, prepared
from mixup.rings import mixed, rings
m = json.load(open("artefacts/report.json")); w = np.load("artefacts/net.npz")
rng = prepared(3); x, y = rings(400, rng)
model = net(32); assert not torch.equal(model[0].weight, net(32)[0].weight)
model.load_state_dict({k.replace("_", ".", 1): torch.from_numpy(v) for k, v in w.items()})
with evaluating(model):
    acc = float((model(x).argmax(1) == y).float().mean())
assert model.training and acc > 0.75 and abs(acc - m["accuracy"]) < 0.1 and 0 < m["entropy"] < 1.1
a, t = mixed(x[:50], y[:50], 0.5, rng)
assert torch.allclose(t.sum(1), torch.ones(50)) and not torch.equal(a, x[:50]) and torch.equal(mixed(x, y, 0, rng)[0], x)
assert not torch.equal(x, rings(400, prepared(4))[0])
