import json, os, sys
sys.path.insert(0, os.getcwd())
import numpy as np
import torch
from adder import Adder
from problem import Adding

m = json.load(open("out/metrics.json"))
w = np.load("out/lstm.npz")
assert w["lstm.weight_hh_l0"].shape == (96, 24)
x, y = Adding(8, 1).batch(300)
assert (x[..., 1].sum(1) == 2).all() and torch.allclose((x[..., 0] * x[..., 1]).sum(1), y)
assert not torch.equal(x, Adding(8, 2).batch(300)[0]), "the problem ignores its seed"
model = Adder(24)
assert not torch.equal(model.out.weight, Adder(24).out.weight)
model.load_state_dict({k: torch.from_numpy(v) for k, v in w.items()})
with torch.no_grad():
    mse = float(((model(x) - y) ** 2).mean())
assert mse < 0.6 * m["variance"] and abs(mse - m["mse"]) < 0.04, (mse, m)
