import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import torch
from moons import Moons
from seeding import seed_everything
from train import evaluate, network

m = json.load(open("out/metrics.json"))
w = np.load("out/moons.npz")
seed_everything(555)
a, b = Moons(400), Moons(400)
assert not torch.equal(a.points, b.points) and len(a) == 400
model = network(32)
before = {k: v.clone() for k, v in model.state_dict().items()}
assert not torch.equal(before["0.weight"], network(32)[0].weight)
model.load_state_dict({k: torch.from_numpy(v) for k, v in w.items()})
acc = evaluate(model, a)
assert acc > 0.85 and abs(acc - m["accuracy"]) < 0.08, (acc, m)
assert m["losses"][-1] < 0.6 * m["losses"][0]
